package difftest

import (
	"math"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// A PeakTable compares the most bytes that runs held at one time: as the program was
// when it became explicit, and behind the default pipeline.
type PeakTable struct {
	Runs   int `json:"runs"`
	Lower  int `json:"lower"` // of them, those that held less than before, or more
	Higher int `json:"higher"`
	// The sums of bytes over all runs.
	Before int64 `json:"before_bytes"`
	After  int64 `json:"after_bytes"`
}

func (t *PeakTable) add(before, after int64) {
	t.Runs++
	t.Before += before
	t.After += after
	switch {
	case after < before:
		t.Lower++
	case after > before:
		t.Higher++
	}
}

func (t *PeakTable) merge(o PeakTable) {
	t.Runs += o.Runs
	t.Lower += o.Lower
	t.Higher += o.Higher
	t.Before += o.Before
	t.After += o.After
}

// beyond reports whether a number that a formula mentions is no size of any array.
func beyond(sizes map[string]int64) bool {
	for _, n := range sizes {
		if n < 0 || n > ir.MaxBytes {
			return true
		}
	}
	return false
}

// A Ratio is a geometric mean and a worst value.
type Ratio struct {
	Logs  float64 `json:"log_sum"`
	Worst float64 `json:"worst"`
	Seed  int64   `json:"worst_seed"`
}

func (r *Ratio) add(x float64) {
	r.Logs += math.Log(x)
	r.Worst = max(r.Worst, x)
}

func (r *Ratio) merge(o Ratio, seed int64) {
	r.Logs += o.Logs
	if o.Worst > r.Worst {
		r.Worst, r.Seed = o.Worst, seed
	}
}

// A BoundTable compares peaks with the plan bound of any plan that moves no contents
// (analysis/peak), under the sizes of inputs. Where the bound is 0 nothing can be
// compared, nor where a formula needs the value of a name that no input tells.
type BoundTable struct {
	Runs    int   `json:"runs"`     // compared
	Optimal int   `json:"at_bound"` // of them, those whose peak is the bound
	Zero    int   `json:"zero"`     // left out: the bound is 0
	Unknown int   `json:"unknown"`  // left out: a value is missing
	Before  Ratio `json:"before"`
	After   Ratio `json:"after"`
}

func (t *BoundTable) merge(o BoundTable, seed int64) {
	t.Runs += o.Runs
	t.Optimal += o.Optimal
	t.Zero += o.Zero
	t.Unknown += o.Unknown
	t.Before.merge(o.Before, seed)
	t.After.merge(o.After, seed)
}

// sharing is the pass that promises that no run holds more memory than before it.
const sharing = "reuse"

// lowered demands that of the runs by memory.
func (c *checker) lowered() bool {
	for k, had := range c.out.peaks.previous {
		c.input = k
		if has := c.out.peaks.now[k]; has > had {
			return c.fail("by memory the run holds %d bytes, and %d before the pass", has, had)
		}
	}
	return true
}

// compared compares the runs by memory from where the program became explicit to
// where the default pipeline ends: it promises that none holds more.
func (c *checker) compared() bool {
	for k, had := range c.out.peaks.first {
		has := c.out.peaks.now[k]
		if c.want[k].dropped {
			continue
		}
		if c.out.ByMemory.add(had, has); has > had {
			c.at(StagePeak)
			c.input = k
			c.fail("by memory the run holds %d bytes, and %d were enough before anything was optimised", has, had)
		}
	}
	if c.failure == nil && c.opt.Bound && c.unoptimised != "" {
		c.bound()
	}
	return c.failure == nil
}

// bound compares the entry's peak, as a formula, with the plan bound, which it demands to be
// no greater.
func (c *checker) bound() {
	p, list := driver.Check(diag.NewFile(c.s.Name, c.unoptimised))
	if list.Failed() {
		return
	}
	// The first pass changes nothing: the program is explicit.
	report, err := pipeline.Run(p, pipeline.DefaultPasses(), pipeline.Options{Footprints: true})
	if err != nil {
		return
	}
	entry := p.Func(c.s.Entry)
	for _, f := range report.Functions {
		if f.Name != c.s.Entry {
			continue
		}
		for k, args := range c.s.Inputs {
			if c.want[k].dropped || c.want[k].fault != "" {
				continue // such sizes may contradict facts that the sums rely on
			}
			sizes := sizesOf(entry, args)
			before, err1 := f.Before.Peak.Bytes(sizes)
			after, err2 := f.After.Peak.IfLoopsRun(sizes) // as the bound supposes
			lower, err3 := f.Lower.Bytes(sizes)
			switch t := &c.out.Bound; {
			case err1 != nil || err2 != nil || err3 != nil || beyond(sizes):
				t.Unknown++
			case lower <= 0:
				t.Zero++
			case after < lower:
				c.at(StagePeak)
				c.input = k
				c.fail("the peak is %d bytes (%v), and the plan bound is %d (%v)", after, f.After.Peak, lower, f.Lower)
				return
			default:
				t.Runs++
				if after == lower {
					t.Optimal++
				}
				t.Before.add(float64(before) / float64(lower))
				t.After.add(float64(after) / float64(lower))
			}
		}
	}
}

// sizesOf returns the values of the names of type i64 that arguments tell.
func sizesOf(f *ir.Func, args []value.Value) map[string]int64 {
	out := map[string]int64{}
	for k, p := range f.Params {
		if p.Type.Kind == ir.ScalarKind && p.Type.Prim == ir.I64 {
			out[p.Name] = int64(args[k].Bits(0))
		}
		for j, d := range p.Type.Shape {
			if d.Name != "" && j < len(args[k].Shape) {
				out[d.Name] = args[k].Shape[j]
			}
		}
	}
	return out
}
