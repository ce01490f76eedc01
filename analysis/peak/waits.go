package peak

import (
	"slices"

	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/ir"
)

// Note [The initial value's block takes turns]
//
// A loop whose parameter xs alternates between two blocks writes to `next`, and then next and other
// swap roles:
//
//	loop (xs @ ?m = xs0, next: mem = m_a, other: mem = m_b) ...
//	  let ys @ next = ...
//	  in (ys, other, next)
//
// In the first iteration xs lies in the block m0 of xs0, and the loop writes to m_a. It first
// writes to m_b in the second iteration, when xs lies in m_a. If m0 holds only xs0, and only xs
// needs that, then m0 is dead by then and can be m_b: the loop has two blocks that swap, not three.
// Interference cannot see this, since it does not tell iterations apart. The conditions are:
//
//	(1) other and next just swap, next is where the next value is made, nothing else lies
//	    in other by that name, and after the loop other's name is not used. An array that
//	    lies in next then never lies where xs does;
//	(2) m_b is mentioned nowhere else;
//	(3) every array bound outside of the loop that may lie in m0 is used last
//	    where the loop begins, except the loop's result for xs;
//	(4) within the loop an array lies in m0 only through xs: no other result of
//	    the body may lie in m0, no other parameter may have m0 as initial or next
//	    block, and the body mentions no outer block that m0 may be;
//	(5) after the loop no other array in m0 is needed while the loop's result,
//	    which may be in m_b then, is: in an outer loop one name may stand for m0
//	    and for other blocks.
//
// (4) also ensures that m0 is not m_a. If xs0 comes from an earlier iteration of a loop around, in
// which m_a and m_b are allocated, it may lie in the earlier instance of m_a, and one name stands
// for both.

// Bounds of TakesTurns: the names that a block may have, and the pairs of arrays that are looked at
// behind a loop.
const (
	maxNames  = 256
	maxBehind = 4096
)

// TakesTurns reports whether the block m0 of the initial value of a loop's parameter k can be the
// block mb that Waiting returns: conditions (3) to (5). outer are the loop's OuterBlocks.
func TakesTurns(a *aliases.Table, l *liveness.Table, at *ir.Stmt, outer []string, k int, m0, mb string) bool {
	r := &rotation{aliases: a, live: l, loop: at, params: []int{k}, block: m0}
	return !r.another() && !slices.ContainsFunc(outer, r.mayBe) && r.replaced(mb)
}

// Replaces reports whether, after the beginning of a loop, the block m0 of the initial value of one of
// these parameters can be the block mb of their next values, as far as the code outside of the loop is
// concerned: conditions (3) and (5).
func Replaces(a *aliases.Table, l *liveness.Table, at *ir.Stmt, params []int, m0, mb string) bool {
	return (&rotation{aliases: a, live: l, loop: at, params: params, block: m0}).replaced(mb)
}

// A rotation is a loop with parameters whose initial values may lie in a block that gets other contents
// in the loop.
type rotation struct {
	aliases *aliases.Table
	live    *liveness.Table
	loop    *ir.Stmt
	params  []int
	block   string
}

func (r *rotation) replaced(mb string) bool {
	others, more := r.aliases.MayLieInUpTo(r.block, maxNames)
	given, more2 := r.aliases.MayLieInUpTo(mb, maxNames)
	return !more && !more2 && !slices.ContainsFunc(others, r.needed) && !r.meetBehind(others, given)
}

// of reports whether a parameter is one of the rotation's.
func (r *rotation) of(k int) bool { return slices.Contains(r.params, k) }

// mayBe reports whether a name of a block may stand for the block.
func (r *rotation) mayBe(mem string) bool { return mem != "" && r.aliases.MayBeOne(mem, r.block) }

// bound reports whether a name is bound in the loop.
func (r *rotation) bound(name string) bool {
	d, span := r.live.Def(name), r.live.Stmt(r.loop)
	return d != nil && span.From < d.Point && d.Point < span.To
}

// another reports whether another parameter or result of the body may lie in the block (4).
func (r *rotation) another() bool {
	op := r.loop.Op.(*ir.Loop)
	for j, e := range op.Body.Result {
		if ref, ok := e.(*ir.Ref); ok && !r.of(j) && r.mayBe(r.aliases.BlockOf(ref.Name)) {
			return true
		}
	}
	for j, p := range op.Params {
		kind := p.Elem.Type.Kind
		if kind == ir.ArrayKind && !r.of(j) && r.mayBe(r.aliases.BlockOf(p.Elem.Name)) || kind == ir.MemKind && r.mayBe(p.Elem.Name) {
			return true // next or other may begin as m0
		}
	}
	return false
}

// needed reports whether an array that may lie in the block is needed in the loop, and not only by
// way of the parameter (3).
func (r *rotation) needed(name string) bool {
	if r.bound(name) {
		return r.aliases.BlockOf(name) == r.block
	}
	span := r.live.Stmt(r.loop)
	return !r.result(name) &&
		slices.ContainsFunc(r.live.Array(name), func(i liveness.Interval) bool { return i.From < span.To && i.To > span.From })
}

// result reports whether a name is that of a parameter's last value.
func (r *rotation) result(name string) bool {
	return slices.ContainsFunc(r.params, func(k int) bool { return name == r.loop.Pat[k].Name })
}

// meetBehind reports whether, behind the loop, an array in the block is needed at one time with one
// that may lie in the other block (5). Two last values of the parameters do not count: they lie in different blocks,
// or are one array if the loop has no iteration.
func (r *rotation) meetBehind(others, given []string) bool {
	given = slices.DeleteFunc(given, r.bound)
	inBoth := map[string]bool{}
	for _, y := range given {
		inBoth[y] = true
	}
	others = slices.DeleteFunc(others, func(x string) bool { return r.bound(x) || inBoth[x] })
	if len(given)*len(others) > maxBehind {
		return true
	}
	return slices.ContainsFunc(others, func(x string) bool {
		return slices.ContainsFunc(given, func(y string) bool {
			return !(r.result(x) && r.result(y)) && len(liveness.Common(r.live.Array(x), r.live.Array(y))) > 0
		})
	})
}

// OuterBlocks returns the names of blocks that a loop mentions and does not bind.
func OuterBlocks(a *aliases.Table, op *ir.Loop) []string {
	own := map[string]bool{}
	var used []string
	use := func(n string) {
		if _, ok := a.BlockGraph().Component(n); ok && !own[n] {
			used = append(used, n)
		}
	}
	for _, p := range op.Params {
		if own[p.Elem.Name] = true; p.Elem.Type.Kind == ir.ArrayKind && p.Elem.Type.Place.Exist {
			own[p.Elem.Type.Place.Mem] = true
		}
	}
	for _, p := range op.Params {
		ir.TypeNames(p.Elem.Type, use)
	}
	for _, n := range ir.FreeNames(op.Body) {
		use(n)
	}
	return used
}
