package memcheck

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
)

// touched returns the places that a thread counts as touching if it touches a part of an array. If
// the thread makes the array itself, the whole array counts, since the arrays of different threads
// are apart as a whole; but then no error is certain. For a result of a branch or a loop in the
// kernel, the part or the whole array counts, whichever is apart from other threads' accesses.
func (f *function) touched(a *array, part []placement) (places, all []placement) {
	if f.kernel == nil || a.born < f.kernel.start {
		return part, nil
	}
	own := a.own(f.kernel.start)
	all = slices.Clone(f.placements(a))
	for k := range all {
		all[k].r.exact = false
	}
	if own && !rules.Off("memcheck.touched") {
		return all, nil
	}
	if rules.Off("memcheck.touchedAll") {
		return part, nil
	}
	return part, all
}

// own reports whether a thread makes the array itself: it is bound in the kernel, and no other name
// of one that is not.
func (a *array) own(start int) bool {
	for a.of != nil {
		a = a.of
	}
	return a.born > start && !a.chosen
}
