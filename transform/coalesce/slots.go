package coalesce

import (
	"slices"
	"strconv"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
)

// Note [Slots]
//
// A table that is filled row by row has as many accesses as rows, and each row that is to be made in
// its place is asked about all of them. Yet rows 3 and 7 are apart for one reason, whatever else is
// known: both are contiguous, of one size, and lie a multiple of that size from each other. Likewise
// columns 3 and 7 of rows of 100 are. So accesses to a block are filed by slot (lmad.Fun.Slot), and
// whoever looks for those that touch a slot passes over the others of its key.

// A filing holds the accesses to a block, as indices of ac.All, in ascending order.
type filing struct {
	all  []int
	keys map[string]*slots // once there are many
	rest []int             // those in no slot
}

// slots holds accesses to the slots of a key.
type slots struct {
	all      []int
	byNumber map[int64][]int
}

// add files accesses of an array that lies in the block from now on.
func (f *filing) add(s *state, list []int) {
	f.all = merged(f.all, list)
	if f.keys != nil {
		f.file(s, list)
	}
}

func (f *filing) file(s *state, list []int) {
	for _, k := range list {
		a := &s.ac.All[k]
		key, number, ok := "", int64(0), a.Array != ""
		if ok {
			key, number, ok = slotOf(s.atAnyIndex(a), s.bytes(a.Array))
		}
		if !ok {
			f.rest = merged(f.rest, []int{k})
			continue
		}
		of := f.keys[key]
		if of == nil {
			of = &slots{byNumber: map[int64][]int{}}
			f.keys[key] = of
		}
		of.all = merged(of.all, []int{k})
		of.byNumber[number] = merged(of.byNumber[number], []int{k})
	}
}

// atAnyIndex returns what an access touches whatever the values of indices are: those that are not constant may
// be any in their dimension.
func (s *state) atAnyIndex(a *accesses.Access) lmad.Fun {
	shape := s.of(a.Array).def.Elem.Type.Shape
	wide := accesses.Access{Items: slices.Clone(a.Items)}
	for d, it := range wide.Items {
		if _, constant := it.Index.(*ir.Lit); it.Fixed && !constant {
			wide.Items[d] = ir.Item{Start: ir.IntLit(0), Len: shape[d].Exp()}
		}
	}
	return wide.Region(s.place(a.Array))
}

func slotOf(region lmad.Fun, bytes int64) (key string, number int64, ok bool) {
	key, number, ok = region.Slot()
	return strconv.FormatInt(bytes, 10) + "|" + key, number, ok
}

// touching returns the accesses at the points from..to (both included) without those that are apart from a
// region by their slots.
func (f *filing) touching(s *state, region lmad.Fun, bytes int64, from, to int) []int {
	all := s.between(f.all, from, to)
	if len(all) <= 32 { // filing costs more
		return all
	}
	if f.keys == nil {
		f.keys = map[string]*slots{}
		f.file(s, f.all)
	}
	key, number, ok := slotOf(region, bytes)
	of := f.keys[key]
	if !ok || of == nil {
		return all
	}
	same := s.between(of.byNumber[number], from, to)
	if others := len(s.between(of.all, from, to)) - len(same); 2*others < len(all) {
		return all // a shorter list costs more than it saves
	}
	out := append(slices.Clone(same), s.between(f.rest, from, to)...)
	for _, other := range f.keys {
		if other != of {
			out = append(out, s.between(other.all, from, to)...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// between returns the part of an ascending list of accesses that lies at the points from..to.
func (s *state) between(list []int, from, to int) []int {
	lo, _ := slices.BinarySearchFunc(list, from, func(k, p int) int { return s.ac.All[k].Point - p })
	hi, _ := slices.BinarySearchFunc(list, to+1, func(k, p int) int { return s.ac.All[k].Point - p })
	return list[lo:hi]
}
