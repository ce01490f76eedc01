package memcheck

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
)

// touched returns the places that a thread touches if it touches a part of an array, and, for an array that the
// kernel itself makes, those of the whole array: whichever are apart from other threads' accesses count.
func (f *function) touched(a *array, part []placement) (places, all []placement) {
	if f.kernel == nil || a.born < f.kernel.start || rules.Off("memcheck.touchedAll") {
		return part, nil
	}
	all = slices.Clone(f.placements(a))
	for k := range all {
		all[k].r.exact = false
	}
	return part, all
}
