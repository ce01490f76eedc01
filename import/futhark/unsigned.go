package futhark

import "github.com/memc-lang/memc/ir"

// Note [Unsigned arrays]
//
// Futhark's IR has integers without a sign; only an entry's signature says that
// an array holds u8. A memc array has the type of its elements, so that such an
// array would have to be converted at the entry, which costs a block and a
// kernel. Instead the arrays of a function are put into classes: an array and
// what is a view, an update, a copy or a part of it. A class in which an entry's
// parameter or result is unsigned, and none is signed, has unsigned elements
// throughout; elements are converted where they are read and written, which
// costs nothing. What operators combine stays signed. Where the classes do not
// work out (ir/check tells) the function is translated with signed arrays and
// converts at the entry.

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

type classes map[string]*class

func (cs classes) of(name string) *class {
	c := cs[name]
	if c == nil {
		c = &class{}
		cs[name] = c
	}
	return c.root()
}

func (cs classes) join(a, b string) {
	x, y := cs.of(a), cs.of(b)
	if x == y || a == "" || b == "" {
		return
	}
	y.up = x
	x.unsigned, x.signed = x.unsigned || y.unsigned, x.signed || y.signed
}

// elements gives the type of the elements of an array of the dump.
func (t *translator) elements(name string, p ir.Prim) ir.Prim {
	if c := t.classes[name]; c != nil && p.Integer() {
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

func signedOf(p ir.Prim) ir.Prim {
	if p.Unsigned() {
		return ir.PrimByName("i" + p.String()[1:])
	}
	return p
}

// classify finds the classes of an entry's arrays.
func (t *translator) classify(f *fun) classes {
	cs := classes{}
	sig, rets := t.flatten(f.sig), t.flatten(f.sigRets)
	any := false
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
		if k := len(f.body.result) - len(rets) + i; k >= 0 && len(f.rets[k].shape) > 0 {
			vote(f.body.result[k].name, e)
		}
	}
	if !any {
		return nil
	}
	cs.stms(t.tree.consts)
	cs.stms(f.body.stms)
	return cs
}

func (cs classes) sign(names ...string) {
	for _, n := range names {
		if n != "" {
			cs.of(n).signed = true
		}
	}
}

func (cs classes) lists(ps []*param, ops []operand) {
	for i, p := range ps {
		if i < len(ops) && len(p.typ.shape) > 0 {
			cs.join(p.name, ops[i].name)
		}
	}
}

func (cs classes) stms(stms []*stm) {
	for _, s := range stms {
		if len(s.pat) > 0 {
			cs.stm(s)
		}
	}
}

func (cs classes) stm(s *stm) {
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
		for _, p := range s.pat {
			cs.sign(p.name)
		}
		for _, a := range e.args {
			cs.sign(a.name)
			if len(a.name) > 1 && a.name[0] == '*' {
				cs.sign(a.name[1:])
			}
		}
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
func (cs classes) kernel(ps []*param, result []operand) {
	for i, r := range result {
		if i < len(ps) && cs[r.name] != nil {
			cs.join(ps[i].name, r.name)
		}
	}
}

func (cs classes) seg(s *stm, e *eSeg) {
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
func (cs classes) withAcc(s *stm, e *eWithAcc) {
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
