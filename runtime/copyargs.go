package runtime

// copyArgs returns the arguments of a copy kernel, in order: the target block
// (buffer, byte offset), the source block (buffer, byte offset), first (the number of
// elements, or the shape of a box), the element offsets of target and source, and for each of CopyDims
// dimensions, outermost first, its length, then all target strides, then all
// source strides. Missing outer dimensions have length 1.
func copyArgs(dims []copyDim, first int64, dst *Block, dstOff int64, src *Block, srcOff int64) []Arg {
	long := func(v int64) Arg { return Arg{Bits: uint64(v), Size: 8} }
	args := make([]Arg, 0, 5+3*CopyDims)
	args = append(args, Arg{Block: dst}, Arg{Block: src}, long(first), long(dstOff), long(srcOff))
	var full [CopyDims]copyDim
	pad := CopyDims - len(dims)
	for i := range pad {
		full[i].n = 1
	}
	copy(full[pad:], dims)
	for _, field := range []func(copyDim) int64{func(d copyDim) int64 { return d.n }, dstStride, srcStride} {
		for _, d := range full {
			args = append(args, long(field(d)))
		}
	}
	return args
}
