// Package reusebench compares ways to let blocks share storage, on lists of intervals: the
// planner of transform/reuse/plan, linear scan (thesis 5.5), best fit, and the plan bound.
//
// A problem is a CSV file with the columns lower, upper and size, as in the benchmarks of
// MiniMalloc (docs/bibliography.md): a block is live from lower on and before upper. Whole
// blocks share storage; placement within one arena is another question. A function of a
// program is a problem too: the question of the pass to the planner, for given sizes.
//
//	problem   blocks: lower  plan  static  scan  fit  alone   KiB: lower ...
//
// The table compares the number of blocks, their bytes together, and the peak if a block is
// held from its first use to its last. The peak without sharing is the sum of the live
// bytes, and so the least possible one. Linear scan and best fit may exceed it; the planner
// may not.
//
// Of the compiler, the package imports only the planner.
package reusebench
