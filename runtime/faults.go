package runtime

import (
	"encoding/binary"
	"fmt"
)

// The words of a fault buffer before its slots, and after how many launches the host looks for a fault,
// where it needs nothing else of the device: native/c/cl/reads.c says what they are.
const (
	faultWords = 8
	lookEvery  = 1 << 12
)

// A FaultBuffer is the device memory in which kernels report a failing check and, after that, leave
// scalars in slots of 8 bytes. It is the first argument of every kernel of a program that has
// checks. A program with neither has a nil buffer, which never reports anything. It is used between
// Begin and End of a context's turns.
type FaultBuffer struct {
	ctx      *Context
	block    *Block
	checks   bool
	launched int // kernels that can report, since the last look
}

// NewFaultBuffer makes a buffer without a fault in it, for a program whose kernels hold
// checks or not, with so many slots. It is nil where nobody needs one.
func NewFaultBuffer(ctx *Context, checks bool, slots int) (*FaultBuffer, error) {
	if !checks && slots == 0 {
		return nil, nil
	}
	b, err := ctx.AllocUncounted(8 * int64(faultWords+slots))
	if err != nil {
		return nil, fmt.Errorf("fault buffer: %w", err)
	}
	f := &FaultBuffer{ctx: ctx, block: b, checks: checks}
	if err := f.reset(); err != nil {
		f.Release()
		return nil, err
	}
	return f, nil
}

// reset empties the buffer, slots included: kernels leave some of them 0, unless they fail.
func (f *FaultBuffer) reset() error {
	if err := f.ctx.Write(f.block, 0, make([]byte, f.block.Size())); err != nil {
		return fmt.Errorf("fault buffer: %w", err)
	}
	return nil
}

// Release gives the buffer back.
func (f *FaultBuffer) Release() {
	if f != nil {
		f.block.Release()
		f.block = nil
	}
}

// Slots returns the block of the slots. They begin behind the words of a fault.
func (f *FaultBuffer) Slots() *Block { return f.block }

// Is reports whether a block is that of the slots.
func (f *FaultBuffer) Is(b *Block) bool { return f != nil && f.block == b }

// Arg appends the buffer to the arguments of a kernel that is about to be
// launched.
func (f *FaultBuffer) Arg(args []Arg) []Arg {
	if f == nil || !f.checks {
		return args
	}
	f.launched++
	return append(args, Arg{Block: f.block, Bare: true})
}

// Due reports whether so many kernels were launched since the last look that the host should look.
func (f *FaultBuffer) Due() bool { return f != nil && f.launched >= lookEvery }

// An Elem is an element to be read: its index and size in a block, and its bits.
type Elem struct {
	Block *Block
	Index int64
	Size  int
	Bits  uint64
}

// Pending waits for the kernels launched so far. It returns the report of their first failing
// check, and clears it: the number of the check (0: none failed) and its arguments.
func (f *FaultBuffer) Pending() (code int, args []int64, err error) {
	if f == nil || f.launched == 0 {
		return 0, nil, nil
	}
	if code, args, err = f.look(f.ctx, nil); err != nil {
		err = fmt.Errorf("waiting for kernels: %w", err)
	}
	return code, args, err
}

// Fetch reads elements, and gives what Pending would; the device is waited for once. What
// fails in reading counts only where no check failed.
func (f *FaultBuffer) Fetch(ctx *Context, elems []Elem) (code int, args []int64, err error) {
	if code, args, err = f.look(ctx, elems); err != nil {
		if code, args, pending := f.Pending(); code != 0 || pending != nil {
			return code, args, pending
		}
	}
	return code, args, err
}

// look reads elements and, where kernels were launched that can fail, the words of a fault.
func (f *FaultBuffer) look(ctx *Context, elems []Elem) (code int, args []int64, err error) {
	words, err := ctx.fetch(f, elems)
	if err != nil || f == nil || f.launched == 0 {
		return 0, nil, err
	}
	f.launched = 0
	if code = int(int32(words[0])); code == 0 {
		return 0, nil, nil
	}
	return code, words[1:], f.reset()
}

// fetch reads elements, of which some may be slots of f, and the words of a fault.
func (c *Context) fetch(f *FaultBuffer, elems []Elem) (words []int64, err error) {
	if c.several != nil {
		return c.fetchEach(f, elems)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.usable(); err != nil {
		return nil, err
	}
	list := make([]piece, len(elems))
	for i, e := range elems {
		off, err := elemOffset(e.Block, e.Index, e.Size)
		if err != nil {
			return nil, err
		}
		list[i] = piece{e.Block.buf, e.Block.offset + off, e.Size, &elems[i].Bits}
	}
	if f == nil {
		return c.drv.fetch(nil, 0, list)
	}
	return c.drv.fetch(f.block.buf, f.launched, list)
}

// fetchEach is fetch of several devices, each of which may have an element.
func (c *Context) fetchEach(f *FaultBuffer, elems []Elem) (words []int64, err error) {
	for i := range elems {
		e := &elems[i]
		if e.Bits, err = c.ReadElem(e.Block, e.Index, e.Size); err != nil {
			return nil, err
		}
	}
	if f == nil || f.launched == 0 {
		return nil, nil
	}
	var data [8 * faultWords]byte
	words = make([]int64, faultWords)
	err = c.Read(f.block, 0, data[:])
	_, _ = binary.Decode(data[:], binary.LittleEndian, words) // which fit
	return words, err
}
