// Package bench measures programs on a device: memory, copies, kernels and time,
// under several configurations, which are pipelines of passes.
//
// Method. A measurement is a program, a data set and a configuration. Every
// configuration is compiled and run once before anything counts; that run's
// results must be those of the first configuration, so that no figure is of a
// program that computes something else. Then the configurations take turns, a run
// each, until all have had theirs: what disturbs the machine for a while disturbs
// all of them alike. Times leave out the transfer of arguments and results, as
// Futhark's do; bytes and allocations count the arguments. The figure of a time is
// its median, its spread half the range between the quartiles (Summary).
//
// Reports are written as JSON in the shape of `futhark bench --json`, with more
// fields per data set, so that Futhark's own tools read them, too; and as tables
// in Markdown. Compare holds two reports against each other.
//
// It must not import the command, nor the benchmarks themselves: data sets come in
// as functions that make arguments.
package bench
