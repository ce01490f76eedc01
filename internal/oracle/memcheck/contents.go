package memcheck

import "slices"

// contents are the live arrays of one block. A write must find those that it may overlap without
// proofs about all: arrays whose extents are ranges of multiples of one product of sizes, such as the
// rows c*n .. (c+1)*n - 1 of one matrix, are told apart by their numbers.
type contents struct{ arrays []*array }

// A byteRange is the range of bytes lo*unit .. hi*unit - 1 that covers an array.
type byteRange struct {
	unit   string
	lo, hi int64
}

// bytesOf returns the bytes of a region of elements of that size.
func (f *function) bytesOf(r region, size int64) (byteRange, bool) {
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
	if !(&proof{facts: f.facts}).natural(unit) {
		return byteRange{}, false
	}
	e.unit = region{off: poly{Terms: []term{{Coef: 1, Atoms: unit}}}}.key()
	return e, true
}

func (c *contents) add(f *function, a *array) {
	if a.alts == nil && !a.measured {
		a.measured = true
		a.bytes, a.ranged = f.bytesOf(a.r, a.size)
	}
	c.arrays = append(c.arrays, a)
}

// remove takes an array out, if it is there: one that nobody mentions any more
// has been taken out before.
func (c *contents) remove(a *array) {
	for k := len(c.arrays) - 1; k >= 0; k-- {
		if c.arrays[k] == a {
			c.arrays = slices.Delete(c.arrays, k, k+1)
			return
		}
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
	c.arrays = slices.DeleteFunc(c.arrays, func(a *array) bool { return a.lastUse < f.now })
	for _, a := range c.arrays {
		if ranged && a.ranged && a.bytes.unit == where.unit && (a.bytes.hi <= where.lo || where.hi <= a.bytes.lo) {
			continue
		}
		see(a)
	}
}
