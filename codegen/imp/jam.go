package imp

import (
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Rows that share reads]
//
// In a loop, all rows of a map may read the same elements, as those of a product of matrices do:
//
//	s = 0; for k < m { s = s + a[i * m + k] * b[k * p + j] }
//
// Then a work-item does several neighbouring rows of a column together, and reads such an element
// once (unroll and jam; Callahan, Cocke and Kennedy in docs/bibliography.md):
//
//	s0 = 0; s1 = 0; ..
//	for k < m { e = b[k * p + j]; s0 = s0 + a[i0 * m + k] * e; s1 = s1 + a[i1 * m + k] * e; .. }
//
// No point reads what another one writes, so the statements of points may be done in any order, and
// an element that all rows read is the same for all. A loop that runs equally often in all rows is
// jammed; any other is done row by row. This is a kernel of its own, which the host chooses if the
// rows of the work-items fill the device nevertheless. If the last work-item of a column has too few
// rows, it computes some of the one before it once more, but does not write them; where a point reads
// what it writes, it does its rows one by one.

// A jam does the statements of several rows together.
type jam struct {
	divergence
	rows  []map[string]string // names of the variables that vary
	reads int                 // in jammed loops, of elements that all rows read
	work  int                 // statements that each row does by itself
	twice ir.Exp              // how many rows another work-item does, too, and writes; nil: none
}

// maxJam is how many statements a work-item should do for its rows by themselves; any choice is right.
const maxJam = 96

// rowsAtOnce returns a kernel that does several rows at once, for one whose work-items do a point each,
// the number of its groups, and the condition that there are enough points for it; or nil.
func (b *block) rowsAtOnce(of *block, name, doc string, names []string, sizes []sym.Poly) (in *block, groups, enough ir.Exp) {
	if of.k.point == nil {
		return nil, nil, nil
	}
	outer := slices.Clip(names[:len(names)-1])
	row := numberOf(outer)
	j := &jam{divergence: divergent(row)}
	for _, name := range append(outer, row) {
		j.varying[name] = true
	}
	j.mark(of.k.point)
	j.weigh(of.k.point, false)
	each := b.f.l.threshold(sharedRows)
	for each > 1 && each*int64(j.work) > maxJam {
		each /= 2
	}
	if j.reads == 0 || each < 2 {
		return nil, nil, nil
	}
	in = b.kernel(name+"_rows", doc+", several rows at once")
	for _, v := range of.k.out.Vars {
		in.declare(v.Name, v.Prim)
	}
	again := b.f.keepsReads(of.k.point)
	enough = not(less(product(sizes).Exp(), times(b.query(DeviceItems), i64(max(each/4, 1)))))
	if again {
		enough = and(enough, not(less(product(sizes[:len(outer)]).Exp(), i64(each))))
	}
	groups = b.boxes(in, names, sizes, i64(each), func(in *block, locate []Stmt, first, count ir.Exp) {
		one, first := append(locate, of.k.point...), index(first)
		j.mark(one)
		together := func(in *block, first ir.Exp) {
			for r := range each {
				j.rows = append(j.rows, j.names(in))
				in.set(j.rows[r][row], index(add(first, i64(r))))
			}
			in.add(j.all(one)...)
		}
		if again {
			in.when(less(first, count), func(in *block) {
				j.twice = in.atom(maximum(index(subtract(add(first, i64(each)), count)), i64(0)), "twice")
				together(in, in.atom(index(subtract(first, j.twice)), "first"))
			}, nil)
			return
		}
		first = in.atom(first, "first")
		in.when(binary("<=", add(first, i64(each)), count), func(in *block) { together(in, first) }, func(in *block) {
			next := in.temp("next", ir.I64)
			in.add(&For{Var: next.Name, Bound: index(subtract(count, first)), Body: append([]Stmt{&Set{Dst: row, E: index(add(first, next))}}, cloned(one)...)})
		})
	})
	return in, groups, enough
}

// mark finds what varies from row to row.
func (j *jam) mark(list []Stmt) {
	for marked := -1; marked < len(j.varying)+len(j.whole); {
		marked = len(j.varying) + len(j.whole)
		j.vary(list, false)
	}
}

// weigh counts what rows share, and what each does by itself.
func (j *jam) weigh(list []Stmt, looped bool) {
	for _, s := range list {
		if !j.shared(s) {
			j.work++
		} else if isA[*Load](s) && looped {
			j.reads++
		}
		for _, in := range inside(s) {
			j.weigh(in, (looped || isA[*For](s)) && j.shared(s))
		}
	}
}

// shared reports whether a statement is done once for all rows. What is inside need not be.
func (j *jam) shared(s Stmt) bool {
	switch s := s.(type) {
	case *Set, *Load:
		return !j.varying[target(s)]
	case *If:
		return j.uniform(s.Cond)
	case *For:
		return !j.whole[s]
	case *Check:
		return j.uniform(append(slices.Clone(s.Args), s.Cond)...)
	}
	return false
}

// names gives the variables that vary new names.
func (j *jam) names(in *block) map[string]string {
	out := map[string]string{}
	for _, v := range in.k.out.Vars {
		if j.varying[v.Name] {
			out[v.Name] = in.temp(v.Name, v.Prim).Name
		}
	}
	return out
}

// all returns the statements of all rows.
func (j *jam) all(list []Stmt) []Stmt {
	var out []Stmt
	for _, s := range list {
		switch t := s.(type) {
		case *For:
			if j.shared(s) {
				out = append(out, &For{Var: t.Var, Bound: t.Bound, Body: j.all(t.Body)})
				continue
			}
		case *If:
			if j.shared(s) {
				out = append(out, &If{Cond: t.Cond, Then: j.all(t.Then), Else: j.all(t.Else)})
				continue
			}
		}
		if j.shared(s) {
			out = append(out, cloned([]Stmt{s})...)
			continue
		}
		for r, names := range j.rows {
			out = append(out, j.own(renamed([]Stmt{s}, names), int64(r))...)
		}
	}
	return out
}

// own returns the statements of a row, such that only one work-item writes its elements.
func (j *jam) own(list []Stmt, row int64) []Stmt {
	if j.twice == nil {
		return list
	}
	for i, s := range list {
		for _, in := range lists(s) {
			*in = j.own(*in, row)
		}
		if isA[*Store](s) {
			list[i] = &If{Cond: binary("<=", j.twice, i64(row)), Then: []Stmt{s}}
		}
	}
	return list
}
