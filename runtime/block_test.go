//go:build cgo

package runtime

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

func mustAlloc(t *testing.T, c *Context, bytes int64, tag int) *Block {
	t.Helper()
	return must.Get(c.Alloc(bytes, tag))(t)
}

func TestReferencesAndStats(t *testing.T) {
	c, f := newFake(t, Options{Allocator: "driver"}, 0)
	a := mustAlloc(t, c, 100, 1)
	b := mustAlloc(t, c, 0, 2)
	a.Retain()
	a.Release()
	if got := c.LiveBytes(); got != 100 {
		t.Errorf("live %d with one reference left, want 100", got)
	}
	a.Release()
	d := mustAlloc(t, c, 60, 3)
	s := c.Stats()
	if s.PeakBytes != 100 || s.AllocRequests != 3 || s.DriverAllocs != 3 {
		t.Errorf("stats %+v; want peak 100, 3 requests, 3 driver allocations", s)
	}
	c.ResetStats()
	if s := c.Stats(); s.PeakBytes != 60 || s.AllocRequests != 0 || s.Device != "fake" {
		t.Errorf("after reset %+v; want the peak at what is live, 60", s)
	}
	b.Release()
	d.Release()
	if c.LiveBytes() != 0 || c.LiveBlocks() != 0 || len(f.buffers) != 0 {
		t.Errorf("left: %d bytes, %d blocks, %d buffers", c.LiveBytes(), c.LiveBlocks(), len(f.buffers))
	}
	var none *Block
	none.Release() // the empty variable
}

func TestSizesAreRounded(t *testing.T) {
	c, f := newFake(t, Options{Allocator: "driver"}, 0)
	for _, n := range []int64{0, 1, 15, 16, 17} {
		b := mustAlloc(t, c, n, 0)
		for h := range f.buffers {
			if len(*h)%16 != 0 || len(*h) == 0 || int64(len(*h)) < n {
				t.Errorf("a block of %d bytes has a buffer of %d", n, len(*h))
			}
		}
		b.Release()
	}
}

// A heap for kernels counts against the limit, and is no memory in use.
func TestHeapCounts(t *testing.T) {
	c, _ := newFake(t, Options{MemoryLimit: 1000}, 0)
	heap := must.Get(c.AllocHeap(600))(t)
	if s := c.Stats(); s.DeviceHeap != 600 || s.PeakBytes != 0 || c.LiveBytes() != 0 || c.LiveBlocks() != 0 {
		t.Errorf("%+v", s)
	}
	mustAlloc(t, c, 400, 1).Release()
	var oom *OutOfMemory
	if _, err := c.Alloc(401, 1); !errors.As(err, &oom) || !strings.Contains(err.Error(), "0 bytes are in use beside a device heap of 600, the limit is 1000") {
		t.Errorf("401 bytes beside a heap of 600: %v", err)
	}
	if _, err := c.AllocHeap(401); !errors.As(err, &oom) {
		t.Errorf("a second heap, of 401 bytes: %v", err)
	}
	heap.Release()
	mustAlloc(t, c, 1000, 1).Release()
	if s := c.Stats(); s.DeviceHeap != 0 {
		t.Errorf("the heap is gone, and counts %d bytes", s.DeviceHeap)
	}
}

func TestMemoryLimit(t *testing.T) {
	c, _ := newFake(t, Options{MemoryLimit: 1000}, 0)
	big := mustAlloc(t, c, 600, 7)
	small := mustAlloc(t, c, 300, 8)
	_, err := c.Alloc(101, 9)
	var oom *OutOfMemory
	if !errors.As(err, &oom) {
		t.Fatalf("got %v, want OutOfMemory", err)
	}
	if oom.Request != 101 || oom.Live != 900 || oom.Limit != 1000 || oom.Tag != 9 {
		t.Errorf("got %+v", oom)
	}
	if len(oom.Blocks) != 2 || oom.Blocks[0] != (BlockInfo{Bytes: 600, Tag: 7}) || oom.Blocks[1] != (BlockInfo{Bytes: 300, Tag: 8}) {
		t.Errorf("blocks %v; want those of 600 and 300 bytes, in this order", oom.Blocks)
	}
	for _, want := range []string{"101 bytes requested", "900 bytes are in use", "limit is 1000", "block of 600 bytes (tag 7)"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
	// The context stays usable.
	mustAlloc(t, c, 100, 10).Release()
	big.Release()
	mustAlloc(t, c, 700, 11).Release()
	small.Release()
	for _, n := range []int64{math.MaxInt64, math.MaxInt64 - 3, -1} {
		if _, err := c.Alloc(n, 0); err == nil {
			t.Errorf("a block of %d bytes was made", n)
		}
	}
	if c.LiveBytes() != 0 {
		t.Errorf("%d bytes left", c.LiveBytes())
	}
}

func TestDriverOutOfMemory(t *testing.T) {
	c, f := newFake(t, Options{Allocator: "driver"}, 160)
	a := mustAlloc(t, c, 96, 1)
	if _, err := c.Alloc(96, 2); err == nil || !strings.Contains(err.Error(), "out of device memory: 96 bytes requested, 96 bytes are in use, and the driver has no more") {
		t.Errorf("got %v, want out of memory", err)
	}
	// Released memory comes back when the device is done with it: the driver is
	// asked again after waiting.
	a.Release()
	b := mustAlloc(t, c, 160, 3)
	if got := strings.Join(f.log[len(f.log)-3:], " "); got != "create finish create" {
		t.Errorf("the driver was asked %q, want create, finish, create", got)
	}
	b.Release()
	if _, err := c.Alloc(1<<31, 4); err == nil || !strings.Contains(err.Error(), "the driver makes no buffer of this size (it promises 1073741824 bytes)") {
		t.Errorf("above the device's largest block: %v", err)
	}
}

func TestUncounted(t *testing.T) {
	c, f := newFake(t, Options{MemoryLimit: 10}, 0)
	b := must.Get(c.AllocUncounted(64))(t)
	if s := c.Stats(); c.LiveBytes() != 0 || s.AllocRequests != 0 || s.PeakBytes != 0 || s.DriverAllocs != 0 {
		t.Errorf("an uncounted block was counted: %+v", s)
	}
	b.Release()
	if len(f.buffers) != 0 {
		t.Error("its buffer was not given back")
	}
}

func TestClose(t *testing.T) {
	c, f := newFake(t, Options{}, 0)
	b := mustAlloc(t, c, 10, 1)
	c.Close()
	c.Close()
	b.Release()
	if len(f.buffers) != 0 || f.log[len(f.log)-1] != "close" {
		t.Errorf("%d buffers left; log %v", len(f.buffers), f.log)
	}
	if _, err := c.Alloc(1, 0); err == nil {
		t.Error("a closed context allocates")
	}
}

func TestElements(t *testing.T) {
	c, _ := newFake(t, Options{}, 0)
	b := mustAlloc(t, c, 21, 0)
	must.Do(t, c.WriteElem(b, 1, 8, 0x8877665544332211))
	for _, e := range []struct {
		index int64
		size  int
		want  uint64
	}{{1, 8, 0x8877665544332211}, {2, 4, 0x44332211}, {7, 2, 0x8877}, {12, 1, 0x55}} {
		got, err := c.ReadElem(b, e.index, e.size)
		if err != nil || got != e.want {
			t.Errorf("element %d of size %d = %#x, %v; want %#x", e.index, e.size, got, err, e.want)
		}
	}
	for _, e := range []struct {
		index int64
		size  int
	}{{-1, 1}, {21, 1}, {5, 4}, {2, 8}, {1 << 61, 8}, {math.MinInt64, 4}} {
		if _, err := c.ReadElem(b, e.index, e.size); err == nil {
			t.Errorf("element %d of size %d of 21 bytes was read", e.index, e.size)
		}
		if err := c.WriteElem(b, e.index, e.size, 0); err == nil {
			t.Errorf("element %d of size %d of 21 bytes was written", e.index, e.size)
		}
	}
	if err := c.Read(b, 20, make([]byte, 2)); err == nil || !strings.Contains(err.Error(), "outside of a block of 21 bytes") {
		t.Errorf("reading past the end: %v", err)
	}
	if err := c.Write(b, 21, nil); err != nil {
		t.Errorf("writing nothing: %v", err)
	}
}
