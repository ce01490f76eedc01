// Package membench measures the host memory runtime: what a block costs under
// each policy (costs.go, and c/hit.c for the pool in C), what that is worth on
// whole programs (programs.go), and how much memory the policies hold for the
// traces of those programs and for traces made to be hard (traces.go).
//
// It judges nothing; docs/runtime.md says what the figures mean. It must not
// import a pass or the parser: programs come in lowered.
package membench
