// Package imp is the imperative form of a program: host functions that
// allocate, launch and copy, and kernels that work on elements. The IR is
// lowered to it once (Lower); from it come in-process execution
// (internal/exec), kernel source and C host source (codegen/opencl).
//
// Scalar expressions are those of package ir, elaborated, without Index: every
// element read has become a Load statement before its use, and every check
// that can fail a Check statement, so an expression is pure and total.
//
// Memory is reference counted on the host: a memory variable owns one
// reference; Alloc makes a block with one, SetMem shares one, Free drops the
// variable's. Lower places Free after the last use of every variable, which
// frees an allocated block statically, and an existential one when the count
// says so (thesis section 3, "existential memory blocks").
//
// # Ownership
//
// Params of a function are borrowed: their blocks belong to the caller, which
// holds them until the call returns; Lower never frees, reallocates or assigns
// a memory parameter. Results are always variables of Vars and Mems (never
// parameters), and each holds a reference of its own when the body ends; a Call
// moves them into the caller's variables (what those held is dropped). When a
// body ends in the regular way, no other variable holds a block. Where an error
// leaves a function early, whoever runs it drops what Mems still hold.
//
// # Variables
//
// Vars, of functions and kernels, hold every scalar that is assigned, variables
// of For included. Names are C identifiers, no keyword, built-in or usual macro
// of C99 or OpenCL C, and none starts with "memc". A bool is 0 or 1.
//
// # Faults
//
// Fault.Format holds one %d per argument, and %% for a percent sign; there is no
// other verb.
//
// # Results of functions
//
// An entry gives (block, dims...) per array, row-major from offset 0. Another
// function gives the block, and the scalars that the result type's place binds;
// where a result type names a block in scope it gives nothing for the block.
//
// It must not import runtime, a parser or a transformation.
package imp
