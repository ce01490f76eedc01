package runtime

import (
	"fmt"
)

// CopyDims is the number of dimensions that the copy kernels handle; more are
// looped over on the host.
const CopyDims = 8

// copyGroup is the size of a copy kernel's work-groups.
const copyGroup = 256

// copyEach is the number of elements that a work-item of theirs copies.
const copyEach = 4

// CopyKernels are the kernels that copy between strided places, two per element size. They come
// from the code generator: Name_8 copies elements of 8 bytes, Box_8 does the same in boxes
// (boxes.go). copyArgs sets their arguments.
type CopyKernels struct {
	Program   *Program
	Name, Box string
}

// CopyStrided copies shape elements of elem bytes each from src to dst, as if all were read before
// any is written. If both are the same place, it copies nothing. It does not wait.
func (c *Context) CopyStrided(kernels CopyKernels, elem int64, shape []int64, dst, src Region) error {
	if c.several != nil {
		return c.several.copyStrided(c, kernels, elem, shape, dst, src)
	}
	var tmp *Block
	defer func() { tmp.Release() }()
	return c.copyThrough(&tmp, kernels, elem, shape, dst, src)
}

// copyThrough is CopyStrided. If it needs a temporary block, the caller gets it, to release it.
func (c *Context) copyThrough(tmp **Block, kernels CopyKernels, elem int64, shape []int64, dst, src Region) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.usable(); err != nil {
		return err
	}
	dims, any := copyDims(shape, dst.Strides, src.Strides)
	if !any {
		return nil
	}
	cp := &stridedCopy{c, kernels, elem, tmp}
	if err := cp.run(dims, dst.Block, dst.Offset, src.Block, src.Offset); err != nil {
		return fmt.Errorf("copying %v elements of %d bytes: %w", shape, elem, err)
	}
	return nil
}

type stridedCopy struct {
	c       *Context
	kernels CopyKernels
	elem    int64
	tmp     **Block
}

func (p *stridedCopy) run(dims []copyDim, dst *Block, dstOff int64, src *Block, srcOff int64) error {
	total, ok := elements(dims)
	if !ok {
		return fmt.Errorf("too many elements")
	}
	dlo, dhi, err := p.check("written", dst, dstOff, dims, dstStride)
	if err != nil {
		return err
	}
	slo, shi, err := p.check("read", src, srcOff, dims, srcStride)
	if err != nil {
		return err
	}
	if dst == src {
		if coincident(dims) && dstOff == srcOff {
			return nil
		}
		if dlo <= shi && slo <= dhi {
			return p.throughTemp(dims, total, dst, dstOff, srcOff)
		}
	}
	p.c.stats.CopiedBytes += total * p.elem
	return p.move(dims, total, dst, dstOff, src, srcOff)
}

// coincident reports whether places with one offset are the same.
func coincident(dims []copyDim) bool {
	for _, d := range dims {
		if d.dst != d.src {
			return false
		}
	}
	return true
}

// check returns the range of elements that a place touches, which must lie in its
// block.
func (p *stridedCopy) check(what string, b *Block, off int64, dims []copyDim, stride func(copyDim) int64) (lo, hi int64, err error) {
	lo, hi, ok := extent(off, dims, stride)
	if !ok {
		return 0, 0, fmt.Errorf("the place %s is not a range of elements", what)
	}
	if lo < 0 || hi >= b.size/p.elem {
		return 0, 0, fmt.Errorf("elements %d to %d would be %s in a block of %d bytes", lo, hi, what, b.size)
	}
	return lo, hi, nil
}

// throughTemp copies within one block if source and target ranges overlap:
// first the source to a row-major temporary, then that to the target.
func (p *stridedCopy) throughTemp(dims []copyDim, total int64, b *Block, dstOff, srcOff int64) error {
	tmp, err := p.c.allocate(total*p.elem, TempTag)
	if err != nil {
		return err
	}
	*p.tmp = tmp
	in, out := make([]copyDim, len(dims)), make([]copyDim, len(dims))
	stride := int64(1)
	for i := len(dims) - 1; i >= 0; i-- {
		d := dims[i]
		in[i], out[i] = copyDim{d.n, stride, d.src}, copyDim{d.n, d.dst, stride}
		stride *= d.n
	}
	if err := p.move(in, total, tmp, 0, b, srcOff); err != nil {
		return err
	}
	p.c.stats.CopiedBytes += total * p.elem
	return p.move(out, total, b, dstOff, tmp, 0)
}

// move copies between places that do not overlap.
func (p *stridedCopy) move(dims []copyDim, total int64, dst *Block, dstOff int64, src *Block, srcOff int64) error {
	if contiguous(dims) {
		return p.c.drv.copy(dst.buf, dst.offset+dstOff*p.elem, src.buf, src.offset+srcOff*p.elem, total*p.elem)
	}
	if len(dims) > CopyDims {
		outer, inner := dims[0], dims[1:]
		for i := range outer.n {
			if err := p.move(inner, total/outer.n, dst, dstOff+i*outer.dst, src, srcOff+i*outer.src); err != nil {
				return err
			}
		}
		return nil
	}
	if p.kernels.Program == nil {
		return fmt.Errorf("a strided copy needs the copy kernels")
	}
	elem := p.elem
	if w, ok := words(dims, elem, []int64{dst.offset, src.offset, dstOff * elem, srcOff * elem}); ok {
		dims, dstOff, srcOff, total, elem = w, dstOff*elem/word, srcOff*elem/word, total*elem/word, word
	}
	name, groups, first := p.kernels.Name, (total+copyEach*copyGroup-1)/(copyEach*copyGroup), total
	if ordered, b, boxes, ok := boxOf(dims, elem); ok {
		name, groups, first, dims = p.kernels.Box, boxes, b.arg(), ordered
	}
	k, err := p.kernels.Program.Kernel(fmt.Sprintf("%s_%d", name, elem))
	if err != nil {
		return err
	}
	return p.c.launch(k, groups, copyGroup, copyArgs(dims, first, dst, dstOff, src, srcOff))
}
