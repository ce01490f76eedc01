// Package accesses finds what every statement reads and writes, as parts of
// arrays, and what is known of the names in it.
//
// Purpose. Liveness tells when contents are needed; where two lives meet in one
// statement, or a later one, it takes the elements that are touched to tell
// whether two arrays can lie in one block (thesis section 9.2, "access
// analysis"). Interference and coalescing both ask here.
//
// Algorithm. One walk over a function. An access names the array through which
// memory is reached and the items selected, never a place: passes move arrays,
// and the access moves along. Region puts the two together. Facts are collected
// on the way down (bounds of loops and kernels, conditions of branches, asserts,
// sizes, definitions of scalars) and cost no more than a link per statement.
//
//	let ys: [n]i32 @ m = map (i < n) { in xs[n - 1 - i] }
//	-- at the end of the body: reads xs[n - 1 - i], writes ys[i]
//
// What counts as an access:
//
//   - an element read in a scalar expression: that element;
//   - an operand of copy, concat, replicate or an update: all of it;
//   - a fresh array: all of it is written, but nothing by scratch; by a map, each thread's own part, at
//     the end of the body, and of its array results all is read there;
//   - an update: the items;
//   - reduce, scan, scatter and hist work in several stages, so their results
//     are written as a whole, at the end of the body and not in order with it;
//   - a call reads its array arguments and writes those whose parameter is
//     unique; a block that it is given may be written anywhere (Array is empty).
//
// Delayed arrays, ifs and loops touch nothing themselves.
//
// The package reads programs and changes nothing; it imports ir, analysis/liveness
// (for the numbers of points) and analysis/places, and no transformation.
package accesses
