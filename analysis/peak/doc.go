// Package peak computes which memory blocks a function holds at each program point, and their
// sizes. The greatest sum over all points is the function's peak. Beside the peak stands the plan
// bound: the greatest sum of blocks that no plan of whole blocks lets share storage.
//
// # What is held
//
// A block is held from its alloc on. Its name releases the block after the last statement of the
// alloc's body that mentions the block or an array in it, however deep the mention is. If that
// mention is the initial value of a loop, the loop's parameter takes over. Existential names hold
// blocks as well: parameters of loops, and the results of ifs, loops and calls (Holder). Which
// block a holder keeps may be known only at run time.
//
//	1  let m_a = alloc n * 4            peak: max(n * 8, m * 4)
//	3  let xs: [n]i32 @ m_a = ...       held at 5: m_a and m_b
//	4  let m_b = alloc n * 4
//	5  let ys: [n]i32 @ m_b = ... xs ...
//	6  let m_c = alloc m * 4            held at 7: m_c
//	7  let zs: [m]i32 @ m_c = ...
//
// A whole kernel counts as one point. Regions are the function's body, branches, and bodies of
// loops on the host.
//
// # Sizes
//
// Sizes are polynomials over names. A scalar is replaced by its definition if that cannot fail,
// cannot wrap and reads no memory. So n * 4 and k * 4 with k = n + 0 are one size, and an alloc can
// move above the computation of k. A Vec is a size as a sum of monomials; none of them is negative
// in a run that ends without a fault.
//
// Blocks that the caller keeps do not count: no plan changes them. The block of a consumed
// parameter counts until the function ends, since the caller holds it until then.
//
// What a callee holds counts as one unknown size at the call, and what the threads of a kernel
// allocate as one at the kernel. A block that a callee hands out counts with its size if the call
// determines the size (Note [What a call gives]). Temporaries of reductions and scans do not count.
//
// # The account
//
// An Account records at which points each block is held, while a pass moves arrays from one block
// to another. A Transaction is one such move. The account proves that it makes no run hold more, or
// refuses it (Note [No worse], docs/account.md).
//
// The package reads programs and changes nothing. It imports ir and analyses, and no
// transformation.
package peak
