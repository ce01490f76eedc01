package check

import (
	"slices"

	"github.com/memc-lang/memc/ir"
)

// Note [Types of literals]
//
// A literal without a suffix takes the type of its use, however far away: in `loop (acc = 0) for i
// < n { in acc + xs[i] }` the 0 has the type of xs[i]. The walk that types expressions sees one
// statement at a time and would settle the 0 as an i64. So another walk comes before it, which
// reports no errors. It puts all names and expressions that must have one type into one class
// (union-find): the operands of an operator, a loop's parameter with its first, next and last
// value, the values of branches, an operator's parameters with the values that it combines, an
// array with its elements. If a class contains a known type, that is the type of its literals.
// Otherwise a float among them makes all f64. If a class contains two types, the first one counts,
// and the walk that types expressions reports the others.
//
// The result matters only where that walk would take i64 or f64 because nothing near decides. Then
// the name's type is marked as written, so that the elaborated program keeps it when passes move
// its uses away.

// A class is a node of the union-find; none stands for values without a scalar type.
type class int32

const none class = -1

// An inference collects the classes of one function.
type inference struct {
	funcs  map[string]*ir.Func
	parent []class
	known  []ir.Prim // of a root: its type, if known
	float  []bool    // of a root: it holds a literal with a fraction
	prims  map[ir.Prim]class
	names  map[string]class
}

// classes finds the names and expressions of f that must have one type.
func (c *checker) classes(f *ir.Func) *inference {
	n := &inference{funcs: c.funcs, prims: map[ir.Prim]class{}, names: make(map[string]class, ir.Size(f))}
	for _, s := range f.Sizes {
		n.names[s] = n.of(ir.I64)
	}
	n.elems(f.Params)
	n.body(f.Body)
	for i, e := range f.Body.Result {
		t := n.exp(e)
		if i < len(f.Results) {
			n.join(t, n.of(f.Results[i].Type.Prim))
		}
	}
	return n
}

// decided returns the type of a name's class, or Unknown.
func (n *inference) decided(name string) ir.Prim {
	k, ok := n.names[name]
	if !ok || k == none {
		return ir.Unknown
	}
	switch r := n.root(k); {
	case n.known[r] == ir.Bool: // no number: an error, which the other walk reports
		return ir.Unknown
	case n.known[r] != ir.Unknown:
		return n.known[r]
	case n.float[r]:
		return ir.F64
	}
	return ir.Unknown
}

func (n *inference) fresh() class {
	k := class(len(n.parent))
	n.parent, n.known, n.float = append(n.parent, k), append(n.known, ir.Unknown), append(n.float, false)
	return k
}

// of returns the class of a known type.
func (n *inference) of(p ir.Prim) class {
	if p == ir.Unknown {
		return none
	}
	k, ok := n.prims[p]
	if !ok {
		k = n.fresh()
		n.known[k] = p
		n.prims[p] = k
	}
	return k
}

func (n *inference) root(k class) class {
	for n.parent[k] != k {
		n.parent[k] = n.parent[n.parent[k]]
		k = n.parent[k]
	}
	return k
}

// join makes one class of two, unless they cannot be one, and gives it.
func (n *inference) join(x, y class) class {
	if x == none || y == none {
		return max(x, y)
	}
	x, y = n.root(x), n.root(y)
	p, q := n.known[x], n.known[y]
	switch {
	case x == y, p != ir.Unknown && q != ir.Unknown:
		return x
	case p == ir.Unknown && q != ir.Unknown:
		x, y, p = y, x, q
	}
	if p != ir.Unknown && n.float[y] && !p.Float() {
		return x
	}
	n.parent[y] = x
	n.float[x] = n.float[x] || n.float[y]
	return x
}

// name returns the class of a name: that of its written type, or a new one.
func (n *inference) name(e *ir.Elem) class {
	if e.Type.Kind == ir.MemKind {
		n.names[e.Name] = none
		return none
	}
	k := n.of(e.Type.Prim)
	if k == none {
		k = n.fresh()
	}
	n.names[e.Name] = k
	return k
}

func (n *inference) elems(es []*ir.Elem) {
	for _, e := range es {
		n.name(e)
	}
}

// use returns the class of a name in scope.
func (n *inference) use(name string) class {
	if k, ok := n.names[name]; ok {
		return k
	}
	return none
}

func (n *inference) exps(es []ir.Exp, p ir.Prim) {
	for _, e := range es {
		n.join(n.exp(e), n.of(p))
	}
}

// exp returns the class of an expression's value.
func (n *inference) exp(e ir.Exp) class {
	switch e := e.(type) {
	case *ir.Lit:
		if e.T != ir.Unknown {
			return n.of(e.T)
		}
		switch openOf(e) {
		case ir.Bool:
			return n.of(ir.Bool)
		case openFloat:
			k := n.fresh()
			n.float[k] = true
			return k
		}
		return n.fresh()
	case *ir.Ref:
		return n.use(e.Name)
	case *ir.Exist:
		return n.of(ir.I64)
	case *ir.Index:
		n.exps(e.Indices, ir.I64)
		return n.use(e.Array)
	case *ir.Unary:
		return n.exp(e.X)
	case *ir.Binary:
		k := n.join(n.exp(e.X), n.exp(e.Y))
		if ir.Compares(e.Op) {
			return n.of(ir.Bool)
		}
		return k
	case *ir.Cond:
		n.join(n.exp(e.C), n.of(ir.Bool))
		return n.join(n.exp(e.X), n.exp(e.Y))
	case *ir.Convert:
		n.exp(e.X)
		return n.of(e.T)
	case *ir.Builtin:
		return n.builtin(e)
	}
	return none
}

func (n *inference) builtin(e *ir.Builtin) class {
	sig := ir.Builtins[e.Fn]
	k := none
	if !sig.Integer {
		k = n.fresh()
		n.float[k] = true
	}
	for _, a := range e.Args {
		k = n.join(k, n.exp(a))
	}
	switch {
	case sig.Result != ir.Unknown:
		return n.of(sig.Result)
	case sig.Bits:
		if k != none {
			return n.of(sig.ResultOn(n.known[n.root(k)]))
		}
		return none
	}
	return k
}

func (n *inference) body(b *ir.Body) {
	for _, s := range b.Stmts {
		n.statement(s)
	}
}

// results walks over a body and gives the classes of its values.
func (n *inference) results(b *ir.Body) []class {
	n.body(b)
	return n.classes(b.Result)
}

func (n *inference) classes(es []ir.Exp) []class {
	out := make([]class, len(es))
	for i, e := range es {
		out[i] = n.exp(e)
	}
	return out
}

// statement unites the classes of a statement's results with those of the names in its pattern.
func (n *inference) statement(s *ir.Stmt) {
	gives := n.op(s.Op)
	for i, e := range s.Pat {
		k := n.name(e)
		if i < len(gives) && !renames(s, e) {
			n.join(k, gives[i])
		}
	}
}

// renames reports whether e is another name of an array with a type of its own. The types may
// differ in sign, so the type of e does not decide the type of the array.
func renames(s *ir.Stmt, e *ir.Elem) bool {
	op, ok := s.Op.(*ir.Compute)
	if !ok || e.Type.Kind != ir.ArrayKind {
		return false
	}
	_, ok = op.E.(*ir.Ref)
	return ok
}

// op returns the classes of an operation's results, as far as they have some.
func (n *inference) op(op ir.Op) []class {
	one := func(k class) []class { return []class{k} }
	switch op := op.(type) {
	case *ir.Compute:
		return one(n.exp(op.E))
	case *ir.Replicate:
		return one(n.exp(op.X))
	case *ir.ArrayLit:
		k := none
		for _, e := range op.Elems {
			k = n.join(k, n.exp(e))
		}
		return one(k)
	case *ir.Scratch:
		return one(n.of(op.Prim))
	case *ir.Update:
		return one(n.join(n.use(op.X), n.exp(op.Value)))
	case *ir.Call:
		return n.call(op)
	case *ir.If:
		n.join(n.exp(op.Cond), n.of(ir.Bool))
		return n.both(n.results(op.Then), n.results(op.Else))
	case *ir.Loop:
		return n.loop(op)
	case *ir.Map:
		return n.kernel(op.Space, op.Body)
	case *ir.Reduce:
		return n.fold(op.Space, &op.Op, op.Body)
	case *ir.Scan:
		return n.fold(op.Space, &op.Op, op.Body)
	case *ir.Scatter:
		return n.indexed(op.Dests, n.kernel(op.Space, op.Body))
	case *ir.Hist:
		dests := n.indexed(op.Dests, n.kernel(op.Space, op.Body))
		n.combine(&op.Op, dests)
		return dests
	case *ir.Into:
		return n.into(op)
	case *ir.Put:
		n.indexed(op.Dests, n.classes(slices.Concat(op.Index, op.Values)))
		return nil
	}
	// The others give an array with the elements of those they name.
	k := none
	for _, x := range ir.Arrays(op) {
		k = n.join(k, n.use(x))
	}
	return one(k)
}

// both joins two lists of values pairwise.
func (n *inference) both(xs, ys []class) []class {
	for i := range xs {
		if i < len(ys) {
			xs[i] = n.join(xs[i], ys[i])
		}
	}
	return xs
}

func (n *inference) call(op *ir.Call) []class {
	g := n.funcs[op.Fn]
	if g == nil {
		return nil
	}
	for i, a := range op.Args {
		k := n.exp(a)
		if i < len(g.Params) {
			n.join(k, n.of(g.Params[i].Type.Prim))
		}
	}
	out := make([]class, len(g.Results))
	for i, r := range g.Results {
		out[i] = n.of(r.Type.Prim)
	}
	return out
}

func (n *inference) loop(op *ir.Loop) []class {
	inits := make([]class, len(op.Params))
	for i, p := range op.Params {
		inits[i] = n.exp(p.Init)
	}
	if op.Bound != nil {
		n.join(n.exp(op.Bound), n.of(ir.I64))
	}
	for i, p := range op.Params {
		inits[i] = n.join(n.name(p.Elem), inits[i])
	}
	if op.Var != "" {
		n.names[op.Var] = n.of(ir.I64)
	}
	return n.both(inits, n.results(op.Body))
}

func (n *inference) kernel(space ir.Space, b *ir.Body) []class {
	for _, x := range space {
		n.join(n.exp(x.Size), n.of(ir.I64))
		n.names[x.Var] = n.of(ir.I64)
	}
	return n.results(b)
}

func (n *inference) fold(space ir.Space, o *ir.Operator, b *ir.Body) []class {
	vals := n.kernel(space, b)
	n.combine(o, vals)
	return vals
}

// combine joins the values that an operator works on with its parameters.
func (n *inference) combine(o *ir.Operator, vals []class) {
	n.elems(o.Params)
	half := len(o.Params) / 2
	for i, p := range o.Params {
		if k := i % max(half, 1); k < len(vals) {
			vals[k] = n.join(vals[k], n.use(p.Name))
		}
	}
	neutral := make([]class, len(o.Neutral))
	for i, e := range o.Neutral {
		neutral[i] = n.exp(e)
	}
	n.both(vals, neutral)
	n.both(vals, n.results(o.Body))
}

// into returns the classes of accumulators' arrays.
func (n *inference) into(op *ir.Into) (out []class) {
	n.kernel(op.Space, op.Body)
	for _, a := range op.Accs {
		dests := n.indexed(a.Dests, nil)
		if a.Op != nil {
			n.combine(a.Op, dests)
		}
		out = append(out, dests...)
	}
	return out
}

// indexed unites the classes of the values after the indices with those of the arrays they go to.
func (n *inference) indexed(dests []string, vals []class) []class {
	out := make([]class, len(dests))
	rank := len(vals) - len(dests)
	for i, k := range vals {
		if i < rank {
			n.join(k, n.of(ir.I64))
		}
	}
	for i, x := range dests {
		out[i] = n.use(x)
		if rank >= 0 {
			out[i] = n.join(out[i], vals[rank+i])
		}
	}
	return out
}
