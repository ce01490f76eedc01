package memcheck

import (
	"slices"
	"strings"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// An access is a read or a write of one thread of a kernel.
type access struct {
	name   string
	span   diag.Span
	places []placement
	all    []placement // holds places; nil: there is no more to it
	size   int64
	write  bool
	// slot: a thread's own part of a result, which is apart from the others' since
	// no two elements of an array share a position.
	slot bool
	// maybe: not every thread does it, or not in every run.
	maybe bool
	// joint: done on behalf of all threads, by the combining of values.
	joint bool
	// known are facts that hold where the access is done, about names bound
	// outside of the kernel: if two threads do theirs, the facts of both hold.
	known []poly
	// own likewise, about names that the thread binds: they hold of those names as
	// the places mention them.
	own []poly
}

// A kernel collects the accesses of one thread.
type kernel struct {
	space    ir.Space
	start    int // names bound after it are a thread's own
	before   int // how many facts were known before
	accesses []access
	seen     map[string]int  // where it is among the accesses
	apart    map[string]bool // memo of threadsApart
}

// add records an access, once.
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
		key.WriteString(" " + p.r.key())
	}
	key.WriteString(textOf(a.known))
	at, seen := k.seen[key.String()]
	if !seen {
		k.seen[key.String()] = len(k.accesses)
		k.accesses = append(k.accesses, a)
		return
	}
	// If two ways lead here, their common facts hold.
	old := &k.accesses[at]
	old.own = slices.DeleteFunc(slices.Clone(old.own), func(p poly) bool { return !slices.ContainsFunc(a.own, p.Equal) })
}

// textOf returns facts as a key.
func textOf(facts []poly) string {
	var b strings.Builder
	for _, p := range facts {
		p.Write(&b, text)
		b.WriteByte('|')
	}
	return b.String()
}

// maxOwn bounds the own facts of an access, the newest.
const maxOwn = 16

// ownFacts returns the facts from the kernel's own statements so far: about names bound outside
// of it, and of others.
func (f *function) ownFacts() (outside, own []poly) {
	for _, p := range f.facts.assumed[f.kernel.before:] {
		if slices.ContainsFunc(p.Atoms(), f.names.after(f.kernel.start)) {
			own = append(own, p)
		} else {
			outside = append(outside, p)
		}
	}
	return outside, own[max(0, len(own)-maxOwn):]
}

// access records that a thread reads.
func (f *function) access(a *array, places, all []placement, at diag.Span) {
	if f.kernel != nil {
		known, own := f.ownFacts()
		f.kernel.add(access{name: a.name, span: at, places: places, all: all, size: a.size, maybe: f.maybe > 0, known: known, own: own})
	}
}

// walkKernel goes through a kernel for one thread that stands for all, and then
// compares the accesses of two different threads.
func (f *function) walkKernel(s *ir.Stmt, space ir.Space) {
	ir.Exps(s.Op, func(e ir.Exp) { f.operand(e, s.Span, "read", false) })
	bodies := ir.Bodies(s.Op)
	dests, combined := ir.Arrays(s.Op), combinedOf(s.Op)
	for _, name := range dests { // scatter and hist keep elements that they do not write
		if a := f.arrays[name]; a != nil {
			f.operand(ir.Var(name), s.Span, "read", false)
		}
	}
	f.sizesAgree(s)
	known, around := f.facts, f.maybe
	f.facts, f.maybe = known.with(), 0
	f.entered(s, 0)
	idle := f.facts.impossible
	if _, reduce := s.Op.(*ir.Reduce); idle && !reduce {
		f.facts, f.maybe = known, around
		f.made(s, false)
		return
	}
	outer := f.kernel
	k := &kernel{space: space, start: f.at[s], before: len(f.facts.assumed), seen: map[string]int{}, apart: map[string]bool{}}
	f.kernel = k
	now, mark := f.now, len(f.journal)
	if !idle { // a reduction of nothing gives neutral elements
		f.thread(s, space, bodies, combined, len(dests) > 0)
	}
	f.kernel = outer
	f.facts, f.maybe = known, around
	harm := f.undo(mark)
	f.now = now
	f.redo(harm, k.start)
	f.results(s, k, combined, len(dests) > 0)
	f.races(k)
	if outer != nil {
		f.handUp(outer, k)
	}
	for _, w := range f.writes[s] {
		f.hit(w, w.part, nil, true)
	}
	f.made(s, len(dests) == 0)
}

// combinedOf returns how many of its body's values a kernel combines along its last bound.
func combinedOf(op ir.Op) int {
	if o := ir.OperatorOf(op); o != nil && len(ir.Arrays(op)) == 0 {
		return len(o.Neutral)
	}
	return 0
}

// handUp adds what the threads of an inner kernel touch, all together, to what their
// group does.
func (f *function) handUp(outer, k *kernel) {
	all := func(ps []placement) []placement {
		out := slices.Clone(ps)
		for j := range out {
			if r, ok := f.facts.sweep(out[j].r, f.names.after(k.start)); ok {
				out[j].r = r
			}
			out[j].r.exact = false
		}
		return out
	}
	for _, a := range k.accesses {
		a.places, a.all = all(a.places), all(a.all)
		if len(a.all) == 0 {
			a.all = nil
		}
		a.slot, a.joint, a.maybe = false, false, true
		known := a.known
		a.known, a.own = nil, slices.Clone(a.own)
		for _, p := range known {
			if slices.ContainsFunc(p.Atoms(), f.names.after(outer.start)) {
				a.own = append(a.own, p)
			} else {
				a.known = append(a.known, p)
			}
		}
		a.own = a.own[max(0, len(a.own)-maxOwn):]
		outer.add(a)
	}
}

// eachPoint reports whether a kernel that combines values writes one of each point: a scan of scalars, in which the
// thread of a point writes after it has read.
func eachPoint(s *ir.Stmt, result *array) bool {
	op, ok := s.Op.(*ir.Scan)
	return ok && len(result.typ.Shape) == len(op.Space)
}

// thread walks the bodies of a kernel for one thread, and reads their results.
func (f *function) thread(s *ir.Stmt, space ir.Space, bodies []*ir.Body, combined int, dests bool) {
	for _, b := range bodies {
		f.walkBody(b)
	}
	for _, b := range bodies[:len(bodies)-1] { // of operators
		for _, e := range b.Result {
			f.operand(e, b.In, "read by an operator", true)
		}
	}
	body := bodies[len(bodies)-1]
	for j, e := range body.Result {
		a := f.arrayOf(e)
		moved := true
		if a != nil && !dests && j >= combined && j < len(s.Pat) {
			r := f.arrays[s.Pat[j].Name]
			moved = !f.same(a, r.block, f.slot(r, space))
		}
		f.operand(e, body.In, "given by a thread", moved)
	}
}

// sizesAgree adds that the outer sizes of what a map gives are its bounds: that is
// tested before it writes anything.
func (f *function) sizesAgree(s *ir.Stmt) {
	if rules.Off("memcheck.sizesAgree") {
		return
	}
	op, ok := s.Op.(*ir.Map)
	if !ok {
		return
	}
	for _, el := range s.Pat {
		f.agree(ir.DimExps(el.Type.Shape), op.Space.Sizes())
	}
}

// made enters the arrays of a pattern, and checks the places of fresh ones.
func (f *function) made(s *ir.Stmt, fresh bool) {
	for _, el := range s.Pat {
		if a := f.arrays[el.Name]; a != nil {
			if fresh {
				f.created(a, s)
			}
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
			if f.mayLieIn(a, b.block) && !f.apart(f.regions(a), a.size, f.regions(b), b.size) {
				f.shared(a, b, s)
			}
		}
		before = append(before, a)
		if !written[a.name] {
			continue
		}
		w := access{name: a.name, span: a.span.Or(s.Span), size: a.size, write: true}
		switch {
		case dests:
			w.places, w.joint = f.placements(a), true
		case j < combined && !eachPoint(s, a):
			w.places, w.joint = []placement{{a.block, a.fun, a.r}}, true
		default:
			fun := f.slot(a, k.space)
			w.places, w.slot = []placement{{a.block, fun, f.names.region(fun)}}, true
		}
		k.add(w)
	}
}

// shared reports two results of one operation in one place.
func (f *function) shared(a, b *array, s *ir.Stmt) {
	certain := a.block.canon() == b.block.canon() && a.sources == nil && b.sources == nil
	if certain {
		x, y := common(a.r, a.size, b.r, b.size)
		certain = f.facts.meet(x, y) && f.may(f.facts, nil, x, y)
	}
	where := "block `" + a.block.canon().name + "`"
	f.report(diag.SharedMemory, certain, s.Span, a.name,
		"`"+b.name+"` and `"+a.name+"`, made by one operation, share memory: "+where,
		"cannot prove that `"+b.name+"` and `"+a.name+"`, made by one operation, share no memory: "+where).
		With(a.span, "`%s` is made here", a.name)
}

// races compares every write of one thread with every access of another one.
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
	apart := func(ps, qs []placement) bool {
		for _, p := range ps {
			for _, q := range qs {
				if f.mayBeOne(p.block, q.block, k.start) && !f.threadsApart(k, p.r, w, q.r, o) {
					return false
				}
			}
		}
		return true
	}
	if apart(w.places, o.places) || (w.all != nil || o.all != nil) && apart(w.most(), o.most()) {
		return
	}
	p, q := w.places[0], o.places[0]
	certain := len(w.places) == 1 && len(o.places) == 1 && p.block.canon() == q.block.canon() && f.surely(k, p.r, w, q.r, o)
	f.race(w, o, certain)
}

func (a *access) most() []placement {
	if a.all != nil {
		return a.all
	}
	return a.places
}

// mayBeOne reports whether the blocks of two threads can be one. What the thread
// itself chooses it may have chosen differently; what it allocates no other
// thread knows.
func (f *function) mayBeOne(x, y *block, start int) bool {
	own := func(b *block) bool { return b.kind == allocated && b.order > start }
	for _, a := range roots(x, start) {
		for _, b := range roots(y, start) {
			if own(a) || own(b) {
				continue
			}
			if a.canon() == b.canon() || !f.distinct(a, b) {
				return true
			}
		}
	}
	return false
}
