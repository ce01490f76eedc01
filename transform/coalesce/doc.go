// Package coalesce makes arrays directly in the place that they would be copied to (thesis chapter
// 5, "Memory Coalescing"; in Futhark its successor is array short-circuiting, Munksgaard et al.,
// SC'22).
//
//	let a: [n]i32 @ m_a = map ...             let a: [n]i32 @ m_y = map ...
//	let b: [n]i32 @ m_b = map ...      ---->  let b: [n]i32 @ m_y -> LMAD(n; (n : 1)) = map ...
//	let y: [k]i32 @ m_y = concat@0 (a, b)     let y: [k]i32 @ m_y = concat@0 (a, b)
//
// The concat stays, but moves nothing: a copy moves data if and only if its source and its target
// are different places. Blocks that are now empty are removed.
//
// # Algorithm
//
// Every copy is a candidate (candidate.go): a copy, an argument of concat, the value of an update,
// an array result of a map, and the value of a loop parameter that two blocks hold in turn
// (buffers.go). Deeper candidates come first, since they are made more often, and then those nearer
// to the end, so that chains compose.
//
// A candidate moves the whole web of its source (web.go): all names that lie in one memory through
// delayed arrays, updates, branches and loops, in either direction, and arrays that were put in
// parts of them before. The place of each follows from the target of the copy. A move is made if
// (thesis section 5.2, relaxed)
//
//   - C1: after the copy nothing changes the web, and nothing overwrites that part of the
//     destination while an array of the web is still used;
//   - C2: the destination's block is allocated, and the web is made, within reach of each other:
//     both in the body of the copy or within it;
//   - C3: between the first write to the web and the copy, no access to the block by another array
//     touches the part; an access is allowed if it provably comes before the write, in the same
//     thread and iteration (conflict.go). And of arrays that come to lie in one place, no two are
//     needed at the same time (origins.go);
//   - C4: every array of the web gets one place, through the statement that makes it;
//   - C5: every place can be named where it is needed, if necessary by replacing names with their
//     definitions (state.go, earlier).
//
// No move makes a run hold more memory: each is a transaction on the account of analysis/peak,
// which proves it no worse or refuses it (account.go, docs/account.md).
//
// Guards check, before the first write, the bounds and sizes that the copy would check; they are
// inserted when all moves are made (guard.go, sizes.go). If a loop's initial value cannot move,
// memc may copy it, so that the loop runs in the place of its result (start.go). If the destination
// is made too late, its making moves up if that changes nothing, and all candidates are tried again
// (motion.go). Accesses and facts come from analysis/accesses, and analysis/places answers
// questions about places.
//
// # Files
//
// Each file calls only files before it in this list. Facts about a function: refusal, outcome,
// bounds, state, blocks, candidate, sizes, link, build. Moves and their conditions: web, conflict,
// legal, origins, checks, overwrite, guard, neighbours, account. Carrying moves out, and enabling
// more: cost, move, motion, doublebuffer, start, buffers. Choosing moves: sweep, insert, attempt,
// pass.
//
// # Invariants
//
// The statements and their values stay the same, with these exceptions: guards (slices that nobody
// uses, and assertions), pure statements that move, copies of initial values of loops, and removed
// parameters of loops that held blocks. Liveness and aliases are analysed once per round. They stay
// true during its moves: they speak of names, which stay, and moving arrays from one block to
// another never gives an existential block more choices than the moved arrays themselves.
//
// The cost is that of the analyses and, for each candidate, that of its web and of the accesses to
// its destination between the first write and the copy. Both are bounded: larger ones are refused
// with [bound].
//
// The package imports ir, the analyses and transform, and no other pass.
package coalesce
