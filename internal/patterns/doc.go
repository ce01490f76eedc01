// Package patterns judges the optimiser by the programs of testdata/coalesce,
// testdata/reuse and testdata/mix: small programs that each show one pattern of
// sharing memory, or one that must be refused. Their test blocks say what they
// compute; two more lines of their headers say what is asked of the passes.
//
//	-- target coalesce: Alloc 1 Copy 0
//	-- target sequentialise coalesce: Alloc 1 Copy 0
//	-- forbidden C3: row @ m_table -> Direct(m, n) -> Slice(r, (0, n))
//
// A target bounds from above the counts of ir/metrics after a pipeline that is
// named in short (Pipelines); fewer is better, and reported. Exact counts of one
// choice are for the structure lines of a test block. A pipeline of which a pass
// does not exist cannot be judged, and that is reported as well.
//
// A forbidden line puts arrays where they must not lie: it is the sharing that a
// pass without the named condition would make. The tests make it (Force) and
// demand that it is caught three times: by the static checker of memory, and by
// the interpreter by memory on one of the file's inputs, which gives another
// result or an error; or that the program is no program any more (a place that
// cannot be named where it is needed, C2 and C5). So a negative program cannot
// become one that would forgive the mistake.
//
// docs/patterns.md lists the programs: by the thesis's tests, by condition, and by bugs
// that were found in other compilers. The tests hold its tables against testdata.
//
// It imports ir, ir/check, parser and internal/diag; its tests drive the passes
// through internal/driver. It holds no compiler code.
package patterns
