package reuse

import (
	"slices"

	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// A hostLoop is a loop on the host, with the region of its body.
type hostLoop struct {
	*state
	at     *ir.Stmt
	op     *ir.Loop
	region int
}

// loops returns the loops of the function, outer ones first.
func (s *state) loops() (out []hostLoop) {
	for number, r := range s.table.Regions {
		if r.Loop {
			at := s.table.Liveness.Points[r.Stmt.From].Stmt
			out = append(out, hostLoop{s, at, at.Op.(*ir.Loop), number})
		}
	}
	return out
}

// around reports whether a region, or one around it, is one of those.
func (s *state) around(region int, those map[int]bool) bool {
	for ; region >= 0; region = s.table.Regions[region].Parent {
		if those[region] {
			return true
		}
	}
	return false
}

// giveWay gives blocks other names, and removes their allocs.
func (s *state) giveWay(renamed map[string]string, gone map[*ir.Stmt]bool) {
	rename(s.f, renamed)
	for _, r := range s.table.Regions {
		r.IR.Stmts = slices.DeleteFunc(r.IR.Stmts, func(st *ir.Stmt) bool { return gone[st] })
	}
}

// asLarge reports whether a block has a size, and may be overwritten.
func asLarge(b peak.Block, size sym.Poly) bool {
	switch {
	case b.Kind == peak.Allocated:
		return b.Size.Equal(size)
	case b.Kind == peak.Given && b.Takes && !b.Kept:
		return b.Room.Equal(size)
	}
	return false
}

// alone reports whether in the loop nothing may lie in some blocks by a name that is not one of own.
func (l hostLoop) alone(own map[string]bool, blocks []string) bool {
	a := l.table.Aliases
	mayBe := func(mem string) bool {
		return slices.ContainsFunc(blocks, func(b string) bool { return a.MayBeOne(mem, b) })
	}
	other := func(mem string) bool { return !own[mem] && !slices.Contains(blocks, mem) && mayBe(mem) }
	elem := func(e *ir.Elem) bool {
		return e.Type.Kind == ir.MemKind && other(e.Name) || e.Type.Kind == ir.ArrayKind && other(e.Type.Place.Mem)
	}
	found := slices.ContainsFunc(ir.ParamElems(l.op.Params), elem) || slices.ContainsFunc(peak.OuterBlocks(a, l.op), func(m string) bool { return !own[m] && mayBe(m) })
	ir.WalkStmts(l.op.Body, func(st *ir.Stmt) bool {
		found = found || slices.ContainsFunc(st.Pat, elem)
		ir.Elems(st.Op, func(e *ir.Elem) { found = found || elem(e) })
		return !found
	})
	return !found
}

// replaces reports whether the code outside of the loop permits that the blocks of these parameters'
// initial values are the block that a next value is made in.
func (l hostLoop) replaces(params []int, initial []string, made string) bool {
	return l.mutant == ignoreStarts || !slices.ContainsFunc(initial, func(m string) bool {
		return !peak.Replaces(l.table.Aliases, l.table.Liveness, l.at, params, m, made)
	})
}

// known reports whether a size has a value before a loop.
func (l hostLoop) known(size sym.Poly) bool {
	lv := l.table.Liveness
	span := lv.Stmt(l.at)
	return !slices.ContainsFunc(size.Names(), func(x string) bool {
		d := lv.Def(x)
		return d == nil || d.Point >= span.From
	})
}

// comesTo returns the condition for a loop to have more iterations than that, nil if it surely has. Of a `while` loop
// only the first iteration has one.
func (s *state) comesTo(loop *ir.Stmt, iterations int64) ir.Exp {
	op := loop.Op.(*ir.Loop)
	if op.Bound == nil {
		first := op.Params[whileParam(op)].Init
		if lit, ok := first.(*ir.Lit); ok && lit.Bits == 1 {
			return nil
		}
		return first
	}
	if s.table.Accesses.Facts(s.table.Liveness.Stmt(loop).From).AtLeast(sym.Of(op.Bound), iterations+1) {
		return nil
	}
	return &ir.Binary{Op: ">", X: op.Bound, Y: ir.IntLit(iterations), T: ir.Bool}
}

// whileParam returns the number of the parameter that is the condition of a `while` loop.
func whileParam(op *ir.Loop) int {
	return slices.IndexFunc(op.Params, func(p ir.Param) bool { return p.Elem.Name == op.While })
}

// allocated returns the number of a block that the body of a region allocates.
func (s *state) allocated(name string, region int) (int, bool) {
	b, ok := s.table.Block(name)
	return b, ok && s.table.Blocks[b].Kind == peak.Allocated && s.table.Blocks[b].Region == region
}

// name adds the names of blocks that a loop binds for some of its parameters.
func name(names map[string]bool, at *ir.Stmt, params ...int) {
	op := at.Op.(*ir.Loop)
	for _, k := range params {
		for _, e := range []*ir.Elem{op.Params[k].Elem, at.Pat[k]} {
			if names[e.Name] = true; e.Type.Kind == ir.ArrayKind {
				names[e.Type.Place.Mem] = true
			}
		}
	}
}
