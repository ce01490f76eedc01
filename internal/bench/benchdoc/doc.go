// Package benchdoc writes bench/programs/report.md: what memory merging is worth, from kept
// reports of memc bench, next to published figures. docs/benchmarks.md says what to take from it.
//
// A Document consists of reports (package bench), figures of the thesis and of Futhark
// (comma-separated tables with their sources in comments), and notes written by hand. The
// figures alone decide which cases need an explanation (Cases): a program saves less than
// the same benchmark in the thesis; it is slower with merging than without; its peak is
// above Futhark's; its peak is above the plan bound. A test demands a note for each case of
// the kept reports.
//
// It must not import the command, a pass, or the benchmarks themselves.
package benchdoc
