package aliases

import (
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/index"
)

// Analyze returns the tables of a program, each made when it is first asked for.
func Analyze(p *ir.Program) *Program { return &Program{p, map[string]*Table{}} }

// Of makes the table of the function that has the index x. It may be a copy of the program's. The
// table is not kept.
func (p *Program) Of(x *index.Function) *Table {
	t := &Table{
		Func: x.Func, blocks: newGraph(x), arrays: newGraph(x),
		program: p, mem: index.MakeNames[string](x), pinned: map[string]bool{}, given: map[string]int{},
	}
	b := &builder{t, p}
	b.params()
	b.body(x.Func.Body)
	t.blocks.condense()
	t.arrays.condense()
	t.blocks.outside, t.arrays.outside = t.outside(t.blocks), t.outside(t.arrays)
	b.summarise()
	return t
}

// builder walks one function.
type builder struct {
	*Table
	callees *Program
}

func (b *builder) params() {
	// The block of an argument may be that of a parameter which is a block.
	blocks := slices.ContainsFunc(b.Func.Params, func(e *ir.Elem) bool { return e.Type.Kind == ir.MemKind })
	for k, e := range b.Func.Params {
		b.bind(e)
		own := e.Type.Unique
		switch e.Type.Kind {
		case ir.MemKind:
			b.given[e.Name], b.pinned[e.Name] = k, true
		case ir.ArrayKind:
			b.pinned[e.Name] = !own
			if p := e.Type.Place; p != nil && p.Exist {
				b.given[p.Mem], b.pinned[p.Mem] = k, !own || blocks
			}
		}
	}
}

// bind makes real nodes for the names that an element binds. Names that are choices, or the same as
// another name, are changed afterwards.
func (b *builder) bind(e *ir.Elem) {
	switch e.Type.Kind {
	case ir.MemKind:
		b.blocks.node(e.Name)
		b.mems = append(b.mems, e.Name)
	case ir.ArrayKind:
		b.arrays.node(e.Name)
		b.order = append(b.order, e.Name)
		if p := e.Type.Place; p != nil {
			*b.mem.At(e.Name) = p.Mem
			b.blocks.node(p.Mem)
			if p.Exist {
				b.mems = append(b.mems, p.Mem)
			}
		}
	}
}

func (b *builder) body(body *ir.Body) {
	for _, s := range body.Stmts {
		b.stmt(s)
	}
}

func (b *builder) stmt(s *ir.Stmt) {
	switch op := s.Op.(type) { // all other operations make scalars or fresh arrays
	case *ir.If:
		b.body(op.Then)
		b.body(op.Else)
		for k, e := range s.Pat {
			b.bind(e)
			b.choice(e, op.Then.Result[k], op.Else.Result[k])
		}
		return
	case *ir.Loop:
		b.loop(s, op)
		return
	case *ir.Call:
		b.call(s, op)
		return
	}
	for _, inner := range ir.Bodies(s.Op) {
		b.body(inner)
	}
	for k, e := range s.Pat {
		b.bind(e)
		switch op := s.Op.(type) {
		case *ir.Alias, *ir.Reshape, *ir.Rearrange, *ir.Slice, *ir.Update:
			b.view(e, ir.Arrays(op)[0])
		case *ir.Scatter, *ir.Hist, *ir.Into:
			b.view(e, ir.Dests(op)[k])
		}
	}
}

// view makes e the same as x, an array or a block.
func (b *builder) view(e *ir.Elem, x string) {
	if e.Type.Kind == ir.MemKind {
		b.blocks.same(e.Name, b.blocks.node(x))
		return
	}
	b.arrays.same(e.Name, b.arrays.node(x))
	if p, m := e.Type.Place, b.BlockOf(x); p != nil && p.Exist && m != "" {
		b.blocks.same(p.Mem, b.blocks.node(m))
	}
}

// choice makes e a choice among some operands.
func (b *builder) choice(e *ir.Elem, among ...ir.Exp) {
	for _, x := range among {
		name := operand(x)
		switch e.Type.Kind {
		case ir.MemKind:
			b.blocks.choose(b.blocks.node(e.Name), b.blocks.node(name))
		case ir.ArrayKind:
			b.arrays.choose(b.arrays.node(e.Name), b.arrays.node(name))
			if p, m := e.Type.Place, b.BlockOf(name); p != nil && p.Exist && m != "" {
				b.blocks.choose(b.blocks.node(p.Mem), b.blocks.node(m))
			}
		}
	}
}

func (b *builder) loop(s *ir.Stmt, op *ir.Loop) {
	for _, p := range op.Params {
		b.bind(p.Elem)
		b.choice(p.Elem, p.Init)
	}
	b.body(op.Body)
	for k, p := range op.Params {
		b.choice(p.Elem, op.Body.Result[k])
	}
	for k, e := range s.Pat {
		b.bind(e)
		b.choice(e, ir.Var(op.Params[k].Elem.Name))
	}
}

// operand returns the name of an operand that is a reference, or "".
func operand(e ir.Exp) string {
	if r, ok := e.(*ir.Ref); ok {
		return r.Name
	}
	return ""
}
