package explicit

import (
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
)

// hoist makes a scalar known before the kernel around, if possible (common). A scalar defined
// outside is known already. One of the body moves out, with all scalars that it depends on.
func (t *function) hoist(name string) {
	k := t.kernel
	if t.visible(name, k.start) {
		return
	}
	s := k.scalars[name]
	t.hoistAll(s.Op.(*ir.Compute).E)
	k.hoisted[s] = true
	k.moveOut(name, s)
	t.of(name).since = k.start
}

// hoistAll makes the scalars in an expression known before the kernel.
func (t *function) hoistAll(e ir.Exp) {
	ir.ExpNames(e, t.hoist)
}

// common reports whether a scalar can be known before the kernel. A scalar of the body can if it is
// total and depends on no thread.
func (t *function) common(name string) bool {
	if t.visible(name, t.kernel.start) {
		return true
	}
	s, ok := t.kernel.scalars[name]
	return ok && !rules.Off("explicit.common") && t.known(s.Op.(*ir.Compute).E)
}

// known reports whether an expression can be evaluated before the kernel.
func (t *function) known(e ir.Exp) bool {
	known := ir.Total(e)
	ir.ExpNames(e, func(n string) { known = known && t.common(n) })
	return known
}
