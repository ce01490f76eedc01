// Package sym is the algebra of sizes, offsets and strides: polynomials with int64 coefficients
// over names and opaque scalar expressions.
//
//	Of(n * (m + 1) - n)  is  m * n
//
// Purpose. Index functions (package ir/lmad) and sizes are compared by value, not by text: n*(m+1)
// and n + m*n are one polynomial.
//
// Algorithm. A Poly is a polynomial of package integer, whose atoms are texts. An expression that +
// - * cannot form (a min, a division, an element read) is an atom. The canonical text of its
// normalised parts identifies it, so min(a+1, b) and min(b, 1+a) are one atom. Values of names
// wrap, as the language's i64 arithmetic does, and every rewriting here is exact for all of them.
// Coefficients do not wrap: a term that would need a larger one is an atom (Note [Coefficients]).
//
// Invariants. A Poly is immutable; the zero Poly is the constant 0. The number of terms of a
// product and its degree are bounded: beyond the bound the product becomes an atom.
//
// Source: thesis section 3.1 (index functions as symbolic LMADs).
//
// The package imports only ir and ir/sym/integer; it knows nothing of types, places and scopes.
package sym
