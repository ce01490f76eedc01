package reuse

import (
	"slices"
	"strconv"
	"strings"

	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/transform/reuse/plan"
)

// Note [Parts of threads, aligned]
//
// Threads of a kernel keep arrays in blocks that all threads share, such as
//
//	a: [s]t @ m_a -> Direct(n, s) -> Slice(i, (0, s))
//	b: [r]t @ m_b -> Direct(n, r) -> Slice(i, (0, r))
//
// In one block, thread i's part of a would overlap another thread's part of b, since parts begin s
// elements apart in one array and r in the other. With max(s, r) in both index functions, the parts
// of one thread overlap only each other (thesis 5.9, 5.10). The arrays keep their shapes, because
// their slices do.
//
// Blocks are alike under these conditions. All their arrays are made in one kernel and have
// elements of one width. Their index functions begin with a Direct of equally many sizes, followed
// by one slice that fixes all of the kernel's indices, at the same positions, and is at most as long
// as the sizes at the others: a longer one reaches into other threads' cells. The sizes differ at
// one position at most, which is not a thread's. With the greatest size at that position, a thread
// touches only its own cell of the Direct in any of these arrays, and no cell belongs to two
// threads. Then it suffices that the lives of two blocks within a thread have no point in common:
// however an index is computed, threads do not interfere. Every array in such a block must lie
// there under the block's own name: an array under another name, such as a parameter of a loop,
// would keep its old sizes.
//
// Each block must be at least as large as its Direct. Then the largest of the blocks is as large as
// the Direct with the greatest size. (A block of an array that no thread makes may be smaller.)
//
// A block may already hold several arrays, for example after an earlier round of sharing.

// A layout is how the arrays of a block lie in it.
type layout struct {
	block  int
	kernel *ir.Stmt
	sizes  []sym.Poly
	key    string // the parts that must be the same
	elems  []*ir.Elem
}

// A family is a set of blocks that are alike; place is the position at which their sizes differ, or -1.
type family struct {
	layouts []*layout
	place   int
}

// align finds the families, and corrects the conflicts for them.
func (s *state) align(p *plan.Problem) {
	s.families = nil
	byKey := map[string][]*layout{}
	var keys []string
	for _, l := range s.layouts() {
		if byKey[l.key] == nil {
			keys = append(keys, l.key)
		}
		byKey[l.key] = append(byKey[l.key], l)
	}
	for _, k := range keys {
		place, ok := s.differ(byKey[k])
		if !ok {
			continue
		}
		s.families = append(s.families, family{byKey[k], place})
		for j, l := range byKey[k] {
			for _, m := range byKey[k][:j] {
				if s.meet(l.block, m.block) {
					continue
				}
				p.Conflicts[l.block] = without(p.Conflicts[l.block], m.block)
				p.Conflicts[m.block] = without(p.Conflicts[m.block], l.block)
			}
		}
	}
}

// meet reports whether the contents of two blocks are needed at one point.
func (s *state) meet(a, b int) bool {
	l := s.table.Liveness
	return len(liveness.Common(l.Block(s.table.Blocks[a].Name), l.Block(s.table.Blocks[b].Name))) > 0
}

// layouts returns the layouts of blocks that threads keep their parts in.
func (s *state) layouts() []*layout {
	byBlock := map[string]*layout{}
	bad := map[string]bool{}
	var others []string // names that stand for blocks
	var visit func(b *ir.Body, kernel *ir.Stmt)
	note := func(e *ir.Elem, kernel *ir.Stmt) {
		p := e.Type.Place
		if e.Type.Kind != ir.ArrayKind || p == nil {
			return
		}
		if _, own := s.table.Block(p.Mem); p.Exist || !own {
			others = append(others, p.Mem)
			return
		}
		l, ok := s.layoutOf(e, kernel)
		old := byBlock[p.Mem]
		switch {
		case !ok || old != nil && (old.key != l.key || !sameSizes(old.sizes, l.sizes)):
			bad[p.Mem] = true
		case old == nil:
			byBlock[p.Mem] = l
		default:
			old.elems = append(old.elems, e)
		}
	}
	visit = func(b *ir.Body, kernel *ir.Stmt) {
		for _, st := range b.Stmts {
			inner := kernel
			if _, ok := ir.KernelSpace(st.Op); ok && kernel == nil {
				inner = st
			}
			ir.Elems(st.Op, func(e *ir.Elem) { note(e, inner) })
			for _, in := range ir.Bodies(st.Op) {
				visit(in, inner)
			}
			for _, e := range st.Pat {
				note(e, kernel)
			}
		}
	}
	visit(s.f.Body, nil)
	var out []*layout
	if len(byBlock) == 0 {
		return out
	}
	for _, m := range others {
		for _, r := range s.table.Aliases.Blocks(m) {
			bad[r] = true // one index function for several blocks
		}
	}
	for k, b := range s.table.Blocks {
		if l := byBlock[b.Name]; l != nil && !bad[b.Name] && b.Kind == peak.Allocated {
			l.block = k
			out = append(out, l)
		}
	}
	return out
}

// layoutOf returns the layout of an array that one thread makes.
func (s *state) layoutOf(e *ir.Elem, kernel *ir.Stmt) (*layout, bool) {
	ix := e.Type.Place.Ix
	if kernel == nil || len(ix) < 2 {
		return nil, false
	}
	direct, ok := ix[0].(*ir.Direct)
	if !ok {
		return nil, false
	}
	perm := make([]int, len(direct.Sizes))
	for k := range perm {
		perm[k] = k
	}
	rest := ix[1:]
	if q, ok := rest[0].(*ir.Permute); ok && len(rest) > 1 {
		perm, rest = q.Perm, rest[1:]
	}
	slice, ok := rest[0].(*ir.IxSlice)
	if !ok || len(slice.Items) != len(perm) || len(rest) > 1 {
		return nil, false // a further slice may leave the thread's cell
	}
	l := &layout{kernel: kernel, elems: []*ir.Elem{e}}
	key := []string{s.kernelKey(kernel), strconv.Itoa(int(e.Type.Prim.Size()))}
	space, _ := ir.KernelSpace(kernel.Op)
	facts := s.table.Accesses.Facts(s.table.Liveness.Stmt(kernel).From)
	fixed := 0
	seen := make([]bool, len(space))
	for k, it := range slice.Items {
		size := s.table.Expand(sym.Of(direct.Sizes[perm[k]]))
		if it.Fixed {
			i, ok := it.Index.(*ir.Ref)
			if !ok {
				return nil, false
			}
			// Each index once, and the size is its bound: else cells overlap.
			j := slices.IndexFunc(space, func(b ir.Bound) bool { return b.Var == i.Name })
			if j < 0 || seen[j] || !size.Equal(s.table.Expand(sym.Of(space[j].Size))) {
				return nil, false
			}
			seen[j] = true
			fixed++
			key = append(key, strconv.Itoa(perm[k]), i.Name)
		} else if !sym.Of(it.Start).Is(0) || it.Stride != nil || !facts.Covers(size, s.table.Expand(sym.Of(it.Len))) {
			return nil, false // it may leave the thread's cell
		}
	}
	if fixed != len(space) {
		return nil, false
	}
	for _, size := range direct.Sizes {
		if !ir.Total(size) {
			return nil, false // it is computed where it stands
		}
		l.sizes = append(l.sizes, s.table.Expand(sym.Of(size)))
	}
	key = append(key, strconv.Itoa(len(l.sizes)))
	l.key = strings.Join(key, " ")
	return l, true
}

func (s *state) kernelKey(st *ir.Stmt) string { return strconv.Itoa(s.table.Liveness.Stmt(st).From) }

func sameSizes(a, b []sym.Poly) bool { return slices.EqualFunc(a, b, sym.Poly.Equal) }

// differ returns the position at which the sizes of layouts differ, -1 for none. It fails if there
// are several, if the sizes are not known where the kernel begins, or if a block may be smaller
// than they say.
func (s *state) differ(ls []*layout) (int, bool) {
	place := -1
	for _, l := range ls[1:] {
		for k := range l.sizes {
			if !l.sizes[k].Equal(ls[0].sizes[k]) {
				if place >= 0 && place != k {
					return 0, false
				}
				place = k
			}
		}
	}
	for _, l := range ls {
		if place >= 0 && (s.table.Known(l.sizes[place]) > s.table.Liveness.Stmt(l.kernel).From || !s.fillsBlock(l)) {
			return 0, false
		}
	}
	return place, true
}

// fillsBlock reports whether the block of a layout is as large as the sizes say.
func (s *state) fillsBlock(l *layout) bool {
	need := sym.Const(l.elems[0].Type.Prim.Size())
	for _, size := range l.sizes {
		need = need.Mul(size)
	}
	b := s.table.Blocks[l.block]
	return need.Equal(b.Size) || s.table.Accesses.Facts(s.seenFrom(b, 0)).Covers(b.Size, need)
}

// greatest returns the greatest size among the blocks named, or all.
func (f family) greatest(s *state, blocks []int) ir.Exp {
	var sizes []sym.Poly
	for _, l := range f.layouts {
		p := l.sizes[f.place]
		if (blocks == nil || slices.Contains(blocks, l.block)) && !slices.ContainsFunc(sizes, p.Equal) {
			sizes = append(sizes, p)
		}
	}
	facts := s.table.Accesses.Facts(0)
	sizes = slices.DeleteFunc(slices.Clone(sizes), func(p sym.Poly) bool {
		return slices.ContainsFunc(sizes, func(q sym.Poly) bool { return !q.Equal(p) && facts.Covers(q, p) && !facts.Covers(p, q) })
	})
	var e ir.Exp
	for _, p := range sizes {
		if e == nil {
			e = p.Exp()
			continue
		}
		e = &ir.Builtin{Fn: "max", Args: []ir.Exp{e, p.Exp()}, T: ir.I64}
	}
	return e
}

// aligned rewrites the index functions of blocks that become one.
func (s *state) aligned(blocks []int) {
	for _, fam := range s.families {
		var own []*layout
		for _, l := range fam.layouts {
			if slices.Contains(blocks, l.block) {
				own = append(own, l)
			}
		}
		if len(own) < 2 || fam.place < 0 {
			continue
		}
		size := fam.greatest(s, blocks)
		for _, l := range own {
			for _, e := range l.elems {
				e.Type.Place = ir.ClonePlace(e.Type.Place)
				e.Type.Place.Ix[0].(*ir.Direct).Sizes[fam.place] = ir.CloneExp(size)
			}
		}
	}
}
