package imp

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// nearer counts the accesses that are neighbours from one value of the index x to the next, minus
// those that are neighbours along y. The sign says which of the two neighbouring work-items should
// number.
func nearer(list []Stmt, x, y string) int {
	if x == "" || y == "" {
		return 0
	}
	defs, assigned := map[string]ir.Exp{}, map[string]int{x: 2, y: 2}
	Each(list, func(s *Set) {
		defs[s.Dst] = s.E
		assigned[s.Dst]++
	})
	var offset func(e ir.Exp, depth int) sym.Poly
	offset = func(e ir.Exp, depth int) sym.Poly {
		return indexPoly(e).Subst(func(name string) (sym.Poly, bool) {
			d, ok := defs[name]
			if !ok || assigned[name] != 1 || depth == 0 {
				return sym.Poly{}, false
			}
			return offset(d, depth-1), true
		})
	}
	unit := func(p sym.Poly) bool { return p.Is(1) || p.Is(-1) }
	n := 0
	Each(list, func(s Stmt) {
		var off ir.Exp
		switch s := s.(type) {
		case *Load:
			off = s.Off
		case *Store:
			off = s.Off
		default:
			return
		}
		p := offset(off, 8)
		switch along, across := slope(p, x), slope(p, y); {
		case unit(along) && !across.Is(0) && !unit(across):
			n++
		case unit(across) && !along.Is(0) && !unit(along):
			n--
		}
	})
	return n
}
