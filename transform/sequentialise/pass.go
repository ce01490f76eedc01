package sequentialise

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/transform"
)

// Pass turns kernels into loops. One rewrite is one kernel.
var Pass = &transform.Pass{
	Name:     "sequentialise",
	Doc:      "Turn every kernel of a memory-agnostic function into sequential loops.",
	After:    []transform.Constraint{{Pass: "forget", Reason: "it works on functions without memory only"}},
	Run:      run,
	Computes: true,
}

// Levels turns only those kernels into loops that lie below the two levels of a device. One rewrite is
// one kernel.
var Levels = &transform.Pass{
	Name: "levels",
	Doc:  "Turn the kernels of a memory-agnostic function that no group of threads can run into sequential loops.",
	After: []transform.Constraint{
		{Pass: "forget", Reason: "it works on functions without memory only"},
		{Pass: "inline", Reason: "a call hides the kernels in it"},
		{Pass: "fuse", Reason: "a nest of kernels may become one kernel"},
	},
	Run: func(p *ir.Program, c *transform.Context) error {
		r := &program{prog: p, context: c}
		for _, f := range p.Funcs {
			if ir.Deep(f.Body) != nil {
				r.loops(f, ir.Levels)
			}
		}
		return nil
	},
	Computes: true,
}

func run(p *ir.Program, c *transform.Context) error {
	r := &program{prog: p, context: c}
	for _, f := range p.Funcs {
		if !ir.IsExplicit(f) {
			r.loops(f, 0)
		} else if hasKernel(f) {
			c.Remark(f.Span, "`%s` keeps its kernels: it is in explicit form", f.Name)
		}
	}
	return nil
}

// loops makes loops of the kernels of a function below so many levels.
func (p *program) loops(f *ir.Func, levels int) {
	if p.taken == nil {
		p.taken = map[string]bool{}
		for _, f := range p.prog.Funcs {
			ir.AllNames(f, func(n string) { p.taken[n] = true })
		}
	}
	r := &function{program: p, names: transform.NewNames(f), sizes: map[string]int{}}
	r.exist(f.Params, 1)
	r.body(f.Body, levels)
}

func hasKernel(f *ir.Func) bool {
	return ir.AnyStmt(f.Body, func(s *ir.Stmt) bool { return ir.IsKernel(s.Op) })
}

type program struct {
	prog    *ir.Program
	context *transform.Context
	taken   map[string]bool // names of the program's functions
}

// A function is one whose kernels are rewritten.
type function struct {
	*program
	names *transform.Names
	// sizes counts, by name of a size, the arrays in scope that have it: where there is one, the
	// size is not negative.
	sizes map[string]int
}

// exist counts the sizes of arrays that come into scope, or leave it.
func (r *function) exist(elems []*ir.Elem, by int) {
	for _, e := range elems {
		for _, d := range e.Type.Shape {
			r.sizes[d.Name] += by
		}
	}
}

// body rewrites the kernels of a body and of the bodies in it, below so many levels.
func (r *function) body(b *ir.Body, levels int) {
	var out []*ir.Stmt
	for _, s := range b.Stmts {
		kernel := ir.IsKernel(s.Op)
		loops := kernel && levels == 0
		if loops {
			r.exist(s.Pat, 1) // the loops begin with a scratch array of each
		}
		var params []*ir.Elem
		ir.Elems(s.Op, func(e *ir.Elem) { params = append(params, e) })
		r.exist(params, 1)
		for _, inner := range ir.Bodies(s.Op) {
			r.body(inner, ir.LevelsIn(s.Op, levels))
		}
		r.exist(params, -1)
		if !loops {
			r.exist(s.Pat, 1)
			out = append(out, s)
			continue
		}
		what, name := kindOf(s.Op), ""
		if len(s.Pat) > 0 {
			name = s.Pat[0].Name
		}
		if !r.context.Rewrite(s.Span, "the %s that makes `%s` becomes loops", what, name) {
			out = append(out, s)
			continue
		}
		w := &writer{function: r, s: s}
		w.kernel()
		for _, made := range w.out[1:] {
			made.Lead = append(ir.Places(s.Lead), made.Lead...)
		}
		first, last := w.out[0], w.out[len(w.out)-1]
		first.Lead, first.Blank = append(s.Lead, first.Lead...), s.Blank
		last.Trail = s.Trail
		out = append(out, w.out...)
	}
	for _, s := range b.Stmts {
		r.exist(s.Pat, -1)
	}
	b.Stmts = out
}

func kindOf(op ir.Op) string {
	switch op.(type) {
	case *ir.Map, *ir.Into:
		return "map"
	case *ir.Reduce:
		return "reduce"
	case *ir.Scan:
		return "scan"
	case *ir.Scatter:
		return "scatter"
	}
	return "hist"
}
