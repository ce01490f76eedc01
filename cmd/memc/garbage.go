package main

import (
	"os"
	"runtime/debug"
)

// rareCollections has garbage collected less often, unless GOGC says how often, and gives the
// way back: a compiler makes much garbage and holds little. Beyond 200 the time no longer falls,
// and memory grows.
func rareCollections() (restore func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(200)
	return func() { debug.SetGCPercent(before) }
}
