package futhark

import (
	"strconv"

	"github.com/memc-lang/memc/ir"
)

// Note [Kernels of groups of threads]
//
// A `segmap` of level `block` is a map whose body groups of threads run. An operation of level
// `inblock` in it is a kernel in that body (docs/groups.md). The body is translated as host code
// is, since it means the same: an inner reduction may return a scalar, and an accumulator of an
// inner kernel becomes a `scatter`. Blocks of the dump in shared memory or in registers are
// omitted; memc decides where arrays lie.
//
//	segmap(block; ..) (g < n) {                 map (g < n) {
//	  let {s} = segscan(inblock; ) (t < m) ..     let s = scan (t < m) ..
//	  let {r} = segmap(inblock; ) (t < m) ..      let r = map (t < m) { .. }
//	  return {returns r}                          in r
//	}                                           }
//
// A group becomes one thread if it adds to an accumulator of the host, or would stand in another
// group.

// asGroup reports whether a kernel can become one of groups.
func (t *translator) asGroup(e *eSeg) bool {
	if e.level != "block" || e.kind != "segmap" || t.in != "" || t.group {
		return false
	}
	for _, ty := range e.types {
		if kindOf(ty) == accKind {
			return false
		}
	}
	return true
}

// groups translates a kernel of groups of threads.
func (t *translator) groups(b *block, s *stm, e *eSeg) {
	if t.places {
		t.noPlace(e.span, "it holds kernels whose threads work in groups")
	}
	op := &ir.Map{}
	op.Space, op.Body = t.kernelBody(b, e, func(*block) []ir.Exp { return t.values(e.body.result) })
	b.span, t.at = s.span, b
	es := t.bindFresh(s.pat)
	fitResults(op.Body, es)
	b.emit(es, op)
}

// tuned records what a scalar is that the sizes of tiles make, and nothing else: arrays of
// such sizes can lie in registers.
func (t *translator) tuned(s *stm, e ir.Exp) {
	if n, ok := constant(e); ok && e.Prim() == ir.I64 {
		t.env.names[s.pat[0].name].konst = ir.IntLit(n)
	}
}

// isTuned reports whether an operand is such a scalar.
func (t *translator) isTuned(o operand) bool {
	v := t.find(o.name)
	return v != nil && v.konst != nil
}

// constant returns the value of an i64 that is computed from constants alone.
func constant(e ir.Exp) (n int64, ok bool) {
	switch e := e.(type) {
	case *ir.Lit:
		n, err := strconv.ParseInt(e.Text, 10, 64)
		return n, err == nil && e.T == ir.I64
	case *ir.Binary:
		return combined64(e.Op, e.X, e.Y)
	case *ir.Builtin:
		if len(e.Args) == 2 {
			return combined64(e.Fn, e.Args[0], e.Args[1])
		}
	}
	return 0, false
}

// combined64 computes where both are small and not negative.
func combined64(op string, a, b ir.Exp) (n int64, ok bool) {
	const limit = 1 << 31
	x, okX := constant(a)
	y, okY := constant(b)
	if !okX || !okY || x < 0 || y < 0 || x >= limit || y >= limit {
		return 0, false
	}
	switch op {
	case "+":
		return x + y, true
	case "-":
		return x - y, x >= y
	case "*":
		return x * y, true
	case "/", "fdiv":
		return x / max(y, 1), y > 0
	case "min":
		return min(x, y), true
	case "max":
		return max(x, y), true
	}
	return 0, false
}
