// Package versions keeps the account of blocks whose contents lie in several places: which place
// holds which version, which block must move before a command, and which one must leave a full
// place.
//
// Every block has a latest version, a number that grows when a command writes the block. Every
// place (a device, or the host) has storage for the block or none, and the version that the storage
// holds. A place is valid if it holds the latest version. Versions belong to blocks, not to arrays:
// arrays are views of blocks, several may lie in one block with alternating elements, and kernels
// take blocks.
//
//	let xs = ...  on device 0     latest 1     device 0: 1    device 1: -    host: -
//	read on device 1              latest 1     device 0: 1    device 1: 1    host: -     moved 0 to 1
//	written on device 1           latest 2     device 0: 1    device 1: 2    host: -     device 0 is stale
//	evicted from device 1         latest 2     device 0: 2    device 1: -    host: -     moved 1 to 0
//
// Algorithm. Bring makes storage at a place and moves the latest version there from the nearest
// valid place. If the place is full, it evicts the least recently used block that is not pinned:
// first stale storage, then blocks that are valid elsewhere too, then the rest, which move to
// another place before. The package only decides: an Actor makes, moves and drops, and any of its
// steps may fail.
//
// Invariants, after every call, also after a failed one:
//
//   - a block that was ever written is valid somewhere (nothing is lost);
//   - after Bring succeeded, the place is valid, or the block was never written, or the command
//     overwrites all of it (no stale read);
//   - a pinned block keeps its storage.
//
// The table is runtime/native/c/cl/versions.c, which generated C contains and cgo.go wraps: every
// host decides alike. C calls the Actor back in the call that needs a step, and an error of the
// Actor comes out of that call as it is. Without cgo New returns an error.
//
// A Table is not safe for concurrent use. The package imports only runtime/native.
//
// Source: PoCL's memory management (docs/bibliography.md): a latest version per buffer, a version
// per device, and migrations that are decided when a command is enqueued.
package versions
