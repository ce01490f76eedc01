package interference

import (
	"slices"

	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/ir"
)

// A holder is a name of a block, with the arrays that are placed in the block. Names that always
// stand for the same block are one holder. A holder stands for one block at a time, so its own
// arrays do not interfere with each other.
type holder struct {
	name   string
	comp   int
	arrays []string
	// own is where its arrays are live, ascending. Contents that come from another holder belong to
	// that one until an array here names them.
	own     []liveness.Interval
	touches []touch // in the order of their points
	// wide is own, with intervals inside a kernel extended to the whole kernel, since threads are
	// not in step.
	wide []liveness.Interval
	// near: all blocks that it may stand for belong to one group of threads, which is in step
	// between the kernels of its body.
	near bool
}

// A site is the origin of a real block.
type site struct {
	stmt  *ir.Stmt   // its alloc, or the call that made it; nil for a parameter's
	loops []*ir.Stmt // around it, outermost first
}

// findSites records the origins of blocks, and the kernels.
func (t *Table) findSites(b *ir.Body, loops []*ir.Stmt) {
	for _, s := range b.Stmts {
		switch op := s.Op.(type) {
		case *ir.Alloc:
			t.blocks.At(s.Pat[0].Name).site = site{s, loops}
		case *ir.Call:
			for _, e := range s.Pat {
				t.madeBy(e, site{s, loops})
			}
		case *ir.If:
			t.findSites(op.Then, loops)
			t.findSites(op.Else, loops)
		case *ir.Loop:
			t.findSites(op.Body, append(loops[:len(loops):len(loops)], s))
		default:
			if ir.IsKernel(op) {
				span := t.live.Stmt(s)
				t.kernels = append(t.kernels, kernelSpan{s, span})
				t.findOwn(s)
				t.findInner(s)
			}
		}
	}
}

// findOwn records the blocks that threads of a kernel allocate for themselves.
func (t *Table) findOwn(kernel *ir.Stmt) {
	for _, b := range ir.Bodies(kernel.Op) {
		ir.EachOp(b, func(s *ir.Stmt, _ *ir.Alloc) {
			t.threadOwn[s.Pat[0].Name] = t.live.Stmt(kernel).From
		})
	}
}

// findInner records the kernels in the body of a kernel of groups.
func (t *Table) findInner(groups *ir.Stmt) {
	ir.WalkStmts(ir.KernelBody(groups.Op), func(s *ir.Stmt) bool {
		kernel := ir.IsKernel(s.Op)
		if kernel {
			t.inner = append(t.inner, kernelSpan{s, t.live.Stmt(s)})
		}
		if a, ok := s.Op.(*ir.Alloc); ok && a.Space == ir.GroupSpace {
			t.groups[s.Pat[0].Name] = groups
		}
		return !kernel
	})
}

// madeBy records the block that a call may have made for a result.
func (t *Table) madeBy(e *ir.Elem, at site) {
	name := e.Name
	if p := e.Type.Place; p != nil && p.Exist {
		name = p.Mem
	}
	c, ok := t.graph.Component(name)
	if !ok {
		return
	}
	if t.graph.Real(c) == name {
		t.blocks.At(name).site = at
	}
	for _, x := range t.graph.Choices(c) {
		if r := t.graph.Real(x); t.graph.Unnamed(r) {
			t.blocks.At(r).site = at
		}
	}
}

// A kernelSpan is a kernel with its points.
type kernelSpan struct {
	stmt *ir.Stmt
	span liveness.Span
}

// kernelAt returns the kernel of a list that contains a point.
func kernelAt(kernels []kernelSpan, p int) (kernelSpan, bool) {
	k, found := slices.BinarySearchFunc(kernels, p, func(k kernelSpan, p int) int { return k.span.From - p })
	if !found {
		k--
	}
	if k < 0 || p > kernels[k].span.To {
		return kernelSpan{}, false
	}
	return kernels[k], true
}

// KernelAt returns the points of the kernel on the host that contains a point.
func (t *Table) KernelAt(p int) (liveness.Span, bool) {
	k, ok := kernelAt(t.kernels, p)
	return k.span, ok
}

// holder returns the number of the holder that a name of a block belongs to.
func (t *Table) holder(mem string) int {
	b := t.blocks.At(mem)
	if b.holder > 0 {
		return b.holder - 1
	}
	name, comp := mem, -1
	if c, ok := t.graph.Component(mem); ok {
		comp = c
		if name = t.graph.Real(c); name == "" {
			name = t.graph.Label(mem)
		}
	}
	first := b
	if name != mem {
		first = t.blocks.At(name)
	}
	if first.holder == 0 {
		if comp >= 0 {
			t.inComp[comp] = append(t.inComp[comp], len(t.holders))
		}
		t.holders = append(t.holders, &holder{name: name, comp: comp})
		first.holder = len(t.holders)
	}
	b.holder = first.holder
	return b.holder - 1
}

func (t *Table) makeHolders() {
	t.inComp = make([][]int, t.graph.Len())
	for _, x := range t.aliases.Names() {
		if m := t.aliases.BlockOf(x); m != "" {
			h := t.holders[t.holder(m)]
			h.arrays = append(h.arrays, x)
			h.own = append(h.own, t.live.Array(x)...)
		}
	}
	all := liveness.Interval{From: 0, To: len(t.live.Points) - 1}
	for c := range t.graph.Len() {
		if m := t.graph.Real(c); m != "" && t.aliases.Pinned(m) {
			h := t.holders[t.holder(m)]
			h.own = []liveness.Interval{all}
		}
	}
	ir.EachOp(t.Func.Body, func(s *ir.Stmt, call *ir.Call) {
		// a callee may touch all of a block that it receives
		at := t.live.Stmt(s).From
		t.calls = append(t.calls, at)
		for _, e := range call.Args {
			if r, ok := e.(*ir.Ref); ok {
				if m := t.accesses.Type(r.Name); m != nil && m.Kind == ir.MemKind {
					h := t.holders[t.holder(r.Name)]
					h.own = append(h.own, liveness.Interval{From: at, To: at})
				}
			}
		}
	})
	for _, h := range t.holders {
		h.own = t.normal(h.own)
		h.near = t.isNear(h)
		kernels := t.kernels
		if h.near {
			kernels = t.inner
		}
		h.wide = widen(h.own, kernels)
	}
}

// isNear reports whether all blocks that a holder may stand for are one group's.
func (t *Table) isNear(h *holder) bool {
	if len(t.groups) == 0 || h.comp < 0 {
		return false
	}
	names, _ := t.graph.Reals(h.comp, 0)
	for _, m := range names {
		if t.groups[m] == nil || t.groups[m] != t.groups[names[0]] {
			return false
		}
	}
	return len(names) > 0
}

// normal sorts intervals and joins those that overlap. A kernel writes an unused result until it
// ends.
func (t *Table) normal(is []liveness.Interval) []liveness.Interval {
	is = slices.Clone(is)
	for k := range is {
		for _, kernels := range [][]kernelSpan{t.inner, t.kernels} {
			if kn, ok := kernelAt(kernels, is[k].To); ok && is[k].To == kn.span.From {
				is[k].To = kn.span.To
			}
		}
	}
	slices.SortStableFunc(is, func(a, b liveness.Interval) int {
		if a.From != b.From || a.Born == b.Born {
			return a.From - b.From
		}
		if a.Born { // contents that flow in count
			return 1
		}
		return -1
	})
	return joined(is)
}

// joined joins intervals that overlap, given in the order of their beginnings.
func joined(is []liveness.Interval) []liveness.Interval {
	out := is[:0]
	for _, i := range is {
		if k := len(out) - 1; k >= 0 && i.From <= out[k].To {
			out[k].To = max(out[k].To, i.To)
			continue
		}
		out = append(out, i)
	}
	return out
}

func widen(is []liveness.Interval, kernels []kernelSpan) []liveness.Interval {
	is = slices.Clone(is)
	for j := range is {
		if k, ok := kernelAt(kernels, is[j].From); ok {
			is[j].From = k.span.From
		}
		if k, ok := kernelAt(kernels, is[j].To); ok {
			is[j].To = k.span.To
		}
	}
	return joined(is)
}

// holdersOf returns the holders that may stand for a real block.
func (t *Table) holdersOf(m string) []int {
	var out []int
	for _, c := range t.graph.Reaching(t.blocks.Get(m).comp) {
		out = append(out, t.inComp[c]...)
	}
	slices.Sort(out)
	return out
}

// An entry is one interval of one of a block's holders.
type entry struct {
	liveness.Interval
	holder int
}

// maxKept bounds the entries that are kept for further questions.
const maxKept = 1 << 20

// entriesOf returns the wide intervals of all holders of a block, ascending.
func (t *Table) entriesOf(m string) []entry {
	if es, ok := t.entries[m]; ok {
		return es
	}
	var es []entry
	for _, id := range t.holdersOf(m) {
		for _, i := range t.holders[id].wide {
			es = append(es, entry{i, id})
		}
	}
	slices.SortStableFunc(es, func(a, b entry) int { return a.From - b.From })
	if t.kept += len(es); t.kept > maxKept {
		t.entries, t.kept = map[string][]entry{}, len(es)
	}
	t.entries[m] = es
	return es
}
