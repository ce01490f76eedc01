package ir

import (
	"reflect"
	"slices"
)

// parts is the schema of operations: the parts of each one. A walker or a cloner sets the functions
// for the parts that it visits; nil means nothing to do. Parts are passed by address, so that they
// can be replaced.
type parts struct {
	name func(*string) // of an array or a block that the operation itself names
	exp  func(*Exp)    // never nil; a Ref that names an array is one
	elem func(**Elem)  // that binds a name in the operation: a parameter
	body func(**Body)
	own  bool // copy lists before visiting their elements, and visit parsed conditions
}

// of visits the parts of an operation. Names, expressions and bodies each come in the order of the
// text.
func (p *parts) of(op Op) {
	switch op := op.(type) { // exhaustive
	case *Compute:
		p.one(&op.E)
	case *Assert:
		p.one(&op.Cond)
		p.exps(&op.Values)
	case *Copy:
		p.array(&op.X)
	case *Concat:
		p.arrays(&op.Args)
	case *Scratch:
		p.exps(&op.Dims)
	case *Range:
		p.one(&op.Lo)
		p.one(&op.Hi)
	case *Replicate:
		p.exps(&op.Dims)
		p.one(&op.X)
	case *ArrayLit:
		p.exps(&op.Elems)
	case *Alias:
		p.array(&op.X)
	case *Reshape:
		p.array(&op.X)
		p.exps(&op.Dims)
	case *Rearrange:
		p.array(&op.X)
		if p.own {
			op.Perm = slices.Clone(op.Perm)
		}
	case *Slice:
		p.array(&op.X)
		p.items(&op.Items)
	case *Update:
		p.array(&op.X)
		p.items(&op.Items)
		p.one(&op.Value)
	case *Alloc:
		p.one(&op.Size)
	case *If:
		p.one(&op.Cond)
		p.inner(&op.Then)
		p.inner(&op.Else)
	case *Loop:
		p.params(&op.Params)
		p.one(&op.Bound)
		if p.own {
			p.one(&op.Cond)
		}
		p.inner(&op.Body)
	case *Call:
		p.exps(&op.Args)
	case *Map:
		p.space(&op.Space)
		p.inner(&op.Body)
	case *Reduce:
		p.space(&op.Space)
		p.operator(&op.Op)
		p.inner(&op.Body)
	case *Scan:
		p.space(&op.Space)
		p.operator(&op.Op)
		p.inner(&op.Body)
	case *Scatter:
		p.arrays(&op.Dests)
		p.space(&op.Space)
		p.inner(&op.Body)
	case *Hist:
		p.arrays(&op.Dests)
		p.space(&op.Space)
		p.operator(&op.Op)
		p.inner(&op.Body)
	case *Into:
		p.space(&op.Space)
		p.accumulators(&op.Accs)
		p.inner(&op.Body)
	case *Put:
		p.arrays(&op.Dests)
		p.exps(&op.Index)
		p.exps(&op.Values)
	}
}

func (p *parts) accumulators(as *[]Accumulator) {
	l := copied(p, as)
	for i := range l {
		p.arrays(&l[i].Dests)
		if l[i].Op == nil {
			continue
		}
		if p.own {
			l[i].Op = shallow(l[i].Op)
		}
		p.operator(l[i].Op)
	}
}

// copied returns a list, or a copy that replaces it if own is set.
func copied[T any](p *parts, l *[]T) []T {
	if p.own {
		*l = slices.Clone(*l)
	}
	return *l
}

func (p *parts) one(e *Exp) {
	if p.exp != nil && *e != nil {
		p.exp(e)
	}
}

func (p *parts) array(n *string) {
	if p.name != nil {
		p.name(n)
	}
}

func (p *parts) inner(b **Body) {
	if p.body != nil {
		p.body(b)
	}
}

func (p *parts) element(e **Elem) {
	if p.elem != nil {
		p.elem(e)
	}
}

func (p *parts) exps(es *[]Exp) {
	l := copied(p, es)
	for i := range l {
		p.one(&l[i])
	}
}

func (p *parts) arrays(ns *[]string) {
	l := copied(p, ns)
	for i := range l {
		p.array(&l[i])
	}
}

func (p *parts) items(items *[]Item) {
	l := copied(p, items)
	for i := range l {
		p.item(&l[i])
	}
}

func (p *parts) params(ps *[]Param) {
	l := copied(p, ps)
	for i := range l {
		p.element(&l[i].Elem)
		p.one(&l[i].Init)
	}
}

func (p *parts) space(s *Space) {
	l := copied(p, (*[]Bound)(s))
	for i := range l {
		p.one(&l[i].Size)
	}
}

func (p *parts) item(it *Item) {
	p.one(&it.Index)
	p.one(&it.Start)
	p.one(&it.Len)
	p.one(&it.Stride)
}

func (p *parts) operator(o *Operator) {
	l := copied(p, &o.Params)
	for i := range l {
		p.element(&l[i])
	}
	p.inner(&o.Body)
	p.exps(&o.Neutral)
}

// place visits the expressions of an index function.
func (p *parts) place(op IxOp) {
	switch op := op.(type) { // exhaustive
	case *Permute:
		if p.own {
			op.Perm = slices.Clone(op.Perm)
		}
	case *Direct:
		p.exps(&op.Sizes)
	case *LMAD:
		p.one(&op.Offset)
		l := copied(p, &op.Dims)
		for i := range l {
			p.one(&l[i].Len)
			p.one(&l[i].Stride)
		}
	case *IxReshape:
		p.exps(&op.Sizes)
	case *IxSlice:
		p.items(&op.Items)
	}
}

// shallow copies the value that a pointer points to.
func shallow[T any](p T) T {
	c := reflect.New(reflect.TypeOf(p).Elem())
	c.Elem().Set(reflect.ValueOf(p).Elem())
	return c.Interface().(T)
}

// bodies returns the bodies of an operation, in the order of the text, and their number. It is
// asked so often that it looks at nothing else. An Into may have more; see Bodies.
func bodies(op Op) (b [2]*Body, n int) {
	switch op := op.(type) {
	case *If:
		return [2]*Body{op.Then, op.Else}, 2
	case *Loop:
		return [2]*Body{op.Body}, 1
	case *Map:
		return [2]*Body{op.Body}, 1
	case *Reduce:
		return [2]*Body{op.Op.Body, op.Body}, 2
	case *Scan:
		return [2]*Body{op.Op.Body, op.Body}, 2
	case *Scatter:
		return [2]*Body{op.Body}, 1
	case *Hist:
		return [2]*Body{op.Op.Body, op.Body}, 2
	}
	return b, 0
}

// bodies returns the bodies of the accumulators' operators, and the threads' body.
func (op *Into) bodies() []*Body {
	var out []*Body
	for _, o := range Operators(op) {
		out = append(out, o.Body)
	}
	return append(out, op.Body)
}

// Bodies returns the bodies of an operation, in the order of the text.
func Bodies(op Op) []*Body {
	if op, ok := op.(*Into); ok {
		return op.bodies()
	}
	b, n := bodies(op)
	if n == 0 {
		return nil
	}
	return append([]*Body(nil), b[:n]...)
}

// Exps calls f for every scalar expression of op itself, not of its bodies. This includes a Ref
// that names an array (an operand of any type).
func Exps(op Op, f func(Exp)) { (&parts{exp: func(e *Exp) { f(*e) }}).of(op) }

// EachExp is Exps, with expressions passed by address so that f can replace them.
func EachExp(op Op, f func(*Exp)) { (&parts{exp: f}).of(op) }

// Arrays returns the names of arrays (or blocks) that op itself mentions outside of expressions.
func Arrays(op Op) []string {
	var out []string
	(&parts{name: func(n *string) { out = append(out, *n) }}).of(op)
	return out
}

// EachUse calls name for every array or block that op itself names, by address so that it can be
// replaced, and exp for every expression of op. It omits op's bodies.
func EachUse(op Op, name func(*string), exp func(Exp)) {
	(&parts{name: name, exp: func(e *Exp) { exp(*e) }}).of(op)
}

// Uses calls f for every name that op itself uses. It omits names that only its bodies or the
// places of patterns use.
func Uses(op Op, f func(name string)) {
	EachUse(op, func(n *string) { f(*n) }, func(e Exp) { ExpNames(e, f) })
}

// Elems calls f for every element that binds a name in op itself, not in its
// bodies: loop parameters and operator parameters.
func Elems(op Op, f func(*Elem)) { (&parts{elem: func(e **Elem) { f(*e) }}).of(op) }

// StmtElems calls f for every element that binds a name in a statement itself: in its operation, and in its pattern.
func StmtElems(s *Stmt, f func(*Elem)) {
	Elems(s.Op, f)
	for _, e := range s.Pat {
		f(e)
	}
}

// ElemsIn is StmtElems for all statements of a body, and of the bodies in it.
func ElemsIn(b *Body, f func(*Elem)) {
	WalkStmts(b, func(s *Stmt) bool {
		StmtElems(s, f)
		return true
	})
}

// PlaceExps calls f for every expression of a place's index function.
func PlaceExps(p *Place, f func(Exp)) {
	if p == nil {
		return
	}
	for _, op := range p.Ix {
		(&parts{exp: func(e *Exp) { f(*e) }}).place(op)
	}
}
