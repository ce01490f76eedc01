package hostmem

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// addressSpace gives what ulimit -v leaves of the address space.
func addressSpace() (left int64, limited bool) {
	var r syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &r) != nil || r.Cur >= unlimited {
		return 0, false
	}
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, false
	}
	size, _, _ := strings.Cut(string(text), " ")
	pages, err := strconv.ParseInt(size, 10, 64)
	if err != nil {
		return 0, false
	}
	return max(0, int64(r.Cur)-pages*int64(os.Getpagesize())), true
}
