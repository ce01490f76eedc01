// Package parallel runs independent parts of a computation on all processors.
//
// The parts must write to places of their own: an element of a slice each. Then the result is the
// same for every number of processors.
//
// It imports nothing of memc.
package parallel

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Do calls the functions, and returns when all of them have ended. If some panic, it panics with
// what the first of these in the list said, and where.
func Do(parts ...func()) { Each(len(parts), func(k int) { parts[k]() }) }

// few is a number of statements that are analysed in less time than another processor takes to begin.
const few = 100

// Over is Do for parts that each go over a number of statements. The parts of few are called in turn.
func Over(statements int, parts ...func()) {
	if statements < few {
		for _, part := range parts {
			part()
		}
		return
	}
	Do(parts...)
}

// Each calls part(0), ..., part(n-1) in any order, and returns and panics as Do does.
func Each(n int, part func(k int)) {
	workers := min(n, runtime.GOMAXPROCS(0))
	if workers <= 1 {
		for k := range n {
			part(k)
		}
		return
	}
	var next atomic.Int64
	var all sync.WaitGroup
	var lock sync.Mutex
	first, broken := n, ""
	guarded := func(k int) {
		defer func() {
			if x := recover(); x != nil {
				lock.Lock()
				defer lock.Unlock()
				if k < first {
					first, broken = k, fmt.Sprintf("%v\n\n%s", x, debug.Stack())
				}
			}
		}()
		part(k)
	}
	for range workers {
		all.Add(1)
		go func() {
			defer all.Done()
			for k := int(next.Add(1)) - 1; k < n; k = int(next.Add(1)) - 1 {
				guarded(k)
			}
		}()
	}
	all.Wait()
	if first < n {
		panic(broken)
	}
}
