package memcheck

import "slices"

// touched returns the places that a thread counts as touching if it touches a part of an array. If
// the thread makes the array itself, the whole array counts, since the arrays of different threads
// are apart as a whole; but then no error is certain. For a result of a branch or a loop in the
// kernel, the part or the whole array counts, whichever is apart from other threads' accesses.
func (f *function) touched(a *array, part []placement) (places, all []placement) {
	if f.kernel == nil || a.born < f.kernel.start {
		return part, nil
	}
	whole, own := a.own(f.kernel.start)
	if own && len(f.placements(a)) == 1 {
		a = f.kernel.holder(f, whole)
	}
	all = slices.Clone(f.placements(a))
	for k := range all {
		all[k].r.exact = false
	}
	if own {
		return all, nil
	}
	return part, all
}

// holder returns the array of a thread in whose place another one of it was put together,
// or the array itself where there is none.
func (k *kernel) holder(f *function, a *array) *array {
	h, known := k.holders[a]
	if known {
		return h
	}
	now := f.now
	f.now = k.start // at a body's end it is later than every use
	h = f.container(a, func(x *array) bool { _, own := x.own(k.start); return own && x.size == a.size && x.born < a.born })
	if f.now = now; h == nil {
		h = a
	}
	k.holders[a] = h
	return h
}

// own reports whether a thread makes the array itself, and which array that is: it is
// bound in the kernel, and no other name of one that is not.
func (a *array) own(start int) (*array, bool) {
	for a.of != nil {
		a = a.of
	}
	return a, a.born > start && !a.chosen
}
