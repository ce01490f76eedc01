package memcheck

import (
	"sort"
	"strings"

	"github.com/memc-lang/memc/internal/diag"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// An access is what one thread of a kernel reads or writes.
type access struct {
	name   string
	span   diag.Span
	places []placement
	size   int64
	write  bool
	// slot: a thread's own part of a result, which is apart from the others' since
	// no two elements of an array share a position.
	slot bool
	// joint: done on behalf of all threads, by the combining of values.
	joint bool
}

// A kernel collects the accesses of one thread.
type kernel struct {
	space    ir.Space
	start    int // names bound after it are a thread's own
	accesses []access
	seen     map[string]bool
}

// add notes an access, once.
func (k *kernel) add(a access) {
	if len(a.places) == 0 {
		return
	}
	var key strings.Builder
	key.WriteString(a.name)
	if a.write {
		key.WriteByte('!')
	}
	for _, p := range a.places {
		r := regionOf(p.fun)
		key.WriteString(" " + r.off.String())
		for _, d := range r.dims {
			key.WriteString("," + d.Len.String() + ":" + d.Stride.String())
		}
	}
	if !k.seen[key.String()] {
		k.seen[key.String()] = true
		k.accesses = append(k.accesses, a)
	}
}

func (f *function) access(a *array, places []placement, at diag.Span, write bool) {
	if f.kernel != nil {
		f.kernel.add(access{name: a.name, span: at, places: places, size: a.size, write: write})
	}
}

// walkKernel goes through a kernel for one thread that stands for all, and then
// compares what two different threads do.
func (f *function) walkKernel(s *ir.Stmt, space ir.Space) {
	ir.Exps(s.Op, func(e ir.Exp) { f.operand(e, s.Span, "read", false) })
	bodies := ir.Bodies(s.Op)
	body := bodies[len(bodies)-1]
	combined := 0
	switch op := s.Op.(type) {
	case *ir.Reduce:
		combined = len(op.Op.Neutral)
	case *ir.Scan:
		combined = len(op.Op.Neutral)
	}
	dests := ir.Arrays(s.Op)
	for _, name := range dests { // scatter and hist keep what they do not write
		if a := f.arrays[name]; a != nil {
			f.use(a, f.funs(a), s.Span, "read")
		}
	}
	k := &kernel{space: space, start: f.at[s], seen: map[string]bool{}}
	f.kernel = k
	now, mark := f.now, len(f.journal)
	for _, x := range space {
		if most, ok := f.facts.vars[x.Var].hi.IsConst(); ok && most < 0 {
			f.kernel = nil // there is no thread
			f.registerAll(s)
			return
		}
	}
	for _, b := range bodies {
		f.walkBody(b)
	}
	for j, e := range body.Result {
		a := f.arrayOf(e)
		moved := true
		if a != nil && len(dests) == 0 && j >= combined && j < len(s.Pat) {
			r := f.arrays[s.Pat[j].Name]
			moved = !f.same(a, r.block, f.slot(r, space))
		}
		f.operand(e, body.In, "given by a thread", moved)
	}
	f.kernel = nil
	harm := f.undo(mark)
	f.now = now
	f.redo(harm, k.start, true)
	f.results(s, k, combined, len(dests) > 0)
	f.races(k)
	for _, w := range f.writes[s] {
		f.hit(w, 0, false)
	}
	for _, el := range s.Pat {
		if a := f.arrays[el.Name]; a != nil {
			if len(dests) == 0 {
				f.created(a, s)
			}
			f.register(a)
		}
	}
}

// registerAll enters the arrays of a pattern.
func (f *function) registerAll(s *ir.Stmt) {
	for _, el := range s.Pat {
		if a := f.arrays[el.Name]; a != nil {
			f.register(a)
		}
	}
}

// results adds the writes of a kernel's results to the accesses, and checks that
// the results share no memory.
func (f *function) results(s *ir.Stmt, k *kernel, combined int, dests bool) {
	written := map[string]bool{}
	for _, w := range f.writes[s] {
		written[w.name] = true
	}
	var before []*array
	for j, el := range s.Pat {
		a := f.arrays[el.Name]
		if a == nil {
			continue
		}
		for _, b := range before {
			if f.mayLieIn(a, b.block) && !f.apart(f.funs(a), a.size, f.funs(b), b.size) {
				f.shared(a, b, s)
			}
		}
		before = append(before, a)
		if !written[a.name] {
			continue
		}
		w := access{name: a.name, span: a.span, size: a.size, write: true}
		switch {
		case dests:
			w.places, w.joint = f.placements(a), true
		case j < combined:
			w.places, w.joint = []placement{{a.block, a.fun}}, true
		default:
			w.places, w.slot = []placement{{a.block, f.slot(a, k.space)}}, true
		}
		if !w.span.Known() {
			w.span = s.Span
		}
		k.add(w)
	}
}

// shared reports two results of one operation in one place.
func (f *function) shared(a, b *array, s *ir.Stmt) {
	certain := a.block.canon() == b.block.canon() && a.sources == nil && b.sources == nil
	if certain {
		facts, x, y := f.common(regionOf(a.fun), a.size, regionOf(b.fun), b.size)
		certain = facts.meet(x, y)
	}
	where := "block `" + a.block.canon().name + "`"
	f.report(certain, s.Span, a.name,
		"`"+b.name+"` and `"+a.name+"`, made by one operation, share memory: "+where,
		"cannot prove that `"+b.name+"` and `"+a.name+"`, made by one operation, share no memory: "+where).
		With(a.span, "`%s` is made here", a.name)
}

// races compares every write of one thread with what another one does.
func (f *function) races(k *kernel) {
	for i := range k.accesses {
		w := &k.accesses[i]
		if !w.write {
			continue
		}
		for j := range k.accesses {
			o := &k.accesses[j]
			if o.write && (j < i || w.joint && o.joint || j == i && w.slot) {
				continue // seen from the other side, or done in one go
			}
			f.compare(k, w, o)
		}
	}
}

func (f *function) compare(k *kernel, w, o *access) {
	for _, p := range w.places {
		for _, q := range o.places {
			if f.together(p.block, q.block, k.start) && !f.threadsApart(k, p.fun, w, q.fun, o) {
				certain := len(w.places) == 1 && len(o.places) == 1 && p.block.canon() == q.block.canon() &&
					f.surely(k, p.fun, w, q.fun, o)
				f.race(w, o, certain)
				return
			}
		}
	}
}

// together tells whether the blocks of two threads can be one. What the thread
// itself chooses it may have chosen differently.
func (f *function) together(x, y *block, start int) bool {
	for _, a := range roots(x, start) {
		for _, b := range roots(y, start) {
			if a.canon() == b.canon() || !f.distinct(a, b) {
				return true
			}
		}
	}
	return false
}

// surely tells whether two threads share a position, if there are two: all of them
// touch what one writes, or neighbours meet.
func (f *function) surely(k *kernel, p lmad.Fun, w *access, q lmad.Fun, o *access) bool {
	facts, a, b := f.common(regionOf(p), w.size, regionOf(q), o.size)
	if !a.exact || !b.exact {
		return false
	}
	own := false
	index := map[string]bool{}
	for _, x := range k.space {
		index[x.Var] = true
	}
	for _, n := range b.names() {
		if f.facts.vars[n].order > k.start {
			if own = true; !index[n] {
				return false
			}
		}
	}
	if !own {
		all, ok := f.sweep(k, a)
		return ok && facts.meet(all, b)
	}
	last := ""
	for _, x := range k.space {
		if most, ok := f.facts.vars[x.Var].hi.IsConst(); !ok || most > 0 {
			last = x.Var
		}
	}
	if last == "" {
		return false
	}
	return facts.meet(a, b.subst(func(n string) (sym.Poly, bool) {
		return sym.Var(n).Add(sym.Const(1)), n == last
	}))
}

// sweep gives what all threads together touch, if each touches r.
func (f *function) sweep(k *kernel, r region) (region, bool) {
	for _, x := range k.space {
		c, ok := coefficient(r.off, x.Var)
		if !ok {
			return r, false
		}
		r.off = substitute(r.off, x.Var, sym.Poly{})
		r.dims = append(r.dims[:len(r.dims):len(r.dims)], lmad.Dim{Len: f.poly(x.Size), Stride: c})
	}
	for _, n := range r.names() {
		if f.facts.vars[n].order > k.start {
			return r, false
		}
	}
	return r, true
}

// threadsApart proves that two different threads share no position.
func (f *function) threadsApart(k *kernel, p lmad.Fun, w *access, q lmad.Fun, o *access) bool {
	_, a, b := f.common(regionOf(p), w.size, regionOf(q), o.size)
	over, rename := f.rename(k, b)
	if w.joint || o.joint {
		g := f.facts.with()
		for n, v := range over {
			g.over[n] = v
		}
		return g.disjoint(a, b.subst(rename))
	}
	// The threads differ first in the index at d.
	for d := range k.space {
		if most, ok := f.facts.vars[k.space[d].Var].hi.IsConst(); ok && most < 1 {
			continue // one index at most
		}
		for _, less := range []bool{true, false} {
			g := f.facts.with()
			for n, v := range over {
				g.over[n] = v
			}
			replace := map[string]sym.Poly{}
			for _, e := range k.space[:d] {
				replace[e.Var+other] = sym.Var(e.Var)
			}
			f.apartBy(g, k.space[d].Var, less, replace)
			s := func(n string) (sym.Poly, bool) { v, ok := replace[n]; return v, ok }
			for n, v := range g.over {
				v.lo, v.hi = v.lo.Subst(s), v.hi.Subst(s)
				g.over[n] = v
			}
			if !g.disjoint(a.subst(s), b.subst(rename).subst(s)) {
				return false
			}
		}
	}
	return true
}

// other marks the names of the second thread; no name of a program ends so.
const other = "#"

// gap is the name of the difference of two thread indices, less one.
const gap = "#gap"

// apartBy lets the index of one thread be less than that of the other by 1 + gap.
func (f *function) apartBy(g *facts, index string, less bool, replace map[string]sym.Poly) {
	small, large := index, index+other
	if !less {
		small, large = large, small
	}
	v := f.facts.vars[index]
	one := sym.Const(1)
	replace[large] = sym.Var(small).Add(one).Add(sym.Var(gap))
	s := v
	s.hi = v.hi.Sub(one)
	g.over[small] = s
	g.over[gap] = variable{order: f.order + 1, hasLo: true, hasHi: true, hi: v.hi.Sub(one).Sub(sym.Var(small))}
}

// rename gives the second thread's own names, and what is known of them.
func (f *function) rename(k *kernel, r region) (map[string]variable, func(string) (sym.Poly, bool)) {
	own := func(n string) bool { return f.facts.vars[n].order > k.start }
	rename := func(n string) (sym.Poly, bool) {
		if !own(n) {
			return sym.Poly{}, false
		}
		return sym.Var(n + other), true
	}
	over := map[string]variable{}
	var add func(n string)
	add = func(n string) {
		if _, ok := over[n+other]; ok || !own(n) {
			return
		}
		v := f.facts.vars[n]
		over[n+other] = v
		for _, m := range append(v.lo.Names(), v.hi.Names()...) {
			add(m)
		}
		v.lo, v.hi = v.lo.Subst(rename), v.hi.Subst(rename)
		over[n+other] = v
	}
	names := r.names()
	for _, b := range k.space {
		names = append(names, b.Var)
	}
	sort.Strings(names)
	for _, n := range names {
		add(n)
	}
	return over, rename
}
