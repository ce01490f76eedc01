// Package membench measures the host memory runtime: the cost of a block under each policy
// (costs.go), the time of whole programs (programs.go), and the memory that the policies hold for
// the traces of those programs and for traces that are made to be hard (traces.go).
//
// docs/runtime.md interprets the figures. The package must not import a pass or the parser:
// its programs are lowered already.
package membench
