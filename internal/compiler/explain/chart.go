package explain

import (
	"sort"

	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/index"
	"github.com/memc-lang/memc/ir/sym"
)

// A Chart is the memory that a function holds over its points, as package peak
// accounts for it: the greatest sum of a segment is the peak of --stats.
type Chart struct {
	Blocks   []ChartBlock   `json:"blocks"`
	Segments []ChartSegment `json:"segments"`
	Loops    []ChartLoop    `json:"loops"`
	// Peak and Bound are sums of which the greatest counts.
	Peak  []Size `json:"peak"`
	Bound []Size `json:"bound"`
}

// A ChartBlock is a block that counts; what the caller keeps does not.
type ChartBlock struct {
	Name string `json:"name"`
	Size Size   `json:"size"`
	Line int    `json:"line"`   // that allocates it, in the stage's text
	Src  int    `json:"source"` // and in the source
	Kind string `json:"kind"`
	// From and To are the first and the last segment that holds it.
	From int `json:"from"`
	To   int `json:"to"`
}

// A ChartSegment is a run of points at which the same blocks are held.
type ChartSegment struct {
	From int `json:"from"` // line
	To   int `json:"to"`
	// Kept is what loops' parameters and other existential names keep besides: blocks
	// of earlier iterations.
	Kept    *Size    `json:"kept,omitempty"`
	Holders []string `json:"holders,omitempty"`
}

// A ChartLoop is a loop of the host: segments From..To show one iteration for all.
type ChartLoop struct {
	From int    `json:"from"` // segments
	To   int    `json:"to"`
	Name string `json:"name"`
}

var kinds = [...]string{peak.Allocated: "allocated here", peak.Given: "an argument that the function may use up", peak.Called: "held by a call"}

// charts makes the charts of a stage's explicit functions.
func (s *Stage) charts(x *Explanation) {
	for _, f := range s.Funcs {
		if f.Chart == nil && ir.IsExplicit(f.fn) {
			f.Chart = f.chart(x)
		}
	}
}

func (f *Facts) chart(x *Explanation) *Chart {
	t := peak.Analyze(f.fn, f.aliases, f.live, f.accesses)
	t.CountWhole()
	derived := peak.Derived(f.fn)
	c := &Chart{Blocks: []ChartBlock{}, Segments: []ChartSegment{}, Loops: []ChartLoop{}, Peak: sums(t.Peak(), derived), Bound: []Size{}}
	number := map[int]int{}
	for k, b := range t.Blocks {
		if b.Kept {
			continue
		}
		number[k] = len(c.Blocks)
		kind, line := kinds[b.Kind], x.lines[f.Name][b.Name]
		if line == 0 && b.Stmt != nil && len(b.Stmt.Pat) > 0 {
			line = x.lines[f.Name][b.Stmt.Pat[0].Name]
		}
		if b.Kind == peak.Called {
			kind = called(f, b)
		}
		c.Blocks = append(c.Blocks, ChartBlock{b.Name, size(t.Poly(b.Terms)).with(derived), f.lineOf(b.Alloc), line, kind, -1, -1})
	}
	var at []index.Span
	for _, s := range t.Profile() {
		g := ChartSegment{From: f.lineOf(s.From), To: f.lineOf(min(s.To, len(f.live.Points)-1))}
		for _, h := range s.Holders {
			g.Holders = append(g.Holders, t.Holders[h].Name)
		}
		if len(s.Kept) > 0 {
			kept := size(t.Poly(s.Kept)).with(derived)
			g.Kept = &kept
		}
		c.Segments = append(c.Segments, g)
		at = append(at, index.Span{From: s.From, To: s.To})
	}
	// within returns the first and the last segment of some points, the last below the first where
	// there is none. Segments are in the order of their points.
	within := func(p index.Span) (first, last int) {
		first = sort.Search(len(at), func(k int) bool { return at[k].To >= p.From })
		return first, sort.Search(len(at), func(k int) bool { return at[k].From > p.To }) - 1
	}
	for k, life := range t.Lives() {
		if n, counts := number[k]; counts && life.From <= life.To {
			c.Blocks[n].From, c.Blocks[n].To = within(life)
		}
	}
	for _, p := range f.live.Points {
		loop, ok := loopAt(p)
		if !ok {
			continue
		}
		if first, last := within(f.live.Body(loop.Body)); first <= last {
			c.Loops = append(c.Loops, ChartLoop{first, last, p.Stmt.Pat[0].Name})
		}
	}
	if f.stage == x.last() {
		for _, r := range x.Functions {
			if r.Name == f.Name {
				c.Bound = sums(r.Lower, derived)
			}
		}
	}
	return c
}

// called says who holds memory that no alloc of the function made.
func called(f *Facts, b peak.Block) string {
	if f.Blocks[b.Name] != nil {
		return "given by a call"
	}
	if _, kernel := ir.KernelSpace(b.Stmt.Op); kernel {
		return "held by the threads of a kernel"
	}
	return kinds[b.Kind]
}

// loopAt returns the loop of the host that stands at a point.
func loopAt(p liveness.Point) (*ir.Loop, bool) {
	if p.Kind != liveness.At || len(p.Stmt.Pat) == 0 {
		return nil, false
	}
	loop, ok := p.Stmt.Op.(*ir.Loop)
	return loop, ok
}

func sums(f peak.Formula, derived map[string]sym.Poly) []Size {
	out := []Size{}
	for _, p := range f.Sums {
		out = append(out, size(p).with(derived))
	}
	return out
}
