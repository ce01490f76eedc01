package host

import (
	"encoding/binary"
	"fmt"

	"github.com/memc-lang/memc/runtime"
)

// faultBytes is the size of the fault buffer: a 32-bit code (0: no fault), and
// from byte 8 on up to seven arguments of 64 bits. The kernel's first failing
// check fills it; later ones leave it alone.
const faultBytes = 64

// A FaultBuffer is the device memory in which kernels report a failing check. It
// is the first argument of every kernel of a program that has checks. A nil
// buffer is that of a program without: nothing is ever reported. It is used
// between Begin and end of a context's turns.
type FaultBuffer struct {
	ctx      *runtime.Context
	block    *runtime.Block
	launched bool // a kernel that can report, since the last look
}

// NewFaultBuffer makes a buffer without a fault in it.
func NewFaultBuffer(ctx *runtime.Context) (*FaultBuffer, error) {
	b, err := ctx.AllocUncounted(faultBytes)
	if err != nil {
		return nil, fmt.Errorf("fault buffer: %w", err)
	}
	f := &FaultBuffer{ctx: ctx, block: b}
	if err := f.reset(); err != nil {
		f.Release()
		return nil, err
	}
	return f, nil
}

func (f *FaultBuffer) reset() error {
	if err := f.ctx.Write(f.block, 0, make([]byte, faultBytes)); err != nil {
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

// Arg appends the buffer to the arguments of a kernel that is about to be
// launched.
func (f *FaultBuffer) Arg(args []runtime.Arg) []runtime.Arg {
	if f == nil {
		return args
	}
	f.launched = true
	return append(args, runtime.Arg{Block: f.block, Bare: true})
}

// Pending waits for the kernels launched so far and gives what the first failing
// check of theirs reported, and forgets it: the number of the check (0: none
// failed) and its arguments.
func (f *FaultBuffer) Pending() (code int, args []int64, err error) {
	if f == nil || !f.launched {
		return 0, nil, nil
	}
	var buf [faultBytes]byte
	if err := f.ctx.Read(f.block, 0, buf[:]); err != nil {
		return 0, nil, fmt.Errorf("waiting for kernels: %w", err)
	}
	return f.look(buf[:])
}

// ReadElem reads an element as Context.ReadElem does, and gives what Pending would; the
// device is waited for once. What fails in reading counts only where no check failed.
func (f *FaultBuffer) ReadElem(ctx *runtime.Context, b *runtime.Block, index int64, size int) (bits uint64, code int, args []int64, err error) {
	if f == nil || !f.launched {
		bits, err = ctx.ReadElem(b, index, size)
		return bits, 0, nil, err
	}
	var buf [faultBytes]byte
	if bits, err = ctx.ReadElemAnd(b, index, size, f.block, buf[:]); err != nil {
		if code, args, pending := f.Pending(); code != 0 || pending != nil {
			return 0, code, args, pending
		}
		return 0, 0, nil, err
	}
	code, args, err = f.look(buf[:])
	return bits, code, args, err
}

// look reads the contents of the buffer.
func (f *FaultBuffer) look(buf []byte) (code int, args []int64, err error) {
	f.launched = false
	code = int(int32(binary.LittleEndian.Uint32(buf[:])))
	if code == 0 {
		return 0, nil, nil
	}
	for at := 8; at < faultBytes; at += 8 {
		args = append(args, int64(binary.LittleEndian.Uint64(buf[at:])))
	}
	return code, args, f.reset()
}
