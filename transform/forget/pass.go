package forget

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/transform"
)

// Pass forgets memory. One rewrite is one set of functions that call one another.
var Pass = &transform.Pass{
	Name: "forget",
	Doc:  "Make explicit functions memory-agnostic: remove their blocks and places.",
	Run:  run,
}

func run(p *ir.Program, c *transform.Context) error {
	for _, set := range together(p) {
		forget(set, c)
	}
	return nil
}

// forget makes functions that call one another agnostic, unless one of them must keep its memory.
func forget(set []*ir.Func, c *transform.Context) {
	erased := make([]*ir.Func, len(set))
	for k, f := range set {
		erased[k] = ir.SnapshotFunc(f)
		if no := forgotten(erased[k]); no.why != "" {
			for _, g := range set {
				c.Remark(g.Span, "[%s] `%s` keeps its memory: in `%s`, %s", no.condition, g.Name, f.Name, no.why)
			}
			return
		}
	}
	if !c.Rewrite(set[0].Span, "`%s` forgets where its arrays lie", set[0].Name) {
		return
	}
	for k, f := range set {
		*f = *erased[k]
		if k > 0 {
			c.Remark(f.Span, "`%s` forgets it, too: it calls `%s` or is called, perhaps through others", f.Name, set[0].Name)
		}
	}
}

// together returns the explicit functions in sets. Those in a set call one another, perhaps through others
// in it. Functions are in the order of the file, as are sets by their first ones.
func together(p *ir.Program) [][]*ir.Func {
	explicit := map[*ir.Func]bool{}
	for _, f := range p.Funcs {
		explicit[f] = ir.IsExplicit(f)
	}
	leader := map[*ir.Func]*ir.Func{}
	var find func(f *ir.Func) *ir.Func
	find = func(f *ir.Func) *ir.Func {
		if up := leader[f]; up != nil {
			leader[f] = find(up)
			return leader[f]
		}
		return f
	}
	for _, f := range p.Funcs {
		ir.EachOp(f.Body, func(_ *ir.Stmt, op *ir.Call) {
			if explicit[f] && explicit[p.Func(op.Fn)] {
				if a, b := find(f), find(p.Func(op.Fn)); a != b {
					leader[b] = a
				}
			}
		})
	}
	at := map[*ir.Func]int{}
	var sets [][]*ir.Func
	for _, f := range p.Funcs {
		if !explicit[f] {
			continue
		}
		k, ok := at[find(f)]
		if !ok {
			k = len(sets)
			at[find(f)] = k
			sets = append(sets, nil)
		}
		sets[k] = append(sets[k], f)
	}
	return sets
}
