// Package contributing tests CONTRIBUTING.md: it compiles the document's examples in their places, and runs their
// tests.
package contributing
