package progen

import (
	"math"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
)

// inputs makes arguments with the sizes 0, 1, 2, 5 and others.
func (g *gen) inputs(params []param) [][]value.Value {
	ns := []int64{2, 0, 1, 5, g.Int63n(smallInput + 1)}
	if g.maxInput > smallInput { // each takes long
		ns = []int64{2, g.maxInput - g.Int63n(g.maxInput/2)*g.Int63n(2)}
	}
	return g.inputsOf(params, ns)
}

// inputsOf makes arguments whose sizes are about those given, one input for each.
func (g *gen) inputsOf(params []param, ns []int64) [][]value.Value {
	var all [][]value.Value
	for k, n := range ns {
		sizes := map[string]int64{}
		size := func(d dim) int64 {
			if d.constant {
				return d.max
			}
			s, ok := sizes[d.text]
			if !ok {
				if s = n; len(sizes) > 0 && k%2 == 0 {
					s = pick(g, []int64{0, 1, 2, 3, 5, n})
				}
				if len(g.asserts) > 0 { // they are all equal
					s = n
				}
				sizes[d.text] = s
			}
			return s
		}
		var args []value.Value
		for _, p := range params {
			var v value.Value
			if p.shape == nil {
				v = value.New(p.prim, nil)
			} else {
				shape := make([]int64, len(p.shape))
				for j, d := range p.shape {
					shape[j] = size(d)
				}
				v = value.New(p.prim, shape)
			}
			for j := range v.Elems() {
				if v.SetBits(j, g.bits(p.prim)); p.wild {
					v.SetBits(j, uint64(pick(g, wildValues)))
				}
			}
			args = append(args, v)
		}
		all = append(all, args)
	}
	return all
}

// bits returns a small value, of a float a whole number of halves.
func (g *gen) bits(p ir.Prim) uint64 {
	n := int64(g.Intn(21)) - 6
	switch {
	case p == ir.Bool:
		return uint64(n & 1)
	case p == ir.F16:
		return ir.HalfBits(float64(n) / 2)
	case p == ir.F32:
		return uint64(math.Float32bits(float32(n) / 2))
	case p == ir.F64:
		return math.Float64bits(float64(n) / 2)
	case p.Unsigned():
		return uint64(max(n, 0))
	case g.one(12):
		return uint64(int64(1)<<(p.Bits()-1) - 1) // the greatest
	}
	return uint64(n)
}
