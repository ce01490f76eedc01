package exec

import (
	"fmt"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/host"
)

// errEmpty is the use of a memory variable that holds no block: a mistake of
// the lowering.
func errEmpty(p *Prepared, name string) error {
	return p.bug(noSpan, "memory variable `%s` holds no block", name)
}

func (c *compiler) alloc(s *imp.Alloc) code {
	at := c.mem(s.Mem)
	bytes, err := scalar.CompileBytes(s.Bytes, c.env)
	c.fail(err)
	return func(r *run, f *frame) error {
		n := max(0, int64(bytes(f.sc)))
		f.set(at, nil) // the variable's old block is dropped before, not after
		b, err := r.ctx.Alloc(n, r.p.tagBase+s.Site)
		if err != nil {
			return r.p.noMemory(blockName(s), s.Span, err)
		}
		f.set(at, b)
		return nil
	}
}

func (c *compiler) sizeOf(s *imp.SizeOf) code {
	at, dst := c.mem(s.Mem), c.scalar(s.Dst)
	return func(r *run, f *frame) error {
		b := f.mem[at]
		if b == nil {
			return errEmpty(r.p, s.Mem)
		}
		f.sc[dst] = uint64(b.Size())
		return nil
	}
}

func (c *compiler) sizeAs(s *imp.SizeAs) code {
	dst := c.scalar(s.Dst)
	bytes, err := scalar.CompileBytes(s.Bytes, c.env)
	c.fail(err)
	return func(_ *run, f *frame) error {
		f.sc[dst] = bytes(f.sc)
		return nil
	}
}

func (c *compiler) free(s *imp.Free) code {
	at := c.mem(s.Mem)
	return func(_ *run, f *frame) error {
		f.set(at, nil)
		return nil
	}
}

func (c *compiler) setMem(s *imp.SetMem) code {
	dst, src := c.mem(s.Dst), c.mem(s.Src)
	return func(_ *run, f *frame) error {
		b := f.mem[src]
		if b != nil {
			b.Retain()
		}
		f.set(dst, b)
		return nil
	}
}

// element compiles the place of one: its block and its index there.
func (c *compiler) element(mem string, off ir.Exp) (at int, code scalar.Code) {
	return c.mem(mem), c.exp(off)
}

// fetch compiles reads of elements.
func (c *compiler) fetch(s *imp.Fetch) code {
	type place struct {
		dst, at int
		off     scalar.Code
	}
	places := make([]place, len(s.Loads))
	for i, l := range s.Loads {
		p := &places[i]
		p.dst = c.scalar(l.Dst)
		p.at, p.off = c.element(l.Mem, l.Off)
	}
	return func(r *run, f *frame) error {
		elems := make([]runtime.Elem, len(places))
		for i, p := range places {
			l := s.Loads[i]
			if elems[i] = (runtime.Elem{Block: f.mem[p.at], Index: int64(p.off(f.sc)), Size: int(l.Prim.Size())}); elems[i].Block == nil {
				return errEmpty(r.p, l.Mem)
			}
		}
		code, args, err := r.p.faults.Fetch(r.ctx, elems)
		switch {
		case code != 0:
			return r.p.fault(code, args)
		case err != nil:
			return fmt.Errorf("reading `%s`: %w", s.Loads[0].Dst, err)
		}
		for i, p := range places {
			r.tell(one(elems[i].Block), nil)
			f.sc[p.dst] = extend(s.Loads[i].Prim, elems[i].Bits)
		}
		return nil
	}
}

// bindSlots compiles the binding of the program's slots.
func (c *compiler) bindSlots(s *imp.Slots) code {
	at := c.mem(s.Mem)
	return func(r *run, f *frame) error {
		b := r.p.faults.Slots()
		b.Retain()
		f.set(at, b)
		return nil
	}
}

// extend brings the bits of an element into the form that scalars have:
// signed integers sign-extended.
func extend(p ir.Prim, bits uint64) uint64 {
	switch p {
	case ir.I8:
		return uint64(int8(bits))
	case ir.I16:
		return uint64(int16(bits))
	case ir.I32:
		return uint64(int32(bits))
	}
	return bits
}

func (c *compiler) store(s *imp.Store) code {
	at, off := c.element(s.Mem, s.Off)
	val := c.exp(s.Val)
	size := int(s.Prim.Size())
	return func(r *run, f *frame) error {
		b := f.mem[at]
		if b == nil {
			return errEmpty(r.p, s.Mem)
		}
		if err := r.ctx.WriteElem(b, int64(off(f.sc)), size, val(f.sc)); err != nil {
			return fmt.Errorf("writing to `%s`: %w", s.Mem, err)
		}
		r.tell(one(b), one(b))
		return nil
	}
}

func (c *compiler) upload(s *imp.Upload) code {
	at, off := c.element(s.Mem, s.Off)
	data := s.Bytes()
	return func(r *run, f *frame) error {
		b := f.mem[at]
		if b == nil {
			return errEmpty(r.p, s.Mem)
		}
		if err := r.ctx.WriteElems(b, int64(off(f.sc)), int(s.Prim.Size()), data); err != nil {
			return fmt.Errorf("writing to `%s`: %w", s.Mem, err)
		}
		r.tell(one(b), one(b))
		return nil
	}
}

// A region is a compiled imp.Region. Its strides are computed into a slice of
// its own, which is free to be reused: calls on a context take turns, and a
// copy does not call anything.
type region struct {
	name    string
	at      int
	off     scalar.Code
	strides []scalar.Code
	buf     []int64
}

func (c *compiler) region(x imp.Region, rank int) *region {
	if len(x.Strides) != rank {
		c.fail(fmt.Errorf("a copy of rank %d has %d strides in `%s`", rank, len(x.Strides), x.Mem))
	}
	out := &region{name: x.Mem, buf: make([]int64, rank)}
	out.at = c.mem(x.Mem)
	out.off = c.exp(x.Offset)
	out.strides = c.exps(x.Strides)
	return out
}

func (x *region) eval(r *run, f *frame) (runtime.Region, error) {
	b := f.mem[x.at]
	if b == nil {
		return runtime.Region{}, errEmpty(r.p, x.name)
	}
	evalInts(x.buf, x.strides, f)
	return runtime.Region{Block: b, Offset: int64(x.off(f.sc)), Strides: x.buf}, nil
}

func evalInts(dst []int64, list []scalar.Code, f *frame) {
	for i, e := range list {
		dst[i] = int64(e(f.sc))
	}
}

func (c *compiler) copy(s *imp.Copy) code {
	dst := c.region(s.Dst, len(s.Shape))
	src := c.region(s.Src, len(s.Shape))
	shape := c.exps(s.Shape)
	dims := make([]int64, len(shape))
	return func(r *run, f *frame) error {
		to, err := dst.eval(r, f)
		if err != nil {
			return err
		}
		from, err := src.eval(r, f)
		if err != nil {
			return err
		}
		evalInts(dims, shape, f)
		bytes := func() int64 { return 2 * bytesOf(dims, s.Prim.Size()) }
		move := func() error { return r.ctx.CopyStrided(r.p.copies, s.Prim.Size(), dims, to, from) }
		if err := r.timed("copy "+src.name+" to "+dst.name, bytes, move); err != nil {
			return r.p.noMemory(fmt.Sprintf("copy from `%s` to `%s`", src.name, dst.name), noSpan, err)
		}
		r.tellCopy(to.Block, from.Block, bytesOf(dims, s.Prim.Size()))
		return nil
	}
}

// bytesOf returns the bytes of an array.
func bytesOf(dims []int64, elem int64) int64 {
	for _, d := range dims {
		elem = host.MulBytes(elem, d)
	}
	return elem
}
