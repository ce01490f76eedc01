package imp

import (
	"github.com/memc-lang/memc/ir"
)

// What differs between lanes, and which loops go outside (Note [Lanes], 1 and 2).

// choose finds which loops go outside, and which scalars are the same for all lanes. A
// loop that stays inside makes others vary, until nothing changes.
func (l *lanes) choose(body []Stmt) {
	l.scoreLoops(body)
	for {
		before := len(l.varying) + len(l.whole)
		l.vary(body, false)
		if len(l.varying)+len(l.whole) == before {
			return
		}
	}
}

// scoreLoops keeps loops inside whose accesses are neighbours along the loop.
func (l *lanes) scoreLoops(list []Stmt) {
	Each(list, func(f *For) {
		if l.score(f.Body, f.Var) < 0 {
			l.whole[f] = true
		}
	})
}

// score counts the accesses that are neighbours along the lanes, less those that are
// neighbours along a loop and far from each other along the lanes.
func (l *lanes) score(list []Stmt, name string) int {
	n := 0
	local := map[string]ir.Exp{}
	access := func(off ir.Exp) {
		p := l.poly(l.expand(off, local, 0))
		lane, along := slope(p, l.turn), slope(p, name)
		switch {
		case lane.Is(1), lane.Is(-1):
			n++
		case !lane.Is(0) && (along.Is(1) || along.Is(-1)):
			n--
		}
	}
	Each(list, func(s Stmt) {
		switch s := s.(type) {
		case *Set:
			if l.assigned[s.Dst] == 1 {
				local[s.Dst] = s.E
			}
		case *Load:
			access(s.Off)
		case *Store:
			access(s.Off)
		}
	})
	return n
}

// expand puts the definitions of scalars in their place.
func (l *lanes) expand(e ir.Exp, local map[string]ir.Exp, depth int) ir.Exp {
	if depth > 8 {
		return e
	}
	return ir.MapExp(e, func(e ir.Exp) ir.Exp {
		if r, ok := e.(*ir.Ref); ok && local[r.Name] != nil {
			return l.expand(local[r.Name], local, depth+1)
		}
		return e
	})
}
