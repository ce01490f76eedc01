// Package accesses finds which parts of arrays each statement reads and writes, and which facts
// about names hold there.
//
//	let ys: [n]i32 @ m = map (i < n) { in xs[n - 1 - i] }
//	-- at the end of the body: reads xs[n - 1 - i], writes ys[i]
//
// Purpose. Liveness says when contents are needed. If two lives meet in one statement, only the
// elements that are touched decide whether two arrays can lie in one block (thesis section 9.2,
// "access analysis"). Interference and coalescing both ask here.
//
// Algorithm. One walk over a function. An access names an array and the selected items, never a
// place: a pass may move the array, and the access moves along. Region combines the array's present
// place and the items. On the way down the walk collects facts: bounds of loops and kernels,
// conditions of branches, asserts, sizes, definitions of scalars. This costs one link per
// statement.
//
// These are accesses:
//
//   - An element in a scalar expression is read.
//   - An operand of copy, concat, replicate or an update is read as a whole.
//   - A fresh array is written as a whole, except by scratch, which writes nothing. A map writes
//     each thread's own part at the end of the body, and reads all of its array results there.
//   - An update writes its items.
//   - reduce, scan, scatter and hist work in several stages. So their results are written as a
//     whole, at the end of the body and in no order with it.
//   - A call reads its array arguments and writes those whose parameter is unique. It may write
//     anywhere in a block that it receives (Array is empty).
//
// Delayed arrays, ifs and loops touch nothing themselves. Note [Order] defines the order of
// accesses.
//
// The package reads programs and changes nothing. It imports ir, ir/index, analysis/aliases,
// analysis/liveness (which makes the index) and analysis/places, and no transformation.
package accesses
