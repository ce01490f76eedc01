package memcheck

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir/sym/integer"
)

// contents are the live arrays of one block. A write must find those that it may overlap without
// proofs about all: arrays whose extents are ranges of multiples of one product of sizes, such as the
// rows c*n .. (c+1)*n - 1 of one matrix, are told apart by their numbers. In a row are arrays of one
// unit and of about one length, by their first byte: so two searches find those near a range.
type contents struct{ rows []*row }

type row struct {
	unit   string // "" for arrays without a range
	length int64  // that all ranges here are shorter than
	arrays []*array
}

// A byteRange is the range of bytes lo*unit .. hi*unit - 1 that covers an array.
type byteRange struct {
	unit   string
	lo, hi int64
}

// bytesOf returns the bytes of a region of elements of that size.
func (f *function) bytesOf(r region, size int64) (byteRange, bool) {
	if rules.Off("memcheck.contents") {
		return byteRange{}, false
	}
	s, ok := f.facts.straight(r)
	if !ok {
		return byteRange{}, false
	}
	from, to := s.off.Scale(size), s.last().AddConst(1).Scale(size)
	if from.Bad || to.Bad || len(from.Terms) > 1 || len(to.Terms) != 1 {
		return byteRange{}, false
	}
	unit := to.Terms[0].Atoms
	e := byteRange{hi: to.Terms[0].Coef}
	if len(from.Terms) == 1 {
		if !slices.Equal(from.Terms[0].Atoms, unit) {
			return byteRange{}, false
		}
		e.lo = from.Terms[0].Coef
	}
	if max(integer.Abs(e.lo), integer.Abs(e.hi)) > integer.MaxCoef || !(&proof{facts: f.facts}).natural(unit) {
		return byteRange{}, false
	}
	e.unit = region{off: poly{Terms: []term{{Coef: 1, Atoms: unit}}}}.key()
	return e, true
}

// row returns the row of an array, and its place there.
func (c *contents) row(a *array) (r *row, at int, found bool) {
	length := int64(0)
	if a.ranged {
		length = 1 << bits.Len64(uint64(a.bytes.hi-a.bytes.lo))
	}
	k := slices.IndexFunc(c.rows, func(r *row) bool { return r.unit == a.bytes.unit && r.length == length })
	if k < 0 {
		k = len(c.rows)
		c.rows = append(c.rows, &row{unit: a.bytes.unit, length: length})
	}
	at, found = slices.BinarySearchFunc(c.rows[k].arrays, a, func(x, y *array) int {
		return cmp.Or(cmp.Compare(x.bytes.lo, y.bytes.lo), cmp.Compare(x.born, y.born))
	})
	return c.rows[k], at, found
}

func (c *contents) add(f *function, a *array) {
	if a.alts == nil && !a.measured {
		a.measured = true
		a.bytes, a.ranged = f.bytesOf(a.r, a.size)
	}
	r, at, _ := c.row(a)
	r.arrays = slices.Insert(r.arrays, at, a)
}

// remove takes an array out, if it is there: one that nobody mentions any more
// has been taken out before.
func (c *contents) remove(a *array) {
	if r, at, found := c.row(a); found {
		r.arrays = slices.Delete(r.arrays, at, at+1)
	}
}

// each calls see for the arrays that may overlap one of the regions (nil is the whole block). It
// removes, for good, arrays that no later statement mentions: both walks visit the statements in
// one order.
func (c *contents) each(f *function, regions []region, size int64, see func(*array)) {
	var where byteRange
	ranged := false
	if len(regions) == 1 {
		where, ranged = f.bytesOf(regions[0], size)
	}
	for _, r := range c.rows {
		from, to := 0, len(r.arrays)
		if ranged && r.unit == where.unit {
			first := func(a *array, lo int64) int { return cmp.Compare(a.bytes.lo, lo) }
			from, _ = slices.BinarySearchFunc(r.arrays, where.lo-r.length+1, first)
			to, _ = slices.BinarySearchFunc(r.arrays, where.hi, first)
		}
		to = max(from, to)
		live := slices.DeleteFunc(r.arrays[from:to:to], func(a *array) bool { return a.lastUse < f.now })
		r.arrays = slices.Delete(r.arrays, from+len(live), to)
		for _, a := range live {
			if !ranged || a.bytes.unit != where.unit || a.bytes.hi > where.lo {
				see(a)
			}
		}
	}
}
