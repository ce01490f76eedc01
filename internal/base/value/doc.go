// Package value holds the data that goes into and comes out of programs:
// scalars and row-major arrays, with readers and writers for Futhark's text
// and binary formats, NumPy's .npy, and 8-bit grey PNG pictures.
//
// A Value is plain bytes, so that the interpreters, the OpenCL runtime and the
// files exchange it without conversion. It imports ir for the primitive types
// only. The .npy format is read and written here (60 lines) because the
// maintained Go libraries for it cannot write an array whose shape is known
// only at run time.
package value
