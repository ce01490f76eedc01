package liveness

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/index"
)

// A variable is an array's name.
type variable struct {
	name  string
	def   int          // the point that binds it
	body  *index.Scope // that binds it
	fresh bool
	last  use // in the body that binds it; at point 0: none
	live  []Interval
	// deaths are the points of its last uses, and the beginnings of branches in which it is dead on
	// entry.
	deaths []int
}

// use is the last use of a variable in a body: directly at a point, or within
// the bodies of the statement at that point.
type use struct {
	point int
	inner bool
}

type place struct {
	variable int
	body     *index.Scope
}

// variables are those of a function.
type variables struct {
	ids index.Names[int] // 1 + the index in all
	all []variable
}

// of returns the variable of a name, or nil: the name is that of a scalar or a block.
func (vs *variables) of(name string) *variable {
	if id := vs.ids.Get(name); id > 0 {
		return &vs.all[id-1]
	}
	return nil
}

// variables finds where each variable is live.
func (t *Table) variables() *variables {
	w := &walker{t, &variables{index.MakeNames[int](t.Function), make([]variable, 0, len(t.Aliases.Names()))}, map[place]use{}}
	w.meet()
	for id := range w.vars.all {
		w.lives(id)
	}
	return w.vars
}

// walker records variables and their uses.
type walker struct {
	*Table
	vars *variables
	uses map[place]use // in bodies within the one that binds the variable
}

// lastUse returns the last use of a variable in a body.
func (w *walker) lastUse(id int, body *index.Scope) (use, bool) {
	if v := &w.vars.all[id]; v.body == body {
		return v.last, v.last.point > 0
	}
	u, ok := w.uses[place{id, body}]
	return u, ok
}

func (w *walker) define(e *ir.Elem, at int, body *index.Scope, fresh bool) {
	if e.Type.Kind != ir.ArrayKind {
		return
	}
	w.vars.all = append(w.vars.all, variable{name: e.Name, def: at, body: body, fresh: fresh})
	*w.vars.ids.At(e.Name) = len(w.vars.all)
}

// use records a use at a point of a body, and in the bodies around it up to the one that binds the
// variable. Points come in ascending order, so if a body around has this use already, those further
// out have it, too.
func (w *walker) use(name string, body *index.Scope, point int) {
	id := w.vars.ids.Get(name) - 1
	if id < 0 {
		return // a scalar or a block
	}
	v, inner := &w.vars.all[id], false
	for body != v.body {
		key := place{id, body}
		old, known := w.uses[key]
		known = known && old.point == point
		w.uses[key] = use{point, inner || known && old.inner}
		if known {
			return
		}
		point, inner, body = w.Stmt(body.Stmt).From, true, body.Outer
	}
	v.last = use{point, inner || v.last.point == point && v.last.inner}
}

// lives makes the intervals and deaths of a variable.
func (w *walker) lives(id int) {
	v := &w.vars.all[id]
	w.within(id, v.body, v.def)
	if len(v.live) > 0 {
		v.live[0].Born = v.fresh
	}
	slices.SortStableFunc(v.live, func(a, b Interval) int { return a.From - b.From })
	v.live = w.normal(v.live)
	slices.Sort(v.deaths)
}

// within adds the life of a variable in a body, if it is live from a point on and not needed after
// the body.
func (w *walker) within(id int, body *index.Scope, from int) {
	v := &w.vars.all[id]
	last := func(p int) {
		v.live = append(v.live, Interval{From: from, To: p})
		v.deaths = append(v.deaths, p)
	}
	u, ok := w.lastUse(id, body)
	if !ok {
		last(from) // bound and never used
		return
	}
	if !u.inner {
		last(u.point)
		return
	}
	s := w.Points[u.point].Stmt
	if _, ok := s.Op.(*ir.If); (!ok || rules.Off("liveness.branches")) && planted != LoopsRunOnce {
		last(w.Stmt(s).To)
		return
	}
	v.live = append(v.live, Interval{From: from, To: u.point})
	for _, b := range ir.Bodies(s.Op) {
		inner := w.ScopeOf(b)
		if _, used := w.lastUse(id, inner); used {
			w.within(id, inner, inner.Span.From)
		} else {
			v.deaths = append(v.deaths, inner.Span.From)
		}
	}
}
