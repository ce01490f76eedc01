package imp

import (
	"maps"

	"github.com/memc-lang/memc/ir"
)

// Note [Checks ahead]
//
// A loop of a group runs short steps one after another, with barriers in between. In such a step
// the checks cost more than the work that they guard, since a work-item has nothing else to do
// while it computes them. Most checks depend only on indices of loops. So they can be made before
// the loop, for all turns at once, without barriers in between:
//
//	for d < 2 * b - 1 { check lo(d) + n(d) <= b; step (k < n(d)) { check k + lo(d) < c; .. } }
//
//	for d, shared out { check lo(d) + n(d) <= b }     -- what the group checks
//	barrier, or the group ends
//	for d < 2 * b - 1 { for k < n(d), shared out { check k + lo(d) < c } }
//	barrier, or the group ends
//	for d < 2 * b - 1 { step (k < n(d)) { .. } }
//
// The two parts copy from the loop the statements that the checks need: assignments of pure
// expressions (to variables of their own), branches, and loops of the group and of a step. A check
// stays in the loop if it depends on a variable that is read from memory or carried from turn to
// turn. A check in a loop within a point goes before that loop if it does not depend on the loop's
// index.
//
// Each part is made twice. The first version has no branch for each check: a variable records
// whether all checks hold. If they do not, the second version, with the branches, finds out which
// one fails.
//
//	good = true
//	for d, shared out { good = good & (lo(d) + n(d) <= b) }
//	if !good { for d, shared out { check lo(d) + n(d) <= b } }
//
// Without branches the checks of a step are made for its first and last point only, or the
// corners of its space, where that is enough (corners.go). Then they need no loop over
// points, and are shared out with the group's own; the other ones make the second part.
//
// The checks of a step that is shared out go before its loop in the same way, each
// work-item's before its points: then the compiler can have several points read memory
// before it waits for the first.
//
//	for k < n, shared out { check f(k) < c; t[k] = xs[f(k)] }
//
//	for k < n, shared out { check f(k) < c }
//	for k < n, shared out { t[k] = xs[f(k)] }
//
// A run in which such a check fails fails in any case; it may tell of another error than
// the first.

// ahead moves the checks of a group's loops before the loops, if possible.
func (b *block) ahead(list []Stmt) []Stmt {
	var out []Stmt
	for _, s := range list {
		switch s := s.(type) {
		case *If:
			s.Then, s.Else = b.ahead(s.Then), b.ahead(s.Else)
		case *While:
			s.Body = b.ahead(s.Body)
		case *For:
			if !holdsBarrier(s.Body) {
				break
			}
			moved := map[*Check]bool{}
			for _, steps := range []bool{false, true} {
				if checks := b.checksAhead(s, steps, moved, func(c *checksAhead) []Stmt { return c.loop(s) }); checks != nil {
					out = append(out, &KRegion{Body: checks}, &Barrier{})
				}
			}
			s.Body = without(s.Body, moved)
			s.Body = b.ahead(s.Body)
		case *KRegion:
			s.Body = b.aheadOfPoints(s.Body)
		}
		out = append(out, s)
	}
	return out
}

// aheadOfPoints moves the checks of loops that work-items share before the loops, if points
// read memory.
func (b *block) aheadOfPoints(list []Stmt) []Stmt {
	var out []Stmt
	for _, s := range list {
		if f, ok := s.(*For); ok && f.Local && reads(f.Body) && !holdsBarrier(f.Body) {
			moved := map[*Check]bool{}
			for _, steps := range []bool{false, true} {
				out = append(out, b.checksAhead(f, steps, moved, func(c *checksAhead) []Stmt { return c.stmt(f, true) })...)
			}
			f.Body = without(f.Body, moved)
		}
		out = append(out, s)
	}
	return out
}

// checksAhead copies the checks of one loop: those that are shared out, or, of the steps,
// those that are made point by point.
type checksAhead struct {
	b        *block
	steps    bool
	outer    *For
	done     map[*Check]bool   // copied by another part
	moved    map[*Check]bool   // by this one
	assigned map[string]bool   // in the loop
	ready    map[string]bool   // of those: copied, on every way to here
	names    map[string]string // of the copies
	good     *ir.Ref           // whether the checks hold; nil if each check has its branch
	told     int               // checks with branches
	shared   bool              // in a loop over the points of a step
	*corners                   // of the step around, if good is set
}

// checksAhead returns the checks of a loop, which copied copies, or nil if there are none.
func (b *block) checksAhead(s *For, steps bool, done map[*Check]bool, copied func(*checksAhead) []Stmt) []Stmt {
	moved, told := map[*Check]bool{}, 0
	part := func(good *ir.Ref) []Stmt {
		c := &checksAhead{b: b, steps: steps, outer: s, done: done, moved: moved, assigned: map[string]bool{}, ready: map[string]bool{}, names: map[string]string{}, good: good}
		assignments(s.Body, func(name string) { c.assigned[name] = true })
		c.assigned[s.Var], c.ready[s.Var] = true, true
		var kept []string
		if good != nil {
			kept = []string{good.Name}
		}
		out := needed(copied(c), kept...)
		told = c.told
		return out
	}
	good := b.temp("good", ir.Bool)
	quick := b.whileGood(part(good), good)
	if len(moved) == 0 {
		return nil
	}
	slow := part(nil)
	if told != len(moved) {
		return nil // one could fail, and nobody would tell
	}
	maps.Copy(done, moved)
	out := append([]Stmt{&Set{Dst: good.Name, E: ir.BoolLit(true)}}, quick...)
	return append(out, &If{Cond: not(good), Then: slow})
}

// whileGood makes loops end once a check does not hold. The loop that they were copied from ends
// there as well, and may be far from its bound. Or its bound is the failing check.
func (b *block) whileGood(list []Stmt, good *ir.Ref) []Stmt {
	var out []Stmt
	for _, s := range list {
		for _, in := range lists(s) {
			*in = b.whileGood(*in, good)
		}
		if f, ok := s.(*For); ok && (known(f.Bound) < 0 || known(f.Bound) > 4) { // no more than the corners of a space
			bound, turn := b.temp("bound", ir.I64), &ir.Ref{Name: f.Var, T: ir.I64}
			first, step := i64(0), i64(1)
			if f.Local {
				first, step = localID, localSize
			}
			body := append(f.Body, &Set{Dst: f.Var, E: index(add(turn, step))})
			out = append(out, &Set{Dst: bound.Name, E: f.Bound}, &Set{Dst: f.Var, E: first}, &While{Cond: and(good, less(turn, bound)), Body: body})
			continue
		}
		out = append(out, s)
	}
	return out
}

// loop copies the checks of a loop of the group.
func (c *checksAhead) loop(s *For) []Stmt {
	return []Stmt{&For{Var: c.name(s.Var), Bound: s.Bound, Body: c.list(s.Body, false), Local: !c.steps}}
}

// name returns a variable's copy.
func (c *checksAhead) name(v string) string {
	if c.names[v] == "" {
		t := ir.I64
		for _, x := range c.b.k.out.Vars {
			if x.Name == v {
				t = x.Prim
			}
		}
		c.names[v] = c.b.temp(v, t).Name
	}
	return c.names[v]
}

// list copies statements. inStep tells that work-items run them each for itself.
func (c *checksAhead) list(list []Stmt, inStep bool) []Stmt {
	var out []Stmt
	for _, s := range list {
		copied := c.stmt(s, inStep)
		if copied == nil {
			assignments([]Stmt{s}, func(name string) { c.ready[name] = false })
		}
		out = append(out, copied...)
	}
	return out
}

// stmt copies a statement; nil where that cannot be. What is shared out is made by another
// work-item than in the loop: so of a step only its loop over points is copied then.
func (c *checksAhead) stmt(s Stmt, inStep bool) []Stmt {
	if f, ok := s.(*For); inStep && !c.steps && !c.shared && !(ok && f.Local) {
		return nil
	}
	switch s := s.(type) {
	case *Set:
		if c.isAxis(s.Dst) {
			return []Stmt{} // a corner's
		}
		if e, ok := c.exp(s.E); ok {
			c.ready[s.Dst] = true
			return append(c.learn(s.Dst, s.E), &Set{Dst: c.name(s.Dst), E: e})
		}
	case *Check:
		return c.check(s, inStep)
	case *If:
		cond, ok := c.exp(s.Cond)
		if !ok || c.varies(s.Cond) {
			return nil
		}
		before := maps.Clone(c.ready)
		then := c.list(s.Then, inStep)
		behind := c.ready
		c.ready = before
		els := c.list(s.Else, inStep)
		for name, is := range behind {
			c.ready[name] = c.ready[name] && is
		}
		for name := range c.ready {
			c.ready[name] = c.ready[name] && behind[name]
		}
		c.forget([]Stmt{s})
		return []Stmt{&If{Cond: cond, Then: then, Else: els}}
	case *For:
		return c.forStmt(s, inStep)
	case *KRegion:
		if !holdsBarrier(s.Body) {
			return c.list(s.Body, true)
		}
	}
	return nil
}

// check copies a check.
func (c *checksAhead) check(s *Check, inStep bool) []Stmt {
	if c.done[s] || c.steps && !inStep || c.good == nil && !c.moved[s] {
		return nil
	}
	n := &Check{Code: s.Code}
	cond, ok := c.exp(s.Cond)
	n.Cond = cond
	for _, a := range s.Args {
		x, fine := c.exp(a)
		n.Args, ok = append(n.Args, x), ok && fine
	}
	if !ok {
		return nil
	}
	if c.good == nil {
		c.told++
		return []Stmt{n}
	}
	if !c.decides(s.Cond) {
		return nil
	}
	c.moved[s] = true
	return append(c.guarding(), c.note(n.Cond))
}

// note makes good false if a condition does not hold.
func (c *checksAhead) note(cond ir.Exp) Stmt {
	return &Set{Dst: c.good.Name, E: &ir.Binary{Op: "&", X: c.good, Y: strict(cond), T: ir.Bool}}
}

func (c *checksAhead) forStmt(s *For, inStep bool) []Stmt {
	bound, ok := c.exp(s.Bound)
	if !ok || s.Each > 0 || c.varies(s.Bound) {
		return nil
	}
	before := maps.Clone(c.ready)
	defer func() { // it may have no turn, so its assignments are unknown after it
		c.ready = before
		assignments([]Stmt{s}, func(name string) { c.ready[name] = false })
	}()
	assignments(s.Body, func(name string) { c.ready[name] = false })
	if s.Local {
		defer func(before bool) { c.shared = before }(c.shared)
		c.shared = true
	}
	if s.Local && !c.steps && c.good != nil {
		return c.atCorners(s)
	}
	// Within a point, a check that depends on a loop's index stays.
	c.ready[s.Var] = !inStep || s.Local
	out := &For{Var: c.name(s.Var), Bound: bound, Local: s.Local && (c.steps || s == c.outer)}
	out.Body = c.list(s.Body, inStep || s.Local)
	return []Stmt{out}
}

// exp returns an expression over the copies, or false if it needs a variable that is not copied.
func (c *checksAhead) exp(e ir.Exp) (ir.Exp, bool) {
	ok := true
	out := ir.MapExp(e, func(e ir.Exp) ir.Exp {
		r, is := e.(*ir.Ref)
		if is && r.Name == LocalID && !c.steps {
			ok = false
		}
		if !is || !c.assigned[r.Name] {
			return e
		}
		if !c.ready[r.Name] {
			ok = false
			return e
		}
		return &ir.Ref{Name: c.name(r.Name), T: r.T}
	})
	return out, ok
}

// strict evaluates both sides of each condition, without a branch.
func strict(cond ir.Exp) ir.Exp {
	return ir.MapExp(cond, func(e ir.Exp) ir.Exp {
		if b, ok := e.(*ir.Binary); ok {
			switch b.Op {
			case "&&":
				b.Op = "&"
			case "||":
				b.Op = "|"
			}
		}
		return e
	})
}

// needed drops assignments that nothing reads, and what then neither holds a check nor
// assigns good.
func needed(list []Stmt, also ...string) []Stmt {
	for {
		read := map[string]bool{}
		for _, n := range also {
			read[n] = true
		}
		uses(list, func(r *ir.Ref) { read[r.Name] = true }, nil)
		kept, changed := prune(list, read)
		if !changed {
			return kept
		}
		list = kept
	}
}

func prune(list []Stmt, read map[string]bool) (out []Stmt, changed bool) {
	for _, s := range list {
		drop, inner := false, false
		switch s := s.(type) {
		case *Set:
			drop = !read[s.Dst]
		case *If:
			var other bool
			s.Then, inner = prune(s.Then, read)
			s.Else, other = prune(s.Else, read)
			inner, drop = inner || other, len(s.Then)+len(s.Else) == 0
		case *For:
			s.Body, inner = prune(s.Body, read)
			if drop = len(s.Body) == 0; !drop && !read[s.Var] {
				// All turns check the same.
				out = append(out, &If{Cond: less(i64(0), s.Bound), Then: s.Body})
				drop = true
			}
		}
		changed = changed || drop || inner
		if !drop {
			out = append(out, s)
		}
	}
	return out, changed
}

// without drops checks that were moved. A region that holds no other gives way to its
// statements.
func without(list []Stmt, moved map[*Check]bool) []Stmt {
	out := make([]Stmt, 0, len(list))
	for _, s := range list {
		if c, ok := s.(*Check); ok && moved[c] {
			continue
		}
		for _, in := range lists(s) {
			*in = without(*in, moved)
		}
		if r, ok := s.(*KRegion); ok && !holdsCheck(r.Body) {
			out = append(out, r.Body...)
			continue
		}
		out = append(out, s)
	}
	return out
}
