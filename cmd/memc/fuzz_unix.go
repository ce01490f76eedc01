//go:build unix

package main

import "syscall"

// maxWorker is far more than any generated program needs, drivers included.
const maxWorker = 3 << 30

func init() {
	limitMemory = func() {
		var l syscall.Rlimit
		if syscall.Getrlimit(syscall.RLIMIT_DATA, &l) == nil && l.Max >= maxWorker {
			l.Cur = maxWorker
			_ = syscall.Setrlimit(syscall.RLIMIT_DATA, &l) // without it the run is as good
		}
	}
}
