// Package aliases finds which arrays may share elements, and which real blocks an
// existential block may stand for (thesis chapter 6, "Memory Block Aliases").
//
// It makes two graphs of names for every explicit function. A real block is an alloc, the block of
// a parameter, or a block that a call made. An origin is an array that was made: a fresh array, a
// parameter, or an array that a call made. Every other name is of one of two kinds. A name of the
// first kind is the same as another name: delayed arrays, updates, and the results of scatter and
// hist share the node of their source. A name of the second kind is a choice: the result of an if
// between the results of its branches; a loop parameter between its initial and its next value; the
// result of a loop like its parameter; the result of a call between the arguments that the callee
// may return and the arrays that it makes.
//
//	let r: [n]i32 @ ?m_r = loop (cur: [n]i32 @ ?m_cur = xs) for s < k {
//	  let m = alloc n * 4
//	  let next: [n]i32 @ m = map (i < n) { in cur[i] * 2 }
//	  in next
//	}
//	-- Blocks(m_cur) = Blocks(m_r) = {m, m_xs}; the arrays r and cur have the origins {next, xs}
//
// # Closure
//
// "May stand for" goes from a name to real names. It is reflexive on real names and closed
// under choice: if a may stand for b, and b for c, then a may stand for c. So chains of ifs,
// loops, calls and blocks that change places are followed to their ends, through cycles
// (iterations) too. It is not symmetric: m_r above may stand for m_xs, but m_xs stands only
// for itself. It is not closed sideways: m and m_xs have m_r in common and are still two
// blocks.
//
// "May share elements" (MayShare) and "may be one block" (MayBeOne) hold between two names
// if the sets of real names that they may stand for meet. Both are reflexive and symmetric,
// and not transitive: r shares with xs and with next, which share nothing. These relations
// are about contents: an array that a later one overwrites in the same block shares its
// block with that one, but no elements.
//
// A real block inside a loop is one name for the blocks of all iterations. Two parameters of
// a function that is not an entry may receive one block or one array, unless one of them is a
// unique array; the block of that may still be one that the function receives as a block. The
// relations above take this into account; the sets (Blocks, Origins) do not.
//
// Tarjan's algorithm finds the components of the graph, so everything is linear in the size
// of the function. A set is collected only when it is requested: a chain of a thousand loops
// has a thousand sets of up to a thousand blocks, which nobody needs at once. In most
// functions no set is needed to tell whether two names meet (Note [Kin]).
//
// The program must be elaborated. Agnostic functions have arrays, but no blocks.
//
// The package reads programs and changes nothing. It imports ir and ir/index, and no transformation.
package aliases
