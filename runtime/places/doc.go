// Package places keeps blocks whose contents lie in several places: it decides which place holds which
// version, which block must move before a command, and which one must leave a full place; and it moves
// them, and has each command wait for those that it needs.
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
// Algorithm. Lend makes storage at a device and moves the latest version there from the nearest
// valid place. If the device is full, it evicts the least recently used block that is not pinned:
// first stale storage, then blocks that are valid elsewhere too, then the rest, which move to
// another place before. In which order the queues of devices work, Note [Order between queues] tells
// (runtime/native/c/cl/lanes.c).
//
// Invariants, after every call, also after a failed one:
//
//   - a block that was ever written is valid somewhere (nothing is lost);
//   - after Lend succeeded, the device is valid, or the block was never written, or the command
//     overwrites all of it (no stale read);
//   - a block that is lent keeps its storage.
//
// All this is C (runtime/native/c/cl: versions, lanes, shared, moves, lend, places), which generated
// C contains and preamble.h includes: every host decides alike. C calls a Memory back, which makes the
// devices' storage; an error of it comes out of the call as it is. Without cgo New returns an error.
//
// The package imports only runtime/native and internal/base/hostmem. Package runtime tests it.
//
// Source: PoCL's memory management (docs/bibliography.md): a latest version per buffer, a version
// per device, and migrations that are decided when a command is enqueued.
package places
