//go:build cgo

package device

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/runtime"
)

//go:embed testdata/stress.cl
var stressKernels string

// open returns a context on the first device. These tests need one: without it
// they fail, for an allocator that was not run is not tested.
func open(t *testing.T) *runtime.Context {
	t.Helper()
	c, err := runtime.Open("", runtime.Options{})
	if err != nil {
		t.Fatalf("these tests need an OpenCL device (PoCL will do): %v", err)
	}
	t.Cleanup(c.Close)
	return c
}

// A bench is a heap with the tests' kernels and their blocks of results.
type bench struct {
	*Heap
	t          *testing.T
	ctx        *runtime.Context
	res, heads *runtime.Block
}

func newBench(t *testing.T, ctx *runtime.Context, name string, bytes int64, defines ...string) *bench {
	t.Helper()
	a := must.Get(Lookup(name))(t)
	hints := 8
	if ctx.Device().GPU {
		hints = 132
	}
	h := must.Get(NewHeap(ctx, a, HeapOptions{Bytes: bytes, Hints: hints, Kernels: stressKernels, Defines: defines}))(t)
	b := &bench{Heap: h, t: t, ctx: ctx}
	for _, p := range []**runtime.Block{&b.res, &b.heads} {
		*p = must.Get(ctx.Alloc(1<<16, 0))(t)
	}
	t.Cleanup(func() { h.Release(); b.res.Release(); b.heads.Release() })
	return b
}

func u32(v int64) runtime.Arg          { return runtime.Arg{Bits: uint64(v), Size: 4} }
func u64(v int64) runtime.Arg          { return runtime.Arg{Bits: uint64(v), Size: 8} }
func blk(b *runtime.Block) runtime.Arg { return runtime.Arg{Block: b} }

func (b *bench) launch(kernel string, groups, size int64, args ...runtime.Arg) {
	b.t.Helper()
	if err := b.Launch(kernel, groups, size, args...); err != nil {
		b.t.Fatal(err)
	}
}

// results returns the counters of a kernel and clears them.
func (b *bench) results() (r [4]int64) {
	b.t.Helper()
	var buf [16]byte
	if err := b.ctx.Read(b.res, 0, buf[:]); err != nil {
		b.t.Fatal(err)
	}
	for i := range r {
		r[i] = int64(binary.LittleEndian.Uint32(buf[4*i:]))
	}
	if err := b.ctx.Write(b.res, 0, make([]byte, 64)); err != nil {
		b.t.Fatal(err)
	}
	return r
}

// survey checks the heap and gives its figures.
func (b *bench) survey(when string) Survey {
	b.t.Helper()
	s, err := b.Survey()
	if err == nil {
		err = s.Check()
	}
	if err != nil {
		b.t.Errorf("%s, %s: %v", b.Allocator.Name, when, err)
	}
	return s
}

// once asks for one block: its offset, or a small number that tells why not.
func (b *bench) once(bytes int64) int64 {
	b.t.Helper()
	b.launch("once", 1, 1, blk(b.Block), blk(b.res), u64(bytes))
	v, err := b.ctx.ReadElem(b.res, 0, 8)
	if err != nil {
		b.t.Fatal(err)
	}
	return int64(v)
}

func (b *bench) free(off int64) { b.t.Helper(); b.launch("giveback", 1, 1, blk(b.Block), u64(off)) }

// Blocks of random sizes, allocated and freed by many work-items: none overlaps
// another, all are intact when freed, and nothing is lost. The heap is small
// enough to be full at times.
func TestStress(t *testing.T) {
	ctx := open(t)
	for _, a := range Allocators() {
		if !a.Safe || !a.Frees {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			type run struct {
				heap, groups, words int64 // words of the largest request
				debug               string
			}
			rounds, reps := int64(12), int64(10)
			// Of up to 256 KiB some are slots for slab, some whole pages, some the list's.
			runs := []run{{1 << 20, 16, 2048, "MEMC_DEBUG 0"}, {8 << 20, 16, 2048, "MEMC_DEBUG 1"},
				{16 << 20, 16, 1 << 16, "MEMC_DEBUG 0"}, {16 << 20, 16, 1 << 16, "MEMC_DEBUG 1"}}
			if ctx.Device().GPU {
				rounds = 16
				runs = []run{{1 << 30, 1600, 2048, "MEMC_DEBUG 0"}, {1 << 30, 1600, 2048, "MEMC_DEBUG 1"}}
				if a.Name == "slab" {
					runs = append(runs, run{1 << 30, 100, 1 << 16, "MEMC_DEBUG 0"}, run{1 << 30, 100, 1 << 16, "MEMC_DEBUG 1"})
				}
				if a.Name != "slab" && a.Name != "cm" && a.Name != "cfm" {
					rounds = 2 // with one search offset, 100,000 stand in a line
				}
			}
			for _, run := range runs {
				heap := run.heap
				b := newBench(t, ctx, a.Name, heap, run.debug)
				b.results()
				for rep := range reps {
					b.launch("stress", run.groups, 64, blk(b.Block), u64(heap), blk(b.res), u32(rounds), u32(run.words), u32(rep*77+1))
					r := b.results()
					if r[0] == 0 || r[2] != 0 || r[3] != 0 {
						t.Errorf("heap of %d: %d blocks, %d nulls, %d damaged, %d misplaced", heap, r[0], r[1], r[2], r[3])
					}
					if s := b.survey("after stress"); s.Live(a) != 0 {
						t.Errorf("heap of %d: %d blocks are left", heap, s.Live(a))
					}
				}
				s := b.survey("at the end")
				// All of it is there again: joined, it serves one large request.
				want := (s.End-s.First)*16 - 64
				if a.Name == "slab" {
					want -= 1 << 17
				}
				off := b.once(want)
				if off < 16 {
					t.Errorf("heap of %d: a request of %d bytes gets %d after everything was freed\n%+v", heap, want, off, b.survey("large"))
					continue
				}
				b.free(off)
				b.survey("after the large block")
			}
		})
	}
}

// A heap is filled, accounted for, emptied and filled again: as many blocks fit
// as the first time.
func TestFull(t *testing.T) {
	ctx := open(t)
	for _, a := range Allocators() {
		if !a.Safe {
			continue
		}
		for _, size := range []int64{16, 96, 1024, 20000} {
			t.Run(fmt.Sprintf("%s/%d", a.Name, size), func(t *testing.T) {
				const heap = 2 << 20
				b := newBench(t, ctx, a.Name, heap)
				var first int64
				for round := range 10 {
					b.results()
					b.launch("fill", 8, 32, blk(b.Block), blk(b.res), blk(b.heads), u32(size), u32(1<<20))
					got := b.results()[0]
					s := b.survey("when full")
					if a.Frees && s.Live(a) != got {
						t.Errorf("%d blocks were given, %d are in the heap", got, s.Live(a))
					}
					used := float64(got*size) / float64((s.End-s.First)*16)
					t.Logf("round %d: %d blocks, %.1f %% of the heap", round, got, 100*used)
					if round == 0 {
						first = got
						if got == 0 || used < 0.3 {
							t.Errorf("only %d blocks of %d fit", got, size)
						}
						if a.Name == "slab" && size <= 8192 && used < 0.9 {
							t.Errorf("%.1f %% of the heap can be used", 100*used)
						}
					}
					b.launch("drain", 8, 32, blk(b.Block), blk(b.res), blk(b.heads), u32(size))
					if r := b.results(); r[2] != 0 {
						t.Errorf("%d blocks are damaged", r[2])
					}
					if s := b.survey("when drained"); s.Live(a) != 0 {
						t.Errorf("%d blocks are left", s.Live(a))
					}
					if !a.Frees {
						break
					}
					if got < first*9/10 {
						t.Errorf("round %d: %d blocks fit, the first time it were %d", round, got, first)
					}
				}
			})
		}
	}
}
