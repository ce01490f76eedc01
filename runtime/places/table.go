package places

import (
	"errors"
	"unsafe"
)

// ErrFull is how a Memory says that a device has no room for a block.
var ErrFull = errors.New("no room")

// An Error is a call of OpenCL's that failed.
type Error struct {
	Device int    // the device of the queue that failed
	What   string // was tried
	Code   int    // OpenCL's
	Waits  bool   // the call waits for the device
}

func (e *Error) Error() string { return e.What }

// A Device is OpenCL's handles of a device: its context, its queues for kernels, for transfers to it
// and from it, and the one where memory of the host is mapped. The Table releases none of them.
type Device struct{ Context, Main, In, Out, Side unsafe.Pointer }

// Storage is a block's memory on a device.
type Storage struct {
	Buffer unsafe.Pointer // the cl_mem
	Offset int64
	Range  unsafe.Pointer // of the pool that it is in (pool.Block); nil: in none
	Owner  any            // what Lend returns
}

// A Memory is whoever has the devices' memory.
type Memory interface {
	// Make makes storage. If an error wraps ErrFull, other blocks give way, if they can.
	Make(device int, bytes int64, tag int) (Storage, error)
	// Drop gives storage back.
	Drop(device int, owner any)
	// Moved tells of a copy that was enqueued from a device (out) or to one; other is the place at its
	// other end. The cl_event is the callee's.
	Moved(device int, out bool, other int, bytes int64, event unsafe.Pointer)
}

// A Use is how a command uses a block.
type Use int

// Uses of blocks.
const (
	Reads  Use = iota
	Writes     // a part, or all of it
	Fills      // it overwrites all of it
)

// A Block is contents that may lie in several places. The devices are places by their number, and
// the host is the last.
type Block interface {
	// Held reports whether the block has storage at a place.
	Held(place int) bool
	// Valid reports whether a place holds the latest version.
	Valid(place int) bool
}

// A Command is what happens between Begin and End. One goroutine uses it.
type Command interface {
	// Lend gives the block storage on the device, with the latest version in it unless the command
	// overwrites all of the block, has the queue for kernels wait for what is under way, and returns
	// the storage's owner. The block keeps the storage until End.
	Lend(b Block, how Use) (owner any, err error)
	// Read reads bytes of a block from the nearest valid place. It is false if that is the device itself,
	// or none: then nothing was read.
	Read(b Block, off int64, data []byte) (bool, error)
	// End notes what was done with the blocks that were lent, unless an error says that it was not, and
	// returns that error, or its own.
	End(err error) error
}

// Moved counts bytes: those that a device took from another, those that gave way on a full
// device, and those that came back from the host.
type Moved struct{ Migrated, Evicted, Restored int64 }

// A Table knows the blocks of several places. Any goroutine may call it at any time, but Close waits for
// commands.
type Table interface {
	// NewBlock makes a block without contents and without storage.
	NewBlock(bytes int64, tag int) (Block, error)
	// Hold gives a block storage on a device that was made elsewhere, and keeps it there.
	Hold(b Block, device int, s Storage) error
	// Free drops all storage of a block, which must not be used any more.
	Free(b Block)
	// Begin begins a command on a device. It is nil after Close.
	Begin(device int) Command
	// Peers reports whether one device can copy from another by itself.
	Peers(to, from int) bool
	Moved() Moved
	ResetMoved()
	// Trim gives memory of the host back that no block is in.
	Trim()
	// Close waits for the devices, and drops all blocks.
	Close()
}

// Options of a Table.
type Options struct {
	Chunk int64 // bytes of a migration through the host that move at once; 0: the default
	Timed bool  // tell the Memory of copies
}
