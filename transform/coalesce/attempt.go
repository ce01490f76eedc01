package coalesce

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/transform"
)

// Note [Alternatives]
//
// memc tries candidates in one order. A move that it makes can block a later one (thesis, figure
// 5.26):
//
//	let table = replicate (n, k) a[0]
//	let row = concat@0 (a, b)            -- a and b can be made in the row
//	let t1 = table with [i, (0, k)] = row -- the row can be made in the table, not a
//
// So memc makes the moves of a function on a copy of it. The outcome suggests alternatives that may
// be better: loops that begin with a copy of their initial values (start.go), and attempts without
// a move that blocked others and saves no more than they would (excluding). memc makes each
// alternative on a copy of its own, at most two of either kind. The attempt with the lowest cost
// becomes the function.
//
// A motion that enables no move only makes blocks live longer. An attempt with such a motion is
// discarded and made again without it. A remark then gives the reason why the candidate was refused
// with the motion: whoever moves the statements by hand would meet that one.

// A job is the pass over one function.
type job struct {
	prog    *ir.Program
	f       *ir.Func
	aliases *aliases.Program
	opt     options
}

// run replaces the function by the attempt with the lowest cost.
func (j *job) run(c *transform.Context) {
	movable := c.Remarks == nil // a remark says why a parameter's copy stays
	if !copiesAny(j.f, movable) && !swaps(j.f) {
		unused(j.f)
		return
	}
	best := j.best(c.Remarks != nil)
	if c.Limit == transform.Unlimited {
		*j.f = *best.f
		c.Take(best.context)
	} else { // the choice must not depend on the limit
		j.attempt(j.f, c, best.alternative)
	}
}

func (j *job) best(remarks bool) *attempt {
	best := j.try(alternative{}, remarks)
	wanted := best.begins
	for n := 0; n < maxAttempts && len(wanted) > 0; n++ {
		starts := set{}
		for _, x := range wanted {
			starts[x] = true
		}
		a := j.try(alternative{best.without, starts}, remarks)
		used := a.begun()
		if len(used) == len(wanted) {
			if a.cost().less(best.cost()) {
				best = a
			}
			break
		}
		wanted = used
	}
	excluding := best.excluding()
	if rules.Off("coalesce.excluding") {
		return best
	}
	for n := 0; n < maxAttempts && len(excluding) > 0; n++ {
		without := refusals{}
		for _, key := range excluding {
			without[key] = refuse("choice", "it would prevent other moves that save more")
		}
		a := j.try(alternative{best.without.and(without), best.starts}, remarks)
		if a.cost().less(best.cost()) && len(a.begun()) == len(a.starts) {
			return a
		}
		if len(excluding) == 1 {
			break
		}
		excluding = excluding[:1]
	}
	return best
}

// try makes an attempt in which no motion came to nothing.
func (j *job) try(alt alternative, remarks bool) *attempt {
	for n := 1; ; n++ {
		c := transform.NewContext("coalesce", nil, transform.Unlimited)
		if remarks {
			c.Remarks = &diag.List{File: j.prog.File}
		}
		a := j.attempt(ir.SnapshotFunc(j.f), c, alt)
		// A planted bug that makes bad motions must not take them back.
		if len(a.idle) == 0 || n > maxRounds+1 || j.opt.skip["motion"] {
			return a
		}
		if alt.without = alt.without.and(a.idle); n > maxRounds {
			alt.without[allMotions] = refusal{}
		}
	}
}

// attempt makes the moves that the alternative allows.
//
// Note [Order]. Copies first: if a next value can be made either from parts in its place or over
// the present one, the former saves more. Afterwards one buffer may suffice for the rest, and then
// the loop's result may be able to move to the place that it is copied to.
func (j *job) attempt(f *ir.Func, c *transform.Context, alt alternative) *attempt {
	a := newAttempt(f, c, alt)
	analyse := func() *state {
		lv, ac := accesses.WithLives(j.prog, f, j.aliases.Of)
		return newState(j, a, lv, ac)
	}
	var last *state
	for _, buffered := range []bool{false, true} {
		if !buffered && swaps(f) && rules.Off("coalesce.order") {
			continue
		}
		if buffered && !(swaps(f) && analyse().buffers()) && last != nil {
			break
		}
		for round, moved := 1, true; moved; round++ {
			s := analyse()
			s.buffered = buffered
			a.missed = nil
			s.all()
			last = s
			idle := s.idle()
			if moved = round < maxRounds && s.grant(); moved {
				continue
			}
			unused(f)
			a.refused, a.begins = s.lost(), s.begins()
			a.idle = a.idle.and(idle)
			a.cost = sync.OnceValue(s.cost)
		}
	}
	last.insert()
	for _, m := range a.missed {
		if m.kind == buffers {
			c.Remark(m.span, "[%s] `%s`, a loop's initial value, keeps its own block: %s", m.Code, m.src, m.Why)
			continue
		}
		c.Remark(m.span, "[%s] `%s` is copied to `%s`: %s", m.Code, m.src, m.dst, m.Why)
	}
	return a
}

// lost returns the savings of refused candidates that other moves may have blocked.
func (s *state) lost() []refused {
	var out []refused
	for _, m := range s.missed {
		switch m.Code {
		case "switch", "access", "bound", "call", "choice":
		default:
			if m.kind != buffers {
				out = append(out, refused{m.src, m.dst, s.saves(m.candidate)})
			}
		}
	}
	return out
}

// begun returns the loop parameters that begin with copies and profit from it: a move other than
// one of initial values was made of them.
func (a *attempt) begun() []string {
	used := set{}
	for _, m := range a.made {
		for _, x := range m.members {
			if m.kind != buffers && a.starts[x.name] {
				used[x.name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(used))
}

// excluding returns moves without which refused candidates would save as much or more. The move
// that blocks most comes first.
func (a *attempt) excluding() []string {
	gain := make([]int64, len(a.made))
	of := map[string][]int{}
	for k, m := range a.made {
		for _, x := range m.members {
			of[x.name] = append(of[x.name], k)
		}
	}
	for _, r := range a.refused {
		ks := slices.Concat(of[r.dst], of[r.src])
		slices.Sort(ks)
		for _, k := range slices.Compact(ks) {
			gain[k] += r.saved
		}
	}
	var out []int
	for k, m := range a.made {
		if gain[k] > 0 && gain[k] >= m.saved {
			out = append(out, k)
		}
	}
	slices.SortStableFunc(out, func(x, y int) int {
		return cmp.Compare(gain[y]-a.made[y].saved, gain[x]-a.made[x].saved)
	})
	keys := make([]string, len(out))
	for i, k := range out {
		keys[i] = a.made[k].key
	}
	return keys
}
