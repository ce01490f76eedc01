package fuse

import (
	"fmt"
	"slices"
	"sync"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/checks"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/index"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/transform"
)

// A function is one whose kernels are fused.
type function struct {
	prog  *ir.Program
	f     *ir.Func
	c     *transform.Context
	names *transform.Names
}

// A round looks once at all statements of a function.
type round struct {
	*function
	*uses
	known    *known
	closed   func() *index.Expansion
	elements map[string][]*ir.Index // the reads of an array's elements
	fails    map[*ir.Stmt]bool      // kernels that took in one that may fail, or were asked about
	loose    map[string]bool        // arrays that took over reads which are not proven to lie in them
	gone     map[*ir.Stmt]bool
	lengths  map[*ir.Stmt]int
	instead  map[*ir.Stmt][]*ir.Stmt // of one that is gone
	// finds has the first of the statements that are gone since this one, over as many points, finds their negative
	// sizes, too.
	finds    map[*ir.Stmt]*ir.Stmt
	changes  int
	refusals []refusal
}

type refusal struct {
	span diag.Span
	text string
}

// known are the facts at the beginning of a round, found when they are first asked for or before the first change.
type known struct {
	prog   *ir.Program
	access *accesses.OnDemand
	found  *checks.Table
}

func (k *known) checks() *checks.Table {
	if k.found == nil {
		k.found = checks.Of(k.prog, k.access)
	}
	return k.found
}

func (f *function) round(k *known) *round {
	r := &round{
		function: f, known: k, closed: sync.OnceValue(func() *index.Expansion { return k.access.Index(f.f).Closed() }),
		elements: map[string][]*ir.Index{}, fails: map[*ir.Stmt]bool{}, gone: map[*ir.Stmt]bool{}, instead: map[*ir.Stmt][]*ir.Stmt{}, finds: map[*ir.Stmt]*ir.Stmt{}, lengths: map[*ir.Stmt]int{}, loose: map[string]bool{},
	}
	r.uses = usesOf(f.f, func(fn string, arg int) bool {
		g := f.prog.Func(fn)
		return g != nil && g.Params[arg].Type.Unique
	})
	ir.EachExpIn(f.f.Body, func(e *ir.Exp) {
		ir.WalkExp(*e, func(e ir.Exp) bool {
			if x, ok := e.(*ir.Index); ok {
				r.elements[x.Array] = append(r.elements[x.Array], x)
			}
			return true
		})
	})
	return r
}

func (r *round) table() *accesses.Table { return r.known.access.Table(r.f) }

// body fuses the statements of a body of the host or of a group, and of the bodies in it.
func (r *round) body(b *ir.Body) {
	before := r.changes
	for _, s := range b.Stmts {
		if !ir.IsKernel(s.Op) || ir.IsGroups(s.Op) {
			for _, in := range ir.Bodies(s.Op) {
				r.body(in)
			}
		}
		r.flatten(s)
	}
	for k := len(b.Stmts) - 1; k >= 0; k-- { // a view of a view after the view
		if p := producerOf(b.Stmts[k]); p != nil && p.body == nil {
			r.vertical(b, p)
		}
	}
	for _, s := range b.Stmts {
		if p := producerOf(s); p != nil && p.body != nil && !p.reduces {
			r.vertical(b, p)
		}
	}
	if r.changes == before { // first those that one reader needs, then what is left
		r.horizontal(b)
	}
	if r.changes == before { // of reductions side by side one map takes all
		for _, s := range b.Stmts {
			if p := producerOf(s); p != nil && p.reduces {
				r.vertical(b, p)
			}
		}
	}
	if len(r.gone) == 0 {
		return
	}
	left := b.Stmts[:0:0]
	for _, s := range b.Stmts {
		if r.gone[s] {
			left = append(left, r.instead[s]...)
		} else {
			left = append(left, s)
		}
	}
	b.Stmts = left
}

// rewrite asks for a rewrite, and counts it. Before the first one it makes the tables of the program as it was: later
// rewrites ask these.
func (r *round) rewrite(s *ir.Stmt, format string, args ...any) bool {
	r.table()
	r.known.checks()
	if !r.c.Rewrite(s.Span, format, args...) {
		return false
	}
	r.changes++
	return true
}

// no notes why something stays as it is. Only the last round's reasons are told.
func (r *round) no(s *ir.Stmt, format string, args ...any) {
	r.refusals = append(r.refusals, refusal{s.Span, fmt.Sprintf(format, args...)})
}

func (r *round) refuse() {
	for _, x := range r.refusals {
		r.c.Remark(x.span, "%s", x.text)
	}
}

// size returns a size, by the names that it is computed from.
func (r *round) size(e ir.Exp) sym.Poly { return r.closed().Of(sym.Of(e)) }

// equal reports that sizes are the same.
func (r *round) equal(xs, ys []ir.Exp) bool {
	return slices.EqualFunc(xs, ys, func(x, y ir.Exp) bool { return r.size(x).Equal(r.size(y)) })
}

// mayFail reports whether a statement may fail for another reason than a negative size.
func (r *round) mayFail(s *ir.Stmt) bool {
	fails, known := r.fails[s]
	if known {
		return fails
	}
	t := r.table()
	at := t.Stmt(s).From
	ir.Exps(s.Op, func(e ir.Exp) { fails = fails || t.ExpFails(e, at) })
	for _, b := range ir.Bodies(s.Op) {
		fails = fails || slices.ContainsFunc(b.Stmts, t.CanFail)
		end := t.Body(b).To
		fails = fails || slices.ContainsFunc(b.Result, func(e ir.Exp) bool { return t.ExpFails(e, end) })
	}
	r.fails[s] = fails
	return fails
}

// sizes returns the checks that a statement which is no longer made leaves behind: its sizes may be
// negative.
func (r *round) sizes(p *producer) (out []*ir.Stmt) {
	known := r.table().Facts(r.table().Stmt(r.finder(p.stmt)).From)
	for _, n := range p.space {
		if !known.AtLeast(sym.Of(n), 0) {
			cond := &ir.Binary{Op: ">=", X: n, Y: ir.IntLit(0), T: ir.Bool}
			out = append(out, &ir.Stmt{Op: &ir.Assert{Cond: cond, Size: true}, Span: p.stmt.Span})
		}
	}
	return out
}

// finder returns the first statement whose negative sizes a statement finds: facts from there on may come from
// arrays that are gone.
func (r *round) finder(s *ir.Stmt) *ir.Stmt {
	if first := r.finds[s]; first != nil {
		return first
	}
	return s
}

// outside says which of a producer's arrays is read where it may have no element; "" if none is.
func (r *round) outside(p *producer) string {
	for _, e := range p.stmt.Pat {
		if !p.passesOn() && (r.loose[e.Name] || !r.inBounds(e.Name)) {
			return "[bounds] an index of `" + e.Name + "` is not proven to lie in it"
		}
	}
	return ""
}

// inBounds reports that all reads of an array's elements are proven to lie in it.
func (r *round) inBounds(name string) bool {
	for _, x := range r.elements[name] {
		for d := range x.Indices {
			if !r.known.checks().Index(x, d) {
				return false
			}
		}
	}
	return true
}
