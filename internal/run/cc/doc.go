// Package cc builds C with the system's compiler and runs the executable.
//
// A program that was lowered to tasks (codegen/imp, Note [Tasks]) becomes one C file. This package
// builds it for the machine's own processor, with OpenMP if the compiler has it. It keeps the
// executable in the user's cache directory, under a name made of the text, the flags and the
// compiler's predefined macros (which identify its version and the processor), and of a digest of
// the executable. So the second run of a program compiles nothing, and runs nothing else. Files that were not used for a month are removed, and the longest
// unused ones if all together are too large. MEMC_CACHE names another directory.
//
// The executable runs as a process of its own. Arguments and results are passed in the binary
// format; errors come as text and statistics as JSON on its standard error.
//
// The package imports values and diagnostics, and knows neither IR nor passes.
package cc
