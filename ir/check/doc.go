// Package check decides whether a program is well-formed, and adds the parts that the
// text may leave out.
//
// Purpose. Elaborate infers types, shapes and places in place; Verify checks every rule
// of docs/ir.md and can be run between passes; Obligations lists the size equalities
// that only the run can check.
//
// Algorithm. First the names of each function are made unique, and shorthands are
// replaced (Note [Names are made unique]). Then one walk over each function, with a
// scope of names and the known facts about sizes: definitions of scalars as polynomials
// (ir/sym), and asserted equalities as a substitution. Literals take their type from the
// context (bottom-up with "open" types that are settled top-down), or from a use far
// away (Note [Types of literals]). In the end functions that kernels call take the
// places of the calls (Note [Calls in kernels]). Index functions are compared after
// normalisation (ir/lmad). Elaborate and Verify are the same walk; only Elaborate may
// write. Uniqueness is a second walk over a graph of aliases. Consuming an array marks
// the arrays that may share its elements, each node once, so that the whole is
// near-linear.
//
// Source. Thesis chapter 3 (the types and places of explicit memory) and
// section 2.2 (uniqueness).
//
// Invariants. In: a program as parsed, or as a pass left it. Out: after an
// Elaborate without errors every Exp has its type, every literal its bits,
// every Elem its type and, in explicit functions, every array its place; dims
// are names in scope or constants.
//
// Before:                                After Elaborate (memory-agnostic):
//
//	let zs = concat@0 (xs, ys)            let n_1 = n + m
//	                                      let zs: [n_1]i32 = concat@0 (xs, ys)
//
// The package imports ir, ir/sym, ir/lmad and internal/base/diag; it must not import
// analyses, transformations or back-ends.
package check
