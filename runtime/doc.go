// Package runtime runs kernels on OpenCL devices: it lists devices, allocates
// and counts memory blocks, builds programs, launches, transfers and copies,
// and keeps the statistics that memc reports.
//
// A Context is one device with one in-order queue. Its memory is made of
// Blocks, which are reference counted ranges of the driver's buffers; which
// buffer, and where in it, is decided by package pool (Options.Allocator). Blocks
// are reused while commands that use them may still run: the queue is in order,
// so whoever gets a block next comes later on the device, too. Every driver
// buffer is touched when it is made, because drivers allocate lazily and would
// otherwise fail later, in the middle of a kernel that is not to blame. The
// bytes in live blocks, and those held, are bounded (Options), because some
// drivers promise more memory than there is. Package memtrace writes down what
// becomes of every block.
//
// All that depends on OpenCL is behind the small interface driver: opencl.go
// and query.go with cgo (binding github.com/jgillich/go-opencl/cl, whose traps
// are listed in opencl.go), nocl.go without, where nothing but the list of
// devices exists and that is ErrNoOpenCL.
//
// Locking: every method of a Context may be called from any goroutine. One mutex
// guards the pool, the live blocks, the statistics, the trace and the order of
// commands; Programs have one for their kernels. Programs that run on one
// Context take turns (Begin). Contexts share nothing.
//
// The package knows no compiler pass and must not import ir, codegen or any
// room but runtime/pool and runtime/memtrace; the copy kernels come in as a built
// Program.
package runtime
