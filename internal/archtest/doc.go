// Package archtest holds the rules between rooms as a test: which package may
// import which (docs/architecture.md), and that every package says what it is.
package archtest
