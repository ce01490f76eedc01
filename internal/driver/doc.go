// Package driver strings the rooms together: source text to a checked program,
// to an explicit one, to the imperative form with its kernels, to results on
// OpenCL or an interpreter. The command's verbs and the test runner share it,
// so that every way to compile or run a program is one way.
//
// It holds no algorithm of its own.
package driver
