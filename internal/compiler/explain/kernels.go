package explain

import (
	"slices"
	"strings"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// A Kernel is a parallel statement of the final program.
type Kernel struct {
	Func   string `json:"func"`
	Name   string `json:"name"` // of its first result
	Kind   string `json:"kind"`
	Line   int    `json:"line"`   // of the source
	Bounds string `json:"bounds"` // the index space, as in the text
	// Reads and Writes are the arrays that it touches. What it moves is at most their
	// bytes: a kernel may touch a part of an array, or an element more than once.
	Reads  []Moved `json:"reads"`
	Writes []Moved `json:"writes"`
	// Checks are the tests that each thread still makes when it runs.
	Checks []string `json:"checks"`
	// Launches and Micros are of a measured run: how often it was launched, and how many
	// microseconds all launches took, each with what a launch costs.
	Launches int     `json:"launches,omitempty"`
	Micros   float64 `json:"us,omitempty"`
}

// Took records one launch of a lowered kernel. A statement may be lowered to several, whose
// names all begin with the names of its function and its first result.
func (x *Explanation) Took(kernel string, micros float64) {
	best := -1
	for k, c := range x.Kernels {
		if strings.HasPrefix(kernel, c.Func+"_"+c.Name+"_") && (best < 0 || len(c.Name) > len(x.Kernels[best].Name)) {
			best = k
		}
	}
	if best >= 0 {
		x.Kernels[best].Launches++
		x.Kernels[best].Micros += micros
	}
}

// Moved is an array that a kernel touches.
type Moved struct {
	Array string `json:"array"`
	Block string `json:"block"`
	Bytes Size   `json:"bytes"` // of all threads
	// Each: every thread has an array of this name.
	Each bool `json:"each,omitempty"`
	// Space is the memory of a group or a thread, whose bytes do not count: they cross no bus.
	Space string `json:"space,omitempty"`
}

// kernels lists the kernels of the final program.
func (x *Explanation) kernels() error {
	low, err := imp.Lower(ir.CloneProgram(x.final), imp.Options{})
	if err != nil {
		return err
	}
	x.lone = low.Lone
	type place struct {
		span diag.Span
		k    int
	}
	var places []place
	s := x.last()
	for n, f := range x.final.Funcs {
		facts := s.Funcs[n]
		again := s.prog.Funcs[n]
		stmts := kernelStmts(again)
		for k, st := range kernelStmts(f) {
			kernel := Kernel{Func: f.Name, Reads: []Moved{}, Writes: []Moved{}, Checks: []string{}}
			if st.Span.Known() {
				kernel.Line, _ = x.final.File.Position(st.Span.Start)
			}
			if len(st.Pat) > 0 {
				kernel.Name = st.Pat[0].Name
			}
			kernel.Kind, kernel.Bounds = header(st)
			kernel.moves(facts, stmts[k])
			places = append(places, place{st.Span, len(x.Kernels)})
			x.Kernels = append(x.Kernels, kernel)
		}
	}
	for _, k := range low.Kernels {
		for _, c := range k.Checks() {
			f := low.Faults[c.Code]
			at := slices.IndexFunc(places, func(p place) bool { return p.span.Start <= f.Span.Start && f.Span.End <= p.span.End })
			if at < 0 {
				continue
			}
			line, _ := x.final.File.Position(f.Span.Start)
			text := "line " + itoa(line) + ": " + x.final.File.Text[f.Span.Start:f.Span.End] + ": " + strings.ReplaceAll(f.Format, "%d", "..")
			if to := &x.Kernels[places[at].k]; !slices.Contains(to.Checks, text) {
				to.Checks = append(to.Checks, text)
			}
		}
	}
	return nil
}

// kernelStmts returns the parallel statements of a function, in the order of the text.
func kernelStmts(f *ir.Func) []*ir.Stmt {
	var out []*ir.Stmt
	ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
		kind, _ := header(s)
		if kind != "" {
			out = append(out, s)
		}
		return kind == ""
	})
	return out
}

// header returns the word that a kernel begins with, and its index space.
func header(s *ir.Stmt) (kind, bounds string) {
	var space ir.Space
	switch op := s.Op.(type) {
	case *ir.Map:
		kind, space = "map", op.Space
	case *ir.Reduce:
		kind, space = "reduce", op.Space
	case *ir.Scan:
		kind, space = "scan", op.Space
	case *ir.Scatter:
		kind, space = "scatter", op.Space
	case *ir.Hist:
		kind, space = "hist", op.Space
	case *ir.Into:
		kind, space = "map into", op.Space
	}
	var parts []string
	for _, b := range space {
		parts = append(parts, b.Var+" < "+ir.ExpString(b.Size))
	}
	return kind, strings.Join(parts, ", ")
}

// moves records which arrays a kernel touches. An array that is a part of one outside counts as that one,
// and one that threads make counts for each of them.
func (k *Kernel) moves(f *Facts, s *ir.Stmt) {
	span, inside := f.live.Stmt(s), map[string]sym.Poly{}
	madeIn(s, sym.Const(1), inside)
	for _, a := range f.accesses.Between(span.From, span.To) {
		if a.Array == "" {
			continue
		}
		to := &k.Reads
		if a.Write {
			to = &k.Writes
		}
		for _, name := range outside(f, a.Array, inside) {
			t := f.accesses.Type(name)
			if t == nil || t.Place == nil || slices.ContainsFunc(*to, func(m Moved) bool { return m.Array == name }) {
				continue
			}
			m := Moved{Array: name, Block: t.Place.Mem}
			bytes := lmad.Bytes(*t)
			if times, own := inside[name]; own {
				bytes, m.Each = bytes.Mul(times), true
			}
			m.Bytes = size(bytes).with(f.derived)
			reals, _ := f.aliases.BlocksUpTo(m.Block, 1)
			for _, r := range reals {
				m.Space = f.spaces[r]
			}
			*to = append(*to, m)
		}
	}
}

// madeIn finds the arrays that are bound in a kernel's body, each with the number of threads that do.
func madeIn(kernel *ir.Stmt, times sym.Poly, out map[string]sym.Poly) {
	space, _ := ir.KernelSpace(kernel.Op)
	for _, b := range space {
		times = times.Mul(sym.Of(b.Size))
	}
	ir.WalkStmts(ir.KernelBody(kernel.Op), func(s *ir.Stmt) bool {
		bind := func(e *ir.Elem) { out[e.Name] = times }
		for _, e := range s.Pat {
			bind(e)
		}
		if _, inner := ir.KernelSpace(s.Op); inner {
			madeIn(s, times, out)
			return false
		}
		ir.Elems(s.Op, bind)
		return true
	})
}

// outside returns the arrays outside a kernel that hold the elements of an array in it, or the array
// itself where the kernel makes it.
func outside(f *Facts, array string, inside map[string]sym.Poly) []string {
	if _, own := inside[array]; !own {
		return []string{array}
	}
	var out []string
	origins, more := f.aliases.OriginsUpTo(array, maxReals)
	for _, o := range origins {
		if _, own := inside[o]; !own && f.accesses.Type(o) != nil {
			out = append(out, o)
		}
	}
	if len(out) < len(origins) || more || len(out) == 0 {
		out = append(out, array)
	}
	return out
}
