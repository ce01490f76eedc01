package check

import (
	"fmt"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/lmad"
)

// A binding describes a name. Names are unique in a function, so a binding stays in the table when
// its scope ends; visible says whether the name may be used.
type binding struct {
	name    string
	t       *ir.Type // Kind is NoKind after an error: every use is silent
	span    diag.Span
	visible bool
	order   int // how many names were bound before it
	// root is, for a block, the name of the block it is another name of.
	root string
	node *node // of an array, when uniqueness is checked
	// Index function of an array, computed when first asked for.
	fun   lmad.Fun
	funOK funState
}

type funState uint8

const (
	funUnknown funState = iota
	funKnown
	funBad
)

// A mark is a point in the history of scopes, to close a scope or to undo.
type mark struct {
	order, open, eqs, zeros, lets, diags, reported int
	never                                          bool
}

func (c *fn) mark() mark {
	return mark{len(c.order), len(c.open), len(c.eqLog), len(c.zeros), len(c.letLog), len(c.diags.All), len(c.reportLog), c.never}
}

// close ends the scope that began at m.
func (c *fn) close(m mark) {
	for _, b := range c.open[m.open:] {
		b.visible = false
	}
	c.open = c.open[:m.open]
	for _, name := range c.eqLog[m.eqs:] {
		delete(c.eqs, name)
	}
	c.eqLog, c.zeros, c.divisors = c.eqLog[:m.eqs], c.zeros[:m.zeros], nil
	for _, key := range c.letLog[m.lets:] {
		delete(c.lets, key)
	}
	c.letLog, c.never = c.letLog[:m.lets], m.never
}

// undo forgets everything since m, also diagnostics: a trial is taken back.
func (c *fn) undo(m mark) {
	c.close(m)
	for _, b := range c.order[m.order:] {
		delete(c.names, b.name)
		delete(c.defs, b.name)
	}
	c.order = c.order[:m.order]
	for _, name := range c.reportLog[m.reported:] {
		delete(c.reported, name)
	}
	c.reportLog = c.reportLog[:m.reported]
	c.diags.All = c.diags.All[:m.diags]
}

// bind enters a name; binding it twice is an error.
func (c *fn) bind(name string, t *ir.Type, span diag.Span) *binding {
	if len(c.bindings) == cap(c.bindings) {
		c.bindings = make([]binding, 0, 256)
	}
	c.bindings = append(c.bindings, binding{name: name, t: t, span: span, visible: true, order: len(c.order)})
	b := &c.bindings[len(c.bindings)-1]
	if t.Kind == ir.MemKind {
		b.root = name
	}
	if old := c.names[name]; old != nil {
		c.bugf(span, "the name `%s` is bound twice in this function", name).With(old.span, "it is bound here first")
		c.shadowed = true
	}
	c.names[name] = b
	c.order = append(c.order, b)
	c.open = append(c.open, b)
	return b
}

func (c *fn) bindElem(e *ir.Elem) *binding { return c.bind(e.Name, &e.Type, e.Span) }

// lookup returns a visible binding whose type is known, or reports and gives nil.
func (c *fn) lookup(name string, at diag.Span) *binding {
	if b := c.extra[name]; b != nil {
		return b
	}
	b := c.names[name]
	switch {
	case b != nil && b.visible:
		if b.t.Kind == ir.NoKind {
			return nil
		}
		return b
	case c.reported[name]:
		return nil
	}
	c.reported[name] = true
	c.reportLog = append(c.reportLog, name)
	if b != nil {
		c.errorf(diag.OutOfScope, at, "`%s` is not in scope here", name).
			With(b.span, "it is bound in a body that has ended").
			Hinted("make it a result of that body")
		return nil
	}
	if span, ok := c.bound()[name]; ok {
		c.errorf(diag.OutOfScope, at, "`%s` is used before it is bound", name).With(span, "it is bound here")
		return nil
	}
	d := c.errorf(diag.UnknownName, at, "unknown name `%s`", name)
	if near := diag.Nearest(name, c.inScope()); near != "" {
		d.Hinted("did you mean `%s`?", near)
	}
	return nil
}

// array looks a name up that must be an array.
func (c *fn) array(name string, at diag.Span) *binding {
	b := c.lookup(name, at)
	if b == nil || b.t.Kind == ir.ArrayKind {
		return b
	}
	c.errorf(diag.NeedsArray, at, "`%s` is %s, but an array is needed here", name, kindName(b.t.Kind)).With(b.span, "it is bound here")
	return nil
}

// inScope lists the first few visible names, for messages.
func (c *fn) inScope() []string {
	if len(c.diags.All) > diag.MaxShown {
		return nil
	}
	var names []string
	for _, b := range c.open {
		names = append(names, b.name)
	}
	return names
}

// fresh returns a new name that starts with base: base_1, base_2, ..
func (c *fn) fresh(base string) string {
	for {
		c.counter++
		name := fmt.Sprintf("%s_%d", base, c.counter)
		if _, taken := c.bound()[name]; !taken {
			c.bound()[name] = diag.Span{}
			return name
		}
	}
}

func kindName(k ir.Kind) string {
	switch k {
	case ir.ScalarKind:
		return "a scalar"
	case ir.ArrayKind:
		return "an array"
	case ir.MemKind:
		return "a memory block"
	}
	return "unknown"
}
