// Package places reasons about where arrays lie: whether two index functions are equal or disjoint,
// under facts about the names in them.
//
//	i != j  |-  LMAD(i; (s : n)) and LMAD(j; (s : n)) are disjoint for 0 <= i, j < n
//
// Purpose. Every analysis and pass that asks "may these two touch one byte?" asks it here. Facts
// hold at a point: bounds of loop and kernel indices, sizes that are not negative, asserted
// equalities, conditions of branches. Disjoint and Same answer questions about index functions,
// AtLeast and similar ones about values, Covers about sizes of blocks, and TwoRuns about two
// threads or two iterations. The answer "true" is a proof; "false" says nothing.
//
// Algorithm. A search for common positions, dimension by dimension (Note [Overlap]), uses a prover
// for p >= 0 (Note [Cancelling], Note [Extremes]). Examples refute most false claims before the
// search (Note [Examples]), and models refute others within it (Note [Models]). If a claim cannot
// be proved at once, it is split into cases (Note [Cases]). All searches are bounded: an answer
// takes some microseconds for arrays in simple places, and at worst some milliseconds.
//
// Invariants. Facts are immutable and cheap to extend. Nothing here changes an index function. The
// order of facts may decide whether a proof is found, but not whether it is right.
//
// Sources (docs/bibliography.md): thesis section 9.2 asks for access analysis beyond equal indices.
// The non-overlap test follows SC'22, with matched strides and the offset distributed over them.
// Where SC'22 splits dimensions, this test fixes digits of the difference.
//
// The package imports only ir, ir/sym and what is below, and ir/lmad. It knows nothing of
// statements, blocks and live ranges.
package places

// Note [No wrapping]
// ~~~~~~~~~~~~~~~~~~
// The language's i64 arithmetic wraps, but the proofs here are about integers. A polynomial of
// package sym is right modulo 2^64. It becomes a polynomial over the integers only if the two
// cannot differ:
//
//	let j = i + 1         j - i - 1 = 0 modulo 2^64; over the integers, too, as i < n <= 2^47
//	let h = i * 2654435761 * i    only modulo 2^64: nothing implies h >= 0
//
// Each atom has a range (ranges.go), and facts narrow it: a dim is within 0 .. MaxBytes, an i64
// from a u8 within 0 .. 255, a parameter anywhere. Some products have bounds, too: products of an
// array's dims, of a kernel's bounds and of an allocation's size are at most MaxBytes, and y * (x /
// y) is no farther from 0 than x. So every polynomial has a bound. One rule leads from wrapping
// arithmetic to integers: if a sum of terms is 0 modulo 2^64, and the sum of their bounds is less
// than 2^64, then the sum is 0.
//
//   - A value (of a comparison, a length, an operand of a division) is its polynomial, if that is
//     within an i64. Otherwise it is an opaque atom w, with the fact that w - polynomial is 0
//     modulo 2^64. A fact from a condition is then about w.
//   - An equality is used over the integers once the rule applies to it, given the facts of the
//     question. Until then it holds only modulo 2^64, and only SameValue uses it.
//   - Two positions are equal if their difference is 0 modulo 2^64. Both are within a block, so the
//     difference is less than 2 * MaxBytes. Suppose that the difference of the offsets has a bound,
//     and so has each stride, or else its product with the length. Then the difference is 0 over
//     the integers, and Note [Overlap] applies. If a dimension has two elements, its stride is less
//     than MaxBytes, however it was computed. If it has one element, its stride does not matter.
//   - Programs compute sizes of blocks without wrapping, and Covers compares them so.
//
// All facts are true over the integers in every run that reaches their point. So if they contradict
// one another, no run reaches that point, and a contradiction is a proof.
//
// Coefficients are checked (package ir/sym/integer): if one would leave an int64, the polynomial
// becomes bad, and nothing is proved about it.

// Note [Empty arrays]
// ~~~~~~~~~~~~~~~~~~~
// An array with a length of 0 or less has no elements, so it is disjoint from all arrays. A proof
// may thus assume that all lengths are at least 1. Most positive sizes come from this: no program
// has to say n >= 1. If an index function has several parts, the array is unravelled over the parts
// near memory; if the array has elements, these parts have some, too. The positions of the array
// are among those of the part nearest to memory, so that part stands for the array. The verifier
// checks that indices stay within that part.

// Note [Cancelling]
// ~~~~~~~~~~~~~~~~~
// To prove p >= 0 from known g >= 0: choose a term of p that may be negative, a g that has a term
// of the same sign dividing it, and a product m of atoms known not to be negative such that a*p -
// b*m*g (a, b > 0) lacks that term. If that difference is at least 0, then so is p. The search ends
// when no term may be negative. Example: for n*m - i*m - j - 1 with i <= n-1 and j <= m-1, subtract
// m*(n-1-i), then m-1-j, and 0 remains.
//
// Before the search, equalities with an atom of factor 1 are substituted, and atoms with a constant
// lower bound are counted from there; both are exact. If the coefficients have a common divisor,
// the constant can be rounded down, since p is an integer.

// Note [Extremes]
// ~~~~~~~~~~~~~~~
// If p is affine in x, and lo <= x <= hi, then p is between its values for lo and hi. So it
// suffices to prove that both values are at least 0. The factor of x may then have any sign.
// Neither lo nor hi may mention x.

// Note [Overlap]
// ~~~~~~~~~~~~~~
// Positions common to two regions are solutions of
//
//	off + sum of c_k * s_k = 0
//
// Here off is the difference of the offsets. If both regions have the stride s_k, then c_k is the
// difference of two indices, -(m_k-1) <= c_k <= n_k-1; if only one has it, one end is 0. There is
// no solution if the left side is always positive, or always negative, or if a number divides all
// strides but not off. Else choose some k, and write off = q*s_k + r. If r and all other terms
// together are within (-l*s_k, u*s_k), then c_k+q, an integer, is one of -u+1 .. l-1, for small l
// and u. Each of these values w leaves an equation without c_k. Its offset is r + w*s_k, and it
// comes with the facts -(m_k-1) <= w-q <= n_k-1. If these contradict known facts, w is impossible.
// There is no solution if there is none for any w.
//
// With l = u = 1 this is the test of SC'22: the region does not overlap itself along k, so c_k+q =
// 0, and one dimension in which that is impossible is enough. Other values of w stand for a carry
// from the smaller dimensions, as between the blocks of Needleman-Wunsch's anti-diagonals.
//
// The choice of k, q and r does not affect soundness. The search may also choose a stride that
// occurs only in the offsets: its c is 0.
//
// If elements differ in size, the unit is the greatest common divisor of the sizes, and the units
// of an element are a further dimension.
