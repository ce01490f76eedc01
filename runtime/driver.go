package runtime

import "time"

// A driver is what the rest of the package needs of OpenCL. Commands are
// executed in order. Transfers block until they are done; copies and launches
// do not, and an error of theirs may show later.
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
	// readBoth reads two ranges, the first of at most 64 bytes, and waits once.
	readBoth(h1 handle, off1 int64, data1 []byte, h2 handle, off2 int64, data2 []byte) error
	copy(dst handle, dstOff int64, src handle, srcOff, bytes int64) error
	build(source, options string) (module, error)
	launch(k kernel, groups, groupSize int64, args []Arg) error
	finish() error
	// took waits for the launches and copies since it was last asked, and gives how
	// long the device worked on them; 0 where the driver was not opened for that.
	took() (time.Duration, error)
	close()
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
