// Package interference finds which memory blocks may not share storage, each pair with a
// witness (thesis chapter 6, "Interference Analysis"; section 9.2, access analysis across
// iterations; and section 5.9, data races, by places instead of equal structure).
//
// Purpose. Two real blocks may share storage, first byte on first byte, if no run destroys
// contents that are still needed. Reuse asks Interfere about pairs that it considers;
// Neighbours and Each list the pairs. Excused tells of blocks that meet and may share all the
// same, and why.
//
//	let xs: [n]i32 @ m_xs = map (i < n) { in ns[i] + 1 }
//	let ys: [n]i32 @ m_ys = map (i < n) { in xs[i] * 2 }       -- m_ys may be m_xs
//	let zs: [n]i32 @ m_zs = map (i < n) { in ys[n - 1 - i] }   -- m_zs may not be m_ys
//	-- m_ys and m_zs interfere [threads]: another thread may not have read its element yet
//
// # Algorithm
//
// The analysis compares holders: names of blocks, each with the lives of the arrays placed in
// it (package liveness). A real block may be any of the holders that may stand for it
// (package aliases), and two blocks interfere if some holder of the one and another holder of
// the other do. A holder stands for one block at a time, so it does not interfere with
// itself.
//
// Two holders interfere
//
//   - if their lives meet, unless the meeting is harmless: within a unit (a statement, a loop,
//     a kernel, or some neighbours) the last access to every byte for the one comes before the
//     first write for the other (Note [Meetings], Note [Order]). Package accesses knows the
//     accesses of a unit, and package places whether two parts overlap. So a map whose threads
//     read and write the same element is harmless, and so are a copy to the same place and a
//     loop that reads ahead of its writes;
//   - if different threads of a kernel touch one byte of both, and one of them writes, at any
//     points of the kernel (Note [Threads]);
//   - if one belongs to the caller.
//
// A loop that allocates a block makes an instance per iteration. Repeats tells whether these
// may be one block: it compares the values that a parameter of the loop carries on with the
// rest in the same way. It counts for a pair of which only one block is allocated in a loop.
//
// # Claim
//
// Any set of blocks without two that interfere may be made one block, allocated in a body
// around all of their allocations and as large as the largest. The oracle does this
// (oracle_test.go). Calls are opaque: blocks that meet at a call interfere. Sizes do not
// matter: a block of no bytes may interfere.
//
// Analyze is linear. Pairs are judged when they are requested, and kept. A question takes some
// microseconds if the lives of two blocks do not meet, or meet for long, and tens to hundreds
// if accesses must be compared.
//
// Blocks that threads of a kernel allocate for themselves interfere with all others; Each and
// Neighbours leave them out.
//
// The program must be elaborated and explicit. The package reads programs and changes
// nothing. It imports ir and analyses, and no transformation.
package interference
