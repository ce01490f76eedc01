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

// replaces reports whether the code outside of the loop permits that a block in which some of these parameters begin is the
// block that a next value is made in.
func (l hostLoop) replaces(params []int, initial, made string) bool {
	return l.mutant == ignoreStarts || peak.Replaces(l.table.Aliases, l.table.Liveness, l.at, params, initial, made)
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

// within returns the blocks of a region, and of those in it.
func (s *state) within(region int) (out []int) {
	for b, blk := range s.table.Blocks {
		if s.inside(blk.Region, region) {
			out = append(out, b)
		}
	}
	return out
}

// inside reports whether a region is another one, or within it.
func (s *state) inside(r, outer int) bool {
	for r > outer {
		r = s.table.Regions[r].Parent
	}
	return r == outer
}
