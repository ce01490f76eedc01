package arena

import (
	"slices"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Barriers]
//
// The threads of a group run its body together. Between two statements they must meet if one thread
// may write, in the one statement, a byte that another thread touches in the other:
//
//	let l = copy below[i, (0, b), (0, b)]
//	let u = copy right[j, (0, b), (0, b)]     -- no barrier: another block
//	-- barrier
//	let s = map (r < b, c < b) { .. l[r, x] * u[x, c] .. }
//
// A walk over the body keeps the accesses since the last barrier (open). A barrier stands before a
// statement with an access that conflicts with an open one: one of the two writes, and
//
//   - they may be in one block, and are not proven apart (package places), or
//   - they are in two blocks that overlap in the arena, or
//   - both statements combine values in the memory that reductions and scans share.
//
// Within one statement, all threads may read elements for its scalars, and some threads write these
// elements:
//
//	let z @ m_y = replicate (k) y[0] + 1      -- y lies there: y[0], barrier, z[0] = .., z[1] = ..
//
// Then a barrier stands within the statement.
//
// Two maps over equal index spaces distribute their points equally: the same thread has point k in
// both. Then there is no conflict if different points touch different elements, unless the first
// map can fail: a thread that leaves a step goes on without its element.
//
// Accesses in different turns of a loop are hard to compare, because names differ from turn to
// turn. So for these only the blocks are compared: if an access that is open at the end of a loop's
// body conflicts with any access in that body, the body ends with a barrier.
//
// The interpreter by memory receives the positions of the barriers, and finds two threads that
// touch one element between two barriers. codegen/imp puts barriers exactly there, at the level of
// the group.

// Barriers says where the threads of a program's groups meet.
type Barriers struct {
	before  map[*ir.Stmt]*Meeting
	end     map[*ir.Body]*Meeting
	unmoved map[*ir.Stmt]bool
	inside  map[*ir.Stmt]*Meeting
	// Spared are the statements before which no barrier is needed although the group touched memory
	// since the last one, in the order of the text.
	Spared []*ir.Stmt
}

// A Meeting is a barrier, with two arrays that ask for it.
type Meeting struct {
	First, Second string
	Why           Reason
}

// A Reason tells why threads must meet.
type Reason string

// Reasons.
const (
	Elements  Reason = "threads may touch one element" // of First and Second
	Overlap   Reason = "their blocks overlap in the arena"
	Combining Reason = "both combine values in the same local memory"
)

// Before returns the barrier before a statement of a group, or nil.
func (b *Barriers) Before(s *ir.Stmt) *Meeting { return b.before[s] }

// Unmoved reports whether a statement of a group is taken to move nothing: a copy, an update or a
// concat of arrays that already lie in its place. For a kernel of groups: its results lie in their
// places.
func (b *Barriers) Unmoved(s *ir.Stmt) bool { return b.unmoved[s] }

// Within returns the barrier within a statement of a group, or nil. It stands after the elements
// that all threads read for the statement's scalars; in a kernel of groups, after those that its
// results read.
func (b *Barriers) Within(s *ir.Stmt) *Meeting { return b.inside[s] }

// AtEnd returns the barrier at the end of a body of a group, before its results are evaluated.
func (b *Barriers) AtEnd(body *ir.Body) *Meeting { return b.end[body] }

// Meets, MeetsWithin and MeetsAtEnd are for the interpreter by memory.
func (b *Barriers) Meets(s *ir.Stmt) bool         { return b.before[s] != nil }
func (b *Barriers) MeetsWithin(s *ir.Stmt) bool   { return b.inside[s] != nil }
func (b *Barriers) MeetsAtEnd(body *ir.Body) bool { return b.end[body] != nil }

// Barriers finds the barriers of all kernels of groups.
func (p *Program) Barriers() *Barriers {
	if p.barriers != nil {
		return p.barriers
	}
	p.barriers = &Barriers{before: map[*ir.Stmt]*Meeting{}, end: map[*ir.Body]*Meeting{}, unmoved: map[*ir.Stmt]bool{}, inside: map[*ir.Stmt]*Meeting{}}
	for _, f := range p.prog.Funcs {
		ir.EachOp(f.Body, func(s *ir.Stmt, op *ir.Map) {
			if ir.IsGroups(op) {
				layout := p.Of(f, op)
				w := &meetings{Barriers: p.barriers, layout: layout, al: p.al.Func(f.Name), acc: p.meets.Func(f.Name).Accesses()}
				ends := w.results(s, op)
				w.first(s, ends, w.acc.Body(op.Body).To)
				w.atEnd(op.Body, w.stmts(op.Body, nil), ends)
			}
		})
	}
	return p.barriers
}

// A touch is an access that the threads of a group make in one of its statements.
type touch struct {
	*accesses.Access
	// kernel is the body whose points are distributed among the threads. It is nil if any thread
	// may make the access.
	kernel *accesses.Scope
	// anyTurn: it may be of another turn of a loop around, so that only its block is known.
	anyTurn bool
}

// maxPairs bounds the accesses that are compared at one place.
const maxPairs = 4096

type meetings struct {
	*Barriers
	layout *Layout
	al     *aliases.Table
	acc    *accesses.Table
}

// results returns the accesses of a group's results, without arrays that lie in their places already.
func (w *meetings) results(s *ir.Stmt, op *ir.Map) []touch {
	inPlace := make([]bool, len(s.Pat))
	ends := w.at(w.acc.Body(op.Body).To)
	for _, a := range ends {
		k := slices.IndexFunc(s.Pat, func(e *ir.Elem) bool { return e.Name == a.Array })
		if !a.Write || k < 0 {
			continue
		}
		r, ok := op.Body.Result[k].(*ir.Ref)
		if ok && w.al.BlockOf(r.Name) == a.Block && places.Same(a.Known(), w.acc.Place(r.Name), a.Region(w.acc.Place(a.Array))) {
			inPlace[k], w.unmoved[s] = true, true
		}
	}
	// An array that is two results may lie in the place of one: then threads read it for the other.
	unmoved := map[string]bool{}
	for k, e := range op.Body.Result {
		if r, ok := e.(*ir.Ref); ok {
			all, seen := unmoved[r.Name]
			unmoved[r.Name] = inPlace[k] && (all || !seen)
			unmoved[s.Pat[k].Name] = inPlace[k]
		}
	}
	return slices.DeleteFunc(ends, func(t touch) bool { return unmoved[t.Array] && (t.Write || t.Items == nil) })
}

// body walks a branch and returns the accesses that are open after its results.
func (w *meetings) body(b *ir.Body, open []touch) []touch {
	open = w.stmts(b, open)
	return w.atEnd(b, open, w.resultReads(b))
}

func (w *meetings) stmts(b *ir.Body, open []touch) []touch {
	for _, s := range b.Stmts {
		open = w.stmt(s, open)
	}
	return open
}

// atEnd puts a barrier at the end of a body if the accesses of its results conflict.
func (w *meetings) atEnd(b *ir.Body, open, ends []touch) []touch {
	if m := w.conflict(open, ends); m != nil {
		w.end[b] = m
		open = nil
	}
	return append(slices.Clip(open), ends...)
}

// resultReads returns the elements that the results of a body read.
func (w *meetings) resultReads(b *ir.Body) []touch {
	return slices.DeleteFunc(w.at(w.acc.Body(b).To), func(t touch) bool { return t.Items == nil || t.Write })
}

func (w *meetings) at(point int) []touch {
	var out []touch
	for k := range w.acc.At(point) {
		out = append(out, touch{Access: &w.acc.At(point)[k]})
	}
	return out
}

func (w *meetings) stmt(s *ir.Stmt, open []touch) []touch {
	if w.isUnmoved(s) {
		w.unmoved[s] = true
		span := w.acc.Stmt(s)
		return w.meet(s, slices.DeleteFunc(w.at(span.From), func(t touch) bool { return t.Write || t.Items == nil }), open)
	}
	if !w.steps(s) {
		if planted == BranchesDiffer {
			return open
		}
		return w.meet(s, w.within(s, nil), open)
	}
	span := w.acc.Stmt(s)
	switch op := s.Op.(type) {
	case *ir.If:
		open = w.meet(s, w.at(span.From), open)
		then, els := w.body(op.Then, open), w.body(op.Else, open)
		for _, t := range els {
			if !slices.Contains(then, t) {
				then = append(then, t)
			}
		}
		return then
	case *ir.Loop:
		open = w.meet(s, w.at(span.From), open)
		inside, turn := w.within(s, nil), []touch(nil)
		for _, t := range w.resultReads(op.Body) {
			t.anyTurn = true
			turn = append(turn, t)
		}
		if m := w.conflict(anyTurn(open), inside); m != nil {
			w.before[s] = m
			open = w.at(span.From)
		}
		end := w.stmts(op.Body, append(slices.Clip(open), turn...))
		m := w.conflict(anyTurn(end), inside)
		if m == nil {
			m = w.conflict(end, turn)
		}
		if m != nil {
			w.end[op.Body] = m
			end = nil
		}
		return append(append(slices.Clip(open), end...), turn...)
	case *ir.Map:
		return w.meet(s, w.within(s, w.acc.ScopeOf(op.Body)), open)
	case *ir.Scatter:
		return w.meet(s, w.within(s, w.acc.ScopeOf(op.Body)), open)
	}
	return w.meet(s, w.within(s, nil), open)
}

// isUnmoved reports whether a statement makes its array of contents that lie in its place already.
func (w *meetings) isUnmoved(s *ir.Stmt) bool {
	var sources []string
	var parts []lmad.Fun
	switch op := s.Op.(type) {
	case *ir.Copy:
		sources, parts = []string{op.X}, []lmad.Fun{w.acc.Place(s.Pat[0].Name)}
	case *ir.Update:
		if r, ok := op.Value.(*ir.Ref); ok && w.al.BlockOf(r.Name) != "" {
			sources, parts = []string{r.Name}, []lmad.Fun{lmad.UpdateSlice(w.acc.Place(s.Pat[0].Name), op.Items)}
		}
	case *ir.Concat:
		start := sym.Const(0)
		for _, x := range op.Args {
			n := lmad.Size(w.acc.Type(x).Shape[op.Dim])
			sources, parts = append(sources, x), append(parts, lmad.ConcatPart(w.acc.Place(s.Pat[0].Name), op.Dim, start, n))
			start = start.Add(n)
		}
	}
	f := w.acc.Facts(w.acc.Stmt(s).From)
	for k, x := range sources {
		if w.al.BlockOf(x) != w.al.BlockOf(s.Pat[0].Name) || !places.Same(f, w.acc.Place(x), parts[k]) {
			return false
		}
	}
	return len(sources) > 0
}

// within returns all that a statement touches.
func (w *meetings) within(s *ir.Stmt, kernel *accesses.Scope) []touch {
	span := w.acc.Stmt(s)
	list := w.acc.Between(span.From, span.To)
	var out []touch
	for k := range list {
		out = append(out, touch{Access: &list[k], kernel: kernel})
	}
	ir.WalkStmts(&ir.Body{Stmts: []*ir.Stmt{s}}, func(s *ir.Stmt) bool {
		if combines(s) {
			out = append(out, touch{Access: &accesses.Access{Stmt: s, Write: true}}) // of no array
		}
		return true
	})
	return out
}

// combines reports whether a statement uses the memory that reductions and scans share.
func combines(s *ir.Stmt) bool {
	switch s.Op.(type) {
	case *ir.Reduce, *ir.Scan:
		return true
	}
	return false
}

// steps reports whether a statement writes memory.
func (w *meetings) steps(s *ir.Stmt) bool {
	return slices.ContainsFunc(w.within(s, nil), func(t touch) bool { return t.Write })
}

func anyTurn(ts []touch) []touch {
	out := slices.Clone(ts)
	for k := range out {
		out[k].anyTurn = true
	}
	return out
}

// meet puts a barrier before a statement if necessary, and returns the accesses that are open after it.
func (w *meetings) meet(s *ir.Stmt, own, open []touch) []touch {
	if len(own) == 0 {
		return open
	}
	w.first(s, own, w.acc.Stmt(s).From)
	if m := w.conflict(open, own); m != nil {
		w.before[s] = m
		open = nil
	} else if len(open) > 0 && w.steps(s) {
		w.Spared = append(w.Spared, s)
	}
	return append(slices.Clip(open), own...)
}

// first puts a barrier after the elements that all threads read at a point of a statement, if some
// of the threads then write these elements.
func (w *meetings) first(s *ir.Stmt, own []touch, point int) {
	if op, ok := s.Op.(*ir.Update); ok && !slices.ContainsFunc(op.Items, func(it ir.Item) bool { return !it.Fixed }) {
		return // only the thread that writes the element reads for it
	}
	all := slices.DeleteFunc(slices.Clone(own), func(t touch) bool { return t.Write || t.Items == nil || t.Point != point })
	writes := slices.DeleteFunc(slices.Clone(own), func(t touch) bool { return !t.Write })
	if m := w.conflict(all, writes); m != nil {
		w.inside[s] = m
	}
}

// conflict returns two accesses that need a barrier between them.
func (w *meetings) conflict(open, own []touch) *Meeting {
	if len(open)*len(own) > maxPairs {
		return &Meeting{open[0].Array, own[0].Array, Elements}
	}
	for _, b := range own {
		for _, a := range open {
			if !a.Write && !b.Write {
				continue
			}
			if why := w.conflicts(a, b); why != "" {
				return &Meeting{a.Array, b.Array, why}
			}
		}
	}
	return nil
}

func (w *meetings) conflicts(a, b touch) Reason {
	if a.Array == "" || b.Array == "" { // the memory of reductions and scans
		if a.Array == b.Array {
			return Combining
		}
		return ""
	}
	if w.al.MayBeOne(a.Block, b.Block) && !w.apart(a, b) {
		return Elements
	}
	for _, x := range w.al.Blocks(a.Block) {
		for _, y := range w.al.Blocks(b.Block) {
			if x != y && w.layout.overlap(x, y) {
				return Overlap
			}
		}
	}
	return ""
}

// apart reports whether different threads have no byte in common, one through a and the other
// through b, in the same turns of all loops around.
func (w *meetings) apart(a, b touch) bool {
	if a.anyTurn || b.anyTurn {
		return false
	}
	x, y := a.Region(w.acc.Place(a.Array)), b.Region(w.acc.Place(b.Array))
	f := a.Known().And(b.Known())
	p, q := w.acc.Type(a.Array).Prim.Size(), w.acc.Type(b.Array).Prim.Size()
	return places.Disjoint(f, x, y, p, q) || w.sameThread(a, b, f, x, y, p, q)
}

// sameThread reports whether one thread makes both accesses to every element that both touch.
func (w *meetings) sameThread(a, b touch, f places.Facts, x, y lmad.Fun, p, q int64) bool {
	if a.kernel == nil || b.kernel == nil || len(a.kernel.Binders) != len(b.kernel.Binders) || w.acc.CanFail(a.Stmt) {
		return false
	}
	for k, i := range a.kernel.Binders {
		if !i.Bound.Equal(b.kernel.Binders[k].Bound) {
			return false
		}
	}
	for k, i := range a.kernel.Binders { // points differ in a first index
		i, j := sym.Var(i.Name), sym.Var(b.kernel.Binders[k].Name)
		if planted != NeighboursAreOne && !places.Disjoint(f.NotEqual(i, j), x, y, p, q) {
			return false
		}
		f = f.Equal(i, j)
	}
	return true
}

// overlap reports whether two blocks of those names may overlap in the arena.
func (l *Layout) overlap(x, y string) bool {
	i := slices.IndexFunc(l.Blocks, func(b Block) bool { return b.Name == x })
	j := slices.IndexFunc(l.Blocks, func(b Block) bool { return b.Name == y })
	return i >= 0 && j >= 0 && l.Overlap(i, j)
}
