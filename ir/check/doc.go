// Package check decides whether a program is well-formed, and adds the parts that the text may
// omit.
//
// Purpose. Elaborate infers types, shapes and places in place. Verify checks every rule of
// docs/ir.md and can run between passes. Obligations lists the size equalities that only the run
// can check.
//
//	Before:                               After Elaborate (memory-agnostic):
//
//	let zs = concat@0 (xs, ys)            let n_1 = n + m
//	                                      let zs: [n_1]i32 = concat@0 (xs, ys)
//
// Algorithm. First the names of each function are made unique, and shorthands are replaced (Note
// [Names are made unique]). Then one walk over each function keeps a scope of names and the known
// facts about sizes: definitions of scalars as polynomials (ir/sym), and asserted equalities as a
// substitution. A literal takes its type from the context (bottom-up with "open" types that are
// settled top-down), or from a use far away (Note [Types of literals]). Finally, functions that
// kernels call are inlined (Note [Calls in kernels]). Index functions are compared after
// normalisation (ir/lmad). Elaborate and Verify are the same walk; only Elaborate may change the
// program. Uniqueness is a second walk over a graph of aliases. Consuming an array marks the arrays
// that may share its elements, each node once, so this walk is near-linear.
//
// Source. Thesis chapter 3 (the types and places of explicit memory) and section 2.2 (uniqueness).
//
// Invariants. In: a program as parsed, or as a pass left it. Out, after an Elaborate without
// errors: every Exp has its type, every literal its bits, every Elem its type and, in explicit
// functions, every array its place; dims are names in scope or constants.
//
// The package imports ir, ir/sym, ir/lmad and ir/diag. It must not import analyses,
// transformations or back-ends.
package check
