// Package patterns judges the optimiser by the programs of testdata/coalesce,
// testdata/reuse and testdata/mix. These are small programs, each of which shows one
// pattern in which memory can be shared, or one in which it must not be. Their test blocks
// say what they compute. Two more kinds of lines in their headers say what the passes must
// do.
//
//	-- target coalesce: Alloc 1 Copy 0
//	-- target sequentialise coalesce: Alloc 1 Copy 0
//	-- forbidden C3: row @ m_table -> Direct(m, n) -> Slice(r, (0, n))
//
// A target is an upper bound for the counts of ir/metrics after a pipeline, which has a
// short name (Pipelines). Fewer is better, and reported. (Exact counts belong in the
// structure lines of a test block.) A pipeline with an unknown pass is reported too.
//
// A forbidden line puts arrays into places where they must not lie: a pass without the
// named condition would share memory in this way. The tests do it (Force) and demand that
// it is caught: by the static checker of memory, and by the interpreter by memory on one of
// the file's inputs, which gives another result or an error. For C2 and C5 the result may
// instead be no valid program, since the place cannot be named at its statement. So a
// negative program cannot turn into one that would forgive the mistake.
//
// internal/test/patterns/patterns.md lists the programs: by the thesis's tests, by condition, and by bugs of
// other compilers. The tests compare its tables with testdata.
//
// The package imports ir, ir/check, parser and ir/diag. Its tests run the passes
// through internal/compiler/driver. It has no compiler code.
package patterns
