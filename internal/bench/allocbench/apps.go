package allocbench

import (
	"encoding/binary"
	"fmt"
	"math/rand"
	"regexp"
	"strconv"

	"github.com/memc-lang/memc/internal/bench/try"
	"github.com/memc-lang/memc/runtime"
)

// A graph in compressed rows: start of each vertex's edges, and their targets.
type graph struct{ start, to []uint32 }

// powerGraph makes a graph of n vertices whose degrees follow a power law, as
// those of the survey's collection do: mostly small, some in the hundreds.
func powerGraph(n int) graph {
	r := rand.New(rand.NewSource(7))
	g := graph{start: make([]uint32, n+1)}
	for v := range n {
		d := 1 + int(3/(r.Float64()+0.004))
		for range d {
			g.to = append(g.to, uint32(r.Intn(n)))
		}
		g.start[v+1] = uint32(len(g.to))
	}
	return g
}

// graphs makes a list of edges for each vertex, and then makes each longer by one
// edge and by 16, 5 times; the sum of all lists must be the host's.
func (s *session) graphs() {
	n := 100000
	if !s.ctx.Device().GPU || s.cfg.Quick {
		n = 5000
	}
	g := powerGraph(n)
	buf := make([]byte, 0, 4*(len(g.start)+len(g.to)))
	for _, list := range [][]uint32{g.start, g.to} {
		for _, v := range list {
			buf = binary.LittleEndian.AppendUint32(buf, v)
		}
	}
	edges := try.Get(s.ctx.Alloc(int64(len(buf)), 0))
	defer edges.Release()
	try.Do(s.ctx.Write(edges, 0, buf))
	groups := int64(n+255) / 256
	var updates []float64
	init := s.median(func() float64 {
		s.reset()
		t := s.time("graph_init", groups, 256, blk(s.heap.Block), blk(s.ptrs), blk(edges), u32(int64(n)), u32(int64(len(g.to))))
		s.graphSum(g, 0)
		sum := 0.0
		for range 5 {
			for _, add := range []int{1, 16} {
				u := s.time("graph_update", groups, 256, blk(s.heap.Block), blk(s.ptrs), u32(int64(n)), u32(int64(add)))
				sum += u
			}
		}
		updates = append(updates, sum)
		s.graphSum(g, 5)
		return t
	})
	s.row("vertices", float64(n), "ms to make", init)
	s.row("vertices", float64(n), "ms for 10 updates", middle(updates))
	s.giveAll(int64(n))
	s.check(0)
}

// graphSum compares the device's lists with the host's after rounds of updates.
func (s *session) graphSum(g graph, rounds int) {
	if !s.alloc.Safe {
		return
	}
	n := len(g.start) - 1
	var sum, degrees uint32
	for v := range n {
		d := uint32(0)
		add := func(to uint32) { d++; sum += to * d }
		for _, to := range g.to[g.start[v]:g.start[v+1]] {
			add(to)
		}
		for range rounds {
			for _, k := range []uint32{1, 16} {
				for e := range k {
					add(uint32(v) + e)
				}
			}
		}
		degrees += d
	}
	s.clear()
	s.launch("graph_sum", int64(n+255)/256, blk(s.heap.Block), blk(s.ptrs), u32(int64(n)), blk(s.res))
	c := s.counters(2)
	if uint32(c[0]) != sum || uint32(c[1]) != degrees {
		try.Do(fmt.Errorf("the graph has %d edges with sum %d, want %d with %d", c[1], c[0], degrees, sum))
	}
}

// work lets each work-item produce a number of words that it alone knows: with
// an allocator in one kernel, or with a count, a prefix sum and a second pass.
func (s *session) work() {
	n := int64(1 << 20)
	if !s.ctx.Device().GPU || s.cfg.Quick {
		n = 1 << 13
	}
	for _, most := range []int64{64, 4096} {
		if n*(most/2+64) > s.cfg.HeapBytes*9/10 {
			n = 1 << 17
		}
		groups := (n + 255) / 256
		common := []runtime.Arg{blk(s.heap.Block), blk(s.ptrs), u32(n), u32(4), u32(most)}
		v := s.median(func() float64 {
			s.reset()
			return s.time("work_malloc", groups, 256, common...)
		})
		if h := try.Get(s.heap.Survey()); h.Full+h.Contended != 0 {
			try.Do(fmt.Errorf("%d requests found no memory", h.Full+h.Contended))
		}
		s.row("most", float64(most), fmt.Sprintf("ms, %d threads", n), v)
		s.giveAll(n)
		s.check(0)
		v = s.median(func() float64 { return s.prefixSum(groups, common) })
		s.row("most", float64(most), fmt.Sprintf("ms by prefix sum, %d threads", n), v)
	}
}

// prefixSum does the same work without an allocator; the heap is its target.
func (s *session) prefixSum(groups int64, common []runtime.Arg) float64 {
	sum := 0.0
	rest := common[1:]
	for _, k := range []struct {
		name   string
		groups int64
		args   []runtime.Arg
	}{
		{"work_count", groups, rest},
		{"work_scan", (groups + 3) / 4, append(rest[:2:2], u32(0))},
		{"work_scan", 1, append(rest[:2:2], u32(1))},
		{"work_write", groups, common},
	} {
		sum += s.time(k.name, k.groups, 256, k.args...)
	}
	return sum
}

// registers builds a kernel of one request and one free with a verbose compiler,
// and looks its registers up in the log. Compilers that do not tell give no row.
func (s *session) registers() {
	src := try.Get(s.alloc.Source())
	for _, k := range []struct{ what, body string }{
		{"malloc and free", "memc_free((memc_heap)(mem + at), memc_malloc((memc_heap)(mem + at), bytes));"},
		{"malloc", "*(__global ulong *)mem = memc_malloc((memc_heap)(mem + at), bytes);"},
		{"free", "memc_free((memc_heap)(mem + at), bytes);"},
		{"neither", "*(__global ulong *)(mem + at) = bytes;"},
	} {
		text := src + "\n__kernel void registers(__global uchar *mem, long at, ulong bytes) { " + k.body + " }\n"
		p, err := s.ctx.Build(text, "-cl-nv-verbose")
		if err != nil {
			return // the option is NVIDIA's
		}
		if m := usedRegisters.FindStringSubmatch(p.BuildLog()); m != nil {
			v, _ := strconv.ParseFloat(m[1], 64)
			s.row(k.what, 0, "registers", v)
		}
		p.Release()
	}
}

var usedRegisters = regexp.MustCompile(`Used (\d+) registers`)

// onHeap runs a part of a test on a heap of another size.
func (s *session) onHeap(bytes int64, test func(part *session)) {
	block := try.Get(s.ctx.Alloc(bytes, 0))
	defer block.Release()
	part, heap := *s, *s.heap
	heap.Block, part.heap = block, &heap
	test(&part)
}
