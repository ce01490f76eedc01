//go:build cgo

package device

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

// In a debug build, frees of what is no live block are found, named and not
// done; null is no error.
func TestWrongFrees(t *testing.T) {
	ctx := open(t)
	for _, a := range Allocators() {
		if a.Header == 0 {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			b := newBench(t, ctx, a.Name, 1<<20, "MEMC_DEBUG 1")
			// The last one is of whole pages for slab, the one before is not.
			one, two, large, pages := b.once(40), b.once(40), b.once(100000), b.once(131072)
			if one < 16 || two < 16 || large < 16 || pages < 16 {
				t.Fatalf("blocks at %d, %d, %d and %d", one, two, large, pages)
			}
			expect := func(what string, errors, kind int64) {
				t.Helper()
				s := must.Get(b.Survey())(t)
				if s.Errors != errors || errors > 0 && s.ErrorKind != kind {
					t.Errorf("%s: %d errors, the first of kind %d at unit %d; want %d of kind %d", what, s.Errors, s.ErrorKind, s.ErrorUnit, errors, kind)
				}
				s.Errors = 0
				if err := s.Check(); err != nil {
					t.Errorf("%s: %v", what, err)
				}
			}
			b.free(0)
			expect("free of null", 0, 0)
			b.free(one)
			expect("a free", 0, 0)
			b.free(one)
			expect("a second free", 1, 2)
			b.free(two + 16)
			expect("a free of the middle of a block", 2, 2)
			b.free(two + 4)
			expect("a free of what is not aligned", 3, 2)
			b.free(1 << 40)
			expect("a free of what is outside", 4, 2)
			b.free(large)
			b.free(two)
			expect("frees", 4, 2)
			b.free(large)
			expect("a second free of a large block", 5, 2)
			b.free(pages + 65536)
			expect("a free of the middle of a block of pages", 6, 2)
			b.free(pages)
			expect("a free of pages", 6, 2)
			b.free(pages)
			expect("a second free of pages", 7, 2)
			if s, _ := b.Survey(); s.Live(a) != 0 {
				t.Errorf("%d blocks are live", s.Live(a))
			}
		})
	}
}

// A request that cannot be served is told from one that has met others.
func TestFullIsTold(t *testing.T) {
	ctx := open(t)
	for _, a := range Allocators() {
		b := newBench(t, ctx, a.Name, 1<<20)
		if off := b.once(1 << 21); off != 0 {
			t.Errorf("%s: twice the heap gives %d, want 0 (full)", a.Name, off)
		}
		if off := b.once(1 << 60); off != 0 {
			t.Errorf("%s: 2^60 bytes give %d, want 0 (full)", a.Name, off)
		}
		b.results()
		b.launch("fill", 1, 1, blk(b.Block), blk(b.res), blk(b.heads), u32(4096), u32(100000))
		if s := b.survey("when full"); a.Safe && (s.Full != 1 || s.Contended != 0) {
			t.Errorf("%s: one item alone finds the heap full %d times and contended %d times, want 1 and 0", a.Name, s.Full, s.Contended)
		}
		if !a.Safe { // it never says so, and starts over
			if r := b.results(); r[0] != 100000 || r[1] != 0 {
				t.Errorf("%s: %d blocks and %d nulls, want 100000 and 0", a.Name, r[0], r[1])
			}
			continue
		}
		if off := b.once(4096); off != 0 {
			t.Errorf("%s: a full heap gives %d", a.Name, off)
		}
	}
	if _, err := NewHeap(ctx, Allocators()[2], HeapOptions{Bytes: MinBytes - 1}); err == nil {
		t.Errorf("a heap of %d bytes is made", MinBytes-1)
	}
	// A heap that has no room for its own header is always full.
	for _, bytes := range []int64{MinBytes, 5000, 9000} {
		for _, a := range Allocators() {
			b := newBench(t, ctx, a.Name, bytes)
			if off := b.once(16); off >= 16 && off+16 > bytes {
				t.Errorf("%s: a heap of %d bytes gives a block at %d", a.Name, bytes, off)
			}
		}
	}
}

// Used without memc: the files as they are, found by the device's compiler.
func TestInclude(t *testing.T) {
	ctx := open(t)
	dir := must.Get(filepath.Abs("cl"))(t)
	for _, src := range []string{"#define MEMC_ALLOCATOR MEMC_SLAB\n#include \"memc_alloc.h\"\n#include \"memc_kernels.cl\"\n",
		"#include \"memc_heap.h\"\n#include \"memc_heap_kernels.cl\"\n"} {
		p, err := ctx.Build(src, "-I "+dir)
		if err != nil {
			t.Error(err)
			continue
		}
		p.Release()
	}
}

// Heaps past 4 GiB: blocks lie behind that border, none overlaps another at its
// ends, and the heap can be filled as often as one likes. A machine of 4 GB has room for a
// smaller one only.
func TestLargeHeap(t *testing.T) {
	ctx := open(t)
	heap := min(int64(6<<30), ctx.Device().MaxAlloc, ctx.Limit()/8*7)
	for _, a := range Allocators() {
		if !a.Safe || !ctx.Device().GPU && a.Name != "cf" && a.Name != "slab" {
			continue // a CPU takes its time for such heaps
		}
		// Few chunks, for the sake of devices that make memory when it is touched.
		b := newBench(t, ctx, a.Name, heap, "MEMC_LEAF 65536", "MEMC_MAX_LAPS 4")
		for range 2 {
			b.results()
			const size = 200 << 20
			b.launch("far", 1, 1, blk(b.Block), blk(b.res), u64(size))
			r := b.results()
			if r[0] < heap*6/10/size || r[2] != 0 || heap > 5<<30 && r[3] == 0 {
				t.Errorf("%s: %d blocks of %d bytes in a heap of %d, %d damaged, upper half of the offset at most %d", a.Name, r[0], size, heap, r[2], r[3])
			}
			if s := b.survey("afterwards"); s.Live(a) != 0 {
				t.Errorf("%s: %d blocks are left", a.Name, s.Live(a))
			}
			if !a.Frees {
				break
			}
		}
		b.Release()
		b.Heap.Block, b.Heap.Program = nil, nil
	}
}

// The same tests with one thread, where work-items run strictly one after the
// other, and with more threads than there are cores.
func TestThreads(t *testing.T) {
	if os.Getenv("MEMC_TEST_CHILD") != "" {
		return
	}
	for _, n := range []string{"1", "7"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestStress$")
		cmd.Env = append(os.Environ(), "MEMC_TEST_CHILD=1", "POCL_MAX_PTHREAD_COUNT="+n)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "PASS") {
			t.Errorf("with %s threads: %v\n%s", n, err, out)
		}
	}
}
