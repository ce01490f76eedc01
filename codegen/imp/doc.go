// Package imp is the imperative form of a program: host functions that allocate, launch and copy,
// and kernels that work on elements. Lower translates the IR to it, once. In-process execution
// (internal/run/exec), kernel source and C host source (codegen/opencl) all start from it.
//
//	let ys: [n]i32 @ m = map (i < n) { in xs[i] + 1 }
//
//	launch main_ys_map groups (n + 255) / 256 (n, m_xs, m)
//	kernel: i = group_id * 256 + local_id
//	        if i < n { xs_e = m_xs[i]; m[i] = xs_e + 1 }
//
// For processors one thing differs: kernels are tasks, which loop over points (Note [Tasks], Note
// [Lanes]).
//
// Scalar expressions are those of package ir, elaborated, without Index: a Load statement replaces
// every element read, and a Check statement every check that can fail, before the use. So an
// expression is pure and total.
//
// Memory is reference counted on the host: a memory variable owns one reference. Alloc makes a
// block with one, SetMem shares one, Free drops the variable's. Lower places Free after the last
// use of every variable. This frees an allocated block statically, and an existential one when the
// count says so (thesis section 3, "existential memory blocks").
//
// # Lowering
//
// Lower walks over a function once for facts (lifetimes.go: the last use of every memory variable),
// and once over its statements. An array is a memory variable and an index function over imperative
// scalars (array.go); an element's offset is one polynomial. Names that branches, loops and calls
// bind become parallel assignments (moves.go). A parallel operation becomes one kernel, or several
// from which sizes choose (Note [Reductions], Note [Scans]). A kernel's parameters are the names
// that its text uses but does not declare (kernel.go).
//
// In: a verified program whose functions are all explicit. Out: memory management that
// TestOwnership finds sound on every path. Copies whose places provably coincide are omitted; other
// copies compare their places at run time.
//
// # Ownership
//
// Params of a function are borrowed: their blocks belong to the caller, which holds them until the
// call returns. Lower never frees, reallocates or assigns a memory parameter. Results are always
// variables of Vars and Mems (never parameters), and each holds a reference of its own when the
// body ends. A Call moves them into the caller's variables, and drops what those held. When a body
// ends regularly, no other variable holds a block. If an error leaves a function early, its caller
// drops the blocks that Mems still hold.
//
// # Variables
//
// Vars, of functions and kernels, hold every scalar that is assigned, including variables of For.
// Names are C identifiers. They are not keywords, built-ins or usual macros of C99 or OpenCL C, and
// do not start with "memc". A bool is 0 or 1.
//
// # Faults
//
// Fault.Format holds one %d per argument, and %% for a percent sign; there is no other verb.
//
// # Results of functions
//
// An entry returns (block, dims...) per array, row-major from offset 0. Another function returns
// the block, and the scalars that the result type's place binds; if a result type names a block in
// scope, the function returns no block.
//
// The package must not import runtime, a parser or a transformation.
package imp
