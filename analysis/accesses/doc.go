// Package accesses finds the parts of arrays that every statement reads and writes, and the
// known facts about the names in it.
//
// Purpose. Liveness tells when contents are needed. If two lives meet in one statement, or in
// a later one, only the elements that are touched decide whether two arrays can lie in one
// block (thesis section 9.2, "access analysis"). Interference and coalescing both ask here.
//
// Algorithm. One walk over a function. An access names the array through which memory is
// reached and the selected items, never a place: passes move arrays, and the access moves
// along. Region puts the two together. The walk collects facts on the way down (bounds of
// loops and kernels, conditions of branches, asserts, sizes, definitions of scalars), at the
// cost of a link per statement.
//
//	let ys: [n]i32 @ m = map (i < n) { in xs[n - 1 - i] }
//	-- at the end of the body: reads xs[n - 1 - i], writes ys[i]
//
// These are accesses:
//
//   - an element read in a scalar expression: that element;
//   - an operand of copy, concat, replicate or an update: all of it;
//   - a fresh array: all of it is written, except by scratch, which writes nothing. A map writes
//     each thread's own part at the end of the body, and reads all of its array results there;
//   - an update: the items;
//   - reduce, scan, scatter and hist work in several stages, so their results are written as a
//     whole, at the end of the body and not in order with it;
//   - a call reads its array arguments and writes those whose parameter is unique; it may write
//     anywhere in a block that it receives (Array is empty).
//
// Delayed arrays, ifs and loops touch nothing themselves.
//
// Order of accesses: Note [Order].
//
// The package reads programs and changes nothing. It imports ir, ir/index,
// analysis/aliases, analysis/liveness (which makes the index) and analysis/places, and no
// transformation.
package accesses
