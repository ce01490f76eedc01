package interp

import (
	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
)

// A code is a compiled statement; it works on the scalars of its function.
type code func(fr []uint64)

// A compiler compiles the functions of a program that a run needs.
type compiler struct {
	*machine
	prog  *ir.Program
	sem   semantics
	funcs map[string]*function
	table *check.ObligationTable
}

// A function is a compiled function with its variables. As functions do not recurse, one set of
// variables is enough. Names are resolved when the function is compiled: scalars to slots of the
// frame, arrays and blocks to objects.
type function struct {
	*compiler
	f       *ir.Func
	env     scalar.Env
	scalars map[string]int
	arrays  map[string]*local
	blocks  map[string]*local
	scope   *scope
	params  []target
	bind    []code // of the parameters
	body    *body
	frame   []uint64
	inGroup bool                    // the body of a group is being compiled
	accs    map[string]*accumulator // of the map that is being compiled, by their arrays
	done    bool
}

// A local is an array or block variable and where it is used last.
type local struct {
	arr   *array
	blk   **block
	scope *scope
	last  int
	// initial: the last use is in these initial values of a loop.
	initial *initials
}

// A scope is a body that is being compiled: the statement it is at, and the
// variables that it declares.
type scope struct {
	at     int
	locals []*local
	// initial is set while a loop's initial values are compiled.
	initial *initials
}

// result is the statement number of a body's results.
const result = int(^uint(0) >> 1)

// before is where a function's parameters are bound; one that nothing uses is let go
// of there.
const before = -1

func (c *compiler) function(name string, at diag.Span) *function {
	if fn := c.funcs[name]; fn != nil {
		if !fn.done {
			broken(at, "`%s` calls itself", name)
		}
		return fn
	}
	f := c.prog.Func(name)
	if f == nil {
		broken(at, "there is no function `%s`", name)
	}
	fn := &function{compiler: c, f: f, scalars: map[string]int{}, arrays: map[string]*local{}, blocks: map[string]*local{}}
	fn.env = scalar.Env{
		Slot:  func(name string) (int, bool) { s, ok := fn.scalars[name]; return s, ok },
		Index: fn.index,
		Wraps: c.wraps,
	}
	c.funcs[name] = fn
	fn.scope = &scope{at: before}
	for _, s := range f.Sizes {
		fn.scalarSlot(s)
	}
	for _, p := range f.Params {
		fn.params = append(fn.params, fn.declare(p))
	}
	for k, p := range f.Params {
		if b := fn.binder(p, fn.params[k]); b != nil {
			fn.bind = append(fn.bind, b)
		}
	}
	fn.body = fn.compileIn(fn.scope, f.Body)
	fn.frame = make([]uint64, len(fn.scalars))
	fn.done = true
	return fn
}

func (fn *function) scalarSlot(name string) int {
	s, ok := fn.scalars[name]
	if !ok {
		s = len(fn.scalars)
		fn.scalars[name] = s
	}
	return s
}

// A target is a variable that a value is bound to.
type target struct {
	kind ir.Kind
	slot int
	arr  *array
	blk  **block
	el   *ir.Elem
}

// declare makes the variable of el, and those that its place binds.
func (fn *function) declare(el *ir.Elem) target {
	t := target{kind: el.Type.Kind, el: el}
	switch el.Type.Kind {
	case ir.ScalarKind:
		t.slot = fn.scalarSlot(el.Name)
	case ir.ArrayKind:
		t.arr = &array{element: fn.element(el)}
		fn.arrays[el.Name] = fn.newLocal(&local{arr: t.arr})
		if p := el.Type.Place; p != nil && p.Exist {
			fn.declareBlock(p.Mem)
			for _, name := range existentials(p) {
				fn.scalarSlot(name)
			}
		}
	case ir.MemKind:
		t.blk = fn.declareBlock(el.Name)
	default:
		broken(el.Span, "`%s` has no type", el.Name)
	}
	return t
}

func (fn *function) declareBlock(name string) **block {
	l := fn.newLocal(&local{blk: new(*block)})
	fn.blocks[name] = l
	return l.blk
}

// temporary makes an array variable without a name, like a.
func temporary(like *array) *array { return &array{element: like.element} }

func (fn *function) newLocal(l *local) *local {
	l.scope, l.last = fn.scope, fn.scope.at
	fn.scope.locals = append(fn.scope.locals, l)
	return l
}

// use notes that the variable is used by the statement that is being compiled.
func (l *local) use() *local {
	l.last, l.initial = l.scope.at, l.scope.initial
	return l
}

func (l *local) clear() {
	if l.arr != nil {
		l.arr.clear()
	} else {
		hold(l.blk, nil)
	}
}

func (fn *function) array(name string, at diag.Span) *array {
	l := fn.arrays[name]
	if l == nil {
		broken(at, "`%s` is not an array in scope", name)
	}
	return l.use().arr
}

func (fn *function) block(name string, at diag.Span) **block {
	l := fn.blocks[name]
	if l == nil {
		broken(at, "`%s` is not a block in scope", name)
	}
	return l.use().blk
}

// A body is a compiled body. Its results are read before release is called,
// which releases the blocks that it declared.
type body struct {
	stmts   []code
	results []operand
	locals  []*local
}

func (b *body) run(fr []uint64) {
	for _, s := range b.stmts {
		s(fr)
	}
}

// release releases the arrays and blocks of the body.
func (b *body) release() {
	for _, l := range b.locals {
		l.clear()
	}
}

func (fn *function) compileBody(b *ir.Body) *body { return fn.compileIn(&scope{}, b) }

// compileIn compiles a body whose scope may hold variables already: the
// function's parameters.
func (fn *function) compileIn(inner *scope, b *ir.Body) *body {
	outer := fn.scope
	fn.scope = inner
	out := &body{stmts: make([]code, 0, len(b.Stmts))}
	ends := make([]int, len(b.Stmts)) // the codes up to and with each statement's
	for k, s := range b.Stmts {
		fn.scope.at = k
		out.stmts = fn.obligations(out.stmts, fn.table.Before[s], s.Span)
		if c := fn.proceeding(func(b Barriers) bool { return b.Meets(s) }); c != nil {
			out.stmts = append(out.stmts, c)
		}
		out.stmts = append(out.stmts, fn.statement(s))
		out.stmts = fn.obligations(out.stmts, fn.table.After[s], s.Span)
		ends[k] = len(out.stmts)
	}
	fn.scope.at = result
	ending := fn.proceeding(func(m Barriers) bool { return m.MeetsAtEnd(b) })
	for _, e := range b.Result {
		out.results = append(out.results, fn.operand(e))
	}
	sizes := fn.obligations(nil, fn.table.AtResult[b], b.In)
	out.stmts = append(fn.releases(out, ends), sizes...)
	if ending != nil {
		out.stmts = append(out.stmts, ending)
	}
	fn.scope = outer
	return out
}

// releases adds to the statements that let go of what is used no more, so that
// the account of memory follows the last uses.
func (fn *function) releases(b *body, ends []int) []code {
	dying := make(map[int][]*local)
	for _, l := range fn.scope.locals {
		switch {
		case l.last >= len(ends): // by the results, or never and without a statement
			b.locals = append(b.locals, l)
		case l.initial != nil:
			l.initial.dead = append(l.initial.dead, l)
		default:
			dying[l.last] = append(dying[l.last], l)
		}
	}
	if len(dying) == 0 {
		return b.stmts
	}
	var out []code
	from := 0
	clear := func(dead []*local) {
		if dead != nil {
			out = append(out, func([]uint64) {
				for _, l := range dead {
					l.clear()
				}
			})
		}
	}
	clear(dying[before])
	for k, end := range ends {
		out = append(out, b.stmts[from:end]...)
		from = end
		clear(dying[k])
	}
	return out
}

// obligations compiles the size equalities that the checker left to the run,
// behind the given statements.
func (fn *function) obligations(out []code, equal []check.Equality, at diag.Span) []code {
	for _, eq := range equal {
		a, b := fn.scalar(eq.A), fn.scalar(eq.B)
		out = append(out, func(fr []uint64) {
			if x, y := int64(a(fr)), int64(b(fr)); x != y {
				sizesDiffer(at, eq.What, x, y)
			}
		})
	}
	return out
}

// scalar compiles a scalar expression.
func (fn *function) scalar(e ir.Exp) scalar.Code {
	c, err := scalar.Compile(e, fn.env)
	if err != nil {
		broken(e.Span(), "%v", err)
	}
	return c
}

// bytes compiles the size of a block.
func (fn *function) bytes(e ir.Exp) scalar.Code {
	c, err := scalar.CompileBytes(e, fn.env)
	if err != nil {
		broken(e.Span(), "%v", err)
	}
	return c
}

func (fn *function) scalarsOf(es []ir.Exp) []scalar.Code {
	out := make([]scalar.Code, len(es))
	for k, e := range es {
		out[k] = fn.scalar(e)
	}
	return out
}

// index compiles an element read.
func (fn *function) index(e *ir.Index) (scalar.Code, error) {
	a := fn.array(e.Array, e.At)
	return fn.sem.index(a, e, fn.scalarsOf(e.Indices)), nil
}
