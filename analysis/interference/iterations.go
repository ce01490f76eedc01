package interference

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
)

// Repeats reports whether two instances of a block, of different iterations of a loop that
// allocates it, are needed at one time. If not, the block may be allocated once, outside of the
// loop.
func (t *Table) Repeats(m string) (Witness, bool) {
	r := t.repeat(m)
	return r.witness, r.bad
}

// repeat compares an instance of an earlier iteration with everything else that may lie in the
// block.
//
// Such an instance has a name in a later iteration, or behind the loop, only through a parameter of
// the loop. The carriers are the names to which a parameter may pass its block on.
func (t *Table) repeat(m string) answer {
	if len(t.blocks.Get(m).site.loops) == 0 {
		return answer{}
	}
	if rules.Off("interference.repeats") {
		return answer{bad: true, witness: Witness{A: m, B: m, Why: Iterations}}
	}
	if r, ok := t.repeats[m]; ok {
		return r
	}
	var r answer
	if carriers := t.carriers(m); len(carriers) > 0 {
		all := t.entriesOf(m)
		old := slices.DeleteFunc(slices.Clone(all), func(e entry) bool { return !carriers[e.holder] })
		r = t.compare(old, all, func(u, v int) bool { return u != v })
		r.witness.Why = Iterations
	}
	t.repeats[m] = r
	return r
}

// Carried reports whether a later iteration, or the code behind the loop, may name an instance of a
// block that the loop allocates. Then several instances may be held at one time.
func (t *Table) Carried(m string) bool { return len(t.carriers(m)) > 0 }

func (t *Table) carriers(m string) map[int]bool {
	if len(t.blocks.Get(m).site.loops) == 0 {
		return nil
	}
	may := map[int]bool{} // components that may stand for m
	for _, c := range t.graph.Reaching(t.blocks.Get(m).comp) {
		may[c] = true
	}
	var params []int
	for _, s := range t.blocks.Get(m).site.loops {
		for _, p := range s.Op.(*ir.Loop).Params {
			name := p.Elem.Name
			switch p.Elem.Type.Kind {
			case ir.ArrayKind:
				name = t.aliases.BlockOf(name)
			case ir.ScalarKind:
				continue
			}
			if c, ok := t.graph.Component(name); ok && may[c] && t.graph.Real(c) == "" {
				params = append(params, c)
			}
		}
	}
	out := map[int]bool{}
	for _, c := range t.graph.Reaching(params...) {
		for _, h := range t.inComp[c] {
			out[h] = true
		}
	}
	return out
}

// hoisted returns those of two blocks that a loop allocates without allocating the other one. To
// lie in one block with it, they must be allocated outside of that loop.
func (t *Table) hoisted(m1, m2 string) []string {
	a, b := t.blocks.Get(m1).site.loops, t.blocks.Get(m2).site.loops
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	var out []string
	if len(a) > 0 {
		out = append(out, m1)
	}
	if len(b) > 0 {
		out = append(out, m2)
	}
	return out
}
