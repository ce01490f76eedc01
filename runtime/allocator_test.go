//go:build cgo

package runtime

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/runtime/memtrace"
	"github.com/memc-lang/memc/runtime/pool"
)

func TestAllocatorNames(t *testing.T) {
	for _, name := range append([]string{""}, pool.Policies...) {
		c, _ := newFake(t, Options{Allocator: name}, 0)
		if name == "" {
			name = DefaultAllocator
		}
		if got := c.Stats().Allocator; got != name {
			t.Errorf("allocator %q is called %q", name, got)
		}
	}
	if _, err := Open("", Options{Allocator: "buddy"}); err == nil || !strings.Contains(err.Error(), `unknown allocator "buddy"`) {
		t.Errorf("an unknown allocator: %v", err)
	}
}

// Out of memory because of holes: the error names request, tag, line, blocks,
// largest hole and fragmentation, and the context works on.
func TestFragmentationError(t *testing.T) {
	c, _ := newFake(t, Options{MemoryLimit: 1 << 20}, 0)
	base := c.RegisterTags([]TagInfo{{"block `m`", "a.ir:3"}, {"block `big`", "a.ir:9"}})
	var blocks []*Block
	for range 512 {
		blocks = append(blocks, mustAlloc(t, c, 2<<10, base))
	}
	for i := 0; i < len(blocks); i += 2 {
		blocks[i].Release()
	}
	_, err := c.Alloc(100<<10, base+1)
	var oom *OutOfMemory
	if !errors.As(err, &oom) {
		t.Fatalf("got %v", err)
	}
	if oom.Request != 100<<10 || oom.Where.Line != "a.ir:9" || oom.LargestHole < 2<<10 || oom.LargestHole >= 100<<10 ||
		oom.Fragmentation < 0.5 || len(oom.Blocks) != 256 || oom.Blocks[0].Where.Name != "block `m`" {
		t.Errorf("%+v", oom)
	}
	for _, want := range []string{"a.ir:9: block `big`: out of device memory: 102400 bytes requested, 524288 bytes are in use in buffers of ",
		"the limit is 1048576", " are free beside blocks in use, the largest hole is ", "no buffer is idle, and the limit refused one of 102400 bytes", "block of 2048 bytes (tag 0): block `m`, a.ir:3"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
	for i := 1; i < len(blocks); i += 2 {
		blocks[i].Release()
	}
	mustAlloc(t, c, 900<<10, base+1).Release()
	c.ForgetTags(base, 2)
	if c.LiveBytes() != 0 {
		t.Errorf("%d bytes are left", c.LiveBytes())
	}
}

// A fault buffer gets its memory from what is idle.
func TestUncountedFromIdle(t *testing.T) {
	c, _ := newFake(t, Options{}, 1<<20)
	mustAlloc(t, c, 1<<20, 0).Release()
	b := must.Get(c.AllocUncounted(64))(t)
	b.Release()
}

// Faults are injected by number.
func TestRefuse(t *testing.T) {
	var asked []int64
	c, _ := newFake(t, Options{Allocator: "driver", Refuse: func(n, bytes int64) bool {
		asked = append(asked, bytes)
		return n == 2
	}}, 0)
	a, b := mustAlloc(t, c, 16, 0), mustAlloc(t, c, 32, 0)
	if len(asked) != 3 || asked[1] != 32 || asked[2] != 32 || c.Stats().Refusals != 1 {
		t.Errorf("asked for %v, %d refusals; want the second twice", asked, c.Stats().Refusals)
	}
	a.Release()
	b.Release()
}

// A context tells its trace everything, and the trace can be replayed to the
// same decisions.
func TestTrace(t *testing.T) {
	var out bytes.Buffer
	sink := memtrace.CSV(&out)
	c, _ := newFake(t, Options{Trace: sink, MemoryLimit: 1 << 30}, 0)
	base := c.RegisterTags([]TagInfo{{"block `m`", "a.ir:3"}})
	outside := mustAlloc(t, c, 5000, TempTag)
	for range 2 {
		end := c.Begin()
		a, b := mustAlloc(t, c, 100000, base), mustAlloc(t, c, 70000, base)
		a.Release()
		b.Release()
		end()
	}
	if _, err := c.Alloc(2<<30, base); err == nil {
		t.Error("2 GiB were made under a limit of 1")
	}
	outside.Release()
	s := c.Stats()
	must.Do(t, sink.Close())
	events := must.Get(memtrace.Read(&out))(t)
	if len(events) != 11 || events[0].Call != 0 || events[1].Call != 1 || events[5].Call != 2 || events[9].Action != memtrace.Failure ||
		events[1].Line != "a.ir:3" || events[1].Name != "block `m`" || events[1].Tag != base || events[10].Size != 5000 {
		t.Fatalf("events %+v", events)
	}
	r := must.Get(memtrace.Replay(events, pool.Options{Policy: pool.Region, Limit: 1 << 30}))(t)
	if r.First.Creates != s.DriverAllocs || r.First.PeakHeld != s.PeakHeld || r.First.PeakRounded != s.PeakRounded || r.First.PeakAsked != s.PeakBytes {
		t.Errorf("the replay has %+v, the context had %+v", r.First, s)
	}
}
