package imp

import (
	"github.com/memc-lang/memc/ir"
)

// Note [Turns that share reads]
//
//	for j < k { s = 0; for f < d { e = x[i, f]; t = e - c[j, f]; s = s + t * t }; best = min(best, s) }
//
// All turns of the outer loop read the same elements of x in their inner loops. So a work-item does the inner
// loops of several turns together, and reads such an element once:
//
//	for block < (k + 7) / 8 {
//	  s0 = 0; s1 = 0; ..
//	  for f < d { e = x[i, f]; t0 = e - c[j0, f]; s0 = s0 + t0 * t0; t1 = e - c[j1, f]; s1 = s1 + t1 * t1; .. }
//	  if j0 < k { best = min(best, s0) }; if j1 < k { best = min(best, s1) }; ..
//	}
//
// This is the jam of Note [Points that share reads], along the turns of a loop. What comes before the inner
// loop, and that loop, use nothing that a turn leaves to the next. What follows is done turn by turn, in
// order. A turn behind the last one is the last one again, up to there. The loop neither writes nor checks
// anything.

// maxTurns is the most turns that a work-item does together; any choice is right.
const maxTurns = 8

// severalTurns has loops of a point do several turns at once.
func (b *block) severalTurns(list []Stmt) []Stmt {
	return b.turnsOf(list, mentioned(list))
}

func (b *block) turnsOf(list []Stmt, total map[string]int) []Stmt {
	var out []Stmt
	for _, s := range list {
		if loop, ok := s.(*For); ok {
			if s := b.turnsTogether(loop, total); s != nil {
				out = append(out, s)
				continue
			}
		}
		for _, in := range lists(s) {
			*in = b.turnsOf(*in, total)
		}
		out = append(out, s)
	}
	return out
}

// turnsTogether returns such a loop; nil if there is none.
func (b *block) turnsTogether(loop *For, total map[string]int) Stmt {
	first, inner, rest := parts(loop)
	if inner == nil || !apart(first, rest) {
		return nil
	}
	own := mentioned([]Stmt{loop})
	local := true
	assignments(first, func(name string) { local = local && own[name] == total[name] })
	each := int64(maxTurns)
	j := &jam{in: b, reads: map[corner]int{}, places: map[string]string{}, corners: map[corner]map[string]string{}}
	j.axes = [2]*axis{{divergence: divergent(loop.Var), each: 1}, {divergence: divergent(""), each: 1}}
	j.axes[0].varying[loop.Var] = true
	j.mark(first)
	j.count(first, nil, corner{})
	if !local || !j.axes[0].shared(inner) || j.reads[corner{0, 0}] == 0 {
		return nil
	}
	alone := int64(0)
	Each(first, func(s Stmt) { alone += j.own(s, corner{})[0] })
	for each > 1 && each*alone > maxJam {
		each /= 2
	}
	if each == 1 {
		return nil
	}
	j.axes[0].each = each
	some := b.temp("block", ir.I64)
	in, last := b.sub(), subtract(loop.Bound, i64(1))
	at := make([]ir.Exp, each)
	for p := range each {
		at[p] = in.atom(index(add(times(some, i64(each)), i64(p))), "at")
		in.set(j.name(loop.Var, ir.I64, corner{p, -1}), index(minimum(at[p], last)))
	}
	in.add(j.all(first, corner{-1, -1})...)
	for p := range each {
		in.when(less(at[p], loop.Bound), func(in *block) { in.add(renamed(rest, j.names(corner{p, -1}))...) }, nil)
	}
	return &For{Var: some.Name, Bound: index(ceilDiv(loop.Bound, i64(each))), Body: in.stmts}
}

// parts divides a loop's body after its only inner loop; inner is nil if it does more than compute and read.
func parts(loop *For) (first []Stmt, inner *For, rest []Stmt) {
	if !plain(loop) || holds(loop.Body, func(s Stmt) bool {
		switch s := s.(type) {
		case *Set, *If:
			return false
		case *Load:
			return s.Fresh
		case *For:
			return !plain(s)
		}
		return true
	}) {
		return nil, nil, nil
	}
	for k, s := range loop.Body {
		if f, ok := s.(*For); ok {
			if inner != nil {
				return nil, nil, nil
			}
			first, inner, rest = loop.Body[:k+1], f, loop.Body[k+1:]
		}
	}
	return first, inner, rest
}

// apart reports whether the first statements of a turn use nothing that a turn leaves to the next.
func apart(first, rest []Stmt) bool {
	free := true
	assignments(rest, func(name string) { free = free && !mentions(first, name) })
	own := map[string]bool{}
	assignments(first, func(name string) { own[name] = true })
	return free && settled(first, own, map[string]bool{})
}

// settled reports whether statements assign scalars of their own before they read them; made has those that
// are assigned, and gets what these assign in any case.
func settled(list []Stmt, own, made map[string]bool) bool {
	ok := true
	read := func(e ir.Exp) {
		ir.ExpNames(e, func(name string) { ok = ok && (!own[name] || made[name]) })
	}
	within := func(list []Stmt, more ...string) {
		inside := map[string]bool{}
		for name := range made {
			inside[name] = true
		}
		for _, name := range more {
			inside[name] = true
		}
		ok = ok && settled(list, own, inside)
	}
	for _, s := range list {
		switch s := s.(type) {
		case *Set:
			read(s.E)
			made[s.Dst] = true
		case *Load:
			read(s.Off)
			made[s.Dst] = true
		case *If:
			read(s.Cond)
			within(s.Then)
			within(s.Else)
		case *For:
			read(s.Bound)
			within(s.Body, s.Var)
		}
	}
	return ok
}
