// Package scalar defines the meaning of scalar operations, on bits in uint64, and compiles
// scalar expressions to closures. The interpreters, the in-process host code and constant
// folding share this definition.
//
// A value of every type is one uint64: signed integers are sign-extended, unsigned ones
// zero-extended, an f32 is its 32 bits, an f64 its 64 bits, a bool is 0 or 1.
//
// Integers wrap; "/" and "%" truncate; a float is rounded to its own width after every
// operation, and nothing is contracted. If one operand of min or max is NaN, the result is
// the other one; of equal operands, the first.
//
// Compile chooses one closure per (operation, type, form of the operands), so that the run
// decides nothing that is known before: closures contain folded constants, and read
// operands that are variables from the frame without a call. An operation that can fail
// (division, "**") panics with *Fault; the caller recovers it at its top level.
//
// Before:                         After:
//
//	i * 4 + k                      addVarAny(k, mulVarConst(i, 4))
//
// It imports only package ir and diag. It knows neither arrays nor memory: Env.Index reads
// elements.
package scalar
