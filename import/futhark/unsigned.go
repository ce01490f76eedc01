package futhark

import (
	"strings"

	"github.com/memc-lang/memc/ir"
)

// Note [Unsigned arrays]
//
// Futhark's IR has integers without a sign; only an entry's signature says that an array holds u8.
// A memc array has the type of its elements. So the arrays of a function are put into classes: an
// array with its views, updates, copies and parts, also in functions that are called with it. If a
// class contains an unsigned parameter or result of an entry, and no signed one, all its elements
// are unsigned. Elements are converted where they are read and written, which costs nothing.
// Operands of operators stay signed. If the classes do not work out (ir/check reports it), the
// function, its callers and its callees are translated with signed arrays, and the entry's arrays
// have another name of the other sign.

// A class is a node of a union-find forest.
type class struct {
	up               *class
	unsigned, signed bool
}

func (c *class) root() *class {
	for c.up != nil {
		if c.up.up != nil {
			c.up = c.up.up
		}
		c = c.up
	}
	return c
}

// classes holds those of one function's arrays, by name.
type classes struct {
	names map[string]*class
	call  func(s *stm, e *eApply) // joins what goes into a call and comes out
}

func (cs *classes) of(name string) *class {
	c := cs.names[name]
	if c == nil {
		c = &class{}
		cs.names[name] = c
	}
	return c.root()
}

func (cs *classes) join(a, b string) {
	if a != "" && b != "" {
		unite(cs.of(a), cs.of(b))
	}
}

func unite(x, y *class) {
	if x, y = x.root(), y.root(); x != y {
		y.up = x
		x.unsigned, x.signed = x.unsigned || y.unsigned, x.signed || y.signed
	}
}

// elements returns the type of the elements of an array of the dump.
func (t *translator) elements(name string, p ir.Prim) ir.Prim {
	if t.classes == nil {
		return p
	}
	if c := t.classes.names[name]; c != nil && p.Integer() {
		if r := c.root(); r.unsigned && !r.signed {
			return unsignedOf(p)
		}
	}
	return p
}

// fit converts a scalar to the type of the elements it is written among, or an
// element to the type of a scalar.
func fit(e ir.Exp, p ir.Prim) ir.Exp {
	if from := e.Prim(); from == p || !from.Integer() || !p.Integer() {
		return e
	}
	return &ir.Convert{X: e, T: p, At: e.Span()}
}

// classify finds the classes of the arrays of all functions; nil where no entry
// has unsigned arrays.
func (t *translator) classify() map[*fun]*classes {
	all := map[*fun]*classes{}
	for _, f := range t.tree.funs {
		all[f] = &classes{names: map[string]*class{}}
	}
	any := false
	for _, f := range t.tree.funs {
		cs := all[f]
		any = t.votes(f, cs) || any
		cs.call = func(s *stm, e *eApply) { t.classifyCall(all, cs, s, e) }
		cs.stms(t.tree.consts)
		cs.stms(f.whole().stms)
	}
	if !any {
		return nil
	}
	return all
}

// votes notes what an entry's signature says, and tells whether it has unsigned
// arrays.
func (t *translator) votes(f *fun, cs *classes) (any bool) {
	if f.entry == "" {
		return false
	}
	sig, rets := t.flatten(f.sig), t.flatten(f.sigRets)
	vote := func(name string, e extType) {
		if name == "" {
			return
		}
		c := cs.of(name)
		if unsigned(e.prim) {
			c.unsigned, any = true, any || e.rank > 0
		} else {
			c.signed = true
		}
	}
	for i, e := range sig {
		if k := len(f.params) - len(sig) + i; k >= 0 {
			vote(f.params[k].name, e)
		}
	}
	for i, e := range rets {
		if k := len(f.body.result) - len(rets) + i; k >= 0 && k < len(f.rets) && len(f.rets[k].shape) > 0 {
			vote(f.body.result[k].name, e)
		}
	}
	return any
}

// classifyCall joins the arguments and results of a call with what they are in
// the function called.
func (t *translator) classifyCall(all map[*fun]*classes, cs *classes, s *stm, e *eApply) {
	g := t.funs[e.fn]
	if g == nil {
		return
	}
	for i, a := range e.args {
		if i < len(g.params) && len(g.params[i].typ.shape) > 0 && a.konst == "" {
			unite(cs.of(strings.TrimPrefix(a.name, "*")), all[g].of(g.params[i].name))
		}
	}
	for i, p := range s.pat {
		if i < len(g.body.result) && len(p.typ.shape) > 0 {
			unite(cs.of(p.name), all[g].of(g.body.result[i].name))
		}
	}
}

// classesOf returns the classes to translate a function with.
func (t *translator) classesOf(f *fun) *classes {
	if t.signed[f] {
		return nil
	}
	return t.all[f]
}

// keepSigned gives up the classes of a function, and of all that are connected
// with it by calls.
func (t *translator) keepSigned(f *fun) {
	t.signed[f] = true
	for changed := true; changed; {
		changed = false
		for _, g := range t.tree.funs {
			callees(g.whole(), func(e *eApply) {
				if h := t.funs[e.fn]; h != nil && t.signed[g] != t.signed[h] {
					t.signed[g], t.signed[h], changed = true, true, true
				}
			})
		}
	}
}

func (cs *classes) sign(names ...string) {
	for _, n := range names {
		if n != "" {
			cs.of(n).signed = true
		}
	}
}

func (cs *classes) lists(ps []*param, ops []operand) {
	for i, p := range ps {
		if i < len(ops) && len(p.typ.shape) > 0 {
			cs.join(p.name, ops[i].name)
		}
	}
}

func (cs *classes) stms(stms []*stm) {
	for _, s := range stms {
		if len(s.pat) > 0 {
			cs.stm(s)
		}
	}
}

func (cs *classes) stm(s *stm) {
	for _, p := range s.pat {
		if len(p.typ.shape) > 0 {
			cs.of(p.name)
		}
	}
	first := s.pat[len(s.pat)-1]
	whole := func(name string) {
		if len(first.typ.shape) > 0 {
			cs.join(first.name, name)
		}
	}
	switch e := s.exp.(type) {
	case *eOperand:
		whole(e.x.name)
	case *eManifest:
		whole(e.x.name)
	case *eRearrange:
		whole(e.x.name)
	case *eReshape:
		whole(e.x.name)
	case *eIndex:
		whole(e.x)
	case *eReplicate:
		whole(e.x.name)
	case *eUpdate:
		whole(e.x)
		if _, element := elements(e.item); !element || e.flat {
			whole(e.val.name)
		}
	case *eLit:
		if len(e.elem.shape) > 0 {
			for _, x := range e.elems {
				whole(x.name)
			}
		}
	case *eIota:
		cs.sign(first.name)
	case *eConcat:
		for _, x := range e.args {
			whole(x.name)
		}
	case *eIf:
		cs.stms(e.yes.stms)
		cs.stms(e.no.stms)
		cs.lists(s.pat, e.yes.result)
		cs.lists(s.pat, e.no.result)
	case *eMatch:
		for _, c := range e.cases {
			cs.stms(c.body.stms)
			cs.lists(s.pat, c.body.result)
		}
		cs.stms(e.dflt.stms)
		cs.lists(s.pat, e.dflt.result)
	case *eLoop:
		cs.stms(e.body.stms)
		cs.lists(e.params, e.init)
		cs.lists(e.params, e.body.result)
		for i, p := range s.pat {
			if i < len(e.params) && len(p.typ.shape) > 0 {
				cs.join(p.name, e.params[i].name)
			}
		}
	case *eApply:
		cs.call(s, e)
	case *eWithAcc:
		cs.withAcc(s, e)
	case *eSeg:
		cs.seg(s, e)
	case *eGPU:
		cs.stms(e.body.stms)
		cs.kernel(s.pat, e.body.result)
	}
}

// kernel: an array that a kernel makes of arrays.
func (cs *classes) kernel(ps []*param, result []operand) {
	for i, r := range result {
		if i < len(ps) && cs.names[r.name] != nil {
			cs.join(ps[i].name, r.name)
		}
	}
}

func (cs *classes) seg(s *stm, e *eSeg) {
	cs.stms(e.body.stms)
	if e.post != nil {
		cs.stms(e.post.body.stms)
	}
	if e.kind == "segmap" {
		cs.kernel(s.pat, e.body.result)
		return
	}
	for _, p := range s.pat {
		cs.sign(p.name)
	}
	for _, r := range e.body.result {
		cs.sign(r.name)
	}
	for _, o := range e.ops {
		for _, d := range o.dests {
			cs.sign(d.name)
		}
		for _, n := range o.neutral {
			cs.sign(n.name)
		}
	}
}

// withAcc: the arrays that go in come out first, in the order of the body's
// results, which may be another than theirs; so all are of one class by type.
func (cs *classes) withAcc(s *stm, e *eWithAcc) {
	cs.stms(e.lam.body.stms)
	var ins []operand
	for _, in := range e.inputs {
		ins = append(ins, in.arrays...)
		if in.lam != nil {
			for _, a := range in.arrays {
				cs.sign(a.name)
			}
		}
	}
	for _, p := range s.pat {
		if kindOf(p.typ) != arrayKind {
			continue
		}
		for _, a := range ins {
			cs.join(p.name, a.name)
		}
	}
}
