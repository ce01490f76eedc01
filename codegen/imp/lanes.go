package imp

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Lanes]
//
// If the body of a loop over points (Note [Tasks]) loops, branches or checks, a C compiler makes no
// vector instructions of it. No point touches data that another one writes, so their statements may
// be reordered: each statement is done for a row of points, the lanes, before the next one. So the
// loop over points becomes innermost:
//
//	points turn < count                 pos = 0; while pos < count
//	  s = 0                               points lane < lanes { s_l[lane] = 0 }
//	  for k < m                           for k < m
//	    s = s + a[k] * b[k * p + turn]      a_k = a[k]
//	  c[turn] = s                           points lane < lanes { s = s_l[lane]; ... }
//	                                      points lane < lanes { c[pos + lane] = s_l[lane] }
//
//   1. Everything that is the same for all lanes (a scalar, a bound, a condition) stays outside of
//      the loops over lanes.
//   2. A loop goes outside if its bound is the same for all lanes, unless its accesses are
//      neighbours along the loop rather than along the lanes.
//   3. A scalar that one loop over lanes hands to another, which reads it before setting it, is
//      kept in an array with one element per lane, at most maxLanes. A scalar that is a pure
//      function of the point is computed again. Several turns of a short outer loop share a loop
//      over lanes, so that the array is read and written less often.
//   4. A comparison that is linear in the point, with a slope of 1 or -1, changes where its sides
//      meet. The lanes end there, and within them it has one value: that of the first lane. So the
//      inner part of a stencil loses its conditions.
//   5. A check of an index that is linear in the point holds for all lanes if it holds for the
//      first and the last one. Only if it does not is each lane checked.
//
// Sides and indices wrap like all integers, and a line that wraps has holes. So 4 goes point by
// point if a side is not within 2^61 of 0, and 5 allows slopes of at most 2^20.

const (
	maxLanes  = 128
	fewLanes  = 12 // points for which loops stay as they are
	maxSplits = 6
	jammed    = 4  // turns of a loop outside that share a loop over lanes
	fewStmts  = 12 // statements of a loop that is unrolled
)

type lanes struct {
	divergence
	b        *block
	assigned map[string]int
	defs     map[string]ir.Exp // pure functions of the point and of variables that the loop does not change
	order    []string          // of defs
	polys    map[string]sym.Poly
	splits   []split
	loops    []*For // over lanes
	turned   bool   // a loop went outside
	gained   bool
	pos, end *ir.Ref
	last     *ir.Ref
	lanes    *ir.Ref
}

// A split is a comparison that is the same for all lanes: the variable that holds it, its sides at
// the first lane, and the places after pos + distance * slope at which the lanes end.
type split struct {
	key   string
	name  string
	op    string
	x, y  ir.Exp
	slope int64
	after []int64
}

// inLanes returns the statements that replace a loop over points.
func (b *block) inLanes(loop *For) []Stmt {
	room := b.k.item
	if room != "" {
		lane := &Set{Dst: room, E: index(subtract(ir.Var(loop.Var), ir.Var(b.k.base)))}
		loop.Body = append([]Stmt{lane}, loop.Body...)
	}
	alone := func() []Stmt { // the loop as it is: a point has the room of lane 0
		if room != "" {
			loop.Body[0] = &Set{Dst: room, E: i64(0)}
		}
		return []Stmt{loop}
	}
	if !inert(loop.Body) {
		return alone()
	}
	l := &lanes{
		divergence: divergent(loop.Var), b: b, assigned: map[string]int{loop.Var: 1}, defs: map[string]ir.Exp{},
		polys: map[string]sym.Poly{},
	}
	count := loop.Bound
	l.pos, l.end, l.last, l.lanes = b.temp("pos", ir.I64), b.temp("end", ir.I64), b.temp("last", ir.I64), b.temp("lanes", ir.I64)
	l.count(loop.Body)
	l.define(loop.Body)
	body := mapStmts(loop.Body, l.compare)
	l.defs, l.order, l.polys = map[string]ir.Exp{}, nil, map[string]sym.Poly{}
	l.define(body)
	l.choose(body)
	inner := l.distribute(body)
	if !l.gained {
		return alone()
	}
	most := int64(maxLanes)
	crossing := l.cross() || room != ""
	step := b.sub()
	if room != "" {
		most = workLanes
		step.set(b.k.base, l.pos)
	}
	step.set(l.end.Name, count)
	if crossing {
		step.set(l.end.Name, minimum(count, index(add(l.pos, i64(most)))))
	}
	l.meet(step)
	step.set(l.lanes.Name, index(subtract(l.end, l.pos)))
	step.set(l.last.Name, index(subtract(l.end, i64(1))))
	step.add(inner...)
	step.set(l.pos.Name, l.end)
	out := b.sub()
	out.set(l.pos.Name, i64(0))
	out.add(&While{Cond: less(l.pos, count), Body: step.stmts})
	if l.turned {
		return []Stmt{&If{Cond: binary(">=", count, i64(fewLanes)), Then: out.stmts, Else: alone()}}
	}
	return out.stmts
}

// inert reports whether statements leave memory variables alone.
func inert(list []Stmt) bool {
	return !holds(list, func(s Stmt) bool {
		switch s.(type) {
		case *Set, *Load, *Store, *Check, *If, *For, *While:
			return false
		}
		return true
	})
}

// count counts assignments.
func (l *lanes) count(list []Stmt) {
	for _, s := range list {
		if name := target(s); name != "" {
			l.assigned[name]++
		}
		for _, in := range inside(s) {
			l.count(in)
		}
	}
}

// define finds the scalars that are pure functions of the point.
func (l *lanes) define(body []Stmt) {
	for _, s := range body {
		set, ok := s.(*Set)
		if !ok || l.assigned[set.Dst] != 1 || !l.fixed(set.E) {
			continue
		}
		l.defs[set.Dst] = set.E
		l.order = append(l.order, set.Dst)
		l.polys[set.Dst] = l.poly(set.E)
	}
}

// fixed reports whether an expression mentions only the point, variables that the loop leaves
// alone, and functions of these.
func (l *lanes) fixed(e ir.Exp) bool {
	ok := true
	ir.ExpNames(e, func(n string) {
		_, def := l.defs[n]
		ok = ok && (n == l.turn || def || l.assigned[n] == 0)
	})
	return ok
}

// poly returns an index as a polynomial over the point and other names.
func (l *lanes) poly(e ir.Exp) sym.Poly {
	return indexPoly(e).Subst(func(name string) (sym.Poly, bool) {
		p, ok := l.polys[name]
		return p, ok
	})
}

// indexPoly returns an index as a polynomial over the names that it mentions.
func indexPoly(e ir.Exp) sym.Poly {
	return sym.Of(ir.MapExp(e, func(e ir.Exp) ir.Exp {
		if f, ok := e.(*ir.Builtin); ok && (f.Fn == IndexFn || f.Fn == WrapFn) {
			return f.Args[0]
		}
		return e
	}))
}

// slope returns by how much an index grows from one value of a name to the next.
func slope(p sym.Poly, name string) sym.Poly {
	next := p.Subst(func(n string) (sym.Poly, bool) { return sym.Var(n).Add(sym.Const(1)), n == name })
	return next.Sub(p)
}

// at returns the value that a function of the point has at one.
func (l *lanes) at(e ir.Exp, point ir.Exp) ir.Exp {
	return ir.MapExp(e, func(e ir.Exp) ir.Exp {
		r, ok := e.(*ir.Ref)
		switch {
		case !ok:
		case r.Name == l.turn:
			return point
		case l.defs[r.Name] != nil:
			return l.at(l.defs[r.Name], point)
		}
		return e
	})
}

// large reports whether an expression is too long to be evaluated once more.
func large(e ir.Exp) bool {
	n := 0
	ir.WalkExp(e, func(ir.Exp) bool { n++; return true })
	return n > 60
}

// shallowSlope reports whether an index is linear, and grows too slowly to wrap unnoticed.
func shallowSlope(p sym.Poly) bool {
	k, ok := p.IsConst()
	return ok && k <= 1<<20 && k >= -1<<20
}
