// Package difftest runs programs in every way that there is and compares:
//
//	by value, as written                      the meaning
//	without its memory, after each pass       passes change where, never what
//	by memory, after each pass                real bytes, every access checked
//	after printing and parsing again          the text says all that there is
//	by the static checker, after each pass    right for all inputs
//	on OpenCL, in-process                     what a user gets
//	compiled as C                             what a user ships
//
// The verifier runs after every pass. A difference, an error that the program does not
// end with by value, a panic or a block that is still live after a call is a Failure,
// which names the stage that showed it.
// Apart are known limitations, and what the static checker cannot prove.
//
// Fuzz runs generated programs (internal/progen) through Run, on all processors, some
// of them through random pipelines, with blocks that Share has shared already, or with
// places that ByHand has changed, right or wrong.
// Bisect finds the one rewrite by which a program fails. Mutate plants bugs in passes
// and tells which checks find them.
//
// Reduce makes a program that fails small: it tries simpler programs (statements,
// bodies, functions, parameters dropped; operations and constants replaced by simpler
// ones), keeps those that ir/check accepts and that still fail in the same way,
// and ends where none is left. It works on any program, also on hand-written explicit ones.
package difftest
