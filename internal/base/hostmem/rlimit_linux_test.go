package hostmem

import (
	"syscall"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

// A budget is at most what ulimit -v and -d leave, and what Go's heap has to spare.
func TestRlimit(t *testing.T) {
	const most = 1 << 40 // more than any process has
	for _, l := range rlimits {
		var old syscall.Rlimit
		must.Do(t, syscall.Getrlimit(l.resource, &old))
		set := func(cur uint64) {
			must.Do(t, syscall.Setrlimit(l.resource, &syscall.Rlimit{Cur: cur, Max: old.Max}))
		}
		set(min(most, old.Max))
		before, _ := Left()
		taken := most - before
		set(uint64(taken + 512<<20))
		left, limited := Left()
		budget, spare := Budget(), idle()
		set(old.Cur)
		if !limited || left > 512<<20 || left < 256<<20 || budget > left+spare {
			t.Errorf("resource %d: %d left (%v), a budget of %d, %d to spare", l.resource, left, limited, budget, spare)
		}
	}
}
