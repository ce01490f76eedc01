// Package scalar is the meaning of scalar operations, on bits held in uint64,
// and compiles scalar expressions to closures. It is the one definition that
// the interpreters, the in-process host code and constant folding share.
//
// A value of every type is one uint64: signed integers are sign-extended,
// unsigned ones zero-extended, an f32 is its 32 bits, an f64 its 64 bits, a
// bool is 0 or 1.
//
// Integers wrap; "/" and "%" truncate; a float is rounded to its own width
// after every operation and nothing is contracted. Of two operands of min and
// max of which one is NaN the other is given; of equal ones, the first.
//
// Compile chooses one closure per (operation, type, form of the operands), so
// that nothing is decided at run time that is known before: constants are
// folded into the closures, and operands that are variables are read from the
// frame without a call. An operation that can fail (division, "**") panics with
// *Fault; the top level of the caller recovers it.
//
// Before:                         After:
//
//	i * 4 + k                      addVarAny(k, mulVarConst(i, 4))
//
// It imports package ir and diag only; it knows neither arrays nor memory:
// element reads come in through Env.Index.
package scalar
