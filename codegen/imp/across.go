package imp

import (
	"sort"

	"github.com/memc-lang/memc/ir"
)

// AcrossBarriers returns the variables of a kernel that may live across a barrier: assigned before
// one and read behind it, in the same turn of a loop or in another. Not every driver keeps them, so
// the text marks them (MEMC_KEPT in prelude.cl).
//
// Statements have numbers in the order of the text. A variable lives from its first mention to its
// last one, and, where a loop mentions a variable that is declared outside of it, from the loop's
// head to its end. What the head of a loop mentions, each turn mentions.
func (s *Scopes) AcrossBarriers(vars []Var, body []Stmt) map[string]bool {
	a := &across{scopes: s, depth: map[string]int{}, lives: map[string]*stretch{}}
	for _, v := range vars {
		a.lives[v.Name] = &stretch{from: 1 << 60}
	}
	a.list(body)
	out := map[string]bool{}
	for name, l := range a.lives {
		for _, loop := range l.loops {
			l.from, l.to = min(l.from, loop.from), max(l.to, loop.to)
		}
		k := sort.SearchInts(a.barriers, l.from)
		if k < len(a.barriers) && a.barriers[k] < l.to {
			out[name] = true
		}
	}
	return out
}

// A stretch is the statements between the first mention of a variable and the last one, and the loops
// that mention it from outside.
type stretch struct {
	from, to int
	loops    []*stretch
}

type across struct {
	scopes   *Scopes
	number   int
	barriers []int
	inside   []*stretch     // the loops around
	depth    map[string]int // loops around the declaration of a variable
	lives    map[string]*stretch
}

func (a *across) mention(name string) {
	l := a.lives[name]
	if l == nil {
		return
	}
	if d := a.depth[name]; d < len(a.inside) {
		if loop := a.inside[d]; len(l.loops) == 0 || l.loops[len(l.loops)-1] != loop {
			l.loops = append(l.loops, loop)
		}
	}
	l.from, l.to = min(l.from, a.number), max(l.to, a.number)
}

func (a *across) list(list []Stmt) {
	for _, s := range list {
		a.number++
		around := len(a.inside)
		loop, points := &stretch{from: a.number}, []Var(nil)
		switch s := s.(type) {
		case *Barrier:
			a.barriers = append(a.barriers, a.number)
		case *For:
			a.inside, points = append(a.inside, loop), a.scopes.Points[s]
		case *While:
			a.inside = append(a.inside, loop)
		}
		for _, v := range points {
			a.depth[v.Name] = len(a.inside)
		}
		s.visit(&visitor{
			exp: func(e ir.Exp) { ir.ExpNames(e, a.mention) },
			set: func(name string, by Stmt) {
				if _, ok := a.scopes.Declares[by]; ok {
					a.depth[name] = around
				}
				a.mention(name)
			},
			list: func(l *[]Stmt) { a.list(*l) },
		})
		a.number++
		loop.to = a.number
		a.inside = a.inside[:around]
	}
}
