package check_test

import (
	"maps"
	"testing"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/sym"
)

// inScope checks that each obligation mentions only names that have a value
// where it is evaluated.
func inScope(t *testing.T, p *ir.Program, table *check.ObligationTable) {
	t.Helper()
	for _, f := range p.Funcs {
		names := map[string]bool{}
		for _, n := range f.Sizes {
			names[n] = true
		}
		bindAll(names, f.Params)
		bodyInScope(t, p, f.Body, names, table)
	}
}

func bindAll(names map[string]bool, elems []*ir.Elem) {
	for _, e := range elems {
		names[e.Name] = true
		if e.Type.Place == nil {
			continue
		}
		names[e.Type.Place.Mem] = true
		if s, ok := check.Solve(e.Type, e.Type); ok {
			for _, x := range s {
				names[x.Name] = true
			}
		}
	}
}

func bodyInScope(t *testing.T, p *ir.Program, b *ir.Body, outer map[string]bool, table *check.ObligationTable) {
	t.Helper()
	names := maps.Clone(outer)
	mentions := func(where string, qs []check.Equality) {
		for _, q := range qs {
			for _, n := range append(sym.Of(q.A).Names(), sym.Of(q.B).Names()...) {
				if !names[n] {
					t.Fatalf("%s: %s: `%s` has no value here (%s = %s), in\n%s", where, q.What, n, ir.ExpString(q.A), ir.ExpString(q.B), p)
				}
			}
		}
	}
	for _, s := range b.Stmts {
		mentions("before", table.Before[s])
		inner := maps.Clone(names)
		switch op := s.Op.(type) {
		case *ir.Loop:
			for _, q := range op.Params {
				bindAll(inner, []*ir.Elem{q.Elem})
			}
			inner[op.Var] = true
		case *ir.Map:
			bindSpace(inner, op.Space)
		case *ir.Reduce:
			bindSpace(inner, op.Space)
		case *ir.Scan:
			bindSpace(inner, op.Space)
		case *ir.Scatter:
			bindSpace(inner, op.Space)
		case *ir.Hist:
			bindSpace(inner, op.Space)
		}
		if o := operator(s.Op); o != nil {
			bindAll(inner, o.Params)
		}
		for _, k := range bodies(s.Op) {
			bodyInScope(t, p, k, inner, table)
		}
		bindAll(names, s.Pat)
		mentions("after", table.After[s])
	}
	mentions("at the result", table.AtResult[b])
}

func bindSpace(names map[string]bool, space ir.Space) {
	for _, b := range space {
		names[b.Var] = true
	}
}
