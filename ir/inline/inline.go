package inline

import (
	"slices"

	"github.com/memc-lang/memc/ir"
)

// Calls replaces calls in functions of a program.
type Calls struct {
	Names *ir.Stock
	// Callee returns the function whose body replaces a call, or nil if the call stays.
	Callee func(s *ir.Stmt, op *ir.Call) *ir.Func
	// Placed binds the names that the place of a parameter binds, for an argument of a type, to blocks
	// and expressions. It returns the place of the argument, in the caller's names. It is nil if no
	// callee has places.
	Placed func(p *ir.Elem, arg ir.Type, bind func(name, block string, e ir.Exp)) *ir.Place

	types map[string]*ir.Type // of the names of the function under way
	out   []*ir.Stmt          // the body under way
}

// Enter begins with a function: the next bodies are its own.
func (c *Calls) Enter(f *ir.Func) {
	c.types = make(map[string]*ir.Type, ir.Size(f))
	for _, p := range f.Params {
		c.types[p.Name] = &p.Type
	}
	c.learn(f.Body)
}

// learn records the types of the names that a body binds.
func (c *Calls) learn(b *ir.Body) {
	ir.ElemsIn(b, func(e *ir.Elem) { c.types[e.Name] = &e.Type })
}

// Body replaces the calls in a body, and in the bodies within.
func (c *Calls) Body(b *ir.Body) {
	outer := c.out
	c.out = make([]*ir.Stmt, 0, len(b.Stmts))
	c.stmts(b.Stmts)
	b.Stmts, c.out = c.out, outer
}

// stmts emits statements, with their calls replaced.
func (c *Calls) stmts(stmts []*ir.Stmt) {
	for _, s := range stmts {
		for _, inner := range ir.Bodies(s.Op) {
			c.Body(inner)
		}
		if op, ok := s.Op.(*ir.Call); ok {
			if g := c.Callee(s, op); g != nil {
				c.call(s, op, g)
				continue
			}
		}
		c.out = append(c.out, s)
	}
}

// call emits the statements that a call becomes.
func (c *Calls) call(s *ir.Stmt, op *ir.Call, g *ir.Func) {
	x := &expansion{Calls: c, s: s, args: op.Args, g: ir.SnapshotFunc(g), sub: ir.Substitution{}, lead: s.Lead, blank: s.Blank}
	x.sizes()
	x.scalars()
	x.blocksAndArrays()
	b := x.g.Body
	ir.BoundNames(b, func(n string) { x.renew(n) })
	x.sub.Body(b)
	c.learn(b)
	for _, s := range b.Stmts {
		x.comment(s)
	}
	c.stmts(b.Stmts)
	x.lead = slices.Concat(x.lead, ir.Places(b.Lead))
	for _, kind := range []ir.Kind{ir.ScalarKind, ir.MemKind, ir.ArrayKind} { // sizes before the arrays that they size
		x.results(kind)
	}
	if len(s.Pat) > 0 {
		c.out[len(c.out)-1].Trail = s.Trail
	}
}

// An expansion is a call that becomes statements.
type expansion struct {
	*Calls
	s    *ir.Stmt
	args []ir.Exp
	g    *ir.Func // a copy
	sub  ir.Substitution
	// The comments above the next statement, and whether an empty line stands there.
	lead  []ir.Comment
	blank bool
}

// comment gives a statement the comments of the call if it is the first one, and otherwise the
// positions, unless it has positions of its own.
func (x *expansion) comment(s *ir.Stmt) {
	places := ir.Places(x.s.Lead)
	if len(x.lead) > len(places) || len(ir.Places(s.Lead)) == 0 {
		s.Lead = slices.Concat(x.lead, s.Lead)
	}
	s.Blank = s.Blank || x.blank
	x.lead, x.blank = places, false
}

// renew gives a name of the callee a new one.
func (x *expansion) renew(name string) string {
	n := x.Names.Fresh(name)
	x.sub[name] = &ir.Ref{Name: n}
	return n
}

// let emits a statement that binds one name.
func (x *expansion) let(e *ir.Elem, op ir.Op) {
	x.types[e.Name] = &e.Type
	s := &ir.Stmt{Pat: []*ir.Elem{e}, Op: op, Span: x.s.Span}
	x.comment(s)
	x.out = append(x.out, s)
}

// sizes replaces the callee's sizes by the dims of the arguments that they are taken from.
func (x *expansion) sizes() {
	for _, n := range x.g.Sizes {
		x.sub[n] = x.size(n)
	}
}

func (x *expansion) size(n string) ir.Exp {
	for i, p := range x.g.Params {
		for k, d := range p.Type.Shape {
			if d.Name == n {
				return x.types[x.args[i].(*ir.Ref).Name].Shape[k].Exp()
			}
		}
	}
	panic("inline: the size " + n + " of " + x.g.Name + " is no dim of a parameter")
}

// scalars binds the scalar parameters, which may size arrays.
func (x *expansion) scalars() {
	for i, p := range x.g.Params {
		if p.Type.Kind != ir.ScalarKind {
			continue
		}
		if r, ok := x.args[i].(*ir.Ref); ok {
			x.sub[p.Name] = r
			continue
		}
		x.let(&ir.Elem{Name: x.renew(p.Name), Type: p.Type, Written: p.Written, Span: p.Span}, &ir.Compute{E: x.args[i]})
	}
}

func (x *expansion) blocksAndArrays() {
	for i, p := range x.g.Params {
		switch p.Type.Kind {
		case ir.MemKind:
			x.sub[p.Name] = x.args[i]
		case ir.ArrayKind:
			x.array(p, x.args[i].(*ir.Ref))
		}
	}
}

// array makes an array parameter another name of its argument.
func (x *expansion) array(p *ir.Elem, arg *ir.Ref) {
	from := *x.types[arg.Name]
	t := p.Type
	t.Place, t.Unique = nil, false
	t = x.sub.Type(t)
	if p.Type.Place != nil {
		t.Place = x.Placed(p, from, x.placed)
	}
	if sameDims(t.Shape, from.Shape) {
		x.sub[p.Name] = arg
		return
	}
	x.let(&ir.Elem{Name: x.renew(p.Name), Type: t, Written: true, Span: p.Span}, &ir.Alias{X: arg.Name})
}

// placed gives a name that the place of a parameter binds its value: a block, or else a scalar.
func (x *expansion) placed(name, block string, e ir.Exp) {
	if block != "" {
		x.sub[name] = &ir.Ref{Name: block}
		return
	}
	x.let(&ir.Elem{Name: x.renew(name), Type: ir.Scalar(ir.I64)}, &ir.Compute{E: e})
}

// results binds the names of the call's pattern that are of one kind.
func (x *expansion) results(kind ir.Kind) {
	for i, e := range x.s.Pat {
		switch {
		case e.Type.Kind != kind:
		case kind == ir.ScalarKind:
			x.let(e, &ir.Compute{E: x.g.Body.Result[i]})
		default:
			name := x.g.Body.Result[i].(*ir.Ref).Name
			if kind == ir.ArrayKind {
				name = x.result(i, e, name)
			}
			x.let(e, &ir.Alias{X: name})
		}
	}
}

// result returns the array that the i-th result of the pattern is another name of: the body's result,
// or, if the header says something else of its dims than the body and the pattern do, a name that has
// the header's type.
func (x *expansion) result(i int, e *ir.Elem, name string) string {
	t := e.Type
	t.Shape = x.header(i)
	from := x.types[name].Shape
	e.Written = e.Written || !sameDims(e.Type.Shape, from)
	if sameDims(t.Shape, e.Type.Shape) || sameDims(t.Shape, from) {
		return name
	}
	declared := &ir.Elem{Name: x.Names.Fresh(e.Name), Type: t, Written: true, Span: e.Span}
	x.let(declared, &ir.Alias{X: name})
	return declared.Name
}

// header returns the shape of the i-th result by the callee's header, over names of the caller.
func (x *expansion) header(i int) []ir.Dim {
	named := ir.Substitution{}
	for k, r := range x.g.Results {
		if r.Name != "" && r.Type.Kind == ir.ScalarKind {
			named[r.Name] = &ir.Ref{Name: x.s.Pat[k].Name}
		}
	}
	shape := slices.Clone(x.g.Results[i].Type.Shape)
	for k, d := range shape {
		sub := x.sub
		if named[d.Name] != nil {
			sub = named
		}
		shape[k] = sub.Type(ir.Type{Shape: []ir.Dim{d}}).Shape[0]
	}
	return shape
}

func sameDims(a, b []ir.Dim) bool {
	return slices.EqualFunc(a, b, func(a, b ir.Dim) bool { return a.Name == b.Name && a.Const == b.Const })
}
