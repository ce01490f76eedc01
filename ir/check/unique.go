package check

import (
	"fmt"
	"strings"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// uniqueness checks all functions in which every name is bound once.
func (c *checker) uniqueness() {
	for _, w := range c.walks {
		if !w.shadowed {
			u := &unique{fn: w, said: map[string]bool{}}
			u.function()
		}
	}
}

// A unique is the walk that checks consumption in one function.
type unique struct {
	*fn
	aliasGraph
	said map[string]bool // names whose use after consumption was reported
	at   diag.Span       // of the statement under way
}

// nodeOf returns the node of an array, or nil.
func (u *unique) nodeOf(name string) *node {
	if b := u.names[name]; b != nil {
		return b.node
	}
	return nil
}

// is gives an array its node.
func (u *unique) is(name string, n *node) {
	b := u.names[name]
	if b == nil { // after an error
		b = &binding{name: name, t: &ir.Type{}}
		u.names[name] = b
	}
	b.node = n
}

func (u *unique) isArray(name string) bool {
	b := u.fn.names[name]
	return b != nil && b.t.Kind == ir.ArrayKind
}

func (u *unique) function() {
	for _, p := range u.f.Params {
		if p.Type.Kind != ir.ArrayKind {
			continue
		}
		n := u.node(p.Name, p.Span)
		if !p.Type.Unique {
			n.fix("a parameter without `*`")
		}
		u.is(p.Name, n)
	}
	u.body(u.f.Body)
	// A unique result passes to the caller: no other result may share it.
	for i, r := range u.f.Results {
		if r.Type.Unique && i < len(u.f.Body.Result) {
			u.handOver(u.f.Body.Result, i, "given as the unique "+u.resultOf(u.f, i))
		}
	}
}

// handOver consumes value i of a list and requires that no other value shares its elements.
func (u *unique) handOver(values []ir.Exp, i int, how string) {
	r, ok := values[i].(*ir.Ref)
	if !ok || !u.isArray(r.Name) {
		return
	}
	at := r.At.Or(u.at)
	if !u.consume(r.Name, at, how) {
		return
	}
	for j, e := range values {
		if o, ok := e.(*ir.Ref); ok && j != i && u.nodeOf(o.Name) != nil {
			if n := u.nodeOf(o.Name); n.dead != nil && n.dead.span == at && n.dead.how == how && !u.said[o.Name] {
				u.said[o.Name] = true
				u.errorf(diag.SharedElements, o.At.Or(u.at), "`%s` shares its elements with `%s`, which is %s", o.Name, r.Name, how).
					With(at, "`%s` is handed over here", r.Name).
					Hinted("copy one of the two first")
			}
		}
	}
}

// body checks the statements of a body, and then the use of its values.
func (u *unique) body(b *ir.Body) {
	for _, s := range b.Stmts {
		u.at = s.Span
		u.statement(s)
	}
	u.at = b.In
	u.usesAll(b.Result)
}

// use reports the use of an array after its consumption.
func (u *unique) use(name string, at diag.Span) {
	n := u.nodeOf(name)
	if n == nil || n.dead == nil || u.said[name] {
		return
	}
	u.said[name] = true
	d := u.errorf(diag.UsedConsumed, at.Or(u.at), "`%s` is used after it was consumed", name)
	if n.dead.name == name {
		d.With(n.dead.span, "it is %s here", n.dead.how)
	} else {
		d.With(n.dead.span, "`%s` is %s here, and `%s` may share its elements", n.dead.name, n.dead.how, name)
	}
	d.Hinted("use the array before, or `copy` it first")
}

// uses reports uses in an expression.
func (u *unique) uses(e ir.Exp) {
	ir.WalkExp(e, func(e ir.Exp) bool {
		switch e := e.(type) {
		case *ir.Ref:
			u.use(e.Name, e.At)
		case *ir.Index:
			u.use(e.Array, e.At)
		}
		return true
	})
}

func (u *unique) usesAll(es []ir.Exp) {
	for _, e := range es {
		u.uses(e)
	}
}

// consume marks an array as consumed, in the way that how tells, or reports why it must not be.
func (u *unique) consume(name string, at diag.Span, how string) bool {
	n := u.nodeOf(name)
	if n == nil || n.dead != nil {
		return false // unknown, or reported as a use
	}
	if bad, why := u.forbidden(n); bad != nil {
		act, _, _ := strings.Cut(how, " by ") // the message points at the statement
		d := u.errorf(diag.NotConsumable, at, "`%s` cannot be %s: it is %s", name, act, why)
		if bad.name != name {
			d.Msg = fmt.Sprintf("`%s` cannot be %s: it may be `%s`, which is %s", name, act, bad.name, why)
		}
		d.With(bad.span, "`%s` is bound here", bad.name)
		switch {
		case why == "a parameter without `*`":
			d.Hinted("make it unique in the function's header (`*`), or `copy` it first")
		case strings.HasPrefix(why, "a loop parameter"):
			d.Hinted("give the parameter a type with `*`, as in %s: *[n]t; the loop then consumes its first value", bad.name)
		default:
			d.Hinted("`copy` it first")
		}
		return false
	}
	u.kill(u.above(n, (*node).alive), &death{span: at, how: how, name: name})
	return true
}

// made gives each array of the pattern a node of its own.
func (u *unique) made(pat []*ir.Elem) {
	for _, e := range pat {
		if e.Type.Kind == ir.ArrayKind {
			u.is(e.Name, u.node(e.Name, e.Span))
		}
	}
}

// share makes the pattern's name another name of x.
func (u *unique) share(pat []*ir.Elem, x string) {
	u.use(x, u.at)
	if n := u.nodeOf(x); n != nil && len(pat) == 1 {
		u.is(pat[0].Name, n)
		if n.dead != nil { // reported already: no further errors
			u.said[pat[0].Name] = true
		}
	}
}

func (u *unique) refNode(e ir.Exp) *node {
	if r, ok := e.(*ir.Ref); ok {
		return u.nodeOf(r.Name)
	}
	return nil
}
