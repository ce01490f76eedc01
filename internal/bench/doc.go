// Package bench measures programs on a device: memory, copies, kernels and time,
// under several configurations, which are pipelines of passes.
//
// Method. A measurement is a program, a data set and a configuration. Every configuration is
// compiled and run once before anything counts. The results of that run must equal those of the
// first configuration, so that every figure belongs to a program that computes the same. Then the
// configurations take turns, one run each, until all runs are done: a disturbance of the machine
// affects all of them alike. Times exclude the transfer of arguments and results, as Futhark's do;
// bytes and allocations include the arguments. The figure of a time is its median, its spread half
// the range between the quartiles (Summary).
//
// Reports are written as JSON in the form of `futhark bench --json`, with more fields per data set,
// so that Futhark's own tools can read them; and as tables in Markdown. Compare compares two
// reports.
//
// It must not import the command, nor the benchmarks themselves: data sets come in
// as functions that make arguments.
package bench
