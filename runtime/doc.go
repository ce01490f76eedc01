// Package runtime runs kernels on OpenCL devices. It lists devices, allocates and counts memory
// blocks, builds programs, launches, transfers and copies, and keeps the statistics that memc
// reports.
//
// A Context is one device with one in-order queue. Its memory consists of Blocks, which are
// reference counted ranges of the driver's buffers. Package pool decides in which buffer a block
// lies, and where (Options.Allocator). A block may be reused while commands that use it still
// run: the queue is in order, so the commands of its next owner come later on the device too.
// The runtime touches every driver buffer when it makes it: drivers allocate lazily, and would
// otherwise fail later, in the middle of a kernel that is not to blame. It bounds the bytes in
// live blocks, and those held (Options), because some drivers promise more memory than there is.
// Package memtrace writes down what happens to every block.
//
// Several devices can work together: their contexts share blocks, which have versions and lie where
// they are used (several.go, shared.go, shared_ops.go; package places decides what moves, moves it, and
// orders the queues). A Context of one device knows nothing of that.
//
// The small interface driver hides OpenCL: with cgo opencl.go (devices, contexts and programs, by the
// binding github.com/jgillich/go-opencl/cl, whose traps it lists), queue.go, enqueue.go, link.go and
// query.go; without, nocl.go. Then only the list of devices exists, and it is ErrNoOpenCL.
//
// Locking: any goroutine may call any method of a Context. One mutex guards the pool, the live
// blocks, the statistics, the trace and the order of commands; Programs have one for their
// kernels. Programs that run on one Context take turns (Begin). Contexts share nothing,
// but for those of several devices, whose common mutex is taken before a device's own.
//
// What generated C decides, too, is C here (package native): where blocks lie (pool), which device has
// them and which command waits for which (places), how places are copied (copy_cgo.go: native/c/copy.c
// plans a copy, and asks Go for each step), how work is divided (query.go), what is read together with a
// kernel's fault, and when a device is lost (queue.go).
//
// The package knows no compiler pass. Of this module it imports only runtime/native, runtime/pool,
// runtime/places, runtime/memtrace and internal/base/hostmem; the copy kernels come in as a built Program.
package runtime
