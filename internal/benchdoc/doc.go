// Package benchdoc writes docs/benchmarks.md: what memory merging is worth, from
// kept reports of memc bench, beside what others have published.
//
// A Document is made of reports (package bench), figures of the thesis and of
// Futhark (comma-separated tables with their sources in comments), and notes
// written by hand. Which cases need an explanation follows from the figures alone
// (Cases): a program saves less than the same benchmark in the thesis; it is slower
// with merging than without; its peak is above Futhark's; its peak is above the
// lower bound. Notes are woven in where their case is; a test demands one for each
// case of the kept reports.
//
// It must not import the command, a pass, or the benchmarks themselves.
package benchdoc
