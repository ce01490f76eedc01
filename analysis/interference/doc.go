// Package interference finds which memory blocks may not share storage, each pair with a
// witness (thesis chapter 6, "Interference Analysis"; section 9.2, access analysis across
// iterations; and section 5.9, data races, by places instead of equal structure).
//
//	let xs: [n]i32 @ m_xs = map (i < n) { in ns[i] + 1 }
//	let ys: [n]i32 @ m_ys = map (i < n) { in xs[i] * 2 }       -- m_ys may be m_xs
//	let zs: [n]i32 @ m_zs = map (i < n) { in ys[n - 1 - i] }   -- m_zs may not be m_ys
//	-- m_ys and m_zs interfere [threads]: another thread may not have read its element yet
//
// Purpose. Two real blocks may share storage, first byte on first byte, if no run then destroys
// contents that are still needed. Reuse calls Interfere for the pairs that it considers. Neighbours
// and Each list the pairs that interfere. Excused lists pairs that meet but may share nevertheless,
// with the reason.
//
// # Algorithm
//
// The analysis compares holders: names of blocks, each with the lives of the arrays placed in it
// (package liveness). Several holders may stand for one real block (package aliases). Two real
// blocks interfere if some holder of the one interferes with another holder of the other. A holder
// stands for one block at a time, so it does not interfere with itself.
//
// Two holders interfere in each of these cases:
//
//   - Their lives meet, and the meeting is not harmless. It is harmless if, within a unit (a
//     statement, a loop, a kernel, or some neighbouring statements), the last access to every byte
//     for the one comes before the first write for the other (Note [Meetings], Note [Order]).
//     Package accesses knows the accesses of a unit, and package places decides whether two parts
//     overlap. Examples of harmless units: a map whose threads read and write the same element, a
//     copy to the same place, a loop that reads ahead of its writes.
//   - Different threads of a kernel touch one byte of both, at any points of the kernel, and one of
//     them writes (Note [Threads]).
//   - One of the two belongs to the caller.
//
// A loop that allocates a block makes an instance per iteration. Repeats says whether these may be
// one block: in the same way, it compares the instances that a parameter of the loop carries on
// with everything else in the block. It matters for a pair of which a loop allocates only one
// block.
//
// # Claim
//
// Take any set of blocks of which no two interfere. They may be made one block, as large as the
// largest, allocated in a body around all of their allocations. The oracle does this
// (oracle_test.go). Calls are opaque: blocks that meet at a call interfere. Sizes do not matter:
// even a block of no bytes may interfere.
//
// Analyze is linear. A pair is judged when it is first requested, and the answer is kept. This
// takes some microseconds if the lives of the two blocks do not meet, or meet for long, and tens to
// hundreds of microseconds if accesses must be compared.
//
// Blocks that threads of a kernel allocate for themselves interfere with all others. Each and
// Neighbours omit them.
//
// The program must be elaborated and explicit. The package reads programs and changes nothing. It
// imports ir and analyses, and no transformation.
package interference
