// Package cc builds C with the system's compiler and runs what came of it.
//
// A program that was lowered to tasks (codegen/imp, Note [Tasks]) becomes one C file,
// and this package makes an executable file of that: with OpenMP where the compiler
// has it, for the machine's own processor. It is kept in the user's cache directory
// under a name made of the text, the flags and what the compiler defines by itself
// (which tells its version and the processor), so that the second run of a program
// compiles nothing. Files that nobody has used for a month are removed, and the longest
// unused where all of them are too large. MEMC_CACHE names another directory.
//
// The executable runs as a process of its own: arguments go in and results come out in
// the binary format, errors as text and statistics as JSON on its standard error.
//
// It imports values and diagnostics, and knows neither IR nor passes.
package cc
