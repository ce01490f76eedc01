package coalesce

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// sampleSize is the value of every name when costs are compared.
const sampleSize = 100

// sample evaluates a size for a comparison.
func (s *state) sample(p sym.Poly) int64 {
	return s.closed.Of(p).Eval(func(ir.Exp) int64 { return sampleSize })
}

// times returns how often a point is visited.
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

// saves returns the bytes that a candidate copies, in all.
func (s *state) saves(c *candidate) int64 {
	if c.kind == steps {
		return 0
	}
	n := s.bytes(c.src)
	for _, d := range s.place(c.src).Shape() {
		n *= max(s.sample(d), 0)
	}
	return n * s.times(c.point)
}

// cost returns the cost of the function as it is now.
func (s *state) cost() cost {
	c := cost{copied: s.copied()}
	c.allocated, c.blocks = s.allocated()
	return c
}

// copied returns the bytes that are copied now.
func (s *state) copied() int64 {
	var sum int64
	for _, c := range s.candidates() {
		if !s.inPlace(c) {
			sum += s.saves(c)
		}
	}
	return sum
}

// allocated returns the present allocations.
func (s *state) allocated() (bytes int64, blocks int) {
	ir.EachOp(s.f.Body, func(st *ir.Stmt, op *ir.Alloc) {
		bytes += max(s.sample(sym.Of(op.Size)), 0) * s.times(s.lv.Stmt(st).From)
		blocks++
	})
	return bytes, blocks
}
