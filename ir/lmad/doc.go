// Package lmad is the algebra of index functions: linear memory access descriptors with symbolic
// offsets and strides (thesis sections 2.4 and 3.1).
//
//	LMAD(0; (n : 1), (m : n)) -> Slice(i, (0, m))  is  LMAD(i; (m : n))
//
// Purpose. A place in the text is a chain such as Direct(s, n) -> Permute(1, 0) -> Slice(i, (0,
// s)). Analyses and code generation need one offset and one stride per dimension. OfPlace composes
// the chain, and Chain writes it back.
//
// Algorithm. Permuting and slicing map an LMAD to an LMAD. So does reshaping, if groups of old
// dimensions that lie contiguously have the sizes of groups of new ones (NumPy reshapes without a
// copy in the same way). Otherwise the Fun gets a further part, whose flat position is unravelled
// over the part before it.
//
// Invariants. A Fun is immutable. Parts before the last have no unit dimension, and no two
// neighbours that lie contiguously. So equal functions have equal parts, as far as symbolic
// equality can decide. If a Fun has several parts, its last part could not be joined with the one
// before it.
//
// The package imports only ir and ir/sym; it knows nothing of blocks and of programs.
package lmad
