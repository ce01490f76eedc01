package runtime

// CopyKernels are the kernels that copy between strided places, two per element size. They come
// from the code generator: Name_8 copies elements of 8 bytes, Box_8 does the same in boxes
// (native/c/cl/copy.c).
type CopyKernels struct {
	Program   *Program
	Name, Box string
}

// A Region is a strided place in a block. Offset and Strides count elements; a
// stride may be zero (in a source) or negative.
type Region struct {
	Block   *Block
	Offset  int64
	Strides []int64
}

// CopyStrided copies shape elements of elem bytes each from src to dst, as if all were read before
// any is written. If both are the same place, it copies nothing. It does not wait.
func (c *Context) CopyStrided(kernels CopyKernels, elem int64, shape []int64, dst, src Region) error {
	var tmp *Block
	defer func() { tmp.Release() }()
	return c.copyThrough(&tmp, kernels, elem, shape, dst, src)
}

// copyBytes copies between places that do not overlap.
func (c *Context) copyBytes(dst *Block, dstOff int64, src *Block, srcOff, bytes int64) error {
	if c.several != nil {
		return c.several.copyBytes(c, dst, dstOff, src, srcOff, bytes)
	}
	if err := c.usable(); err != nil {
		return err
	}
	return c.drv.copy(dst.buf, dst.offset+dstOff, src.buf, src.offset+srcOff, bytes)
}
