package imp

import (
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Points in place]
//
// Where memory passes have merged a map's result with what it reads,
//
//	x[i] = f(x[i])
//
// no compiler moves the read of a work-item's next point above the write of this one. So on GPUs a
// work-item that does little but move elements reads those of several points first:
//
//	e0 = x[i0]; e1 = x[i1]; e2 = x[i2]; ..
//	x[i0] = f(e0); x[i1] = f(e1); x[i2] = f(e2); ..
//
// No point reads what another one writes, so this changes nothing. None is done twice: where one is
// outside, the others are done one by one.
//
// In a space of one dimension the points are 256 apart, as those of other maps. Compilers see that
// x[i + 256] is not x[i], so a loop that they unroll will do. In a space of more dimensions the points are
// rows of a column (Note [Points that share reads]), in a kernel of its own, which the host chooses if there
// are enough points to fill the device nevertheless.

// placeEach returns how many points in place a work-item should do: 1 if they do more than move elements, or
// are not in place.
func (l *lowerer) placeEach(point []Stmt) int64 {
	size, stored, same := int64(0), false, false
	read := map[string]bool{}
	for _, s := range point {
		switch s := s.(type) {
		case *Set:
		case *Load:
			if size = max(size, s.Prim.Size()); stored || s.Fresh {
				return 1
			}
			read[s.Mem] = true
		case *Store:
			size, stored, same = max(size, s.Prim.Size()), true, same || read[s.Mem]
		default:
			return 1
		}
	}
	if !same {
		return 1
	}
	each := int64(maxPoints)
	for each > 1 && (each*size > 2*l.threshold(movedBytes) || each*int64(len(point)) > maxRows) {
		each /= 2
	}
	return each
}

// inPlace has work-items do several rows in place.
func (b *block) inPlace(of *block, names []string, sizes []sym.Poly, each int64) *jam {
	j := &jam{point: of.k.point, vars: of.k.out.Vars, indices: names, sizes: sizes, reads: map[corner]int{}, place: each}
	j.divide()
	j.axes[0].each = each
	return j
}
