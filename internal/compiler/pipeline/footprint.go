package pipeline

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/arena"
	"github.com/memc-lang/memc/analysis/interference"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/metrics"
	"github.com/memc-lang/memc/ir/sym"
)

// A Footprint is the memory that one function needs.
type Footprint struct {
	Alloc int
	Copy  int
	Peak  peak.Formula
}

// A FuncReport tells what the passes did to the memory of a function: from where
// it had become explicit to the end.
type FuncReport struct {
	Name          string
	Before, After Footprint
	// Coalesced counts the rewrites of coalescing in it.
	Coalesced int
	// Lower is the plan bound: what plans that lay whole blocks on one another need at least.
	Lower peak.Formula
	// Derived holds the sizes that are computed from others.
	Derived map[string]sym.Poly
	// Groups tell of the kernels of groups in it.
	Groups []GroupReport
	// Threads tell of the kernels whose threads have blocks of their own.
	Threads []ThreadReport

	shown func(text string) string // spells names for users (ir.Program.Shown)
	sizes map[string]int64         // values for the JSON form, or nil
}

// At gives the JSON form values of sizes: peaks whose names all have values are numbers, too.
func (r *Report) At(sizes map[string]int64) {
	for k := range r.Functions {
		r.Functions[k].sizes = sizes
	}
}

// A GroupReport tells what the blocks of a group take in its memory, in bytes: as they were
// allocated, in the arena at the end, and what no layout of these blocks goes below.
type GroupReport struct {
	Kernel string `json:"kernel"` // the first name that it binds
	Before string `json:"before"`
	After  string `json:"after"`
	Lower  string `json:"lower"`
	// Fit is how many groups fit in a unit by what they take before and after, where that
	// is known.
	Fit []int64 `json:"fit,omitempty"`
}

// A ThreadReport tells how many bytes a thread of a kernel has for itself.
type ThreadReport struct {
	Kernel string `json:"kernel"`
	Bytes  int64  `json:"bytes"`
}

// The local memory of a compute unit of an H100 or H200, and what each group takes besides.
const (
	unitBytes = 228 << 10
	groupRest = 1 << 10
)

// spaceReports tells of a function's kernels whose groups or threads have memory.
func spaceReports(f *ir.Func, arenas *arena.Program) (groups []GroupReport, threads []ThreadReport) {
	ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
		if _, kernel := ir.KernelSpace(s.Op); !kernel || len(s.Pat) == 0 {
			return true
		}
		if op, ok := s.Op.(*ir.Map); ok && ir.IsGroups(op) {
			l := arenas.Of(f, op)
			before, after := l.Allocated(), l.Shared()
			g := GroupReport{Kernel: s.Pat[0].Name, Before: ir.ExpString(before), After: ir.ExpString(after), Lower: ir.ExpString(l.Lower())}
			x, known := sym.Of(before).IsConst()
			y, too := sym.Of(after).IsConst()
			if known && too {
				g.Fit = []int64{unitBytes / (x + groupRest), unitBytes / (y + groupRest)}
			}
			groups = append(groups, g)
			return true
		}
		t := ThreadReport{Kernel: s.Pat[0].Name}
		ir.WalkStmts(ir.KernelBody(s.Op), func(in *ir.Stmt) bool {
			if a, ok := in.Op.(*ir.Alloc); ok && a.Space == ir.ThreadSpace {
				n, _ := sym.Of(a.Size).IsConst()
				t.Bytes += n
			}
			return true
		})
		if t.Bytes > 0 {
			threads = append(threads, t)
		}
		return true
	})
	return groups, threads
}

// footprints watches the memory of functions over a pipeline.
type footprints struct {
	before, lower map[string]FuncReport
	coalesced     map[string]int
}

// count records where coalescing has made its rewrites: in the last function that
// begins before.
func (f *footprints) count(p *ir.Program, sites []diag.Span) {
	if f.coalesced == nil {
		f.coalesced = map[string]int{}
	}
	byStart := slices.Clone(p.Funcs)
	slices.SortStableFunc(byStart, func(a, b *ir.Func) int { return a.Span.Start - b.Span.Start })
	for _, s := range sites {
		k, found := slices.BinarySearchFunc(byStart, s.Start, func(fn *ir.Func, at int) int { return fn.Span.Start - at })
		if !found && k > 0 {
			k--
		}
		f.coalesced[byStart[k].Name]++
	}
}

// measure returns the footprints of all explicit functions. As the program is (whole), blocks of threads
// count for all threads; otherwise for workers, where transform/workers will see to that.
func measure(p *ir.Program, whole bool) map[string]FuncReport {
	al := aliases.Analyze(p)
	lv := liveness.Analyze(p, al)
	ac := accesses.Analyze(p, lv)
	meets := interference.Analyze(p, al, lv)
	arenas := arena.New(p)
	out := map[string]FuncReport{}
	for _, f := range p.Funcs {
		if !ir.IsExplicit(f) {
			continue
		}
		t := peak.Analyze(f, al.Func(f.Name), lv.Func(f.Name), ac.Func(f.Name))
		if whole {
			t.CountWhole()
		}
		c := metrics.Count(&ir.Program{File: p.File, Funcs: []*ir.Func{f}})
		groups, threads := spaceReports(f, arenas)
		out[f.Name] = FuncReport{
			Name: f.Name, Before: Footprint{c.Alloc, c.Copy, t.Peak()},
			Lower: t.LowerBound(meets.Func(f.Name)), Derived: peak.Derived(f), Groups: groups, Threads: threads,
		}
	}
	return out
}

// see looks at the program before a pass. A function's first footprint is that
// with which it becomes explicit; the bound is that before blocks are shared.
func (f *footprints) see(p *ir.Program, next string) {
	if next != "reuse" && len(f.before) > 0 {
		return
	}
	now := measure(p, next != "reuse")
	if len(f.before) == 0 {
		f.before = now
	}
	if next == "reuse" && f.lower == nil {
		f.lower = now
	}
}

// below reports whether a formula is less than another one under some sample.
func below(f, g peak.Formula) bool {
	low := g.Sampled()
	for k, n := range f.Sampled() {
		if n < low[k] {
			return true
		}
	}
	return false
}

// report compares with the program at the end.
func (f *footprints) report(p *ir.Program) []FuncReport {
	var out []FuncReport
	after, shown := measure(p, true), p.Shown()
	for _, fn := range p.Funcs {
		end, ok := after[fn.Name]
		if !ok {
			continue
		}
		r, ok := f.before[fn.Name]
		if !ok {
			r = end
		}
		r.After, r.Lower = end.Before, end.Lower
		if l, ok := f.lower[fn.Name]; ok && !below(end.Before.Peak, l.Lower) {
			r.Lower = l.Lower // else loops hand on blocks, which no plan for the program before does
		}
		r.Derived, r.shown = end.Derived, shown
		r.Coalesced = f.coalesced[fn.Name]
		r.Groups = slices.Clone(end.Groups)
		r.Threads = end.Threads
		for k := range r.Groups {
			for _, g := range f.before[fn.Name].Groups {
				if g.Kernel == r.Groups[k].Kernel {
					r.Groups[k].Before = g.Before
					if fit := r.Groups[k].Fit; fit != nil && g.Fit != nil {
						r.Groups[k].Fit = []int64{g.Fit[0], fit[1]}
					}
				}
			}
		}
		out = append(out, r)
	}
	return out
}

// summaryWidth is the longest line of WriteSummary with formulas in it.
const summaryWidth = 120

// WriteSummary writes a line per function: what was coalesced, allocations and copies before and
// after, the peak, and the plan bound. With sizes the bytes are numbers. Long formulas
// stand on lines of their own.
func (r *Report) WriteSummary(w io.Writer, sizes map[string]int64) {
	for _, f := range r.Functions {
		counts := fmt.Sprintf("%s: coalesce %d  reuse %d->%d  copies %d->%d", f.Name, f.Coalesced, f.Before.Alloc, f.After.Alloc, f.Before.Copy, f.After.Copy)
		line := f.shown(fmt.Sprintf("%s  peak %s->%s B (plan bound %s)", counts, f.number(f.Before.Peak, sizes), f.number(f.After.Peak, sizes), f.number(f.Lower, sizes)))
		if len(line) <= summaryWidth {
			fmt.Fprintln(w, line)
			f.writeGroups(w)
			continue
		}
		fmt.Fprintln(w, counts)
		for _, x := range []struct {
			what string
			f    peak.Formula
		}{{"peak before", f.Before.Peak}, {"peak after", f.After.Peak}, {"plan bound", f.Lower}} {
			lines := x.f.Lines()
			if _, err := x.f.With(f.Derived).Bytes(sizes); err == nil {
				lines = []string{f.number(x.f, sizes)}
			}
			if len(lines) > 1 {
				fmt.Fprintf(w, "  %-12s the greatest of\n", x.what)
				x.what = ""
			}
			for _, l := range lines {
				fmt.Fprintf(w, "  %-12s %s\n", x.what, f.shown(l))
			}
		}
		f.writeGroups(w)
	}
}

func (f *FuncReport) writeGroups(w io.Writer) {
	for _, g := range f.Groups {
		io.WriteString(w, f.shown(fmt.Sprintf("  group of `%s`: %s->%s B (plan bound %s)%s\n", g.Kernel, g.Before, g.After, g.Lower, g.Fits())))
	}
	for _, t := range f.Threads {
		io.WriteString(w, f.shown(fmt.Sprintf("  thread of `%s`: %d B\n", t.Kernel, t.Bytes)))
	}
}

// Fits tells how many groups fit in a unit, if that is known.
func (g *GroupReport) Fits() string {
	if g.Fit == nil {
		return ""
	}
	return fmt.Sprintf("; groups in %d KiB: %d->%d", unitBytes>>10, g.Fit[0], g.Fit[1])
}

// number returns a formula as a number where all its names have values, with commas
// between thousands.
func (f *FuncReport) number(of peak.Formula, sizes map[string]int64) string {
	n, err := of.With(f.Derived).Bytes(sizes)
	if err != nil {
		return of.String()
	}
	digits := strconv.FormatInt(n, 10)
	var groups []string
	for len(digits) > 3 {
		groups = append([]string{digits[len(digits)-3:]}, groups...)
		digits = digits[:len(digits)-3]
	}
	return strings.Join(append([]string{digits}, groups...), ",")
}

// FunctionJSON is a FuncReport in JSON: formulas are text.
type FunctionJSON struct {
	Name      string         `json:"name"`
	Coalesced int            `json:"coalesced"`
	Before    Figures        `json:"before"`
	After     Figures        `json:"after"`
	Lower     string         `json:"plan_bound"`
	LowerN    *int64         `json:"plan_bound_bytes,omitempty"`
	Groups    []GroupReport  `json:"groups,omitempty"`
	Threads   []ThreadReport `json:"threads,omitempty"`
}

// MarshalJSON returns the report with its formulas as text.
func (f FuncReport) MarshalJSON() ([]byte, error) {
	text := func(p Footprint) Figures { return Figures{p.Alloc, p.Copy, p.Peak.String(), f.bytes(p.Peak, nil)} }
	data, err := json.Marshal(FunctionJSON{f.Name, f.Coalesced, text(f.Before), text(f.After), f.Lower.String(), f.bytes(f.Lower, nil), f.Groups, f.Threads})
	return []byte(f.shown(string(data))), err
}
