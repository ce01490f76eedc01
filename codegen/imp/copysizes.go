package imp

import "github.com/memc-lang/memc/ir/sym"

// CopySizes returns the sizes of the elements that the host may copy between places that
// are not one range each, added up: kernels copy these. Those of 1 or 2 bytes may be copied as words
// of 4 bytes.
func (p *Program) CopySizes() int {
	sizes := 0
	for _, f := range p.Funcs {
		Each(f.Body, func(c *Copy) {
			if !(c.plain(c.Dst) && c.plain(c.Src)) {
				sizes |= int(c.Prim.Size())
			}
		})
	}
	if sizes&3 != 0 {
		sizes |= 4
	}
	return sizes
}

// plain reports whether a place of a copy is known to be row-major.
func (c *Copy) plain(r Region) bool {
	stride := sym.Const(1)
	for d := len(r.Strides) - 1; d >= 0; d-- {
		if n := sym.Of(c.Shape[d]); !n.Is(1) && !sym.Of(r.Strides[d]).Equal(stride) {
			return false
		}
		stride = stride.Mul(sym.Of(c.Shape[d]))
	}
	return true
}
