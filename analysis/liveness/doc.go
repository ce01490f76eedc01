// Package liveness finds, for every array and every memory block of a function,
// the program points at which its contents are still needed, and where they are
// used last (thesis chapter 6, "Liveness Analysis"; the limitation "Conditional
// Last Uses" of chapter 9 is gone).
//
// # Points
//
// Points are numbered in the order of the text. A body has a point where it
// begins (loop parameters are bound there) and one where it ends (its results
// are read). A statement has one point; a statement with bodies has a second
// one behind them, its exit, where an if and a loop bind their pattern. Control
// goes from a statement to the next, from an if to the beginning of either
// branch, from the end of a loop's body back to its beginning or to the exit, and
// from a loop to its exit where nothing is to be done. A kernel counts as a loop
// over its threads that writes its results from its first point on.
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
// Every variable is bound once, so its life follows from its uses: one pass notes
// for each variable and each body between binding and use the last statement that
// uses it. A variable lives up to the last use in the body that binds it. Where
// that use is within a loop or kernel, it lives to the statement's exit, since
// the next iteration needs it. Where it is within an if, it lives to the if, and
// in each branch up to the last use there; in a branch without one it is dead on
// entry. A loop parameter lives from the beginning of the body to its last use
// there; what replaces it lives on its own account. So the block of a parameter
// is free between the two: the multiple live intervals of the thesis.
//
// A real block lives where a variable lives that may lie in it. Existential
// blocks hand their intervals to what they may stand for (package aliases), in
// one sweep over the condensed graph. A block that the caller keeps lives
// throughout. An array is *used last* where it is used, and no array that may
// share elements with it lives behind that point.
//
// # What holds
//
// At every point outside a live interval of a real block its contents may be
// overwritten. Within a kernel points are those of one thread: two threads may
// be at different points at one time, so what threads keep in one block is safe
// from each other by its places only, which is a matter of interference.
//
// The intervals that one component hands on are at most maxInherited; where
// there are more, the narrowest gaps are closed, which is safe and keeps long chains
// of loops linear. Intervals of a block's own arrays are never closed.
//
// The package reads programs and changes nothing; it imports ir and aliases, and
// no transformation.
package liveness
