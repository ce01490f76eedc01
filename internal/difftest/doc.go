// Package difftest runs programs in every way that there is and compares:
//
//	by value, as written                      the meaning
//	by memory, after each pass                real bytes, every access checked
//	after printing and parsing again          the text says all that there is
//	on OpenCL, in-process                     what a user gets
//
// The verifier runs after every pass. A difference, an error, a panic or a block
// that is still live after a call is a Failure, which names the stage that showed it.
//
// Fuzz runs generated programs (internal/progen) through Check, on all processors.
// Reduce makes a program that fails small: it tries simpler programs (statements,
// bodies, functions, parameters dropped; operations and constants replaced by simpler
// ones), keeps those that ir/check accepts and that still fail in the same way,
// and ends where none is left. It works on any program, also on hand-written explicit ones.
package difftest
