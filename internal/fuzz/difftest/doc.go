// Package difftest runs programs in every way and compares the results:
//
//	by value, as written                      the meaning
//	without its memory, after each pass       passes change where, never what
//	by memory, after each pass                real bytes, every access checked
//	after printing and parsing again          the text is the whole program
//	by the static checker, after each pass    right for all inputs
//	on OpenCL, in-process                     as memc run does
//	compiled as C                             as a user ships it
//
// The verifier runs after every pass. A Failure is a difference, an error with which the program
// does not end by value, a panic, or a block that is still live after a call. It names the stage
// that showed it. Known limitations, and programs that the static checker cannot prove, are
// counted apart.
//
// Fuzz runs generated programs (internal/fuzz/progen) through Run, on all processors: some through
// random pipelines, some with blocks that Share has shared already, and some with places that
// ByHand has changed, right or wrong. Bisect finds the one rewrite by which a program fails.
// Mutate plants bugs in passes and tells which checks find them.
//
// Reduce makes a failing program small. It tries simpler programs (without some statements,
// bodies, functions or parameters; with simpler operations and constants), keeps those that
// ir/check accepts and that still fail in the same way, and ends when none is left. It works on
// any program, also on explicit ones written by hand.
package difftest
