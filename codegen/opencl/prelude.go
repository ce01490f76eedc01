package opencl

import _ "embed"

// scalarSource defines the scalar operations, valid in C99 and in OpenCL C.
//
//go:embed scalar.h
var scalarSource string

// c99Source is what scalarSource needs before it in C99.
//
//go:embed prelude_c99.h
var c99Source string

// clSource is what scalarSource needs before it in OpenCL C, and the parts that
// kernels share.
//
//go:embed prelude.cl
var clSource string

// HostPrelude gives the C99 text that declares what CExp's output calls: it
// includes math.h and stdint.h, and stands at the top of a host program.
func HostPrelude() string { return c99Source + "\n" + scalarSource }

// heapText is what kernels that allocate need between the allocator and them.
//
//go:embed heap.cl
var heapText string

// flagSource is what kernels need whose work-groups wait for each other.
//
//go:embed flags.cl
var flagSource string

// copySource holds the generic copy kernels.
//
//go:embed copy.cl
var copySource string

// CopyDims is the number of dimensions that the generic copy kernels handle.
const CopyDims = 8
