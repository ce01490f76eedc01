// Package native holds the text of the host runtime in C that every host runs: generated C contains
// it, and the Go packages beside this one compile it with cgo.
//
// A package that includes a file of c/ imports this package, too: cgo does not see that an included
// file changes, but the build does see that this package has other text.
//
// The files are not in this folder because Go allows C files only where cgo is used. The package
// imports nothing of this module.
package native

import "embed"

//go:embed c
var files embed.FS

// Source returns the text of c/NAME.c.
func Source(name string) (string, error) {
	text, err := files.ReadFile("c/" + name + ".c")
	return string(text), err
}
