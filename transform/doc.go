// Package transform says what a pass is: a value with a name, a sentence of
// documentation, the order constraints it has (as data, each with its reason)
// and a function that rewrites a program in place.
//
// Invariant in and out of every pass: the program verifies (package ir/check)
// and is memory-correct, that is, running it by memory gives what running it by
// value gives. A pass changes where arrays live, never what they hold.
//
// Every rewrite a pass makes goes through Context.Rewrite, which counts it,
// leaves a remark, and refuses once the limit is reached; bisecting a
// miscompilation is then a search over --limit PASS=N.
//
//	if c.Rewrite(s.Span, "block %s reused for %s", old, new) {
//		// change the program
//	}
//
// The passes themselves live in packages below this one and never import each
// other; the list of all passes is internal/pipeline's. This package imports
// only ir and internal/diag.
package transform
