// Package driver connects the stages: from source text to a checked program, to an
// explicit one, to the imperative form with its kernels, to results on OpenCL or an
// interpreter. The verbs of the command and the test runner share it, so every program is
// compiled and run in the same way.
//
// It has no algorithm of its own.
package driver
