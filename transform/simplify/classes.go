package simplify

import (
	"github.com/memc-lang/memc/ir"
)

// Note [Classes]
//
// Two arrays with equal elements are two arrays only to a program that consumes one of them. So
// arrays that may share elements are put into one class (union-find): delayed arrays with their
// source, results of ifs and loops with all that they may be, updated arrays with the ones before,
// results of calls with the arguments. If no member of a class is consumed, nothing distinguishes
// its members from copies of them.

// classes are the classes of a function's arrays, and where names are used.
type classes struct {
	parent   map[string]string
	consumed map[string]bool // by the root of a class
	returned map[string]bool // by the root of a class: the function gives it to its caller
	at       map[*ir.Stmt]int
	last     map[string]int  // the last statement, in the order of the text, that uses a name
	dims     map[string]bool // names that are sizes in types
	moved    map[string]bool // arrays that statements move to places of their own
	starts   map[string]bool // of these, initial values of loops
	next     int
}

func classesOf(p *ir.Program, f *ir.Func) *classes {
	n := ir.Size(f)
	c := &classes{
		parent: make(map[string]string, n), consumed: map[string]bool{}, returned: map[string]bool{},
		at: make(map[*ir.Stmt]int, n), last: make(map[string]int, n), dims: map[string]bool{}, moved: map[string]bool{}, starts: map[string]bool{},
	}
	c.body(p, f.Body)
	for k, e := range f.Body.Result {
		if r, ok := e.(*ir.Ref); ok && r.T == ir.Unknown {
			c.returned[c.root(r.Name)] = true
			if f.Results[k].Type.Unique {
				c.consume(r.Name)
			}
		}
	}
	return c
}

func (c *classes) root(x string) string {
	p, ok := c.parent[x]
	if !ok {
		return x
	}
	r := c.root(p)
	c.parent[x] = r
	return r
}

func (c *classes) union(x, y string) {
	x, y = c.root(x), c.root(y)
	if x == y {
		return
	}
	c.parent[x] = y
	c.consumed[y] = c.consumed[y] || c.consumed[x]
	c.returned[y] = c.returned[y] || c.returned[x]
}

func (c *classes) unionExp(x string, e ir.Exp) {
	if r, ok := e.(*ir.Ref); ok && r.T == ir.Unknown {
		c.union(x, r.Name)
	}
}

func (c *classes) consume(x string) { c.consumed[c.root(x)] = true }

// isConsumed reports whether an array, or one that may share its elements, is consumed.
func (c *classes) isConsumed(x string) bool { return c.consumed[c.root(x)] }

// replaced records that y takes the place of x.
func (c *classes) replaced(x, y string) {
	c.union(x, y)
	c.last[y] = max(c.last[y], c.last[x])
	c.moved[y] = c.moved[y] || c.moved[x]
}

// usedAfter reports whether a name is used behind a statement.
func (c *classes) usedAfter(x string, s *ir.Stmt) bool {
	at, ok := c.at[s]
	return ok && c.last[x] > at
}

func (c *classes) use(x string) { c.last[x] = max(c.last[x], c.next) }

func (c *classes) elem(e *ir.Elem) {
	for _, d := range e.Type.Shape {
		if d.Name != "" {
			c.dims[d.Name] = true
		}
	}
}

func (c *classes) body(p *ir.Program, b *ir.Body) {
	for _, s := range b.Stmts {
		c.next++
		c.at[s] = c.next
		ir.Uses(s.Op, c.use)
		ir.StmtElems(s, c.elem)
		for _, inner := range ir.Bodies(s.Op) {
			c.body(p, inner)
		}
		eachMoved(s.Op, func(x *string) { c.moved[*x] = true })
		c.stmt(p, s)
	}
	c.next++
	for _, e := range b.Result {
		ir.ExpNames(e, c.use)
	}
}

func (c *classes) stmt(p *ir.Program, s *ir.Stmt) {
	switch op := s.Op.(type) {
	case *ir.Alias, *ir.Reshape, *ir.Rearrange, *ir.Slice:
		c.union(s.Pat[0].Name, ir.Arrays(op)[0])
	case *ir.Update:
		c.union(s.Pat[0].Name, op.X)
		c.consume(op.X)
	case *ir.Scatter, *ir.Hist, *ir.Into:
		for k, x := range ir.Dests(op) {
			c.union(s.Pat[k].Name, x)
			c.consume(x)
		}
	case *ir.If:
		for k, e := range s.Pat {
			if e.Type.Kind == ir.ArrayKind {
				c.unionExp(e.Name, op.Then.Result[k])
				c.unionExp(e.Name, op.Else.Result[k])
			}
		}
	case *ir.Loop:
		for k, e := range s.Pat {
			if e.Type.Kind != ir.ArrayKind {
				continue
			}
			x := op.Params[k].Elem
			c.union(e.Name, x.Name)
			c.unionExp(e.Name, op.Params[k].Init)
			if r, ok := op.Params[k].Init.(*ir.Ref); ok {
				c.starts[r.Name] = true
			}
			c.unionExp(e.Name, op.Body.Result[k])
			if x.Type.Unique {
				c.consume(x.Name)
			}
		}
	case *ir.Call:
		c.call(p.Func(op.Fn), s, op)
	}
}

// call puts results and arguments of types without `*` into one class.
func (c *classes) call(g *ir.Func, s *ir.Stmt, op *ir.Call) {
	shared := ""
	share := func(x string) {
		if shared != "" {
			c.union(x, shared)
		}
		shared = x
	}
	for k, e := range op.Args {
		r, ok := e.(*ir.Ref)
		switch {
		case !ok || r.T != ir.Unknown:
		case g.Params[k].Type.Unique:
			c.consume(r.Name)
		default:
			share(r.Name)
		}
	}
	for k, e := range s.Pat {
		if e.Type.Kind == ir.ArrayKind && !g.Results[k].Type.Unique {
			share(e.Name)
		}
	}
}
