package memcheck

import "github.com/memc-lang/memc/internal/base/rules"

// A checked region is one of two kinds. The first is the region of a slice, after the statement
// that makes it: that statement fails if the slice selects an element outside of its array, whether
// the slice is used or not. The second is the region of an array that was reported, since the run
// tests whether it fits. An array within a checked region lies within the block, too. An empty
// slice proves nothing, but arrays within it are empty as well.
type checked struct {
	block *block
	r     region
	size  int64
}

// maxChecked bounds how many regions, newest first, an array is held against.
const maxChecked = 32

// withinChecked reports whether an array lies within a checked region of the block.
func (f *function) withinChecked(a *array, b *block) bool {
	if rules.Off("memcheck.checked") {
		return false
	}
	list := f.facts.checked
	for k := len(list) - 1; k >= 0 && k >= len(list)-maxChecked; k-- {
		c := list[k]
		if c.block == b && c.size == a.size && f.facts.contains(c.r, a.r) {
			return true
		}
	}
	return false
}
