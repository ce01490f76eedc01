package opencl

import _ "embed"

// scalarSource defines the scalar operations, valid in C99 and in OpenCL C.
//
//go:embed scalar.h
var scalarSource string

// c99Source is the text that scalarSource needs before it in C99.
//
//go:embed prelude_c99.h
var c99Source string

// clSource is the text that scalarSource needs before it in OpenCL C, and the parts that kernels
// share.
//
//go:embed prelude.cl
var clSource string

// HostPrelude returns the C99 text that declares the functions that CExp's output calls: it
// includes math.h and stdint.h, and stands at the top of a host program.
func HostPrelude() string { return c99Source + "\n" + scalarSource }

// heapText is the text that kernels with allocations need between the allocator and themselves.
//
//go:embed heap.cl
var heapText string

// flagSource is the text for kernels whose work-groups wait for each other.
//
//go:embed flags.cl
var flagSource string

// copySource holds the generic copy kernels.
//
//go:embed copy.cl
var copySource string

// CopyDims is the number of dimensions that the generic copy kernels handle.
const CopyDims = 8
