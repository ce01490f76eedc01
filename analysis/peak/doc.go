// Package peak finds what memory blocks a function holds at each program point,
// as the host does it, and how large they are: the greatest sum is the function's
// peak. Beside it stands the lower bound: the greatest sum of what must not share
// storage, which no plan can beat.
//
// # What is held
//
// A block is held from its alloc on. The alloc's name lets go of it behind the
// last statement of its body in which it, or an array in it, is mentioned,
// however deep; where that is an initial value of a loop, the loop's parameter
// takes over. Existential names hold as well: the parameters of loops, and what
// ifs, loops and calls give (Holder). Which of its blocks a holder keeps may be
// known at run time only.
//
//	1  let m_a = alloc n * 4            peak: max(n * 8, m * 4)
//	3  let xs: [n]i32 @ m_a = ...       held at 5: m_a and m_b
//	4  let m_b = alloc n * 4
//	5  let ys: [n]i32 @ m_b = ... xs ...
//	6  let m_c = alloc m * 4            held at 7: m_c
//	7  let zs: [m]i32 @ m_c = ...
//
// Everything within a kernel is one point here; regions are the function's body,
// branches, and bodies of loops.
//
// # Sizes
//
// Sizes are polynomials over names, with scalars replaced by what they are
// computed from as long as that cannot fail and reads no memory. So n * 4 and
// k * 4 with k = n + 0 are one size, and an alloc can move to where
// its size was not computed yet. A Vec is a size as a sum of monomials that are
// never negative in a run that ends without a fault.
//
// Blocks that the caller keeps are there whatever is done, and do not count; those of
// consumed parameters count until the function ends, since its caller holds them.
//
// What a callee holds, and what the threads of a kernel allocate, counts as one
// unknown size at the call or kernel. A block that a callee hands out counts with its
// size, where the call tells it (Note [What a call gives]). Temporaries of reductions
// and scans are left out.
//
// # The account
//
// An Account tells from where to where blocks are held while a pass moves arrays from one to
// another. A Transaction is such a move: it is proven no worse, or refused (Note [No
// worse], docs/account.md).
//
// The package reads programs and changes nothing. It imports ir and analyses, and
// no transformation.
package peak
