package peak

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// A fork is an if or a loop at which runs divide into two kinds: with the branch or an iteration,
// and without. For the names of blocks that it binds, a fork records the real blocks in each kind
// of run. A fork counts only at points of its own region: a branch may test the same condition
// again, and then no run goes the one way at the first fork and the other way at the second.
type fork struct {
	number int
	region int
	ways   [2]way
}

// A way is one kind of runs. lies maps names of blocks to the real blocks that they are in these
// runs.
type way struct {
	lies  map[string][]string
	given *premise
}

// maxForks bounds the forks that are considered for one sum.
const maxForks = 4

// findForks records the ifs and loops of the host.
func (b *bound) findForks() {
	b.byBlock, b.given = map[string][]*fork{}, make([]*premise, len(b.Regions))
	sizes := b.sizeNames()
	for region, r := range b.Regions {
		outer := b.given[region]
		for _, s := range r.IR.Stmts {
			switch op := s.Op.(type) {
			case *ir.If:
				yes, no := b.premises(outer, sizes, op.Cond, true), b.premises(outer, sizes, op.Cond, false)
				b.fork(region, s.Pat, [2]*premise{yes, no}, op.Then.Result, op.Else.Result)
				b.given[b.RegionAt(b.Liveness.Body(op.Then).From)], b.given[b.RegionAt(b.Liveness.Body(op.Else).From)] = yes, no
			case *ir.Loop:
				var params []*ir.Elem
				var inits []ir.Exp
				for _, p := range op.Params {
					params, inits = append(params, p.Elem), append(inits, p.Init)
				}
				some, again := b.iterations(s, op)
				inner := b.RegionAt(b.Liveness.Body(op.Body).From)
				one, two := outer, outer
				if op.Bound != nil {
					one = b.positive(outer, sizes, sym.Of(op.Bound))
					two = b.positive(outer, sizes, sym.Of(op.Bound).Sub(sym.Const(1)))
				}
				if some {
					b.fork(region, s.Pat, [2]*premise{one, outer}, op.Body.Result, inits)
				}
				if again {
					b.fork(inner, params, [2]*premise{two, one}, op.Body.Result, inits)
				}
				if b.given[inner] = one; b.turning[op] {
					b.given[inner] = two
				}
			}
		}
	}
}

// iterations reports whether a loop may have an iteration, and whether it may have a second one.
func (b *bound) iterations(s *ir.Stmt, op *ir.Loop) (some, again bool) {
	if op.Bound == nil {
		return true, true
	}
	facts, n := b.Accesses.Facts(b.Liveness.Stmt(s).From), sym.Of(op.Bound)
	again = !facts.Less(n, sym.Const(2))
	return again || !facts.Less(n, sym.Const(1)), again
}

// fork records a fork: names are bound to the operands of one way or of the other.
func (b *bound) fork(region int, names []*ir.Elem, given [2]*premise, ways ...[]ir.Exp) {
	if rules.Off("peak.forks") {
		return
	}
	c := &fork{number: b.numbered, region: region}
	b.numbered++
	for w, operands := range ways {
		c.ways[w] = way{map[string][]string{}, given[w]}
		for k, e := range names {
			ref, ok := operands[k].(*ir.Ref)
			if e.Type.Kind != ir.ArrayKind || e.Type.Place == nil || !e.Type.Place.Exist || !ok || b.value[e.Type.Place.Mem] != nil {
				continue
			}
			reals, many := b.Aliases.BlocksUpTo(b.Aliases.BlockOf(ref.Name), maxHeld)
			if many {
				continue
			}
			if c.ways[w].lies[e.Type.Place.Mem] = reals; w == 0 {
				b.byBlock[e.Type.Place.Mem] = append(b.byBlock[e.Type.Place.Mem], c)
			}
		}
	}
}

// runsAt returns kinds of runs that reach a point: first all runs, then for each fork the runs that
// go one way and those that go the other.
func (b *bound) runsAt(p int) []way {
	region := b.RegionAt(p)
	runs := []way{{given: b.given[region]}}
	if len(b.several) == 0 || b.numbered == 0 {
		return runs
	}
	var active []*fork
	for x := range b.several {
		for _, c := range b.byBlock[x.name] {
			if c.region == region && !slices.Contains(active, c) {
				active = append(active, c)
			}
		}
	}
	slices.SortFunc(active, func(x, y *fork) int { return y.number - x.number }) // the nearest first
	for _, c := range active[:min(len(active), maxForks)] {
		runs = append(runs, c.ways[0], c.ways[1])
	}
	return runs
}

// findTurns records the names of blocks that take turns, and the blocks of the present value from
// the second iteration on.
func (b *bound) findTurns() {
	if rules.Off("peak.turns") {
		return
	}
	ir.WalkStmts(b.Func.Body, func(s *ir.Stmt) bool {
		op, ok := s.Op.(*ir.Loop)
		if !ok {
			return true
		}
		for k := range op.Params {
			t, ok := b.Turn(op, k)
			if !ok {
				continue
			}
			if _, again := b.iterations(s, op); again {
				b.turns[[2]string{t.Value, t.Next}], b.turning[op] = true, true
				b.value[t.Value] = []string{b.Blocks[t.Blocks[0]].Name, b.Blocks[t.Blocks[1]].Name}
			}
		}
		return true
	})
}
