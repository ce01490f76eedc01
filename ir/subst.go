package ir

import "slices"

// A Substitution replaces names. It maps a scalar to a Ref or a Lit of the same type, and an array, a
// block or a name that is bound to a Ref with its new name. Names that it lacks stay.
type Substitution map[string]Exp

// Name returns what a name that is bound, or that is of an array or a block, becomes.
func (r Substitution) Name(name string) string {
	if to, ok := r[name].(*Ref); ok {
		return to.Name
	}
	return name
}

// Exp returns an expression with its names replaced. The expression given stays as it is.
func (r Substitution) Exp(e Exp) Exp {
	if e == nil || !r.uses(e) {
		return e
	}
	return MapExp(e, func(e Exp) Exp {
		switch e := e.(type) {
		case *Ref:
			switch to := r[e.Name].(type) {
			case *Ref:
				e.Name = to.Name
			case *Lit:
				n := *to
				n.At = e.At
				return &n
			}
		case *Index:
			e.Array = r.Name(e.Array)
		case *Exist:
			e.Name = r.Name(e.Name)
		}
		return e
	})
}

func (r Substitution) uses(e Exp) bool {
	return AnyExp(e, func(e Exp) bool {
		switch e := e.(type) {
		case *Ref:
			return r[e.Name] != nil
		case *Index:
			return r[e.Array] != nil
		case *Exist:
			return r[e.Name] != nil
		}
		return false
	})
}

// Type returns a type with its names replaced. The type given stays as it is.
func (r Substitution) Type(t Type) Type {
	if slices.ContainsFunc(t.Shape, func(d Dim) bool { return r[d.Name] != nil }) {
		t.Shape = slices.Clone(t.Shape)
	}
	for k, d := range t.Shape {
		switch to := r[d.Name].(type) {
		case *Ref:
			t.Shape[k] = Dim{Name: to.Name}
		case *Lit:
			t.Shape[k] = Dim{Const: int64(to.Bits)}
		}
	}
	if t.Place != nil {
		t.Place = newCopier(true).place(t.Place)
		t.Place.Mem = r.Name(t.Place.Mem)
		p := &parts{exp: func(e *Exp) { *e = r.Exp(*e) }, own: true}
		for _, op := range t.Place.Ix {
			p.place(op)
		}
	}
	return t
}

// Elem replaces the names of an element: its own, and those in its type.
func (r Substitution) Elem(e *Elem) {
	e.Name = r.Name(e.Name)
	e.Type = r.Type(e.Type)
}

// Stmt replaces the names in a statement, in place: those that it uses, and those that it binds.
func (r Substitution) Stmt(s *Stmt) {
	for _, e := range s.Pat {
		r.Elem(e)
	}
	r.Op(s.Op)
}

// Op replaces the names in an operation, in place.
func (r Substitution) Op(op Op) {
	if l, ok := op.(*Loop); ok {
		l.Var, l.While = r.Name(l.Var), r.Name(l.While)
	}
	if a, ok := op.(*Assert); ok && a.Msg == "" && !a.Size && !a.Threads && r.uses(a.Cond) {
		a.Msg = ExpString(a.Cond) // what fails is what stands in the text
	}
	space, _ := KernelSpace(op)
	for k := range space {
		space[k].Var = r.Name(space[k].Var)
	}
	(&parts{
		name: func(n *string) { *n = r.Name(*n) },
		exp:  func(e *Exp) { *e = r.Exp(*e) },
		elem: func(e **Elem) { r.Elem(*e) },
		body: func(b **Body) { r.Body(*b) },
	}).of(op)
}

// Body replaces the names in a body, in place.
func (r Substitution) Body(b *Body) {
	for _, s := range b.Stmts {
		r.Stmt(s)
	}
	for k, e := range b.Result {
		b.Result[k] = r.Exp(e)
	}
}

// BoundNames calls f for every name that a body binds, within its statements' bodies too.
func BoundNames(b *Body, f func(name string)) {
	WalkStmts(b, func(s *Stmt) bool {
		for _, e := range s.Pat {
			elemBinds(e, f)
		}
		Binds(s.Op, f)
		return true
	})
}

// SnapshotBody returns a copy of a body of an elaborated program, as Snapshot does.
func SnapshotBody(b *Body) *Body { return newCopier(true).body(b) }

// SnapshotStmt returns a copy of a statement of an elaborated program, as Snapshot does.
func SnapshotStmt(s *Stmt) *Stmt { return newCopier(true).stmt(s) }
