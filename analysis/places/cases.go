package places

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
)

// Note [Cases]
// ~~~~~~~~~~~~
// If a question cannot be answered as it stands, it is split into cases, one of which holds in any
// run. The answer must be yes in each case:
//
//   - for p != 0: p >= 1 or p <= -1, or just one of these if the other is impossible;
//   - for a factor z >= 0 of a stride, such as the q-1 of (q-1)*b: z = 0 or z >= 1. The search for
//     common positions divides by strides, so it must exclude 0.
//
// If a case says that two values are equal, one is substituted for the other. So in the case q = 1
// nothing remains of (q-1)*b.

// Bounds of the cases of one question; all of them share its work.
const (
	maxSplits = 3 // facts a != b tried both ways
	maxZeros  = 1 // factors of strides
)

// A given is the facts that a case adds: these are at least 0, those are 0.
type given struct {
	ge []poly
	eq []*fact
}

func (g given) and(h given) given {
	return given{slices.Concat(g.ge, h.ge), slices.Concat(h.eq, g.eq)}
}

// A split returns cases of which one holds, or none if it does not help. A single case is just a
// further fact.
type split func(v *prover) []given

// cases asks a question about some polynomials: first with all facts and, if these do not suffice,
// in cases (Note [Cases]). Factors of strides may be 0.
func (f Facts) cases(cv *converter, about, extra, strides []poly, goal func(v *prover, ps []poly) bool) bool {
	known := f.relevant(cv, slices.Concat(about, extra))
	var splits []split
	for _, k := range known { // newest first
		if k.kind == notZero && len(splits) < maxSplits && !rules.Off("places.splits") {
			p := k.p
			splits = append(splits, func(v *prover) []given {
				more, less := given{ge: []poly{p.AddConst(-1)}}, given{ge: []poly{p.Neg().AddConst(-1)}}
				switch e := v.enter(p); {
				case v.atLeastZero(e):
					return []given{more}
				case v.atLeastZero(e.Neg()):
					return []given{less}
				}
				return []given{more, less}
			})
		}
	}
	splits = append(splits, zeros(strides)...)
	work, left := f.allowance()
	defer func() { left(work) }()
	var try func(g given, splits []split, possible bool) bool
	try = func(g given, splits []split, possible bool) bool {
		v := newProver(cv, known, g, &work, maxAssume)
		if v.absurd && possible {
			return true // this case contradicts facts that do not contradict one another
		}
		possible = possible || !v.absurd
		ps := make([]poly, len(about))
		for k, p := range about {
			ps[k] = v.enter(p)
		}
		if goal(v, ps) {
			return true
		}
		sharper := false
		for k, s := range splits {
			if work <= 0 {
				return false
			}
			switch cases := s(v); len(cases) {
			case 0:
			case 1: // more is known
				g, sharper = g.and(cases[0]), true
			default:
				return !slices.ContainsFunc(cases, func(c given) bool { return !try(g.and(c), splits[k+1:], possible) })
			}
		}
		return sharper && try(g, nil, possible)
	}
	return try(given{ge: extra}, splits, false)
}

// zeros returns the cases of strides that may be 0.
func zeros(strides []poly) []split {
	var out []split
	var met []poly
	for _, s := range strides {
		if rules.Off("places.zeros") {
			break
		}
		z := s.Primitive()
		if _, ok := z.IsConst(); ok || len(z.Terms) < 2 || len(out) == maxZeros || slices.ContainsFunc(met, z.Equal) {
			continue
		}
		met = append(met, z)
		out = append(out, func(v *prover) []given {
			if e := v.enter(z); !v.atLeastZero(e) || v.atLeastZero(e.AddConst(-1)) {
				return nil
			}
			return []given{{ge: []poly{z.AddConst(-1)}}, {eq: []*fact{{kind: isZero, p: z}}}}
		})
	}
	return out
}
