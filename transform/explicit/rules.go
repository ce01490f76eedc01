package explicit

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// ruleKind tells how a loop parameter gets its place.
type ruleKind uint8

const (
	scalarRule  ruleKind = iota // no array
	inPlace                     // keeps the place of its initial value
	rotating                    // alternates between two blocks
	existential                 // any block, made by whoever makes the next value
)

// A rule is the decision for one loop parameter. The targets of a rotating parameter are the fresh
// arrays that are made directly in the `next` block. Without targets the next value is copied
// there. stays: a branch may keep the parameter itself instead.
type rule struct {
	kind    ruleKind
	targets []string
	stays   bool
}

// Note [Two blocks that rotate]
//
// A parameter xs of a loop gets two blocks, a and b, and the loop gets two more parameters: next =
// a and other = b. The body makes xs's next value in `next` and returns (that value, other, next):
//
//	iteration   xs lies in        written   then next, other
//	1           the initial block a         b, a
//	2           a                 b         a, b
//	3           b                 a         b, a
//
// So the body never writes to the block of xs, nor to that of the initial value. It must not
// overwrite any other array in `next`, either. `next` contains xs's value of two iterations ago (or
// nothing). So the rule applies if neither xs nor its next value is, through any alias, part of
// another result of the body; `sole` checks this. In a kernel's loop whose parameters all keep
// their sizes, nothing can leak in this way: every other parameter gets its next value by copy, or
// is updated in place in a third block.
//
// No iteration copies or allocates, and the initial value is not copied, either.
//
// A branch may keep xs, as in the step of a search that is accepted or refused. Then the two blocks keep
// their roles, too, and the if returns them:
//
//	let ys @ next = ..
//	let (zs, n: mem, o: mem) = if good { in (ys, other, next) } else { in (xs, next, other) }
//	in (zs, n, o)

// loopStmt decides the rules of a loop's parameters, after its body.
func (a *facts) loopStmt(s *ir.Stmt, op *ir.Loop) {
	for _, p := range op.Params {
		a.root(p.Elem, root{})
	}
	if op.Var != "" {
		a.name(op.Var)
	}
	outer := a.loop
	a.count++
	a.loop = a.count
	a.body(op.Body)

	decided := make([]rule, len(op.Params))
	held := a.held(op)
	for k, p := range op.Params {
		if p.Elem.Type.Kind == ir.ArrayKind {
			decided[k] = a.decide(op, k, held)
		}
		if a.kernel && decided[k].kind == existential {
			a.carried = append(a.carried, p.Elem.Name)
		}
	}
	a.loops[op] = decided
	a.loop = outer

	for k, p := range op.Params {
		if decided[k].kind == scalarRule {
			a.root(s.Pat[k], root{})
			continue
		}
		x, init, result := a.of(p.Elem.Name), a.of(arrayName(p.Init)), a.of(arrayName(op.Body.Result[k]))
		union(x, init)
		union(x, result)
		x.follows(init)
		last := a.of(s.Pat[k].Name)
		switch decided[k].kind {
		case inPlace:
			a.same(s.Pat[k], arrayName(p.Init))
			union(last, x)
			continue
		case existential:
			x.follows(result)
		}
		a.root(s.Pat[k], root{})
		union(last, x)
		last.follows(x)
	}
}

// held counts, per group of arrays that may share memory, the body's results.
func (a *facts) held(op *ir.Loop) map[*name]int {
	held := map[*name]int{}
	for k, p := range op.Params {
		if p.Elem.Type.Kind == ir.ArrayKind {
			held[a.of(arrayName(op.Body.Result[k])).find()]++
		}
	}
	return held
}

// sole reports whether parameter x and its next value r are in no result of the body other than r's
// own.
func (a *facts) sole(x, r string, held map[*name]int) bool {
	gx, gr := a.of(x).find(), a.of(r).find()
	return held[gr] == 1 && (gx == gr || held[gx] == 0)
}

func (a *facts) decide(op *ir.Loop, k int, held map[*name]int) rule {
	x, r := op.Params[k].Elem, arrayName(op.Body.Result[k])
	if o := a.of(r).origin; o.root == x.Name && o.rel == nil {
		return rule{kind: inPlace}
	}
	constant, still := !varies(op, x.Type), a.kernel && !anyVaries(op) && !rules.Off("explicit.still")
	if constant && (still || a.sole(x.Name, r, held)) {
		if m := (making{facts: a, param: x}); m.by(r, 0) && len(m.targets) > 0 {
			for _, t := range m.targets {
				a.taken[t] = true
			}
			return rule{rotating, m.targets, m.stays}
		}
	}
	if still { // one block of each kind for all threads will do
		return rule{kind: rotating}
	}
	return rule{kind: existential}
}

// varies reports whether a size of t is another parameter of the loop.
func varies(op *ir.Loop, t ir.Type) bool {
	return slices.ContainsFunc(op.Params, func(p ir.Param) bool { return slices.Contains(t.Shape, ir.Dim{Name: p.Elem.Name}) })
}

// anyVaries reports whether a loop has an array parameter whose size is another parameter.
func anyVaries(op *ir.Loop) bool {
	return slices.ContainsFunc(op.Params, func(p ir.Param) bool { return varies(op, p.Elem.Type) })
}

// A making collects the fresh arrays that the next value of a parameter may be. stays: it may also be the
// parameter's present value.
type making struct {
	*facts
	param   *ir.Elem
	targets []string
	stays   bool
}

// by collects the fresh arrays that v may be: one made at the top level of the loop's body, or
// one per branch. They must be as large as the parameter, and v must show all of them in row-major
// order, so that v lies in the block just as the parameter does.
//
// In each run of the body only one of them is made. An array of a branch must be made inside of the
// branch, that is, since the clock stood at start: if it were made before, it could be read while
// the branch writes to the block. But the other branch writes nothing there if it keeps the parameter.
func (m *making) by(v string, start int) bool {
	if rules.Off("explicit.direct") {
		return false
	}
	if m.keeps(v) {
		m.stays = true
		return true
	}
	t, o := m.param.Type, m.of(v).origin
	from := m.of(o.root)
	r, shape := from.root, from.typ().Shape
	switch {
	case r == nil || r.loop != m.loop || m.taken[o.root] || from.defined <= start:
		return false
	case m.kernel && (o.rel != nil || !sameSizes(lmad.Sizes(shape), lmad.Sizes(t.Shape))):
		return false
	case o.rel != nil && !o.rel.IsRowMajor():
		return false
	case !elements(shape).Equal(elements(t.Shape)):
		return false
	case r.fresh:
		m.targets = append(m.targets, o.root)
		return true
	case r.inBranches:
		if !m.keeps(r.then) && !m.keeps(r.els) {
			start = r.start
		}
		return m.by(r.then, start) && m.by(r.els, start)
	}
	return false
}

// keeps reports whether v is the parameter.
func (m *making) keeps(v string) bool {
	o := m.of(v).origin
	return o.root == m.param.Name && o.rel == nil && !m.kernel && !rules.Off("explicit.stays")
}

func elements(shape []ir.Dim) sym.Poly {
	n := sym.Const(1)
	for _, d := range lmad.Sizes(shape) {
		n = n.Mul(d)
	}
	return n
}
