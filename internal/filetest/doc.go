// Package filetest reads the test blocks of .ir files and runs them: by value,
// by memory, and on OpenCL (docs/ir.md, section Test blocks; `memc test`).
//
// A test block is a run of comment lines that holds a line "-- ==". What stands
// above that line is prose; below it are directives. Every case of a block is
// one test: a refused program, a structure count, or an input with what it
// must give.
//
// It drives the other rooms through internal/driver and holds no compiler code.
package filetest
