package memcheck

import (
	"fmt"
	"slices"
)

// most returns the greatest value of the index of a kernel.
func (f *function) most(index string) poly {
	return f.names.vars[f.names.ids[index]].his[0].p
}

// surely reports whether two threads share a position, if there are two: all of them
// touch what one writes, or neighbours meet.
func (f *function) surely(k *kernel, p region, w *access, q region, o *access) bool {
	a, b := common(p, w.size, q, o.size)
	if !a.exact || !b.exact || w.maybe || o.maybe {
		return false
	}
	mine := f.names.after(k.start)
	var indices []int32
	for _, x := range k.space {
		indices = append(indices, f.names.ids[x.Var])
	}
	index := func(n int32) bool { return slices.Contains(indices, n) }
	if slices.ContainsFunc(b.names(), func(n int32) bool { return mine(n) && !index(n) }) {
		return false
	}
	if !slices.ContainsFunc(b.names(), mine) {
		all, ok := f.facts.sweep(a, index)
		all.exact = true
		return ok && !slices.ContainsFunc(all.names(), mine) && f.facts.meet(all, b) && f.twoThreads(k, -1, w, o, all, b)
	}
	last := int32(-1)
	for _, x := range k.space {
		if most, ok := number(f.most(x.Var)); !ok || most > 0 {
			last = f.names.ids[x.Var]
		}
	}
	if last < 0 {
		return false
	}
	next := asPoly(last).AddConst(1)
	b = b.subst(byName(map[int32]poly{last: next}))
	return f.facts.meet(a, b) && f.twoThreads(k, last, w, o, a, b)
}

// twoThreads tells whether, in some run, regions hold elements that two threads touch:
// neighbours along last, or any two where it is -1.
func (f *function) twoThreads(k *kernel, last int32, w, o *access, a, b region) bool {
	if last < 0 && len(o.own) > 0 {
		return false // facts about one need not hold for the other
	}
	var there []poly
	for _, x := range k.space {
		there = append(there, f.most(x.Var))
	}
	g := f.facts.with()
	g.assumed = slices.Concat(g.assumed, w.known, o.known, w.own)
	for j, x := range k.space {
		n := f.names.ids[x.Var]
		given := slices.Clone(there)
		given[j] = given[j].AddConst(-1)
		switch {
		case last == n:
			next := byName(map[int32]poly{n: asPoly(n).AddConst(1)})
			given = append(given, f.most(x.Var).Sub(asPoly(n)).AddConst(-1))
			for _, p := range o.own {
				given = append(given, p.SubstAll(next))
			}
		case last >= 0:
			continue
		}
		if f.may(g, given, a, b) {
			return true
		}
	}
	return false
}

// threadsApart proves that two different threads share no position.
//
// Note [Two threads]. Each thread has its own names: those that the second thread binds are
// renamed, with the same bounds in its own names. Let d be the first index in which the threads
// differ. There the lower thread's index is a name j with one value less than the index has, and
// the other one's is j + 1 + gap, for a gap of at least 0. The indices before d are the same.
func (f *function) threadsApart(k *kernel, p region, w *access, q region, o *access) bool {
	question := fmt.Sprintf("%s %d %v %s %d %v %s %s %s %s", p.key(), w.size, w.joint, q.key(), o.size, o.joint, textOf(w.known), textOf(o.known), textOf(w.own), textOf(o.own))
	answer, known := k.apart[question]
	if !known {
		old := f.facts
		f.facts = old.with()
		f.facts.atLeast(slices.Concat(w.known, o.known)...)
		answer = f.everyPairApart(k, p, w, q, o)
		f.facts = old
		k.apart[question] = answer
	}
	return answer
}

func (f *function) everyPairApart(k *kernel, p region, w *access, q region, o *access) bool {
	a, b := common(p, w.size, q, o.size)
	second := f.secondThread(k, o.own, a, b)
	own := slices.Clone(w.own)
	for _, fact := range o.own {
		own = append(own, fact.SubstAll(asNames(second)))
	}
	if w.joint || o.joint {
		g := f.facts.with()
		for n, m := range second {
			g.set(m, renamed(f.facts.lookup(n), second))
		}
		g.atLeast(own...)
		return g.disjoint(a, b.subst(asNames(second)))
	}
	for d, x := range k.space {
		if most, ok := number(f.most(x.Var)); ok && most < 1 {
			continue // one index at most
		}
		for _, less := range []bool{true, false} {
			if !f.apartAt(k, d, less, a, b, second, own) {
				return false
			}
		}
	}
	return true
}

// apartAt proves it for threads that differ first in the index at d, which is the
// lower one of the first thread or of the second.
func (f *function) apartAt(k *kernel, d int, less bool, a, b region, second map[int32]int32, own []poly) bool {
	replace := map[int32]poly{}
	for _, e := range k.space[:d] {
		n := f.names.ids[e.Var]
		replace[second[n]] = asPoly(n)
	}
	small := f.names.ids[k.space[d].Var]
	large := second[small]
	most := f.most(k.space[d].Var)
	if !less {
		small, large = large, small
	}
	gap := f.names.named("#gap", variable{order: f.order + 1})
	replace[large] = asPoly(small).AddConst(1).Add(asPoly(gap))
	g := f.facts.with()
	for n, m := range second {
		g.set(m, renamed(f.facts.lookup(n), second))
	}
	v := *g.lookup(small)
	v.his = []bound{{most.AddConst(-1), 1}}
	g.set(small, v)
	his := []bound{{most.AddConst(-1).Sub(asPoly(small)), 1}}
	if c, ok := number(most); ok { // and small is at least 0
		his = append(his, bound{constant(c - 1), 1})
	}
	g.set(gap, variable{order: f.order + 1, los: []bound{{poly{}, 1}}, his: his})
	s := byName(replace)
	for n, m := range second { // bounds of both threads' names in the new terms
		for _, id := range []int32{n, m} {
			g.set(id, substituted(g.lookup(id), s))
		}
	}
	here := make([]poly, len(own))
	for j, fact := range own {
		here[j] = fact.SubstAll(s)
	}
	g.atLeast(here...)
	return g.disjoint(a.subst(s), b.subst(asNames(second)).subst(s))
}

func asNames(m map[int32]int32) func(int32) (poly, bool) {
	return func(x int32) (poly, bool) { y, ok := m[x]; return asPoly(y), ok }
}

// substituted returns the facts about a name in other terms.
func substituted(v *variable, s func(int32) (poly, bool)) variable {
	out := *v
	out.los, out.his, out.cases, out.exp, out.div = nil, nil, nil, nil, v.div.subst(s)
	for _, b := range v.los {
		out.los = append(out.los, bound{b.p.SubstAll(s), b.den})
	}
	for _, b := range v.his {
		out.his = append(out.his, bound{b.p.SubstAll(s), b.den})
	}
	for _, p := range v.cases {
		out.cases = append(out.cases, p.SubstAll(s))
	}
	return out
}

func renamed(v *variable, second map[int32]int32) variable { return substituted(v, asNames(second)) }

// secondThread returns other names to a thread's own: those of its indices, of
// regions and facts, and of what bounds them.
func (f *function) secondThread(k *kernel, facts []poly, rs ...region) map[int32]int32 {
	out := map[int32]int32{}
	var add func(n int32)
	add = func(n int32) {
		if _, done := out[n]; done || f.names.vars[n].order <= k.start {
			return
		}
		v := f.facts.lookup(n)
		out[n] = f.names.named(v.name+"#", variable{order: v.order, rank: v.rank})
		of := slices.Clone(v.cases)
		for _, b := range slices.Concat(v.los, v.his) {
			of = append(of, b.p)
		}
		if v.div != nil {
			of = append(of, v.div.x, v.div.y)
		}
		for _, p := range of {
			for _, m := range p.Atoms() {
				add(m)
			}
		}
	}
	for _, x := range k.space {
		add(f.names.ids[x.Var])
	}
	for _, r := range rs {
		for _, n := range r.names() {
			add(n)
		}
	}
	for _, p := range facts {
		for _, n := range p.Atoms() {
			add(n)
		}
	}
	return out
}
