// Package inline replaces calls by the bodies of the functions that they call. It decides nothing:
// ir/check uses it for the calls in kernels, and transform/inline for those that it chooses.
//
//	fun dot [n] (xs: [n]f32, ys: [n]f32) : f32 = { let s = reduce .. in s }
//	let r = dot(as, bs)                  -- as: [k]f32, bs: [m]f32
//
//	let ys'2: [k]f32 = bs                -- compares k and m, as the call does
//	let s'2 = reduce .. as .. ys'2 ..
//	let r = s'2
//
// Algorithm. The body is copied, and every name that the callee binds becomes a new one. A size
// becomes the dim that it is taken from. A scalar parameter becomes its argument if that is a name;
// otherwise a let binds it. An array parameter becomes its argument if their dims have the same
// names. Otherwise another name of the argument, with the parameter's type, compares the dims. So
// does a name with the result's type, where the caller's pattern has other dims. Calls in the copy
// are replaced in turn. So each statement is copied as often as it occurs in the end, and the work is
// linear in the program that results.
//
// Invariants. In and out: elaborated; functions do not recurse. A run fails if and only if it failed
// before. A unique parameter was consumed by the call; now it is consumed by the body at most, and
// the caller does not use it after either.
//
// It imports only ir.
package inline
