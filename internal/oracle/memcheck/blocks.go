package memcheck

import (
	"slices"

	"github.com/memc-lang/memc/ir"

	"github.com/memc-lang/memc/internal/base/rules"
)

// A block is the meaning of a memory variable at one point of the program.
// Several names can stand for one block; one block variable can be a choice.
type block struct {
	name  string
	order int // of its binding: a smaller one exists before
	kind  blockKind

	size   poly // in bytes, of allocated and given blocks
	sized  bool
	asked  ir.Exp // of an allocated one: the requested size
	least  bool   // it may be larger: a callee allocated it
	unique bool   // of a given block: its parameter is consumed, so it is nobody else's
	param  int    // of a given block: the number of the parameter

	// choices of an existential block: the two branches of an if; the initial
	// and next value of a loop parameter; the value left by a loop; the blocks
	// that a call may return.
	choices []*block
	group   any    // the statement that made the choice
	same    *block // set where all choices turned out to be one block

	leaves []*block // memo of roots
}

type blockKind uint8

const (
	allocated blockKind = iota // by this function, or by a call
	given                      // the block of a parameter
	branched
	looped // a loop parameter, in any iteration
	left   // the last value of a loop parameter
	returned
)

func (b *block) canon() *block {
	for b.same != nil {
		b = b.same
	}
	return b
}

type pair struct{ x, y *block }

// distinct reports whether x and y are never one block while both are in scope.
//
// Note [Distinct blocks]. Take the newer one, x. A block that was allocated after y was bound is
// distinct from y. A choice is distinct from y if all its choices are. But two choices of one
// statement are made together: two results of an if are compared branch by branch, two parameters
// of a loop by their initial values and by their next values. For loops this leads back to the
// question itself, and a cycle proves it (induction over the iterations). So the answer is no only
// if a pair of equal blocks can be reached.
//
//	loop (cur @ ?c = xs, next: mem = A, other: mem = B) { ... in (new @ next, other, next) }
//
//	(c, next) -> (m_xs, A) and (next, other);  (next, other) -> (A, B) and (other, next)
func (f *function) distinct(x, y *block) bool {
	start, ok := ordered(x, y)
	if !ok {
		return false
	}
	if known, ok := f.pairs[start]; ok {
		return known
	}
	seen := map[pair]bool{start: true}
	work := []pair{start}
	push := func(x, y *block) bool {
		p, ok := ordered(x, y)
		if !ok {
			return false
		}
		if known, ok := f.pairs[p]; ok {
			return known
		}
		if !seen[p] {
			seen[p] = true
			work = append(work, p)
		}
		return true
	}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if !expand(p, push) {
			f.pairs[start] = false
			return false
		}
	}
	for p := range seen {
		f.pairs[p] = true
	}
	return true
}

// settle finds the parameters of a loop that stand for the block of their initial value in every
// iteration: their next value lies there, or is another such parameter with the same initial block.
// It starts with all candidates and removes those whose next value is neither. The rest are right
// by induction over the iterations.
func settle(params []*block) {
	if rules.Off("memcheck.settle") {
		return
	}
	stays := map[*block]bool{}
	for _, b := range params {
		stays[b] = b != nil
	}
	before := map[*block][]*block{} // whose next value a parameter is
	var out []*block
	for _, b := range params {
		if b == nil {
			continue
		}
		next, first := b.choices[1].canon(), b.choices[0].canon()
		switch {
		case next == first:
		case stays[next] && next.choices[0].canon() == first:
			before[next] = append(before[next], b)
		default:
			out = append(out, b)
			stays[b] = false
		}
	}
	for len(out) > 0 {
		b := out[len(out)-1]
		out = out[:len(out)-1]
		for _, c := range before[b] {
			if stays[c] {
				stays[c] = false
				out = append(out, c)
			}
		}
	}
	for _, b := range params {
		if stays[b] {
			b.same = b.choices[0].canon()
		}
	}
}

// passedOn returns a loop's counter, and a number that it has at least while the loop's parameter b is the block to. In
//
//	loop (next: mem = A, other: mem = B) .. in (other, next)
//
// next is B from the second iteration on: parameters pass their initial blocks on, one in each iteration.
func passedOn(b, to *block) (counter string, iterations int64) {
	b = b.canon()
	loop, _ := b.group.(*ir.Stmt)
	if b.kind != looped || loop.Op.(*ir.Loop).Var == "" {
		return "", 0
	}
	counter = loop.Op.(*ir.Loop).Var
	for seen := map[*block]bool{}; b.kind == looped && b.group == loop; b = b.choices[1].canon() {
		if seen[b] || slices.Contains(roots(b.choices[0], 0), to) {
			return counter, iterations
		}
		seen[b] = true
		iterations++
	}
	return counter, iterations
}

// ordered returns the pair with the newer block first; ok is false where the two
// are one.
func ordered(x, y *block) (pair, bool) {
	x, y = x.canon(), y.canon()
	if x.order < y.order {
		x, y = y, x
	}
	return pair{x, y}, x != y
}

// expand returns the pairs that must be distinct for p to be, by push; it fails as
// soon as one is not.
func expand(p pair, push func(x, y *block) bool) bool {
	switch p.x.kind {
	case allocated:
		return true
	case given:
		return p.x.unique || p.y.unique
	}
	oneChoice := p.y.kind == p.x.kind && p.y.group == p.x.group && p.x.kind != returned
	for k, c := range p.x.choices {
		y := p.y
		if oneChoice {
			y = p.y.choices[k]
		}
		if !push(c, y) {
			return false
		}
	}
	return true
}

// roots returns the blocks older than order, and those that are no choice, that b
// can stand for, in a fixed order.
func roots(b *block, order int) []*block { return rootsUpTo(b, order, 1<<30) }

// rootsUpTo returns more than limit of them, but not all, where there are more.
func rootsUpTo(b *block, order, limit int) []*block {
	b = b.canon()
	if len(b.choices) == 0 || b.order < order {
		return []*block{b}
	}
	if order == 0 && b.leaves != nil {
		return b.leaves
	}
	var out []*block
	seen := map[*block]bool{b: true}
	work := []*block{b}
	for len(work) > 0 && len(out) <= limit {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if len(x.choices) == 0 || x.order < order {
			out = append(out, x)
			continue
		}
		for k := len(x.choices) - 1; k >= 0; k-- {
			if c := x.choices[k].canon(); !seen[c] {
				seen[c] = true
				work = append(work, c)
			}
		}
	}
	if order == 0 && len(out) <= limit {
		b.leaves = out
	}
	return out
}
