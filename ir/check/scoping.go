package check

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// Note [Names are made unique]
//
// In the text, a name may be bound at any point where no binding of it is in scope. From
// elaboration on every name is bound once per function. The first binding of a name keeps it. Each
// later one gets a name of its own, i'2, i'3, .., which occurs nowhere else in the program.
// Program.Renamed maps it to the user's name, so that messages say `i`. The parsed program, which
// `memc fmt` prints, does not change; passes print the unique names.
//
// A scoper walks over a function in the order of the text, and binds and resolves names in place.
// On the way it replaces shorthands: the condition of `while` (sugar.go), and dims of headers that
// are expressions. If names are unique already, it changes nothing.

// A scoper makes the names of one function unique.
type scoper struct {
	p     *ir.Program
	diags *diag.List
	names *nameStock
	// visible maps a name of the text to its meaning at the present point of the walk.
	visible map[string]visible
	undone  []undo
	bound   map[string]bool // unique names of this function
	// reported holds the names whose shadowing was reported.
	reported map[string]bool
	pre      []*ir.Stmt // statements to put before the present one
}

// visible is a binding in scope.
type visible struct {
	name string // the unique one
	at   diag.Span
}

// An undo restores the meaning of a name before a binding.
type undo struct {
	name string
	old  visible
	was  bool
}

// scopes makes the names of all functions unique.
func (c *checker) scopes() {
	stock := &nameStock{Stock: ir.NewStock(c.p), p: c.p, diags: c.diags}
	stock.headerDims()
	for _, f := range c.p.Funcs {
		newScoper(c.p, c.diags, stock, ir.Size(f)).function(f)
	}
}

// newScoper returns a scoper of a function that binds about n names.
func newScoper(p *ir.Program, diags *diag.List, stock *nameStock, n int) *scoper {
	return &scoper{
		p: p, diags: diags, names: stock, undone: make([]undo, 0, n),
		visible: map[string]visible{}, bound: make(map[string]bool, n), reported: map[string]bool{},
	}
}

// A nameStock hands out names that occur nowhere in a program.
type nameStock struct {
	*ir.Stock
	p      *ir.Program
	diags  *diag.List
	hidden map[string][]int // function -> its results that the header does not show
}

func (s *scoper) function(f *ir.Func) {
	for i := range f.Sizes {
		s.bind(&f.Sizes[i], f.Span)
	}
	for _, e := range f.Params {
		s.bindElem(e)
	}
	for _, e := range f.Params {
		s.useType(&e.Type)
	}
	s.body(f.Body)
}

// bind enters a name and makes it unique.
func (s *scoper) bind(name *string, at diag.Span) {
	user := *name
	old, shadows := s.visible[user]
	if shadows && !s.reported[user] {
		s.reported[user] = true
		s.diags.Errorf(diag.BoundAgain, at, "`%s` is bound while another `%s` is in scope (shadowing)", s.p.Speak(user), s.p.Speak(user)).
			With(old.at, "the other one is bound here").
			Hinted("choose another name for one of them")
	}
	if s.bound[user] {
		*name = s.names.Fresh(user)
	}
	s.bound[*name] = true
	s.undone = append(s.undone, undo{user, old, shadows})
	s.visible[user] = visible{*name, at}
}

// scope calls f and then ends the bindings that f made.
func (s *scoper) scope(f func()) {
	mark := len(s.undone)
	f()
	for k := len(s.undone) - 1; k >= mark; k-- {
		if u := s.undone[k]; u.was {
			s.visible[u.name] = u.old
		} else {
			delete(s.visible, u.name)
		}
	}
	s.undone = s.undone[:mark]
}

// bindElem binds a name and the names that its place binds.
func (s *scoper) bindElem(e *ir.Elem) {
	s.bind(&e.Name, e.Span)
	p := e.Type.Place
	if p == nil {
		return
	}
	at := p.Span.Or(e.Span)
	if p.Exist {
		s.bind(&p.Mem, at)
	}
	ir.PlaceExps(p, func(x ir.Exp) {
		if x, ok := x.(*ir.Exist); ok {
			s.bind(&x.Name, x.At.Or(at))
		}
	})
}

// use resolves a name. A name that is not in scope does not change; the walk over types reports it.
func (s *scoper) use(name *string) {
	if v, ok := s.visible[*name]; ok {
		*name = v.name
	}
}

func (s *scoper) useExp(e ir.Exp) {
	ir.WalkExp(e, func(e ir.Exp) bool {
		switch e := e.(type) {
		case *ir.Ref:
			s.use(&e.Name)
		case *ir.Index:
			s.use(&e.Array)
		}
		return true
	})
}

func (s *scoper) useExps(es []ir.Exp) {
	for _, e := range es {
		s.useExp(e)
	}
}

// useType resolves the names of a type: its dims and its place. Dims that are expressions belong to
// the outer scope (useDims).
func (s *scoper) useType(t *ir.Type) {
	for k := range t.Shape {
		if t.Shape[k].Name != "" {
			s.use(&t.Shape[k].Name)
		}
	}
	if t.Place == nil {
		return
	}
	if !t.Place.Exist {
		s.use(&t.Place.Mem)
	}
	ir.PlaceExps(t.Place, s.useExp)
}

// useDims resolves dims that are expressions, before the names with these types are bound.
func (s *scoper) useDims(es []*ir.Elem) {
	for _, e := range es {
		for _, d := range e.Type.Shape {
			s.useExp(d.Written)
		}
	}
}

func (s *scoper) body(b *ir.Body) {
	s.scope(func() { s.inside(b) })
}

// inside walks over a body in the scope that is open.
func (s *scoper) inside(b *ir.Body) {
	outer := s.pre
	var out []*ir.Stmt // made when the first statement is inserted
	for i, st := range b.Stmts {
		s.pre = nil
		s.statement(st)
		if len(s.pre) > 0 && out == nil {
			out = append(make([]*ir.Stmt, 0, len(b.Stmts)+8), b.Stmts[:i]...)
		}
		if out != nil {
			out = append(append(out, s.pre...), st)
		}
	}
	if out != nil {
		b.Stmts = out
	}
	s.pre = outer
	s.useExps(b.Result)
}

func (s *scoper) statement(st *ir.Stmt) {
	s.useDims(st.Pat)
	ir.EachUse(st.Op, s.use, s.useExp)
	switch op := st.Op.(type) {
	case *ir.If:
		s.body(op.Then)
		s.body(op.Else)
	case *ir.Loop:
		s.loop(st, op)
	case *ir.Call:
		s.hiddenResults(st, op)
	default:
		s.kernel(op)
	}
	for _, e := range st.Pat {
		s.bindElem(e)
	}
	for _, e := range st.Pat {
		s.useType(&e.Type)
	}
}

func (s *scoper) loop(st *ir.Stmt, op *ir.Loop) {
	elems := ir.ParamElems(op.Params)
	s.useDims(elems)
	s.scope(func() {
		for _, e := range elems {
			s.bindElem(e)
		}
		if op.Var != "" {
			s.bind(&op.Var, op.Head)
		}
		for _, e := range elems {
			s.useType(&e.Type)
		}
		if op.While != "" {
			s.use(&op.While)
		}
		s.useExp(op.Cond)
		s.inside(op.Body)
	})
	if op.Cond != nil {
		s.while(st, op)
	}
}

// kernel walks over the bodies of a kernel, if op is one.
func (s *scoper) kernel(op ir.Op) {
	space, ok := ir.KernelSpace(op)
	if !ok {
		return
	}
	for _, o := range ir.Operators(op) {
		s.useDims(o.Params)
		s.scope(func() {
			for _, e := range o.Params {
				s.bindElem(e)
			}
			for _, e := range o.Params {
				s.useType(&e.Type)
			}
			s.inside(o.Body)
		})
	}
	s.scope(func() {
		for i := range space {
			s.bind(&space[i].Var, space[i].Span)
		}
		s.inside(ir.KernelBody(op))
	})
}
