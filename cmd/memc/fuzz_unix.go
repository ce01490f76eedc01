//go:build unix

package main

import (
	"os"
	"runtime/debug"
	"syscall"
)

// maxWorker is far more than any generated program needs, drivers included.
const maxWorker = 3 << 30

func init() {
	limitMemory = func() {
		if os.Getenv("GOMEMLIMIT") == "" { // collections are rare, but not where they would end the process
			debug.SetMemoryLimit(maxWorker / 2)
		}
		var l syscall.Rlimit
		if syscall.Getrlimit(syscall.RLIMIT_DATA, &l) == nil && l.Max >= maxWorker {
			l.Cur = maxWorker
			_ = syscall.Setrlimit(syscall.RLIMIT_DATA, &l) // without it the run is as good
		}
	}
}
