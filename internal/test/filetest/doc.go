// Package filetest reads the test blocks of .ir files and runs them: by value, by memory,
// and on OpenCL (docs/ir.md, section Test blocks; `memc test`).
//
// A test block is a run of comment lines with a line "-- ==" among them. The lines above it
// are prose; the lines below it are directives. Every case of a block is one test: a
// program that must be refused, a structure count, or an input with its expected result.
//
// It uses the other packages through internal/compiler/driver and has no compiler code.
package filetest
