package main

import (
	"os"
	"runtime/debug"
)

// rareCollections has garbage collected less often, unless GOGC says how often, and gives the
// way back: a compiler makes much garbage and holds little. With 400, large programs took a tenth
// less user time and up to twice the memory.
func rareCollections() (restore func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(200)
	return func() { debug.SetGCPercent(before) }
}
