// Package simplify drops what nobody uses or somebody has computed before, and computes the rest of a
// memory-agnostic function more simply.
//
//	let m = n
//	let c = copy xs
//	let (ys, zs) = map (i < m) { in (c[i] * 1 + a[(i + 1) % n], c[i] - 1) }
//	in ys
//
//	let ys = map (i < n) {
//	  let i_1 = i + 1
//	  in xs[i] + a[if i_1 < n then i_1 else i_1 - n]
//	}
//	in ys
//
// Purpose. Inlining and fusion leave names of names, results that only the other side of a fusion
// needed, and the same index computed again and again. What goes here needs no memory, no pass over
// memory, and no analysis later.
//
// Algorithm. First drop results and parameters that cross calls in vain (calls.go, Note [What crosses
// calls]). Then these steps per function.
//
//   - Forward (forward.go, fold.go, again.go): replace names of names, literals, and values that are
//     computed already; compute what consists of literals; take the branch that a literal chooses;
//     replace a copy by its source if nothing distinguishes the two (Note [Classes]).
//   - Make fills where they are moved (fills.go, Note [Fills]).
//   - Read what a loop carries and stores from where it is stored (stored.go, Note [What a loop carries and
//     stores]).
//   - Remainders of indices in kernels (Note [Remainders]).
//   - Move scalars out of loops (Note [What leaves a loop]).
//   - Backward (backward.go, fail.go, sweep.go): mark what the results need and what may fail; drop
//     the rest, statements and single results (Note [Live names]).
//
// A name is bound once per function, and what dominates a statement stands before it in its body or
// in a body around. So one substitution serves a whole function, and only the table of computed
// values has scopes. Each step takes time linear in the function, apart from questions to the
// prover, which have bounded work each.
//
// Invariants. In and out: elaborated and verified. Results have the same bits: integers are computed
// modulo a power of two, and of floats only what all devices round alike. A program that fails by
// value still fails, with an error that it could have had. Sizes that turn out to be wrong stay
// errors of the run. Explicit functions do not change.
//
// It imports ir, the analyses of accesses and places, and scalar arithmetic. From ir/check it asks
// which sizes the run compares, since a statement that compares sizes may fail.
package simplify
