package memcheck

import "github.com/memc-lang/memc/ir"

// A checked region is that of a slice behind the statement that makes it: it fails
// where it selects something outside of its array, whether anybody uses it or
// not. So an array that it contains lies within the block, as the sliced one does.
// Of an empty slice nothing is known, but what it contains is empty, too.
type checked struct {
	block *block
	r     region
	size  int64
}

// maxChecked bounds how many slices, newest first, an array is held against.
const maxChecked = 32

// keepChecked notes a slice that was made, and what its fixed indices tell, and its
// type: where that says other sizes than the slice, they were compared.
func (f *function) keepChecked(s *ir.Slice, a *array) {
	src := f.arrays[s.X]
	if a == nil || src == nil {
		return
	}
	dims := a.typ.Shape
	for k, it := range s.Items {
		if !it.Fixed && len(dims) > 0 {
			if x, y := f.value(dims[0].Exp()), f.value(it.Len); !x.Equal(y) {
				f.compared("==", x, y, true)
			}
			dims = dims[1:]
		}
		if it.Fixed {
			f.compared("<=", f.value(ir.IntLit(0)), f.value(it.Index), true)
			f.compared("<", f.value(it.Index), f.value(src.typ.Shape[k].Exp()), true)
		}
	}
	f.facts.checked = append(f.facts.checked, checked{a.block.canon(), a.r, a.size})
}

// withinChecked tells whether an array lies within a slice of the block that was
// checked.
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
