// Package runtime runs kernels on OpenCL devices: it lists devices, allocates
// and counts memory blocks, builds programs, launches, transfers and copies,
// and keeps the statistics that memc reports.
//
// A Context is one device with one in-order queue. Its memory is made of
// Blocks, which are reference counted; which driver buffer serves a block is
// the allocator's business (today: one driver buffer per request, given back at
// once). Every driver buffer is touched when it is made, because drivers
// allocate lazily and would otherwise fail later, in the middle of a kernel
// that is not to blame. The number of live bytes is bounded (Options), because
// some drivers promise more memory than there is.
//
// All that depends on OpenCL is behind the small interface driver: opencl.go
// and query.go with cgo (binding github.com/jgillich/go-opencl/cl, whose traps
// are listed in opencl.go), nocl.go without, where nothing but the list of
// devices exists and that is ErrNoOpenCL.
//
// Locking: every method of a Context may be called from any goroutine. Programs
// that run on one Context take turns (Begin).
//
// The package knows no compiler pass and must not import ir, codegen or any
// other room; the copy kernels come in as a built Program.
package runtime
