package coalesce

import (
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Moves that exclude each other]
//
// Candidates are tried in one order, and a move that is made can stand in the way
// of a later one (thesis, figure 5.26):
//
//	let table = replicate (n, k) a[0]
//	let row = concat@0 (a, b)            -- a and b can be made in the row
//	let t1 = table with [i, (0, k)] = row -- the row can be made in the table, not a
//
// So what was refused is looked through for moves that were made of the same
// arrays and save no more: without those the function is tried again, and what
// copies less stays; where that is equal, what allocates less. Sizes count as
// sampleSize where they are not known. At most two other choices are tried, all
// functions at a time.

// A choice holds the moves that are not made, by function and by move.
type choice map[string]map[string]bool

// key names a candidate in all attempts at a function.
func (c *candidate) key() string { return string(c.kind) + " " + c.src + " " + c.dst }

// A taken move is one that was made.
type takenMove struct {
	kind    kind
	key     string
	saved   int64
	members []member
}

// An outcome is what an attempt made of a function.
type outcome struct {
	cost    cost
	made    []takenMove
	refused []refused
	starts  []string // see begins
	granted map[string]bool
	idle    []string // motions that came to nothing
}

// A refused candidate, with what it would have saved.
type refused struct {
	src, dst string
	saved    int64
}

// A cost compares attempts.
type cost struct {
	copied, allocated int64 // bytes, under sampleSize
	blocks            int
}

func (c cost) less(d cost) bool {
	switch {
	case c.copied != d.copied:
		return c.copied < d.copied
	case c.allocated != d.allocated:
		return c.allocated < d.allocated
	}
	return c.blocks < d.blocks
}

// choose finds the moves that are better not made, given what an attempt with all
// of them made of each function of p.
func choose(p *ir.Program, first map[string]*outcome, opt options) choice {
	best := choice{}
	all := choice{}
	for f, o := range first {
		if keys := o.excluding(); len(keys) > 0 {
			all[f] = set(keys...)
		}
	}
	for range 2 {
		if len(all) == 0 {
			break
		}
		opt.avoid = all
		q := ir.CloneProgram(p)
		q.Funcs = slices.Clone(q.Funcs)
		next := choice{}
		for f, o := range unheard(q, opt) {
			switch keys := first[f].excluding(); {
			case all[f] == nil:
			case o.cost.less(first[f].cost):
				best[f] = all[f]
			case len(all[f]) > 1:
				next[f] = set(keys[0])
			}
		}
		all = next
	}
	return best
}

func set(keys ...string) map[string]bool {
	out := map[string]bool{}
	for _, k := range keys {
		out[k] = true
	}
	return out
}

// excluding gives the moves without which those that were refused would save as
// much or more, the one that stands in the way of most first.
func (o *outcome) excluding() []string {
	gain := make([]int64, len(o.made))
	of := map[string][]int{}
	for k, m := range o.made {
		for _, x := range m.members {
			of[x.name] = append(of[x.name], k)
		}
	}
	for _, r := range o.refused {
		ks := of[r.dst]
		if r.src != r.dst {
			ks = append(slices.Clone(ks), of[r.src]...)
		}
		slices.Sort(ks)
		for _, k := range slices.Compact(ks) {
			gain[k] += r.saved
		}
	}
	var out []int
	for k, m := range o.made {
		if gain[k] > 0 && gain[k] >= m.saved {
			out = append(out, k)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int {
		x, y := gain[a]-o.made[a].saved, gain[b]-o.made[b].saved
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	keys := make([]string, len(out))
	for i, k := range out {
		keys[i] = o.made[k].key
	}
	return keys
}

// sampleSize is what a name stands for where costs are compared.
const sampleSize = 100

// sample evaluates a size for a comparison.
func (s *state) sample(p sym.Poly) int64 {
	var eval func(p sym.Poly, depth int) int64
	eval = func(p sym.Poly, depth int) int64 {
		return p.Eval(func(e ir.Exp) int64 {
			r, ok := e.(*ir.Ref)
			if !ok || depth == 0 {
				return sampleSize
			}
			d := s.defs[r.Name]
			if d == nil || d.exp == nil || d.exp.Prim() != ir.I64 || !arithmetic(d.exp) {
				return sampleSize
			}
			return eval(sym.Of(d.exp), depth-1)
		})
	}
	return eval(p, 8)
}

// times gives how often what stands at a point is done.
func (s *state) times(point int) int64 {
	n := int64(1)
	for sc := s.ac.Scope(point); sc != nil; sc = sc.Outer {
		if sc.Loop && len(sc.Binders) == 0 {
			n *= sampleSize
		}
		for _, b := range sc.Binders {
			n *= max(s.sample(b.Bound), 1)
		}
	}
	return n
}

// saves gives the bytes that a candidate copies, in all.
func (s *state) saves(c *candidate) int64 {
	n := s.bytes(c.src)
	for _, d := range s.place(c.src).Shape() {
		n *= max(s.sample(d), 0)
	}
	return n * s.times(c.point)
}

// copied gives the bytes that are copied now.
func (s *state) copied() int64 {
	var sum int64
	for _, c := range s.candidates() {
		if !s.inPlace(c) {
			sum += s.saves(c)
		}
	}
	return sum
}

// allocated gives what is allocated now.
func (s *state) allocated() (bytes int64, blocks int) {
	ir.WalkStmts(s.f.Body, func(st *ir.Stmt) bool {
		if op, ok := st.Op.(*ir.Alloc); ok {
			bytes += max(s.sample(sym.Of(op.Size)), 0) * s.times(s.lv.Stmt(st).From)
			blocks++
		}
		return true
	})
	return bytes, blocks
}
