package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// rareCollections has garbage collected less often, unless GOGC says how often, and gives the way
// back: a compiler makes much garbage and holds little.
//
// The heap may grow fivefold until the next collection, but not beyond maxHeap, or by half where
// that is more. So a large program does not take three times the memory that it needs, and does not
// spend its time collecting, either. The first collection comes at fivefold the reserve, which is
// never written and so takes no memory.
func rareCollections() (restore func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	kept := make([]byte, reserve)
	now := mostGrowth
	before := debug.SetGCPercent(now)
	var mu sync.Mutex
	restored := false
	afterCollection(func() (again bool) {
		mu.Lock()
		defer mu.Unlock()
		if next := growth(liveHeap()); next != now && !restored {
			now = next
			debug.SetGCPercent(now)
		}
		return !restored
	})
	return func() {
		mu.Lock()
		defer mu.Unlock()
		restored = true
		runtime.KeepAlive(kept)
		debug.SetGCPercent(before)
	}
}

const (
	mostGrowth  = 400 // percent
	leastGrowth = 50
	maxHeap     = 10 << 28 // 2.5 GiB
	reserve     = 32 << 20
)

// growth returns by how many percent a heap of so many bytes may grow.
func growth(live int64) int {
	return int(min(mostGrowth, max(leastGrowth, 100*(maxHeap-live)/max(live, 1))))
}

// liveHeap returns the bytes that the last collection left.
func liveHeap() int64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}

// afterCollection calls f soon after each collection, as long as it wants that.
func afterCollection(f func() (again bool)) {
	type collected struct{ _ [1]*byte } // which nothing refers to
	runtime.AddCleanup(&collected{}, func(struct{}) {
		if f() {
			afterCollection(f)
		}
	}, struct{}{})
}
