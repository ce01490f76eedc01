// Package imp is the imperative form of a program: host functions that
// allocate, launch and copy, and kernels that work on elements. The IR is
// lowered to it once (Lower); from it come in-process execution
// (internal/run/exec), kernel source and C host source (codegen/opencl).
//
// For processors it is lowered another way in one respect: kernels are tasks, which loop
// over points (Note [Tasks], Note [Lanes]).
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
// # Lowering
//
// Lower takes one walk over a function for its facts (lifetimes.go: the last use
// of every memory variable), then one over its statements. An array is a memory
// variable and an index function over imperative scalars (array.go); an element's
// offset is one polynomial. What joins, loops and calls bind becomes parallel
// assignments (moves.go). A parallel operation becomes a kernel, or a few with a
// choice among them by sizes (Note [Reductions], Note [Scans]); what its text
// uses and does not declare are its parameters (kernel.go).
//
//	let ys: [n]i32 @ m = map (i < n) { in xs[i] + 1 }
//
//	launch main_ys_map groups (n + 255) / 256 (n, m_xs, m)
//	kernel: i = group_id * 256 + local_id
//	        if i < n { xs_e = m_xs[i]; m[i] = xs_e + 1 }
//
// In: a verified program whose functions are all explicit. Out: memory that
// TestOwnership finds sound on every path. Copies whose places provably coincide
// are left out; others find out when they run.
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
