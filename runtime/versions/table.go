package versions

import "errors"

// A Place is where storage can be; they are numbered from 0. The last one is the host.
type Place int

// ErrFull is how an Actor says that a place has no room for a block.
var ErrFull = errors.New("no room")

// An Actor does what a Table decides. If a step fails, it has changed nothing.
type Actor interface {
	// Make returns the block storage at a place, which holds nothing yet. An error that wraps
	// ErrFull tells that there is no room.
	Make(b Block, at Place) error
	// Move copies the block's contents between its storage at two places. spill tells that
	// the source is about to be dropped for lack of room.
	Move(b Block, from, to Place, spill bool) error
	// Drop gives the block's storage at a place back.
	Drop(b Block, at Place)
}

// A Block is contents that may lie in several places.
type Block interface {
	// Owner is what NewBlock was given.
	Owner() any
	// Latest returns the version of the contents; 0: there are none.
	Latest() int64
	// Held reports whether the block has storage at a place.
	Held(p Place) bool
	// Valid reports whether a place holds the latest version.
	Valid(p Place) bool
	// Pin keeps all storage of the block where it is, until Unpin was called as often.
	Pin()
	Unpin()
}

// A Table knows the blocks of several places.
type Table interface {
	// NewBlock makes a block without contents and without storage.
	NewBlock(owner any) Block
	// Bring returns the block storage at a place, with the latest version in it unless a command
	// overwrites all of the block.
	Bring(b Block, p Place, overwritten bool) error
	// Wrote tells that a command at a place writes the block, after Bring.
	Wrote(b Block, p Place)
	// Nearest returns the valid place that is nearest to another one, which may be that place
	// itself. It is false for a block without contents.
	Nearest(b Block, p Place) (Place, bool)
	// Evict drops the storage of one block at a place, the least recently used one of those that
	// cost least. It is false if no block there can go: each is pinned, or the only valid place
	// of its block and no other has room.
	Evict(p Place) (bool, error)
	// Free drops all storage of a block, which must not be used any more.
	Free(b Block)
	// Close forgets all blocks; their storage stays as it is.
	Close()
}
