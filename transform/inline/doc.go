// Package inline replaces calls of memory-agnostic functions by the bodies of these functions, so
// that the passes behind it see across them: a pass works on one function at a time.
//
//	fun relu [n] (a: [n]f32) : [n]f32 = { let c = map (i < n) { in max(a[i], 0) } in c }
//	entry main [k] (x: [k]f32) : [k]f32 = { let y = relu(x) in y }
//
//	entry main [k] (x: [k]f32) : [k]f32 = {
//	  let c'2 = map (i'2 < k) { in max(x[i'2], 0) }
//	  let y: [k]f32 = c'2
//	  in y
//	}
//
// Algorithm. The functions are decided upon one after the other, callers first. Then it is known how
// often the text of a caller occurs in the end, and so how many calls of the function there are. A
// function is inlined if that is one call, and nothing else needs the function. Otherwise it is
// inlined if it is small or if arrays cross the call, and if the program stays within a bound. Either
// all its calls are inlined, or none. Calls that must stay are an exception: those of or in an
// explicit function, and those between functions that round differently (ir.Func.Contract). Then
// ir/inline replaces the calls, and removes the functions that no entry reaches any more.
//
// Invariants. In and out: elaborated and verified. Explicit functions do not change. Host code calls
// the functions; ir/check inlined the calls in kernels.
//
// It imports only ir, ir/inline and transform.
package inline
