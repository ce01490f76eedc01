// Package places reasons about where arrays lie: equality and disjointness of index
// functions, under facts about the names in them.
//
// Purpose. Every analysis and pass that asks "may these two touch one byte?" asks it here. Facts
// has the known facts at a point: bounds of loop and kernel indices, sizes that are not
// negative, asserted equalities, conditions of branches. Disjoint and Same answer
// questions on index functions, AtLeast and its kin on values, Covers on sizes of blocks, and a
// TwoRuns answers questions on two threads or two iterations. "true" is a proof; "false" says nothing.
//
// Algorithm. A search for common positions, dimension by dimension (Note [Overlap]), uses a
// prover for p >= 0 (Note [Cancelling], Note [Extremes]). Most claims that
// cannot be proved are refuted by an example, before (Note [Examples]) or within the search (Note
// [Models]). A claim that cannot be proved at once is tried in cases (Note
// [Cases]). All searches are bounded, so an answer takes some microseconds for arrays in simple
// places, and at worst some milliseconds.
//
// Invariants. Facts are immutable and cheap to extend. Nothing here changes an index function.
// The order of facts may decide whether a proof is found, never whether it is right.
//
//	i != j  |-  LMAD(i; (s : n)) and LMAD(j; (s : n)) are disjoint for 0 <= i, j < n
//
// Sources (docs/bibliography.md): thesis section 9.2 asks for access analysis beyond equal
// indices. The non-overlap test follows SC'22, with matched strides and the offset distributed
// over them, but fixes digits of the difference where they split dimensions.
//
// The package imports only ir, ir/sym and what is below, and ir/lmad; it knows nothing of statements, blocks and
// live ranges.
package places

// Note [No wrapping]
// ~~~~~~~~~~~~~~~~~~
// The language's i64 arithmetic wraps; the proofs here are about integers. So a
// polynomial of package sym, which is right modulo 2^64, becomes one over the integers
// only where the two cannot differ:
//
//	let j = i + 1         j - i - 1 = 0 modulo 2^64; over the integers, too, as i < n <= 2^47
//	let h = i * 2654435761 * i    only modulo 2^64: h >= 0 follows from nothing
//
// Each atom has a range (ranges.go), which facts narrow: a dim is within 0 .. MaxBytes, an
// i64 from an u8 within 0 .. 255, a parameter anywhere. Of products it is known that those
// of an array's dims, a kernel's bounds and an allocation's size are at most MaxBytes, and
// that y * (x / y) is no farther from 0 than x. So every polynomial has a bound, and one rule
// makes integers of what wraps: where a sum of terms is 0 modulo 2^64, and the sum of their
// bounds is less than 2^64, it is 0.
//
//   - A value (of a comparison, a length, an operand of a division) is its polynomial, if
//     that is within an i64; else an opaque atom w, of which is known that w - polynomial is
//     0 modulo 2^64. What a condition says is said of w.
//   - An equality is used over the integers once the rule holds for it, with all that is
//     known where a question is asked; until then only modulo 2^64, by SameValue.
//   - Two positions are equal if their difference is 0 modulo 2^64. Both are within a
//     block, so it is less than 2 * MaxBytes; if the difference of the offsets has a bound
//     as well, and each stride, or else its product with the length, it is 0 over the integers,
//     and Note [Overlap] applies. A stride of a dimension of two elements is less
//     than MaxBytes, whatever it was computed from, and that of one element does not matter.
//   - Sizes of blocks are computed without wrapping when a program runs, and compared so:
//     see Covers.
//
// All facts are true over the integers in every run that comes to a point. So where they
// contradict one another no run comes there, and a contradiction is a proof.
//
// Coefficients are checked (package ir/sym/integer): where one would leave an int64, the
// polynomial becomes bad, and nothing is proved of it.

// Note [Empty arrays]
// ~~~~~~~~~~~~~~~~~~~
// An array with a length of 0 or less has no elements, so it is disjoint from
// all. A proof may thus assume that all lengths
// are at least 1, which is where most positive sizes come from: nobody has to
// say n >= 1. In a function of several parts, the parts near memory are
// unravelled over; where the array has elements, these parts have some, too.
// Its positions are some of those of the part nearest to memory, which stands
// for it; that indices stay within that part is the verifier's business.

// Note [Cancelling]
// ~~~~~~~~~~~~~~~~~
// To prove p >= 0 from known g >= 0: choose a term of p that may be negative, a
// g that has a term of the same sign dividing it, and a product m of atoms known
// not to be negative such that a*p - b*m*g (a, b > 0) lacks that term. If that
// is at least 0, then so is p. The search ends where no term may be negative.
// For n*m - i*m - j - 1 with i <= n-1, j <= m-1: subtract m*(n-1-i), then m-1-j,
// and 0 remains.
//
// Equalities with an atom of factor 1 are substituted beforehand, and atoms with
// a constant lower bound are counted from there; both are exact. Coefficients
// with a common divisor let the constant be rounded down, for p is an integer.

// Note [Extremes]
// ~~~~~~~~~~~~~~~
// Where p is affine in x, and lo <= x <= hi, p is between its values for lo and
// hi, so it suffices to prove both at least 0. The factor of x may have any sign
// then. Neither lo nor hi may mention x.

// Note [Overlap]
// ~~~~~~~~~~~~~~
// Positions common to two regions are solutions of
//
//	off + sum of c_k * s_k = 0
//
// where off is the difference of the offsets and, for strides of both, c_k is
// the difference of two indices, -(m_k-1) <= c_k <= n_k-1; for a stride of one
// only, an end is 0. There is none where the left side is always positive, or
// always negative, or where a number divides all strides but not off. Else
// choose some k, and write off = q*s_k + r. If r and all other terms together
// are within (-l*s_k, u*s_k), then c_k+q, an integer, is one of -u+1 .. l-1, for
// small l and u; each of those w leaves an equation without c_k, its offset
// being r + w*s_k, and the additional facts -(m_k-1) <= w-q <= n_k-1, unless
// these contradict what is known. There is no solution if there is none for any
// w. With l = u = 1 this is the test of SC'22: the region does not overlap
// itself along k, so c_k+q = 0, and one dimension that cannot be 0 is enough.
// The other w are what a carry from the smaller dimensions may cause, as
// between the blocks of Needleman-Wunsch's anti-diagonals.
//
// Which k is chosen, and what q and r are, does not matter to soundness. A
// stride may also be chosen that occurs in the offsets only: its c is 0.
//
// Elements of different sizes are dealt with in units of the greatest common
// divisor, with a further dimension for the units of an element.
