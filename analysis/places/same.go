package places

import (
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// Same reports whether a and b are provably the same index function on the same shape: equal
// indices give equal positions.
func Same(f Facts, a, b lmad.Fun) bool {
	if a.Equal(b) {
		return true
	}
	if len(a.Parts) != len(b.Parts) {
		return false
	}
	for k, p := range a.Parts {
		q := b.Parts[k]
		if len(p.Dims) != len(q.Dims) || !f.SameValue(p.Offset, q.Offset) {
			return false
		}
		for j, d := range p.Dims {
			e := q.Dims[j]
			if !f.SameValue(d.Len, e.Len) || !f.SameValue(d.Stride, e.Stride) && !f.SameValue(d.Len, sym.Const(1)) {
				return false
			}
		}
	}
	return true
}
