// Package archtest tests the rules between packages: which package may import which
// (docs/architecture.md), and that every package has a comment.
package archtest
