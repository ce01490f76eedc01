package explicit

import "github.com/memc-lang/memc/ir"

// hoist makes a scalar known before the kernel around that can be (common): it is
// already where it was defined outside, and a scalar of the body is moved out, with all
// that it depends on.
func (t *function) hoist(name string) {
	k := t.kernel
	if at, ok := t.seq[name]; ok && at <= k.start {
		return
	}
	s := k.scalars[name]
	t.hoistAll(s.Op.(*ir.Compute).E)
	k.hoisted[s] = true
	k.moveOut(name, s)
	t.seq[name] = k.start
}

// hoistAll makes the scalars in an expression known before the kernel.
func (t *function) hoistAll(e ir.Exp) {
	ir.ExpNames(e, t.hoist)
}

// common tells whether a scalar can be known before the kernel: one of the body, if it is
// total and depends on no thread.
func (t *function) common(name string) bool {
	if at, ok := t.seq[name]; ok && at <= t.kernel.start {
		return true
	}
	s, ok := t.kernel.scalars[name]
	return ok && t.known(s.Op.(*ir.Compute).E)
}

// known tells whether an expression can be evaluated before the kernel.
func (t *function) known(e ir.Exp) bool {
	known := ir.Total(e)
	ir.ExpNames(e, func(n string) { known = known && t.common(n) })
	return known
}
