// Package liveness finds, for every array and every memory block of a function, the program
// points at which its contents are still needed, and the points of its last uses (thesis
// chapter 6, "Liveness Analysis"; without the limitation "Conditional Last Uses" of chapter
// 9).
//
// # Points
//
// Points are numbered in the order of the text. A body has a point at its beginning (loop
// parameters are bound there) and one at its end (its results are read). A statement has one
// point. A statement with bodies has a second one after them, its exit, at which an if and a
// loop bind their pattern. Control goes from a statement to the next, from an if to the
// beginning of either branch, from the end of a loop's body back to its beginning or to the
// exit, and from a loop to its exit if it has no iteration. A kernel counts as a loop over
// its threads that writes its results from its first point on.
//
//	 1  let xs = map (i < n) {        begin 2, end 3, exit 4
//	 5  let k = xs[i]
//	 6  let ys = if c {               begin 7, end 9, exit 12
//	 8    let zs = replicate (n) k
//	 9    in zs
//	    } else {                      begin 10, end 11
//	11    in xs
//	    }
//	-- xs is live in [1,6] and [10,11]: dead on entry of the first branch
//
// # Algorithm
//
// A variable is bound once, so its life follows from its uses. One pass records, for each variable
// and each body between binding and use, the last statement that uses the variable. A variable
// lives up to the last use in the body that binds it. If that use is within a loop or kernel, the
// variable lives to the statement's exit, since the next iteration needs it. If the use is within
// an if, the variable lives to the if, and in each branch up to the last use there; in a branch
// without a use it is dead on entry. A loop parameter lives from the beginning of the body to its
// last use there; its next value has a life of its own. So the block of a parameter is free between
// the two: these are the multiple live intervals of the thesis.
//
// A real block lives while any variable lives that may lie in it. Existential blocks pass their
// intervals to the blocks that they may stand for (package aliases), in one sweep over the
// condensed graph. A block that the caller keeps lives throughout. A use is an array's *last use*
// if afterwards no array lives that may share elements with it.
//
// # Claim
//
// The contents of a real block may be overwritten at every point outside its live intervals. Within
// a kernel, points are those of one thread. Two threads may be at different points at the same
// time, so in one block only disjoint places keep threads apart; package interference checks that.
//
// A component passes on at most maxInherited intervals. If it has more, the narrowest gaps are
// closed. This is safe, and keeps long chains of loops linear. Intervals of a block's own arrays
// are never closed.
//
// The package reads programs and changes nothing. It imports ir, ir/index and aliases, and
// no transformation.
package liveness
