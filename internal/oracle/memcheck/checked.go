package memcheck

import "github.com/memc-lang/memc/ir"

// A checked region is that of a slice behind the statement that makes it, which fails
// where it selects something outside of its array, whether anybody uses it or not; or that
// of an array that was reported, since the run tests whether that fits. An array that it
// contains lies within the block, too. Of an empty slice nothing is known, but what it
// contains is empty as well.
type checked struct {
	block *block
	r     region
	size  int64
}

// maxChecked bounds how many regions, newest first, an array is held against.
const maxChecked = 32

// keepChecked notes a slice that was made, and what its fixed indices tell.
func (f *function) keepChecked(s *ir.Slice, a *array) {
	src := f.arrays[s.X]
	if a == nil || src == nil {
		return
	}
	for k, it := range s.Items {
		if it.Fixed {
			f.compared("<=", f.value(ir.IntLit(0)), f.value(it.Index), true)
			f.compared("<", f.value(it.Index), f.value(src.typ.Shape[k].Exp()), true)
		}
	}
	f.facts.checked = append(f.facts.checked, checked{a.block.canon(), a.r, a.size})
}

// withinChecked tells whether an array lies within a checked region of the block.
func (f *function) withinChecked(a *array, b *block) bool {
	list := f.facts.checked
	for k := len(list) - 1; k >= 0 && k >= len(list)-maxChecked; k-- {
		c := list[k]
		if c.block == b && c.size == a.size && f.facts.contains(c.r, a.r) {
			return true
		}
	}
	return false
}
