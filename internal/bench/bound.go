package bench

import (
	"slices"

	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/interference"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/internal/run/exec"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/runtime"
)

// Note [The plan bound of a run]
//
// peak.LowerBound is a formula over names. Many of them are known only at run time, and calls count
// as unknown in it. So the bound is measured: memc watches a run, in which each block is needed
// from the step that writes it anew to the last step that reads it. At a step t
//
//	bound(t) = bytes needed before t and at t or later
//	         + max(0, bytes that t writes anew
//	                  - bytes that t is the last to need and that a block made by t may overlay)
//
// and the bound is the greatest of these. Package interference says whether one block may overlay
// another; if it does not know, the block may. A block that is written but not read counts as
// written anew. One that is written in part (by a scatter) keeps the rest only if that is certain
// (keepsRest). So the bound may be too small but never too large: no plan that lets these whole
// blocks share storage, and leaves contents in place, can hold less.
//
// This is a bound for the program that ran. Coalescing makes another program with fewer blocks, so
// the bound of a data set is the least one of all configurations.

// A watcher collects the steps of a run.
type watcher struct {
	steps int
	spans []span // in the order in which they begin
	open  map[*runtime.Block]int
	// keeps tells whether the rest of a block that is written in part is needed.
	keeps func(*runtime.Block) bool
}

// A span is the steps during which contents of a block are needed.
type span struct {
	block    *runtime.Block
	bytes    int64
	from, to int
}

func newWatcher(keeps func(*runtime.Block) bool) *watcher {
	return &watcher{open: map[*runtime.Block]int{}, keeps: keeps}
}

func (w *watcher) step(s exec.Step) {
	for _, b := range s.Reads {
		w.touch(b)
	}
	for _, b := range s.Writes {
		if i, ok := w.open[b]; ok && w.spans[i].to < w.steps && !(slices.Contains(s.Parts, b) && w.keeps(b)) {
			delete(w.open, b) // written and not read: what it held is dead
		}
		w.touch(b)
	}
	w.steps++
}

func (w *watcher) touch(b *runtime.Block) {
	i, ok := w.open[b]
	if !ok {
		i = len(w.spans)
		w.open[b] = i
		w.spans = append(w.spans, span{b, b.Size(), w.steps, w.steps})
	}
	w.spans[i].to = w.steps
}

// keep says that what some blocks hold is needed to the end.
func (w *watcher) keep(kept func(*runtime.Block) bool) {
	for i := range w.spans {
		if kept(w.spans[i].block) {
			w.spans[i].to = w.steps - 1
		}
	}
}

// bound returns the bound; shares tells whether the second block may be laid on the
// first.
func (w *watcher) bound(shares func(old, made *runtime.Block) bool) int64 {
	ends := make([][]span, w.steps)
	for _, s := range w.spans {
		ends[s.to] = append(ends[s.to], s)
	}
	var most, held int64
	left := w.spans
	for t := range w.steps {
		n := 0
		for n < len(left) && left[n].from == t {
			n++
		}
		begun := left[:n]
		left = left[n:]
		var made, room int64
		for _, s := range begun {
			made += s.bytes
		}
		for _, old := range ends[t] {
			if old.from < t && slices.ContainsFunc(begun, func(s span) bool { return shares(old.block, s.block) }) {
				room += old.bytes
			}
		}
		most = max(most, held+max(0, made-room))
		held += made
		for _, s := range ends[t] {
			held -= s.bytes
		}
	}
	return most
}

// lowerBound returns the bound of a watched call of an entry.
func (w *watcher) lowerBound(p *ir.Program, entry string, prepared *exec.Prepared) int64 {
	params := p.Func(entry).Params
	w.keep(func(b *runtime.Block) bool {
		at, ok := prepared.Argument(b)
		return ok && !params[at].Type.Unique
	})
	return w.bound(sharing(p, entry, prepared))
}

// keepsRest returns a judge of blocks that a scatter writes in part: it is certain that the
// rest is needed where no array in the block that is scattered into may be made by
// scratch. Blocks of programs with calls are not looked at.
func keepsRest(p *ir.Program, entry string, prepared *exec.Prepared) func(*runtime.Block) bool {
	f := p.Func(entry)
	al := aliases.Analyze(p).Func(entry)
	calls, empty, doubtful := false, map[string]bool{}, map[string]bool{}
	var dests []string
	ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
		switch op := s.Op.(type) {
		case *ir.Call:
			calls = true
		case *ir.Scratch:
			empty[s.Pat[0].Name] = true
		case *ir.Scatter, *ir.Into:
			dests = append(dests, ir.Dests(op)...)
		}
		return true
	})
	for _, d := range dests {
		if slices.ContainsFunc(al.Origins(d), func(o string) bool { return empty[o] }) {
			for _, m := range al.Blocks(al.BlockOf(d)) {
				doubtful[m] = true
			}
		}
	}
	return func(b *runtime.Block) bool {
		if at, is := prepared.Argument(b); is {
			return !calls && !doubtful[f.Params[at].Type.Place.Mem]
		}
		fn, name := prepared.Origin(b)
		return !calls && fn == entry && !doubtful[name]
	}
}

// sharing returns a judge of what may share storage in a program.
func sharing(p *ir.Program, entry string, prepared *exec.Prepared) func(old, made *runtime.Block) bool {
	al := aliases.Analyze(p)
	meets := interference.Analyze(p, al, liveness.Analyze(p, al))
	type origin struct{ fn, name string }
	type pair struct{ old, made origin }
	known := map[pair]bool{}
	origins := map[int]origin{}
	of := func(b *runtime.Block) origin {
		o, ok := origins[b.Tag()]
		if !ok {
			if at, is := prepared.Argument(b); is {
				o = origin{entry, p.Func(entry).Params[at].Type.Place.Mem}
			} else {
				o.fn, o.name = prepared.Origin(b)
			}
			origins[b.Tag()] = o
		}
		return o
	}
	return func(old, made *runtime.Block) bool {
		k := pair{of(old), of(made)}
		t := meets.Func(k.old.fn)
		if k.old.name == "" || k.made.name == "" || k.old.fn != k.made.fn || t == nil {
			return true
		}
		may, ok := known[k]
		if !ok {
			_, bad := t.Interfere(k.old.name, k.made.name)
			may = !bad
			known[k] = may
		}
		return may
	}
}
