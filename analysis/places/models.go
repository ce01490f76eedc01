package places

import (
	"maps"
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir/sym/integer"
)

// Note [Models]
// ~~~~~~~~~~~~~
// Most attempted proofs fail, and a failing search takes longest. A model is a value for every atom
// such that all facts hold. If p < 0 in a model, p >= 0 cannot be proved, and no search begins.
// Models only end proofs early, so soundness does not depend on them; no run needs to have these
// values. A model is sought when a proof takes more than a few steps: starting from arbitrary
// values, each violated inequality is repaired by changing one of its names, until all hold or the
// time is up. If two regions share a unit in a model, they cannot be proved disjoint either.

// Bounds of the search for models.
const (
	maxModels  = 8
	modelTries = 2
	maxMends   = 24
	modelCost  = 120 // of one search, in units of work
)

type model map[string]int64

// value returns p's value; ok is false if it is too large to be trusted. An atom without facts may
// have any value.
func (m model) value(p poly) (v int64, ok bool) {
	return p.Value(func(x string) (int64, bool) { return m[x], true })
}

// refuted reports whether p >= 0 cannot be proved, for all that the models say.
func (v *prover) refuted(p poly) bool {
	return slices.ContainsFunc(v.models, func(m model) bool {
		x, ok := m.value(p)
		return ok && x < 0
	})
}

// keep drops the models in which a new fact p >= 0 does not hold.
func (v *prover) keep(p poly) {
	if broken := func(m model) bool { return !m.allows(p) }; slices.ContainsFunc(v.models, broken) {
		v.models = slices.DeleteFunc(slices.Clone(v.models), broken)
	}
}

// disprove looks for a model in which p < 0.
func (v *prover) disprove(p poly) bool {
	if rules.Off("places.models") {
		return false
	}
	w := *v
	w.ge = append(slices.Clip(v.ge), p.Neg().AddConst(-1))
	return v.model(&w, func(model) bool { return true })
}

// overlap looks for a model in which two regions have a unit in common. It is asked before a search
// for a proof that they have none, which takes longest if there is none.
func (v *prover) overlap(a, b region) bool {
	if rules.Off("places.models") {
		return false
	}
	meet := func(m model) bool {
		xs, ok := m.units(a)
		ys, ok2 := m.units(b)
		return ok && ok2 && common(xs, ys)
	}
	return slices.ContainsFunc(v.models, meet) || len(v.models) == 0 && v.model(v, meet)
}

// model looks for a wanted model of what w knows, which v knows as well, and keeps it.
func (v *prover) model(w *prover, wanted func(model) bool) bool {
	*v.work -= modelCost
	names := slices.Sorted(maps.Keys(w.atoms()))
	seed := uint32(1)
	for try := range modelTries {
		m := model{}
		for _, x := range names {
			seed = seed*1664525 + 1013904223
			m[x] = int64(seed >> 16 % uint32(1+2*try))
		}
		if w.mend(m) && wanted(m) {
			v.models = append(slices.Clip(v.models), m)
			if len(v.models) > maxModels {
				v.models = v.models[1:]
			}
			return true
		}
	}
	return false
}

// units returns the positions of a region's first units, sorted. It reports whether they are known.
func (m model) units(r region) ([]int64, bool) {
	off, all := m.value(r.off)
	value := func(p poly) int64 {
		x, ok := m.value(p)
		all = all && ok
		return x
	}
	out := []int64{off}
	for _, d := range r.dims {
		n, stride := value(d.len), value(d.stride)
		if out = spread(out, n, stride); !all || len(out) == 0 {
			return nil, false
		}
	}
	slices.Sort(out)
	return out, all
}

// mend moves values until all that is known holds. It tells whether it could.
func (v *prover) mend(m model) bool {
	for k := range maxMends {
		broken := poly{Bad: true}
		for j := range v.ge { // another one first each time, or two would undo each other
			g := v.ge[(j+k)%len(v.ge)]
			if !m.allows(g) {
				broken = g
				break
			}
		}
		if broken.Bad {
			return v.chosen(m) && v.holds(m)
		}
		if !m.move(broken, k, v.nonneg) {
			return false
		}
	}
	return false
}

// chosen gives atoms min and max the values of what they are, if these can be trusted.
func (v *prover) chosen(m model) bool {
	for _, b := range v.bounds {
		if b.of == between {
			continue
		}
		lo, ok1 := m.value(b.lo)
		hi, ok2 := m.value(b.hi)
		if !ok1 || !ok2 {
			return false
		}
		if b.of == lesser {
			m[b.x] = min(lo, hi)
		} else {
			m[b.x] = max(lo, hi)
		}
	}
	return true
}

// holds reports whether all known inequalities hold in a model.
func (v *prover) holds(m model) bool {
	return !slices.ContainsFunc(v.ge, func(g poly) bool { return !m.allows(g) })
}

// allows reports whether p >= 0 in a model.
func (m model) allows(p poly) bool { x, ok := m.value(p); return ok && x >= 0 }

// atoms returns all that the prover knows of.
func (v *prover) atoms() map[string]bool {
	atoms := map[string]bool{}
	for _, g := range v.ge {
		mention(g, atoms)
	}
	for _, b := range v.bounds {
		atoms[b.x] = true
		mention(b.lo, atoms)
		mention(b.hi, atoms)
	}
	return atoms
}

// move changes one atom of p < 0, in turn, as little as makes p at least 0.
func (m model) move(p poly, turn int, nonneg map[string]bool) bool {
	value, ok := m.value(p)
	if !ok {
		return false
	}
	for j := range p.Terms {
		t := p.Terms[(j+turn)%len(p.Terms)]
		for _, x := range t.Atoms {
			a, _, affine := p.Collect(x)
			slope, ok := m.value(a)
			if !affine || !ok || slope == 0 {
				continue
			}
			by := -integer.FloorDiv(value, integer.Abs(slope)) // value is negative
			if slope < 0 {
				by = -by
			}
			if to := m[x] + by; to >= 0 || !nonneg[x] {
				m[x] = to
				return true
			}
		}
	}
	return false
}

// common reports whether two ascending lists share a number.
func common(xs, ys []int64) bool {
	return slices.ContainsFunc(xs, func(x int64) bool { _, in := slices.BinarySearch(ys, x); return in })
}
