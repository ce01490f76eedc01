// Package coalesce makes arrays in the place that they would be copied to
// (thesis chapter 5, "Memory Coalescing"; Futhark's successor is array
// short-circuiting, Munksgaard et al., SC'22).
//
//	let a: [n]i32 @ m_a = map ...             let a: [n]i32 @ m_y = map ...
//	let b: [n]i32 @ m_b = map ...      ---->  let b: [n]i32 @ m_y -> LMAD(n; (n : 1)) = map ...
//	let y: [k]i32 @ m_y = concat@0 (a, b)     let y: [k]i32 @ m_y = concat@0 (a, b)
//
// The concat stays, and moves nothing: a copy moves data exactly if its source
// and its target differ as places. Blocks that nothing lies in any more go.
//
// # Algorithm
//
// Every copy is a candidate (candidate.go): copy, the arguments of concat, the
// value of an update, array results of a map, and the values of loop parameters
// that two blocks hold in turn (buffers.go). Deeper ones come first, since they are made more
// often, and then those nearer to the end, so that chains compose.
//
// A candidate moves the whole web of its source (web.go): all names that lie in
// one memory through delayed arrays, updates, branches and loops, in either
// direction, and what was put in parts of them before. Each gets its place from
// that of the copy. A move is made if (thesis section 5.2, relaxed)
//
//   - C1: nothing of the web is changed behind the copy, and the part of the
//     destination is not overwritten as long as anything of the web is used;
//   - C2: the destination's block is allocated, and the web is made, in reach
//     of each other: both in the body of the copy or within it;
//   - C3: no access to the block by other arrays, from the first write to the
//     web to the copy, touches the part, unless it provably comes before, or is by
//     the same thread, or in the same iteration, and comes before (conflict.go); and of arrays that
//     come to lie in one place, no two are needed at a time (origins.go);
//   - C4: every array of the web gets a place of its own making, and one only;
//   - C5: every place can be named where it is needed, if need be by what its
//     names are defined as (state.go, earlier).
//
// No move makes a run hold more memory: each is a transaction on the account of
// analysis/peak, which proves it no worse or refuses it (account.go, docs/account.md).
//
// Bounds and sizes that the copy would check are checked before the first write
// (guard.go, sizes.go). Where a loop's initial value cannot move, it may be copied
// for the loop to run in the place of its result (start.go).
// Where the destination is made too late, its making moves up if that changes
// nothing, and all is tried again (motion.go). Accesses and facts are those of
// analysis/accesses, questions on places go to analysis/places.
//
// # Files
//
// Each calls only those above it. What is known of a function: refusal, outcome, bounds,
// state, blocks, candidate, sizes, link, build. What a move is, and its conditions: web,
// conflict, legal, origins, overwrite, guard, neighbours, account. Moves, and what lets more
// of them pass: cost, move, motion, doublebuffer, start, buffers. Which ones are made: sweep,
// attempt, pass.
//
// # Invariants
//
// The statements and their values stay the same, but for guards (slices that
// nobody uses), motion of what is pure, copies of initial values of loops, and
// parameters of loops that held blocks.
// Liveness and aliases are analysed before the moves of a round: they speak of
// names, which stay, and moves of one block's arrays to another never give
// an existential block more choices than the moved arrays themselves.
//
// The cost is that of the analyses, and for each candidate that of its web and of
// the accesses to its destination between the first write and the copy; both are
// bounded, and what is beyond is refused with [bound].
//
// The package imports ir, the analyses and transform, and no other pass.
package coalesce
