package imp

import (
	"slices"
	"strconv"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Flat loops]
//
// The window of a convolution is a nest of loops, in which a sum goes from loop to loop:
//
//	for c < m { t = s; for b < 3 { t = t + k[c * 3 + b] * x[c * n + j + b] }; s = t }
//
// Staged reads need one loop (Note [Staged reads]). So the nest becomes one where the bounds of the inner
// loops are literals:
//
//	for q < 3 * m { c = q / 3; b = q - 3 * c; t = s; t = t + k[q] * x[c * n + j + q - 3 * c]; s = t }
//
// Offsets have q - 3 * c for b: so the elements k[q] are seen to be neighbours. A nest can become flat if
// before and after the inner loop there are only copies of scalars, which change nothing that the inner
// loop mentions if those after it and then those before it are done between two of its turns. The sum keeps
// its order. The host makes sure that the loop has from 0 to 2^31 - 1 turns: so the division that finds c for each
// staged element is one of 32 bits.

// maxFlat is more than the turns of a loop that was a nest, which are counted in 32 bits.
const maxFlat = 1 << 31

// flatten makes such nests one loop, if the host can compute how often it turns.
func (j *jam) flatten(f *fn) {
	for k, s := range j.point {
		loop, ok := s.(*For)
		if !ok {
			continue
		}
		known, bound := j.bound(loop)
		if !known {
			continue
		}
		if one, each := j.flat(f, loop); one != loop {
			count := bound.Exp() // not negative: so count * each wraps neither way
			j.point[k], j.fits = one, append(slices.Clip(j.fits), not(less(count, i64(0))), less(count, i64(maxFlat/each)))
		}
	}
}

// flat returns the loop of a nest, and how many of its turns are one of the outer loop; the loop itself and 1
// if it is none.
func (j *jam) flat(f *fn, loop *For) (one *For, each int64) {
	at := slices.IndexFunc(loop.Body, isA[*For])
	if at < 0 || !plain(loop) {
		return loop, 1
	}
	inner, _ := j.flat(f, loop.Body[at].(*For))
	before, after := loop.Body[:at], loop.Body[at+1:]
	each = int64(known(inner.Bound))
	if each <= 0 || each >= maxFlat || !plain(inner) || !idle(before, after, inner) {
		return loop, 1
	}
	bound := index(times(loop.Bound, i64(each)))
	turn := &ir.Ref{Name: f.temp(loop.Var), T: ir.I64}
	j.vars = append(slices.Clip(j.vars), Var{Name: turn.Name, Prim: ir.I64})
	small := func(x ir.Exp) ir.Exp { return &ir.Convert{X: x, T: ir.I32} }
	outer := &ir.Convert{X: &ir.Binary{Op: "/", X: small(turn), Y: &ir.Lit{Text: strconv.FormatInt(each, 10), Bits: uint64(each), T: ir.I32}, T: ir.I32}, T: ir.I64}
	own := subtract(turn, times(ir.Var(loop.Var), i64(each)))
	body := []Stmt{&Set{Dst: loop.Var, E: outer}, &Set{Dst: inner.Var, E: index(own)}}
	body = slices.Concat(body, before, inner.Body, after)
	Each(body, func(l *Load) {
		l.Off = index(indexPoly(l.Off).Subst(func(name string) (sym.Poly, bool) { return poly(own), name == inner.Var }).Exp())
	})
	return &For{Var: turn.Name, Bound: bound, Body: body}, each
}

// plain reports whether a loop is one that a work-item does turn by turn.
func plain(loop *For) bool { return !loop.Local && !loop.Whole && loop.Each == 0 }

// idle reports whether copies of scalars after an inner loop and before it may as well be done between two
// of its turns.
func idle(before, after []Stmt, inner *For) bool {
	value, written := map[string]string{}, map[string]bool{}
	of := func(name string) string {
		if v, ok := value[name]; ok {
			return v
		}
		return name
	}
	for _, s := range slices.Concat(after, before) {
		to, from, ok := copied(s)
		if !ok {
			return false
		}
		value[to] = of(from)
	}
	// What changes must not matter in the next turn, and get its last value from what is right.
	changed := func(name string) bool { return of(name) != name }
	for _, s := range after {
		to, from, _ := copied(s)
		if changed(from) && !written[from] {
			return false
		}
		written[to] = true
	}
	for name := range value {
		if changed(name) && (!written[name] || mentions([]Stmt{inner}, name)) {
			return false
		}
	}
	return true
}

// copied gives the scalars of a statement that copies one.
func copied(s Stmt) (to, from string, ok bool) {
	set, isSet := s.(*Set)
	if !isSet {
		return "", "", false
	}
	r, isRef := set.E.(*ir.Ref)
	if !isRef {
		return "", "", false
	}
	return set.Dst, r.Name, true
}
