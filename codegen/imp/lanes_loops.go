package imp

import (
	"slices"

	"github.com/memc-lang/memc/ir"
)

// Loops over lanes (Note [Lanes], 1 to 3).

// distribute puts loops over lanes around the statements of lanes.
func (l *lanes) distribute(list []Stmt) []Stmt {
	var out, group []Stmt
	flush := func() {
		if len(group) > 0 {
			out = append(out, l.loop(group))
			group = nil
		}
	}
	before := func(s Stmt, writes bool) { // s goes before the lanes that wait
		if name := target(s); mentions(group, name) || writes && stores(group) {
			flush()
		}
		out = append(out, s)
	}
	for i, s := range list {
		switch s := s.(type) {
		case *Set:
			switch {
			case !l.varying[s.Dst]:
				before(s, false)
			case l.defs[s.Dst] == nil:
				group = append(group, s)
			}
			continue
		case *Load:
			if !l.varying[s.Dst] {
				before(s, true)
				continue
			}
		case *Check:
			if l.uniform(append(slices.Clone(s.Args), s.Cond)...) {
				l.gained = true
				before(s, false)
				continue
			}
			if c := l.ends(s); c != nil {
				l.gained = true
				before(c, false)
				continue
			}
		case *If:
			if l.uniform(s.Cond) {
				l.gained = true
				rest := list[i+1:]
				if few(group, rest) {
					return append(out, &If{Cond: s.Cond, Then: l.around(group, s.Then, rest), Else: l.around(group, s.Else, rest)})
				}
				flush()
				out = append(out, &If{Cond: s.Cond, Then: l.distribute(s.Then), Else: l.distribute(s.Else)})
				continue
			}
		case *For:
			if !l.varying[s.Var] {
				flush()
				l.gained, l.turned = true, true
				out = append(out, l.outside(s)...)
				continue
			}
		}
		group = append(group, s)
	}
	flush()
	return out
}

// outside puts a loop outside of the lanes. Several turns of a short one share a loop over
// lanes, so that a scalar which one turn hands to the next stays in a register in between.
func (l *lanes) outside(f *For) []Stmt {
	if len(f.Body) > fewStmts || !straight(f.Body) {
		return []Stmt{&For{Var: f.Var, Bound: f.Bound, Body: l.distribute(f.Body)}}
	}
	k := &ir.Ref{Name: f.Var, T: ir.I64}
	bound, turns := l.b.temp("bound", ir.I64), l.b.temp("turns", ir.I64)
	many, rest := l.b.temp("many", ir.I64), l.b.temp("rest", ir.I64)
	var body []Stmt
	for n := range int64(jammed) {
		turn := append([]Stmt{&Set{Dst: k.Name, E: index(add(index(times(many, i64(jammed))), i64(n)))}}, f.Body...)
		if n < jammed-1 { // the last turn's values are those that the loop leaves
			turn = l.rename(turn)
		}
		body = append(body, turn...)
	}
	last := append([]Stmt{&Set{Dst: k.Name, E: index(add(index(times(turns, i64(jammed))), rest))}}, f.Body...)
	return []Stmt{
		&Set{Dst: bound.Name, E: f.Bound},
		&Set{Dst: turns.Name, E: quotient(bound, i64(jammed))},
		&For{Var: many.Name, Bound: turns, Body: l.distribute(body)},
		&For{Var: rest.Name, Bound: index(subtract(bound, index(times(turns, i64(jammed))))), Body: l.distribute(last)},
	}
}

// straight reports whether statements compute and load only.
func straight(list []Stmt) bool {
	for _, s := range list {
		switch s.(type) {
		case *Set, *Load:
		default:
			return false
		}
	}
	return true
}

// rename copies straight statements, with new names for the scalars that they do not hand on.
func (l *lanes) rename(list []Stmt) []Stmt {
	prims := map[string]ir.Prim{}
	for _, v := range l.b.k.out.Vars {
		prims[v.Name] = v.Prim
	}
	names := map[string]string{}
	for _, s := range list {
		if n := target(s); names[n] == "" && setFirst(list, n) {
			names[n] = l.b.temp(n, prims[n]).Name
			l.varying[names[n]] = l.varying[n]
		}
	}
	return renamed(list, names)
}

// few reports whether the statements before and behind a branch are so few that they may
// stand in both of its sides: then no scalar has to cross from one loop to another.
func few(lists ...[]Stmt) bool {
	n := int64(0)
	for _, list := range lists {
		n += weight(list)
	}
	return n <= 24
}

// around distributes a side of a branch together with the statements before and after it.
func (l *lanes) around(before, side, behind []Stmt) []Stmt {
	return l.distribute(slices.Concat(cloned(before), side, cloned(behind)))
}

func (l *lanes) loop(group []Stmt) Stmt {
	f := &For{Var: l.b.temp("lane", ir.I64).Name, Bound: l.lanes, Body: group, Points: true}
	l.loops = append(l.loops, f)
	return f
}

// cross makes each loop over lanes complete: it sets the point and the functions of the point, and
// loads and stores the scalars that one loop hands to another. It reports whether there are any of
// these.
func (l *lanes) cross() bool {
	prims := map[string]ir.Prim{}
	for _, v := range l.b.k.out.Vars {
		prims[v.Name] = v.Prim
	}
	var names []string // in the order of declaration
	for _, v := range l.b.k.out.Vars {
		if !l.varying[v.Name] || l.defs[v.Name] != nil {
			continue
		}
		if slices.ContainsFunc(l.loops, func(f *For) bool { return mentions(f.Body, v.Name) && !setFirst(f.Body, v.Name) }) {
			names = append(names, v.Name)
		}
	}
	arrays := map[string]string{}
	for _, n := range names {
		arrays[n] = l.b.f.temp(n + "_l")
		l.b.k.out.Locals = append(l.b.k.out.Locals, Local{Name: arrays[n], Prim: prims[n], Len: maxLanes})
	}
	for _, f := range l.loops {
		lane := &ir.Ref{Name: f.Var, T: ir.I64}
		var head, tail []Stmt
		for _, n := range names {
			if !mentions(f.Body, n) {
				continue
			}
			if !setFirst(f.Body, n) {
				head = append(head, &Load{Dst: n, Prim: prims[n], Mem: arrays[n], Off: lane})
			}
			if assigns(f.Body, n) {
				tail = append(tail, &Store{Mem: arrays[n], Prim: prims[n], Off: lane, Val: &ir.Ref{Name: n, T: prims[n]}})
			}
		}
		body := append(append(head, f.Body...), tail...)
		for _, n := range slices.Backward(l.order) {
			if mentions(body, n) && l.varying[n] {
				body = append([]Stmt{&Set{Dst: n, E: l.defs[n]}}, body...)
			}
		}
		if mentions(body, l.turn) {
			body = append([]Stmt{&Set{Dst: l.turn, E: index(add(l.pos, lane))}}, body...)
		}
		f.Body = body
	}
	return len(names) > 0
}
