// Package index numbers the points of a function, and records the origin of each name.
//
// Purpose. Every analysis asks where a statement stands, in which bodies, what binds a name, how a
// scalar is computed, and where it is known. The index answers all of them. The analyses of a function
// at one time share one index (accesses.WithLives), and passes use theirs.
//
// Algorithm. One walk in the order of the text. A body begins and ends with a point of its own. A
// statement has one point and, if it has bodies, a second one behind them.
//
// Invariants. The index refers to the function's own elements, so it sees a place that a pass
// changes. It does not see statements that are added or moved: then its points are wrong, and a new
// index must be made.
//
// The package imports ir, ir/lmad and ir/sym. It knows nothing of aliases, lives and places.
package index

import (
	"math"
	"sort"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// PointKind is the kind of a point.
type PointKind uint8

// The kinds of points.
const (
	Begin PointKind = iota // of a body
	At                     // a statement; before its bodies, if it has any
	End                    // of a body: its results are read
	Exit                   // of a statement with bodies, behind them
)

// A Point is a program point; its number is its index in Function.Points.
type Point struct {
	Kind PointKind
	Body *ir.Body // that begins or ends, or that holds the statement
	// Stmt is the statement. For a body it is the statement that contains the body, or nil for the
	// function's body.
	Stmt *ir.Stmt
	Part int  // of a body: its number among the statement's bodies
	span Span // of a statement that is here
}

// Span returns the points of the statement whose point this is, from its own to its exit.
func (p *Point) Span() Span { return p.span }

// A Span holds the points of a statement, from its own to its exit; these are the same if it has no
// bodies. For a body it goes from its beginning to its end.
type Span struct{ From, To int }

// A Binder is an index that a loop or a kernel binds, 0 <= Name < Bound.
type Binder struct {
	Name  string
	Bound sym.Poly
}

// A Scope is a body of a statement, with the indices that the statement binds.
type Scope struct {
	Outer   *Scope   // nil for the function's body
	Stmt    *ir.Stmt // nil for the function's body
	Body    *ir.Body
	Span    Span
	Kernel  bool
	Loop    bool
	Binders []Binder
	// Locals are the names bound within that can differ between iterations or threads: scalars,
	// blocks, and arrays, since indices can mention their elements. The function's parameters are
	// not included.
	Locals []string

	at int // the point of the statement
}

// A Def says how a name came about.
type Def struct {
	Elem  *ir.Elem // nil for sizes, indices, and names that places bind
	Stmt  *ir.Stmt // nil for parameters of the function
	Scope *Scope   // in which it can be used
	// Point is the point after which the name can be used. For results of a kernel it is the
	// kernel's own point, since they are written while it runs. At is the point at which the name's
	// place is evaluated: the statement's own point.
	Point, At int
	Result    bool   // a statement's pattern binds it
	Exp       ir.Exp // of a scalar: its definition

	poly *sym.Poly // that Exp is, once it was asked for
}

// value returns the definition of an i64 scalar.
func (d *Def) value() sym.Poly {
	if d.poly == nil {
		p := sym.Of(d.Exp)
		d.poly = &p
	}
	return *d.poly
}

// Total reports whether a name is an i64 scalar whose definition reads no memory and cannot fail.
func (d *Def) Total() bool { return d.Integer() && ir.Total(d.Exp) }

// Integer reports whether a name is an i64 scalar that an expression defines.
func (d *Def) Integer() bool { return d != nil && d.Exp != nil && d.Exp.Prim() == ir.I64 }

// Fresh reports whether a name is an array that its statement makes anew.
func (d *Def) Fresh() bool {
	return d.Result && d.Elem != nil && d.Elem.Type.Kind == ir.ArrayKind && ir.Fresh(d.Stmt.Op)
}

// A Function is the index of one function.
type Function struct {
	Func   *ir.Func
	Points []Point

	stmts   map[*ir.Stmt]Span
	bodies  map[*ir.Body]*Scope
	scopes  []*Scope       // per point
	numbers map[string]int // names are numbered in the order of the text
	defs    []Def          // by number
}

// Of makes the index of a function.
func Of(f *ir.Func) *Function {
	stmts, bodies, points, names := 0, 1, 2, len(f.Sizes)
	for _, e := range f.Params {
		names += binds(e)
	}
	ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
		n := len(ir.Bodies(s.Op))
		stmts, bodies, points = stmts+1, bodies+n, points+1+2*n+min(n, 1)
		for _, e := range s.Pat {
			names += binds(e)
		}
		if n > 0 {
			ir.Elems(s.Op, func(e *ir.Elem) { names += binds(e) })
			space, _ := ir.KernelSpace(s.Op)
			names += len(space) + 1 // or the counter of a loop
		}
		return true
	})
	x := &Function{
		Func: f, Points: make([]Point, 0, points),
		stmts: make(map[*ir.Stmt]Span, stmts), bodies: make(map[*ir.Body]*Scope, bodies), scopes: make([]*Scope, 0, points),
		numbers: make(map[string]int, names), defs: make([]Def, 0, names),
	}
	x.body(&Scope{Body: f.Body}, 0)
	return x
}

// binds returns how many names an element binds, those in its place included.
func binds(e *ir.Elem) int {
	switch p := e.Type.Place; {
	case p == nil || !p.Exist:
		return 1
	case len(p.Ix) == 0:
		return 2
	}
	return 1 + len(ir.ExistNames(e.Type.Place))
}

// define records how a name came about.
func (x *Function) define(name string, d Def) {
	x.numbers[name] = len(x.defs)
	x.defs = append(x.defs, d)
}

// Stmt returns the points of a statement.
func (x *Function) Stmt(s *ir.Stmt) Span { return x.stmts[s] }

// Body returns the points of a body.
func (x *Function) Body(b *ir.Body) Span { return x.bodies[b].Span }

// ScopeOf returns the scope that a body is.
func (x *Function) ScopeOf(b *ir.Body) *Scope { return x.bodies[b] }

// Scope returns the innermost body that a point is in.
func (x *Function) Scope(point int) *Scope { return x.scopes[point] }

// Def tells how a name came about; it is nil for a name that the function does not bind.
func (x *Function) Def(name string) *Def {
	if n, ok := x.numbers[name]; ok {
		return &x.defs[n]
	}
	return nil
}

// Type returns the present type of a name that an element binds, with changes that passes made to
// its place. It is nil for other names.
func (x *Function) Type(name string) *ir.Type {
	if d := x.Def(name); d != nil && d.Elem != nil {
		return &d.Elem.Type
	}
	return nil
}

// Enclosing returns the statement of a body that contains a point, with its points. If there is
// none, it returns the first statement after the point, or nil.
func (x *Function) Enclosing(b *ir.Body, point int) (s *ir.Stmt, span Span, ok bool) {
	at := point
	for sc := x.scopes[point]; sc != nil; sc = sc.Outer {
		if p := &x.Points[at]; sc.Body == b && (p.Kind == At || p.Kind == Exit) {
			return p.Stmt, p.span, true
		}
		at = sc.at
	}
	k := sort.Search(len(b.Stmts), func(k int) bool { return x.stmts[b.Stmts[k]].From > point })
	if k == len(b.Stmts) {
		return nil, Span{}, false
	}
	return b.Stmts[k], x.stmts[b.Stmts[k]], false
}

// Around returns the points of the statement of a body that contains a point, or the point itself
// if there is none.
func (x *Function) Around(b *ir.Body, point int) Span {
	if _, span, ok := x.Enclosing(b, point); ok {
		return span
	}
	return Span{point, point}
}

// Visible reports whether a name can be used at a point.
func (x *Function) Visible(name string, point int) bool {
	d := x.Def(name)
	return d != nil && d.Scope.Span.From <= point && point <= d.Scope.Span.To && d.Point < point
}

// Known returns the first point at which a name has its value on the host. It returns math.MaxInt
// if there is none: the name is bound within a kernel, or not at all.
func (x *Function) Known(name string) int {
	d := x.Def(name)
	if d == nil {
		return math.MaxInt
	}
	for sc := d.Scope; sc != nil; sc = sc.Outer {
		if sc.Kernel {
			return math.MaxInt
		}
	}
	switch {
	case d.Stmt == nil:
		return d.Point
	case d.Result:
		return x.stmts[d.Stmt].To + 1
	}
	return d.Point + 1
}

func (x *Function) point(p Point, sc *Scope) int {
	x.Points, x.scopes = append(x.Points, p), append(x.scopes, sc)
	return len(x.Points) - 1
}

// body numbers the points of a body and of everything within.
func (x *Function) body(sc *Scope, part int) {
	b, s := sc.Body, sc.Stmt
	x.bodies[b], sc.Locals = sc, make([]string, 0, len(b.Stmts))
	begin := x.point(Point{Kind: Begin, Body: b, Stmt: s, Part: part}, sc)
	sc.Span.From = begin
	if s == nil {
		for _, n := range x.Func.Sizes {
			x.define(n, Def{Scope: sc, Point: begin, At: begin})
		}
		for _, e := range x.Func.Params {
			x.bind(e, Def{Scope: sc, Point: begin, At: begin})
		}
		sc.Locals = sc.Locals[:0]
	} else {
		x.inner(sc, part)
	}
	for _, st := range b.Stmts {
		x.stmt(st, sc)
	}
	sc.Span.To = x.point(Point{Kind: End, Body: b, Stmt: s, Part: part}, sc)
}

// inner binds the names that a statement binds in one of its bodies.
func (x *Function) inner(sc *Scope, part int) {
	d := Def{Stmt: sc.Stmt, Scope: sc, Point: sc.Span.From, At: sc.at}
	loop, isLoop := sc.Stmt.Op.(*ir.Loop)
	space, kernel := ir.KernelSpace(sc.Stmt.Op)
	sc.Loop, sc.Kernel = isLoop, kernel
	if isLoop {
		ir.Elems(sc.Stmt.Op, func(e *ir.Elem) { x.bind(e, d) })
	} else if ops := ir.Operators(sc.Stmt.Op); part < len(ops) {
		for _, e := range ops[part].Params {
			x.bind(e, d)
		}
	}
	index := d
	index.At = d.Point
	if isLoop && loop.Var != "" {
		sc.Binders = []Binder{{loop.Var, sym.Of(loop.Bound)}}
	}
	if kernel && sc.Body == ir.KernelBody(sc.Stmt.Op) {
		for _, b := range space {
			sc.Binders = append(sc.Binders, Binder{b.Var, sym.Of(b.Size)})
		}
	}
	for _, b := range sc.Binders {
		x.define(b.Name, index)
	}
}

func (x *Function) stmt(s *ir.Stmt, sc *Scope) {
	at := x.point(Point{Kind: At, Body: sc.Body, Stmt: s}, sc)
	span, bound := Span{at, at}, at
	if bodies := ir.Bodies(s.Op); len(bodies) > 0 {
		for part, b := range bodies {
			x.body(&Scope{Outer: sc, Stmt: s, Body: b, at: at}, part)
		}
		exit := x.point(Point{Kind: Exit, Body: sc.Body, Stmt: s}, sc)
		span.To = exit
		x.Points[exit].span = span
		if !ir.IsKernel(s.Op) {
			bound = exit
		}
	}
	x.stmts[s], x.Points[at].span = span, span
	d := Def{Stmt: s, Scope: sc, Point: bound, At: at, Result: true}
	if c, ok := s.Op.(*ir.Compute); ok {
		d.Exp = c.E
	}
	for _, e := range s.Pat {
		x.bind(e, d)
	}
}

// bind records an element, and the names that its place binds.
func (x *Function) bind(e *ir.Elem, d Def) {
	d.Elem = e
	x.define(e.Name, d)
	d.Scope.Locals = append(d.Scope.Locals, e.Name)
	d.Elem, d.Exp = nil, nil
	for _, n := range ir.ExistNames(e.Type.Place) {
		x.define(n, d)
		d.Scope.Locals = append(d.Scope.Locals, n)
	}
}
