// Package reusebench compares ways to let blocks share storage on lists of
// intervals: the planner of transform/reuse/plan, linear scan (thesis 5.5) and
// best fit, beside what no plan can beat.
//
// A problem is a CSV file with the columns lower, upper and size, as the
// benchmarks of MiniMalloc (Moffitt, ASPLOS 2023) come: a block is live from
// lower on and before upper. Placement within one arena is not the question here:
// blocks share whole blocks.
//
// A program's functions are problems, too: what the pass asks the planner about
// them, for given sizes.
//
//	problem   blocks: lower  plan  static  scan  fit  alone   KiB: lower ...
//
// What is compared: how many blocks there are, how many bytes they have together,
// and the peak where a block is held from its first use to its last. The peak
// without sharing is the sum of what is live, and so the least possible one;
// linear scan and best fit may exceed it, the planner may not.
//
// The package must not import anything of the compiler but the planner.
package reusebench
