package imp

import (
	"cmp"
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Lanes]
//
// A loop over points (Note [Tasks]) whose body loops, branches or checks is no loop that
// a C compiler makes vector instructions of. Since points do not touch what others write,
// their statements may be done in another order: each for a row of points, the lanes,
// before the next. So the loop over points is put innermost:
//
//	points turn < count                 pos = 0; while pos < count
//	  s = 0                               points lane < lanes { s_l[lane] = 0 }
//	  for k < m                           for k < m
//	    s = s + a[k] * b[k * p + turn]      a_k = a[k]
//	  c[turn] = s                           points lane < lanes { s = s_l[lane]; ... }
//	                                      points lane < lanes { c[pos + lane] = s_l[lane] }
//
//  1. What is the same for all lanes (a scalar, a bound, a condition) stays outside of
//     the loops over lanes.
//  2. A loop goes outside if its bound is the same for all lanes, and if its accesses
//     are not such as are neighbours along it rather than along the lanes.
//  3. A scalar that several of the loops over lanes mention is kept in an array with an
//     element per lane, at most maxLanes. One that is a pure function of the point is
//     computed again.
//  4. A comparison that is linear in the point, with a slope of 1 or -1, changes where
//     its sides meet. The lanes end there, and within them it has one value: that of the
//     first lane. So the inner part of a stencil loses its conditions.
//  5. A check of an index that is linear in the point holds for all lanes if it holds for
//     the first and the last one. Only where it does not is each lane asked.
//
// Sides and indices wrap like all integers, and a line that wraps has holes: 4 goes point
// by point where a side is not within 2^61 of 0, and 5 takes slopes of at most 2^20.

const (
	maxLanes  = 128
	fewLanes  = 12 // points for which loops stay as they are
	maxSplits = 6
	jammed    = 4  // turns of a loop outside that share a loop over lanes
	fewStmts  = 12 // statements of a loop that is unrolled
)

type lanes struct {
	b        *block
	turn     string
	assigned map[string]int
	defs     map[string]ir.Exp // pure functions of the point and of what the loop leaves alone
	order    []string          // of defs
	polys    map[string]sym.Poly
	varying  map[string]bool // not the same for all lanes
	whole    map[*For]bool   // loops that stay inside of a lane
	splits   []split
	loops    []*For // over lanes
	turned   bool   // a loop went outside
	gained   bool
	pos, end *ir.Ref
	last     *ir.Ref
	lanes    *ir.Ref
}

// A split is a comparison that is the same for all lanes: the variable that holds it, its
// sides at the first lane, and the places behind pos + distance * slope where the lanes
// end.
type split struct {
	key   string
	name  string
	op    string
	x, y  ir.Exp
	slope int64
	after []int64
}

// inLanes gives what a loop over points becomes.
func (b *block) inLanes(loop *For) []Stmt {
	if !inert(loop.Body) {
		return []Stmt{loop}
	}
	l := &lanes{
		b: b, turn: loop.Var, assigned: map[string]int{loop.Var: 1}, defs: map[string]ir.Exp{},
		polys: map[string]sym.Poly{}, varying: map[string]bool{}, whole: map[*For]bool{},
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
		return []Stmt{loop}
	}
	crossing := l.cross()
	step := b.sub()
	step.set(l.end.Name, count)
	if crossing {
		step.set(l.end.Name, minimum(count, index(add(l.pos, i64(maxLanes)))))
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
		return []Stmt{&If{Cond: binary(">=", count, i64(fewLanes)), Then: out.stmts, Else: []Stmt{loop}}}
	}
	return out.stmts
}

// inert tells whether statements leave memory variables alone.
func inert(list []Stmt) bool {
	for _, s := range list {
		ok := true
		switch s := s.(type) {
		case *Set, *Load, *Store, *Check:
		case *If:
			ok = inert(s.Then) && inert(s.Else)
		case *For:
			ok = inert(s.Body)
		case *While:
			ok = inert(s.Body)
		default:
			ok = false
		}
		if !ok {
			return false
		}
	}
	return true
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

// target gives the scalar that a statement assigns by itself.
func target(s Stmt) string {
	switch s := s.(type) {
	case *Set:
		return s.Dst
	case *Load:
		return s.Dst
	case *For:
		return s.Var
	}
	return ""
}

// inside gives the lists of a statement.
func inside(s Stmt) [][]Stmt {
	switch s := s.(type) {
	case *If:
		return [][]Stmt{s.Then, s.Else}
	case *For:
		return [][]Stmt{s.Body}
	case *While:
		return [][]Stmt{s.Body}
	case *KRegion:
		return [][]Stmt{s.Body}
	}
	return nil
}

// mapStmts copies statements, with other expressions.
func mapStmts(list []Stmt, f func(ir.Exp) ir.Exp) []Stmt {
	all := func(es []ir.Exp) []ir.Exp {
		out := make([]ir.Exp, len(es))
		for i, e := range es {
			out[i] = f(e)
		}
		return out
	}
	out := make([]Stmt, len(list))
	for i, s := range list {
		switch s := s.(type) {
		case *Set:
			out[i] = &Set{Dst: s.Dst, E: f(s.E)}
		case *Load:
			out[i] = &Load{Dst: s.Dst, Prim: s.Prim, Mem: s.Mem, Off: f(s.Off)}
		case *Store:
			out[i] = &Store{Mem: s.Mem, Prim: s.Prim, Off: f(s.Off), Val: f(s.Val)}
		case *Check:
			out[i] = &Check{Cond: f(s.Cond), Code: s.Code, Args: all(s.Args)}
		case *If:
			out[i] = &If{Cond: f(s.Cond), Then: mapStmts(s.Then, f), Else: mapStmts(s.Else, f)}
		case *For:
			out[i] = &For{Var: s.Var, Bound: f(s.Bound), Body: mapStmts(s.Body, f), Points: s.Points}
		case *While:
			out[i] = &While{Cond: f(s.Cond), Body: mapStmts(s.Body, f)}
		}
	}
	return out
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

// fixed tells whether an expression mentions nothing but the point, what the loop leaves
// alone, and functions of these.
func (l *lanes) fixed(e ir.Exp) bool {
	ok := true
	refs(e, func(n string) {
		_, def := l.defs[n]
		ok = ok && (n == l.turn || def || l.assigned[n] == 0)
	})
	return ok
}

// poly gives an index as a polynomial over the point and other names.
func (l *lanes) poly(e ir.Exp) sym.Poly {
	return indexPoly(e).Subst(func(name string) (sym.Poly, bool) {
		p, ok := l.polys[name]
		return p, ok
	})
}

// indexPoly gives an index as a polynomial over the names that it mentions.
func indexPoly(e ir.Exp) sym.Poly {
	return sym.Of(ir.MapExp(e, func(e ir.Exp) ir.Exp {
		if f, ok := e.(*ir.Builtin); ok && f.Fn == IndexFn {
			return f.Args[0]
		}
		return e
	}))
}

// slope gives by how much an index grows from one value of a name to the next.
func slope(p sym.Poly, name string) sym.Poly {
	next := p.Subst(func(n string) (sym.Poly, bool) { return sym.Var(n).Add(sym.Const(1)), n == name })
	return next.Sub(p)
}

// at gives the value that a function of the point has at one.
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

// compare replaces comparisons by variables that hold them for all lanes.
func (l *lanes) compare(e ir.Exp) ir.Exp {
	return ir.MapExp(e, func(e ir.Exp) ir.Exp {
		c, ok := e.(*ir.Binary)
		if !ok || c.X.Prim() != ir.I64 || opposite[c.Op] == "" || !l.fixed(c.X) || !l.fixed(c.Y) {
			return e
		}
		x, y := l.poly(c.X), l.poly(c.Y)
		k, ok := slope(x.Sub(y), l.turn).IsConst()
		if !ok || k != 1 && k != -1 || !shallowSlope(slope(x, l.turn)) {
			return e
		}
		key := x.String() + c.Op + y.String()
		for _, s := range l.splits {
			if s.key == key {
				return &ir.Ref{Name: s.name, T: ir.Bool}
			}
		}
		s := split{key: key, op: c.Op, x: l.at(c.X, l.pos), y: l.at(c.Y, l.pos), slope: k}
		if len(l.splits) == maxSplits || large(s.x) || large(s.y) {
			return e
		}
		s.name = l.b.temp("same", ir.Bool).Name
		// With d the distance from pos to where the sides meet, x < y holds below d
		// where x grows faster than y, and above d where it does not.
		switch {
		case c.Op == "==" || c.Op == "!=":
			s.after = []int64{0, 1}
		case (c.Op == "<" || c.Op == ">=") == (k > 0):
			s.after = []int64{0}
		default:
			s.after = []int64{1}
		}
		l.splits = append(l.splits, s)
		return &ir.Ref{Name: s.name, T: ir.Bool}
	})
}

// large tells whether an expression is too long to be evaluated once more.
func large(e ir.Exp) bool {
	n := 0
	ir.WalkExp(e, func(ir.Exp) bool { n++; return true })
	return n > 60
}

// shallowSlope tells whether an index is linear, and grows too slowly to wrap unnoticed.
func shallowSlope(p sym.Poly) bool {
	k, ok := p.IsConst()
	return ok && k <= 1<<20 && k >= -1<<20
}

// meet sets the variables that hold comparisons, and ends the lanes where one changes.
func (l *lanes) meet(b *block) {
	for _, s := range l.splits {
		x, y := b.atom(s.x, "side"), b.atom(s.y, "side")
		b.set(s.name, binary(s.op, x, y))
		near := func(e ir.Exp) ir.Exp {
			return less(unsigned(binary("+", e, i64(1<<61))), &ir.Lit{Text: "4611686018427387904", T: ir.U64, Bits: 1 << 62})
		}
		b.when(and(near(x), near(y)), func(b *block) {
			d := b.atom(index(subtract(y, x)), "meet")
			if s.slope < 0 {
				d = b.atom(index(subtract(x, y)), "meet")
			}
			for _, more := range s.after {
				at := add(d, i64(more))
				b.when(less(i64(0), index(at)), func(b *block) {
					b.set(l.end.Name, minimum(l.end, index(add(l.pos, at))))
				}, nil)
			}
		}, func(b *block) { b.set(l.end.Name, index(add(l.pos, i64(1)))) })
	}
}

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
	for _, s := range list {
		if f, ok := s.(*For); ok {
			local := map[string]ir.Exp{}
			if l.score(f.Body, f.Var, local) < 0 {
				l.whole[f] = true
			}
		}
		for _, in := range inside(s) {
			l.scoreLoops(in)
		}
	}
}

// score counts the accesses that are neighbours along the lanes, less those that are
// neighbours along a loop and far from each other along the lanes.
func (l *lanes) score(list []Stmt, name string, local map[string]ir.Exp) int {
	n := 0
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
	for _, s := range list {
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
		for _, in := range inside(s) {
			n += l.score(in, name, local)
		}
	}
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

// uniform tells whether an expression has one value for all lanes.
func (l *lanes) uniform(es ...ir.Exp) bool {
	ok := true
	for _, e := range es {
		refs(e, func(n string) { ok = ok && n != l.turn && !l.varying[n] })
	}
	return ok
}

// vary marks what is not the same for all lanes: in a lane everything that is assigned.
func (l *lanes) vary(list []Stmt, lane bool) {
	for _, s := range list {
		in := lane
		switch s := s.(type) {
		case *Set:
			if lane || !l.uniform(s.E) {
				l.varying[s.Dst] = true
			}
		case *Load:
			if lane || !l.uniform(s.Off) {
				l.varying[s.Dst] = true
			}
		case *If:
			in = lane || !l.uniform(s.Cond)
		case *For:
			if !lane && !l.uniform(s.Bound) {
				l.whole[s] = true
			}
			if in = lane || l.whole[s]; in {
				l.varying[s.Var] = true
			}
		case *While:
			in = true
		}
		for _, body := range inside(s) {
			l.vary(body, in)
		}
	}
}

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

// straight tells whether statements compute and load only.
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
	out := mapStmts(list, func(e ir.Exp) ir.Exp {
		return ir.MapExp(e, func(e ir.Exp) ir.Exp {
			if r, ok := e.(*ir.Ref); ok && names[r.Name] != "" {
				return &ir.Ref{Name: names[r.Name], T: r.T}
			}
			return e
		})
	})
	for _, s := range out {
		switch s := s.(type) {
		case *Set:
			s.Dst = cmp.Or(names[s.Dst], s.Dst)
		case *Load:
			s.Dst = cmp.Or(names[s.Dst], s.Dst)
		}
	}
	return out
}

// few tells whether the statements before and behind a branch are so few that they may
// stand in both of its sides: then no scalar has to cross from one loop to another.
func few(lists ...[]Stmt) bool {
	n := int64(0)
	for _, list := range lists {
		n += weight(list)
	}
	return n <= 24
}

// around distributes a side of a branch with what stands before and behind it.
func (l *lanes) around(before, side, behind []Stmt) []Stmt {
	same := func(e ir.Exp) ir.Exp { return e }
	return l.distribute(slices.Concat(mapStmts(before, same), side, mapStmts(behind, same)))
}

func (l *lanes) loop(group []Stmt) Stmt {
	f := &For{Var: l.b.temp("lane", ir.I64).Name, Bound: l.lanes, Body: group, Points: true}
	l.loops = append(l.loops, f)
	return f
}

// ends makes the check of a linear index that of the first and the last lane; nil where
// it is none.
func (l *lanes) ends(s *Check) Stmt {
	c, ok := s.Cond.(*ir.Binary)
	if !ok || c.Op != "<" || c.X.Prim() != ir.U64 || !l.uniform(c.Y) {
		return nil
	}
	signed, ok := c.X.(*ir.Convert)
	if !ok || signed.X.Prim() != ir.I64 {
		return nil
	}
	known := true
	refs(signed.X, func(n string) { known = known && (n == l.turn || !l.varying[n] || l.defs[n] != nil) })
	if !known || !shallowSlope(slope(l.poly(signed.X), l.turn)) {
		return nil
	}
	hold := and(l.at(s.Cond, l.pos), l.at(s.Cond, l.last))
	if large(hold) {
		return nil
	}
	return &If{Cond: &ir.Unary{Op: "!", X: hold, T: ir.Bool}, Then: []Stmt{l.loop([]Stmt{s})}}
}

// mentions tells whether statements mention a scalar.
func mentions(list []Stmt, name string) bool {
	if name == "" {
		return false
	}
	found := false
	uses(list, func(r *ir.Ref) { found = found || r.Name == name }, func(string) {})
	return found || assigns(list, name)
}

func assigns(list []Stmt, name string) bool {
	for _, s := range list {
		if target(s) == name {
			return true
		}
		for _, in := range inside(s) {
			if assigns(in, name) {
				return true
			}
		}
	}
	return false
}

// stores tells whether statements write memory.
func stores(list []Stmt) bool {
	for _, s := range list {
		if _, ok := s.(*Store); ok {
			return true
		}
		for _, in := range inside(s) {
			if stores(in) {
				return true
			}
		}
	}
	return false
}

// cross makes each loop over lanes whole: the point, the functions of it, and the scalars
// that other loops mention, too. It tells whether there are any of these.
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

// setFirst tells whether a scalar is assigned before it is read, in every turn.
func setFirst(list []Stmt, name string) bool {
	for _, s := range list {
		if !mentions([]Stmt{s}, name) {
			continue
		}
		read := false
		switch s := s.(type) {
		case *Set:
			refs(s.E, func(n string) { read = read || n == name })
			return s.Dst == name && !read
		case *Load:
			refs(s.Off, func(n string) { read = read || n == name })
			return s.Dst == name && !read
		}
		return false
	}
	return true
}
