package reuse

import (
	"slices"

	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/transform"
)

// Note [Blocks that rotate]
//
// The loop of Note [The block of a value that leaves the loop] begins with a, which is needed elsewhere: it is an
// argument, for example. So the first next value cannot lie over a. But later ones can lie over the values that the loop
// has made. The loop has a block for each value that it carries, b's own if that can be, and they rotate:
//
//	let m_1 = alloc if k > 0 then n * 4 else 0
//	let m_2 = alloc if k > 1 then n * 4 else 0
//	loop (prev @ ?m_prev = a, cur @ ?m_cur = b, r_1: mem = m_1, r_2: mem = m_2) for t < k {
//	  let next @ r_1 = map (i < n) { in cur[n - 1 - i] - prev[i] }
//	  in (cur, next, r_2, r_1)
//	}
//
// While t < 2, prev is a or b, and r_1 holds nothing that is needed, but perhaps prev in its own block. From then on
// r_1 is the block of prev: the next value was made there two iterations before.
//
//	(7) The loop holds no more than in its last iteration at the same point, or where the next value is made, which is
//	    then the last of the values that go on. There it held as many values that it had made: one for each iteration,
//	    up to all that it carries. So what else the body allocates has a size that is known before the loop; if it comes
//	    before the next value, it is held until the last one of other rings is made; and if iterations pass it on, it is
//	    one of these. The blocks with which the rings begin are held throughout the loop in any case.

// spares is condition (7), for a loop that will hold spare blocks in the place of those that its body allocates.
func (r *ring) spares(v leaving) bool {
	next := r.table.Blocks[v.made[0]]
	if r.op.Bound == nil || !r.known(next.Size) || !r.staysHeldOf(v.members, next.Name, func(k int) bool { return v.first[k] != "" }, v.uses) {
		return false
	}
	until, going := next.Alloc, map[int]bool{}
	for k := range r.op.Params {
		members, other, ok := r.ends(k)
		if ok && other != v.made[0] && r.table.Blocks[other].Alloc > next.Alloc && r.staysHeldOf(members, r.table.Blocks[other].Name, func(int) bool { return false }, nil) {
			until, going[other] = max(until, r.table.Blocks[other].Alloc), true
		}
	}
	return !slices.ContainsFunc(r.within(r.region), func(k int) bool {
		b := r.table.Blocks[k]
		return !slices.Contains(v.made, k) && (b.Unknown || b.Region != r.region || !r.known(b.Size) || !r.known(b.Work) ||
			b.Alloc < next.Alloc && b.Last < until || r.meets.Carried(b.Name) && !going[k])
	})
}

// staysHeldOf reports whether a loop holds the blocks in which the initial values of a ring may lie to its end, but for some
// of its members. It uses the blocks taken. None may be an instance that the loop has made before.
func (r *ring) staysHeldOf(members []int, made string, but func(k int) bool, taken []string) bool {
	for k, j := range members {
		x, ok := r.op.Params[j].Init.(*ir.Ref)
		if !ok || r.table.Aliases.MayBeOne(r.table.Aliases.BlockOf(x.Name), made) || !but(k) && !r.staysHeld(x, taken) {
			return false
		}
	}
	return true
}

// staysHeld reports whether a loop holds the blocks in which an initial value may lie to its end; it uses those of taken.
func (l hostLoop) staysHeld(x *ir.Ref, taken []string) bool {
	reals, more := l.table.Aliases.BlocksUpTo(l.table.Aliases.BlockOf(x.Name), maxReals)
	return !more && !slices.ContainsFunc(reals, func(m string) bool {
		k, ok := l.table.Block(m)
		if !ok || slices.Contains(taken, m) {
			return !ok
		}
		b := l.table.Blocks[k]
		return b.Kind != peak.Given && (b.Handed > 0 || b.Last < l.table.Liveness.Stmt(l.at).To || l.meets.Carried(m))
	})
}

// known reports whether a size has a value before a loop.
func (l hostLoop) known(size sym.Poly) bool {
	lv := l.table.Liveness
	span := lv.Stmt(l.at)
	return !slices.ContainsFunc(size.Names(), func(x string) bool {
		d := lv.Def(x)
		return d == nil || d.Point >= span.From
	})
}

// spare allocates a block as another one before a loop, for one with more iterations than those.
func (l hostLoop) spare(alloc *ir.Stmt, names *transform.Names, size sym.Poly, iterations int64) *ir.Ref {
	at, e := *alloc, *alloc.Pat[0]
	e.Name = names.Fresh(e.Name)
	bytes := size.Exp()
	before := []*ir.Stmt{&at}
	if c := l.comesTo(iterations); c != nil {
		if !ir.Total(c) { // no part of a size may fail or read
			more := &ir.Elem{Name: names.Fresh("more"), Type: ir.Scalar(ir.Bool)}
			before = []*ir.Stmt{{Pat: []*ir.Elem{more}, Op: &ir.Compute{E: c}, Span: alloc.Span}, &at}
			c = &ir.Ref{Name: more.Name, T: ir.Bool}
		}
		bytes = &ir.Cond{C: c, X: bytes, Y: ir.IntLit(0), T: ir.I64}
	}
	at.Pat, at.Op = []*ir.Elem{&e}, &ir.Alloc{Size: bytes, Space: alloc.Op.(*ir.Alloc).Space}
	around := l.table.Liveness.Points[l.table.Liveness.Stmt(l.at).From].Body
	around.Stmts = slices.Insert(around.Stmts, slices.Index(around.Stmts, l.at), before...)
	if l.trying != nil {
		l.spared[&at] = true
	}
	return &ir.Ref{Name: e.Name}
}

// comesTo returns the condition for a loop to have more iterations than that, nil if it surely has. Of a `while` loop
// only the first iteration has one.
func (l hostLoop) comesTo(iterations int64) ir.Exp {
	if l.op.Bound == nil {
		k := slices.IndexFunc(l.op.Params, func(p ir.Param) bool { return p.Elem.Name == l.op.While })
		return l.op.Params[k].Init
	}
	if l.table.Accesses.Facts(l.table.Liveness.Stmt(l.at).From).AtLeast(sym.Of(l.op.Bound), iterations+1) {
		return nil
	}
	return &ir.Binary{Op: ">", X: l.op.Bound, Y: ir.IntLit(iterations), T: ir.Bool}
}

// rotate gives a loop blocks that rotate, and returns the name of that for the next value.
func (l hostLoop) rotate(v leaving) string {
	names := transform.NewNames(l.f)
	made := l.table.Blocks[v.made[0]]
	first := len(l.op.Params)
	for k, first := range v.first {
		init := &ir.Ref{Name: first}
		if first == "" {
			init = l.spare(made.Stmt, names, made.Size, int64(k))
		}
		param, last := *made.Stmt.Pat[0], *made.Stmt.Pat[0]
		param.Name, last.Name = names.Fresh(made.Name), names.Fresh(made.Name)
		param.Written, last.Written = true, true
		l.op.Params = append(l.op.Params, ir.Param{Elem: &param, Init: init})
		l.at.Pat = append(l.at.Pat, &last)
	}
	for k := range v.first {
		next := l.op.Params[first+(k+1)%len(v.first)].Elem.Name
		l.op.Body.Result = append(l.op.Body.Result, &ir.Ref{Name: next})
	}
	return l.op.Params[first].Elem.Name
}
