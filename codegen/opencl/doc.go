// Package opencl turns the imperative form (codegen/imp) into text: kernels in OpenCL C 1.2
// (Kernels) and a self-contained host program in C99 (Host). A program that was lowered to tasks
// becomes such a host program with kernels in C, without OpenCL (Note [C for CPUs]). The
// package is pure: it produces text and uses no device.
//
// # Calling a kernel
//
// Every kernel is launched on a one-dimensional grid of Launch.Groups
// work-groups of imp.GroupSize work-items. Its arguments are, in this order:
//
//  1. where Program.KernelChecks is set, the fault buffer (cl_mem);
//  2. where Kernel.Held is not empty, the device heap: its buffer (cl_mem) and
//     its offset (cl_long);
//  3. for every Slot of Kernel.Params: a block (Mem) takes two arguments, its
//     buffer (cl_mem) and the byte offset at which the block starts in it
//     (cl_long); a scalar takes one argument of its own width: i8 cl_char, i16
//     cl_short, i32 cl_int, i64 cl_long, u8 cl_uchar, u16 cl_ushort, u32
//     cl_uint, u64 cl_ulong, f32 cl_float, f64 cl_double, bool cl_uchar (0 or 1).
//
// Local memory is declared in the kernels; no argument sets its size. A block of
// 0 bytes must still be passed as some buffer. Blocks start at a multiple of 8
// bytes, and their sizes are rounded up to a multiple of 4 (histograms of 8- and
// 16-bit elements work on the word around an element).
//
// The program is built without options, except "-cl-fp32-correctly-rounded-divide-sqrt" if the
// device knows it: then f32 division and sqrt are exact.
//
// # Faults
//
// The fault buffer has 64 bytes, zero at first. A failing check sets the int at
// byte 0 from 0 to its code (an index of Program.Faults) and writes its
// arguments as 64-bit integers from byte 8 on; the first one wins. A kernel that
// finds a fault pending does nothing. The host reads the buffer when it waits
// for the device, reports, and sets it to zero again.
//
// # The device heap
//
// Kernels that allocate find their memory in a heap. The host makes the heap once and prepares it
// with the kernels memc_heap_clear and memc_heap_split (runtime/device/cl). Program.DeviceAllocator
// names the allocator, whose text stands before the kernels. An allocator that reuses nothing is
// prepared again before each such kernel: no block outlives its kernel. A fault with Heap set has
// the heap's bytes as its second argument, which the host adds.
//
// # Copies
//
// The generic copy kernels (copy.cl) copy between two strided places of up to CopyDims dimensions.
// Kernels' text contains those for the element sizes that a program copies. Kernel memc_copy_S,
// with S the element size 1, 2, 4 or 8, copies 4 elements per work-item. memc_box_S copies a box
// per work-group, whose sides are powers of two (runtime/native/c/cl/copy.c). Both take 7 + 3*8 arguments, in
// this order:
//
//	dst buffer (cl_mem), offset of the dst block in bytes (cl_long),
//	src buffer (cl_mem), offset of the src block in bytes (cl_long),
//	the number of elements to copy, or the shape of a box (cl_long),
//	dst offset in elements (cl_long), src offset in elements (cl_long),
//	8 lengths, 8 dst strides, 8 src strides, in elements (all cl_long)
//
// Dimensions stand outermost first. Missing outer dimensions are passed with length 1; their
// strides are ignored. Strides may be negative, and in a source also zero. memc_copy_S is launched
// with ceil(n/(4*GroupSize)) groups of GroupSize, memc_box_S with a group per box. They take no
// fault buffer. They are not exact if the two places overlap without coinciding: then the host goes
// through a temporary block. A host first drops dimensions of length 1 and joins contiguous ones.
// It loops over the outer ones if more than CopyDims remain, and leaves contiguous copies to
// clEnqueueCopyBuffer.
//
// # Names
//
// Variables of imp end in an underscore, and nothing else of a text does (imp, Note [Names apart]).
//
// This package must not import runtime, internal/run/exec or a transformation.
package opencl
