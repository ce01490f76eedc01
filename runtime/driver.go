package runtime

import "time"

// A driver is the part of OpenCL that the rest of the package needs. Commands are executed in
// order. Transfers block until they are done; copies and launches do not, and their errors may show
// later.
type driver interface {
	// create makes a buffer that really has its memory; errNoMemory (wrapped)
	// tells that there is none.
	create(bytes int64) (handle, error)
	release(h handle)
	write(h handle, off int64, data []byte) error
	read(h handle, off int64, data []byte) error
	// set writes up to 8 bytes, a power of two, at a multiple of their number. It does not
	// block.
	set(h handle, off int64, data []byte) error
	// fetch reads elements and, if kernels that can fail were launched, the words of the fault buffer
	// (nil: there is none). It waits once.
	fetch(faults handle, launched int, list []piece) (words []int64, err error)
	copy(dst handle, dstOff int64, src handle, srcOff, bytes int64) error
	// build builds for a device with the properties of d; more are options besides.
	build(d DeviceInfo, source, more string) (module, error)
	// launch runs work-groups, most of them in each turn.
	launch(k kernel, groups, most, groupSize int64, args []Arg) error
	finish() error
	// took waits for the launches and copies since it was last asked, and gives how
	// long the device worked on them; 0 where the driver was not opened for that.
	took() (time.Duration, error)
	close()
}

// A piece is an element of a buffer, and the destination of its bits.
type piece struct {
	from handle
	off  int64
	size int
	bits *uint64
}

// A handle is a driver's buffer.
type handle any

// A kernel is a driver's kernel.
type kernel any

// A module is a built program.
type module interface {
	kernel(name string) (kernel, error)
	release()
}
