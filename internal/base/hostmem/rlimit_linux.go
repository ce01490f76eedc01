package hostmem

import (
	"math"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// rlimits are the limits of a process's memory: the resource, and where /proc/self/statm
// has what is taken of it.
var rlimits = []struct{ resource, field int }{
	{syscall.RLIMIT_AS, 0},
	{syscall.RLIMIT_DATA, 5},
}

// Left returns the memory that ulimit -v and ulimit -d leave to the process.
func Left() (left int64, limited bool) {
	left = math.MaxInt64
	for _, l := range rlimits {
		var r syscall.Rlimit
		if syscall.Getrlimit(l.resource, &r) != nil || r.Cur >= unlimited {
			continue
		}
		text, err := os.ReadFile("/proc/self/statm")
		if err != nil {
			continue
		}
		fields := strings.Fields(string(text))
		if len(fields) <= l.field {
			continue
		}
		if pages, err := strconv.ParseInt(fields[l.field], 10, 64); err == nil {
			left, limited = min(left, max(0, int64(r.Cur)-pages*int64(os.Getpagesize()))), true
		}
	}
	return left, limited
}
