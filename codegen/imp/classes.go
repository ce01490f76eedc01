package imp

import (
	"slices"

	"github.com/memc-lang/memc/ir"
)

// classes partition the memory variables of a function: a write through a variable of one class
// touches no byte of an array in another class. A variable that is bound to another one's block (by
// an existential place, or as another name) joins its class. The arguments and results of a call
// are one class. So are the parameters of a function that receives blocks: an array may lie in one
// of them. Array parameters alone are not: writes go to the function's own blocks or to those of
// unique parameters, and these share no element with another array.
type classes struct {
	parent map[string]string
	mem    map[string]string // of arrays
	first  string            // of the operands of a statement
}

func classify(f *ir.Func) *classes {
	n := ir.Size(f)
	c := &classes{parent: make(map[string]string, n/2), mem: make(map[string]string, n/2)}
	blocks := slices.ContainsFunc(f.Params, func(p *ir.Elem) bool { return p.Type.Kind == ir.MemKind })
	for _, p := range f.Params {
		if c.elem(p); blocks && p.Type.Kind != ir.ScalarKind {
			c.join(p.Name)
		}
	}
	c.body(f.Body)
	return c
}

// elem records the names that an element binds.
func (c *classes) elem(e *ir.Elem) {
	switch p := e.Type.Place; {
	case e.Type.Kind == ir.MemKind:
		c.find(e.Name)
	case e.Type.Kind == ir.ArrayKind && p != nil:
		c.mem[e.Name] = p.Mem
		c.find(p.Mem)
	}
}

// operand joins a name that a statement uses, if it is one of an array or of a block.
func (c *classes) operand(name string) {
	if _, mem := c.parent[name]; mem || c.mem[name] != "" {
		c.join(name)
	}
}

// class returns the representative of an array's or memory variable's class.
func (c *classes) class(name string) string {
	if m, ok := c.mem[name]; ok {
		name = m
	}
	return c.find(name)
}

// byName returns the class of every memory variable by its imperative name.
func (c *classes) byName(name func(string) string) map[string]string {
	out := make(map[string]string, len(c.parent))
	for m := range c.parent {
		out[name(m)] = c.find(m)
	}
	return out
}

func (c *classes) find(name string) string {
	p, ok := c.parent[name]
	if !ok {
		c.parent[name] = name
		return name
	}
	for p != name {
		c.parent[name] = c.parent[p]
		name, p = p, c.parent[p]
	}
	return name
}

// join unites with the first of a row of names.
func (c *classes) join(name string) {
	if c.first == "" {
		c.first = name
	}
	c.unite(c.first, name)
}

func (c *classes) unite(x, y string) {
	if x, y = c.class(x), c.class(y); x != y {
		c.parent[x] = y
	}
}

// bound unites the memory that an element binds, if it does, with a value's.
func (c *classes) bound(e *ir.Elem, v ir.Exp) {
	name, ok := owned(e)
	if r, isRef := v.(*ir.Ref); ok && isRef {
		c.unite(name, r.Name)
	}
}

func (c *classes) body(b *ir.Body) {
	for _, s := range b.Stmts {
		c.stmt(s)
	}
}

func (c *classes) stmt(s *ir.Stmt) {
	loop, isLoop := s.Op.(*ir.Loop)
	if isLoop {
		for _, p := range loop.Params {
			c.elem(p.Elem)
		}
	}
	for _, inner := range ir.Bodies(s.Op) {
		c.body(inner)
	}
	for _, e := range s.Pat {
		c.elem(e)
	}
	switch op := s.Op.(type) {
	case *ir.Alloc:
	case *ir.If:
		for i, e := range s.Pat {
			c.bound(e, op.Then.Result[i])
			c.bound(e, op.Else.Result[i])
		}
	case *ir.Loop:
		for i, e := range s.Pat {
			p := op.Params[i].Elem
			c.bound(p, op.Params[i].Init)
			c.bound(p, op.Body.Result[i])
			c.bound(e, &ir.Ref{Name: p.Name})
		}
	default:
		_, call := op.(*ir.Call)
		c.first = ""
		if c.binds(s) || call {
			ir.Uses(op, c.operand)
			for _, e := range s.Pat {
				if name, ok := owned(e); ok {
					c.join(name)
				}
			}
		}
	}
}

// binds reports whether the pattern of a statement binds memory.
func (c *classes) binds(s *ir.Stmt) bool {
	for _, e := range s.Pat {
		if _, ok := owned(e); ok {
			return true
		}
	}
	return false
}
