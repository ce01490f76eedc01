package host

import (
	"encoding/binary"
	"fmt"

	"github.com/memc-lang/memc/runtime"
)

// faultBytes is the size of the words of a fault: a 32-bit code (0: no fault), and from byte 8 on
// up to seven arguments of 64 bits. The kernel's first failing check sets them; later ones do not
// change them.
const faultBytes = 64

// lookEvery is after how many launches the host looks for a fault, where it needs nothing else of
// the device: a loop whose kernels do nothing, since one has failed, may never end.
const lookEvery = 1 << 12

// A FaultBuffer is the device memory in which kernels report a failing check and, after that, leave
// scalars in slots of 8 bytes. It is the first argument of every kernel of a program that has
// checks. A program with neither has a nil buffer, which never reports anything. It is used between
// Begin and End of a context's turns.
type FaultBuffer struct {
	ctx      *runtime.Context
	block    *runtime.Block
	checks   bool
	launched int // kernels that can report, since the last look
}

// NewFaultBuffer makes a buffer without a fault in it, for a program whose kernels hold
// checks or not, with so many slots. It is nil where nobody needs one.
func NewFaultBuffer(ctx *runtime.Context, checks bool, slots int) (*FaultBuffer, error) {
	if !checks && slots == 0 {
		return nil, nil
	}
	b, err := ctx.AllocUncounted(faultBytes + 8*int64(slots))
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
func (f *FaultBuffer) Slots() *runtime.Block { return f.block }

// Is reports whether a block is that of the slots.
func (f *FaultBuffer) Is(b *runtime.Block) bool { return f != nil && f.block == b }

// Arg appends the buffer to the arguments of a kernel that is about to be
// launched.
func (f *FaultBuffer) Arg(args []runtime.Arg) []runtime.Arg {
	if f == nil || !f.checks {
		return args
	}
	f.launched++
	return append(args, runtime.Arg{Block: f.block, Bare: true})
}

// Due reports whether so many kernels were launched since the last look that the host should look.
func (f *FaultBuffer) Due() bool { return f != nil && f.launched >= lookEvery }

// Pending waits for the kernels launched so far. It returns the report of their first failing
// check, and clears it: the number of the check (0: none failed) and its arguments.
func (f *FaultBuffer) Pending() (code int, args []int64, err error) {
	if f == nil || f.launched == 0 {
		return 0, nil, nil
	}
	var buf [faultBytes]byte
	if err := f.ctx.Read(f.block, 0, buf[:]); err != nil {
		return 0, nil, fmt.Errorf("waiting for kernels: %w", err)
	}
	return f.look(buf[:])
}

// An Elem is an element to be read: its index and size in a block, and its bits.
type Elem struct {
	Block *runtime.Block
	Index int64
	Size  int
	Bits  uint64
}

// Fetch reads elements, and gives what Pending would; the device is waited for once. What
// fails in reading counts only where no check failed.
func (f *FaultBuffer) Fetch(ctx *runtime.Context, elems []Elem) (code int, args []int64, err error) {
	if err := f.fetch(ctx, elems, &code, &args); err != nil {
		if code, args, pending := f.Pending(); code != 0 || pending != nil {
			return code, args, pending
		}
		return 0, nil, err
	}
	return code, args, nil
}

func (f *FaultBuffer) fetch(ctx *runtime.Context, elems []Elem, code *int, args *[]int64) error {
	data := make([]byte, 8*len(elems))
	list := make([]runtime.Range, 0, len(elems)+1)
	// Of the buffer's own block one range is read, which holds all that is asked for.
	from, to := int64(faultBytes), int64(faultBytes)
	if f != nil && f.launched > 0 {
		from = 0
	} else if f != nil {
		from = f.block.Size()
	}
	for k, e := range elems {
		at := e.Index * int64(e.Size)
		if e.Index < 0 || e.Index >= e.Block.Size()/int64(e.Size) {
			return fmt.Errorf("element %d (of %d bytes each) is outside of a block of %d bytes", e.Index, e.Size, e.Block.Size())
		}
		if f.Is(e.Block) {
			from, to = min(from, at), max(to, at+int64(e.Size))
			continue
		}
		list = append(list, runtime.Range{Block: e.Block, Off: at, Data: data[8*k : 8*k+e.Size]})
	}
	var own []byte
	if from < to {
		own = make([]byte, to-from)
		list = append(list, runtime.Range{Block: f.block, Off: from, Data: own})
	}
	if err := ctx.ReadAll(list); err != nil {
		return err
	}
	for k := range elems {
		e := &elems[k]
		if f.Is(e.Block) {
			copy(data[8*k:8*k+e.Size], own[e.Index*int64(e.Size)-from:])
		}
		e.Bits = binary.LittleEndian.Uint64(data[8*k:])
	}
	if f == nil || f.launched == 0 {
		return nil
	}
	var err error
	*code, *args, err = f.look(own[:faultBytes])
	return err
}

// look reads the words of a fault.
func (f *FaultBuffer) look(buf []byte) (code int, args []int64, err error) {
	f.launched = 0
	code = int(int32(binary.LittleEndian.Uint32(buf[:])))
	if code == 0 {
		return 0, nil, nil
	}
	for at := 8; at < faultBytes; at += 8 {
		args = append(args, int64(binary.LittleEndian.Uint64(buf[at:])))
	}
	return code, args, f.reset()
}
