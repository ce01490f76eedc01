package peak

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
)

// Note [Older instances]
//
// A block that a loop allocates has an instance per iteration. The block's name stands for the
// present instance. A holder may keep an earlier one, and then two instances are held. An instance
// reaches a later iteration, or the code after the loop, only through a parameter of a loop around
// the alloc. So a holder may keep an older instance of b if it may stand for such a parameter, and
// the parameter may stand for b.
//
// Suppose that an inner loop takes such a parameter as the initial value of its own parameter. Then
// both keep the same instance, and the inner one adds no instance of a block that the inner loop
// does not allocate (Holder.Inherited).
//
// A holder that is bound before the alloc, such as a parameter, surely keeps an older instance
// whenever it keeps b.

// findOlder records which holders may keep older instances of which of their blocks.
func (w *walk) findOlder() {
	graph := w.Aliases.BlockGraph()
	carriers, known := make([]map[int]bool, len(w.Blocks)), make([]bool, len(w.Blocks)) // of each block
	for k := range w.Holders {
		h := &w.Holders[k]
		own, ok := graph.Component(h.Name)
		if !ok {
			continue
		}
		for _, b := range h.Blocks {
			if !known[b] {
				carriers[b], known[b] = w.carriers(b), true
			}
			if carriers[b][own] || rules.Off("peak.older") && w.inLoop(b) {
				h.Older = append(h.Older, b)
			}
		}
	}
}

// carriers returns the components that may stand for a parameter of a loop around a block's alloc,
// if the parameter may stand for the block.
func (w *walk) carriers(b int) map[int]bool {
	graph := w.Aliases.BlockGraph()
	c, ok := graph.Component(w.Blocks[b].Name)
	if !ok || !w.inLoop(b) {
		return nil
	}
	var params []int
	from := graph.Reaching(c)
	for _, p := range w.paramsAround(b) {
		if x, ok := graph.Component(p); ok && slices.Contains(from, x) && graph.Real(x) == "" {
			params = append(params, x)
		}
	}
	may := map[int]bool{}
	for _, x := range graph.Reaching(params...) {
		may[x] = true
	}
	return may
}

// inherit records which instances parameters of loops take over from their initial values. (An
// instance that comes from a next value has another name in the body: its own or a holder's.)
func (w *walk) inherit() {
	number, initial := make(map[string]int, len(w.Holders)), make(map[string]string, len(w.takes))
	for k, h := range w.Holders {
		number[h.Name] = k
	}
	for _, t := range w.takes {
		initial[t.param.name] = w.root(t.init)
	}
	for k := range w.Holders {
		h := &w.Holders[k]
		via, ok := number[initial[h.Name]]
		if !ok {
			continue
		}
		h.Via = via
		for _, b := range h.Blocks {
			r := w.Blocks[b].Region
			for r > h.region {
				r = w.Regions[r].Parent
			}
			if r != h.region { // the loop does not make it
				h.Inherited = append(h.Inherited, b)
			}
		}
	}
}

// inLoop reports whether a loop makes a block.
func (w *walk) inLoop(b int) bool {
	blk := w.Blocks[b]
	for r := blk.Region; r > 0 && blk.Stmt != nil; r = w.Regions[r].Parent {
		if w.Regions[r].Loop {
			return true
		}
	}
	return false
}

// paramsAround returns the blocks of parameters of the loops around a block's alloc.
func (w *walk) paramsAround(b int) []string {
	var out []string
	for r := w.Blocks[b].Region; r > 0; r = w.Regions[r].Parent {
		if !w.Regions[r].Loop {
			continue
		}
		for _, p := range w.Liveness.Points[w.Regions[r].Stmt.From].Stmt.Op.(*ir.Loop).Params {
			switch p.Elem.Type.Kind {
			case ir.ArrayKind:
				out = append(out, w.Aliases.BlockOf(p.Elem.Name))
			case ir.MemKind:
				out = append(out, p.Elem.Name)
			case ir.ScalarKind:
			}
		}
	}
	return out
}
