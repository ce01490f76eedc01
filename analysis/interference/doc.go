// Package interference finds which memory blocks may not share storage, each
// pair with a witness (thesis chapter 6, "Interference Analysis"; of section 9.2,
// access analysis across iterations, and of section 5.9, data races, by places
// instead of equal structure).
//
// Purpose. Two real blocks may share storage, one laid on the other from its
// first byte on, if no run destroys contents that are still needed. Reuse asks
// Interfere for pairs it considers; Neighbours and Each list them. Excused tells
// of blocks that meet and may share all the same, and why.
//
//	let xs: [n]i32 @ m_xs = map (i < n) { in ns[i] + 1 }
//	let ys: [n]i32 @ m_ys = map (i < n) { in xs[i] * 2 }       -- m_ys may be m_xs
//	let zs: [n]i32 @ m_zs = map (i < n) { in ys[n - 1 - i] }   -- m_zs may not be m_ys
//	-- m_ys and m_zs interfere [threads]: another thread may not have read its element yet
//
// # Algorithm
//
// What is compared are holders: the names of blocks, each with the lives of the
// arrays placed in it (package liveness). A real block may be any of the holders
// that may stand for it (package aliases), and two blocks interfere if some
// holder of the one and another holder of the other do. A holder stands for one
// block at a time, so it does not interfere with itself.
//
// Two holders interfere
//
//   - where their lives meet, unless the meeting is harmless: within a unit (a
//     statement, a loop, a kernel, or some neighbours) every byte is touched for
//     the one for the last time before it is written for the other (Note
//     [Meetings], Note [Order]). What a unit touches comes from package accesses,
//     whether two parts overlap from package places. So a map that reads and
//     writes the same element per thread is harmless, and a copy to the same place,
//     and a loop that reads ahead of where it writes;
//   - where different threads of a kernel touch one byte of both and one of them
//     writes, wherever in the text (Note [Threads]);
//   - where one belongs to the caller.
//
// A loop that allocates a block makes an instance per iteration. Whether these
// could be one block is asked by Repeats: what a parameter of the loop carries on
// is compared with the rest in the same way. It counts for a pair where one block
// is allocated in a loop and the other is not.
//
// # What holds
//
// Any set of blocks without two that interfere may be made one block, allocated
// in a body around all of their allocations and as large as the largest; that
// is what the oracle does (oracle_test.go). Calls are opaque: what meets at a
// call interferes. Sizes are not looked at: a block of no bytes may interfere.
//
// Analyze is linear; pairs are judged when they are asked for, and kept. A question
// takes some microseconds where the lives of two blocks do not meet, or meet for
// long; tens to hundreds where accesses have to be compared.
//
// Blocks that threads of a kernel allocate for themselves interfere with all others;
// Each and Neighbours leave them out.
//
// The program must be elaborated and explicit. The package reads programs and
// changes nothing; it imports ir and analyses, and no transformation.
package interference
