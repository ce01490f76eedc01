package ir

// WalkStmts calls f for every statement of b and of the bodies within, outer ones first. If f
// returns false, it skips the statement's own bodies.
func WalkStmts(b *Body, f func(*Stmt) bool) {
	for _, s := range b.Stmts {
		if !f(s) {
			continue
		}
		if op, ok := s.Op.(*Into); ok {
			for _, b := range op.bodies() {
				WalkStmts(b, f)
			}
			continue
		}
		inner, n := bodies(s.Op)
		for _, b := range inner[:n] {
			WalkStmts(b, f)
		}
	}
}

// Size estimates how many names a function binds, for the size of tables.
func Size(f *Func) int {
	n := len(f.Sizes) + len(f.Params)
	WalkStmts(f.Body, func(s *Stmt) bool {
		n += len(s.Pat)
		if loop, ok := s.Op.(*Loop); ok {
			n += len(loop.Params) + 1
		} else if space, ok := KernelSpace(s.Op); ok {
			n += len(space)
		}
		return true
	})
	return n
}

// ParamElems returns the names of loop parameters.
func ParamElems(params []Param) []*Elem {
	out := make([]*Elem, len(params))
	for k, p := range params {
		out[k] = p.Elem
	}
	return out
}

// KernelSpace returns the index space of a kernel, and whether op is one.
func KernelSpace(op Op) (Space, bool) {
	switch op := op.(type) {
	case *Map:
		return op.Space, true
	case *Reduce:
		return op.Space, true
	case *Scan:
		return op.Space, true
	case *Scatter:
		return op.Space, true
	case *Hist:
		return op.Space, true
	case *Into:
		return op.Space, true
	}
	return nil, false
}

// IsKernel reports whether an operation is a kernel.
func IsKernel(op Op) bool {
	_, kernel := KernelSpace(op)
	return kernel
}

// KernelBody returns the body that each thread of a kernel runs.
func KernelBody(op Op) *Body {
	if op, ok := op.(*Into); ok {
		return op.Body
	}
	b, n := bodies(op)
	if n == 0 {
		return nil
	}
	return b[n-1]
}

// OperatorOf returns the operator with which a reduce, a scan or a hist combines the values of its
// body, or nil.
func OperatorOf(op Op) *Operator {
	switch op := op.(type) {
	case *Reduce:
		return &op.Op
	case *Scan:
		return &op.Op
	case *Hist:
		return &op.Op
	}
	return nil
}

// Operators returns the operators of a kernel: OperatorOf's, or those of accumulators.
func Operators(op Op) []*Operator {
	if op, ok := op.(*Into); ok {
		var out []*Operator
		for _, a := range op.Accs {
			if a.Op != nil {
				out = append(out, a.Op)
			}
		}
		return out
	}
	if o := OperatorOf(op); o != nil {
		return []*Operator{o}
	}
	return nil
}

// Dests returns the arrays that a kernel updates, or nil.
func Dests(op Op) []string {
	switch op := op.(type) {
	case *Scatter:
		return op.Dests
	case *Hist:
		return op.Dests
	case *Into:
		var out []string
		for _, a := range op.Accs {
			out = append(out, a.Dests...)
		}
		return out
	}
	return nil
}

// WalkExp calls f for e and, if f returns true, for the expressions within.
func WalkExp(e Exp, f func(Exp) bool) {
	if e != nil && f(e) {
		Operands(e, func(x Exp) { WalkExp(x, f) })
	}
}

// AnyExp reports whether f holds for an expression or for one within it.
func AnyExp(e Exp, f func(Exp) bool) bool {
	found := false
	WalkExp(e, func(e Exp) bool {
		found = found || f(e)
		return !found
	})
	return found
}

// AnyStmt reports whether f holds for a statement of a body or of the bodies in it.
func AnyStmt(b *Body, f func(*Stmt) bool) bool {
	found := false
	WalkStmts(b, func(s *Stmt) bool {
		found = found || f(s)
		return !found
	})
	return found
}

// EachOp calls f for the statements of a body, and of the bodies in it, whose operations have one type.
func EachOp[T Op](b *Body, f func(*Stmt, T)) {
	WalkStmts(b, func(s *Stmt) bool {
		if op, ok := s.Op.(T); ok {
			f(s, op)
		}
		return true
	})
}

// EachExpIn calls f for every expression of a body and of the bodies in it, by address, in the order of the text.
func EachExpIn(b *Body, f func(*Exp)) {
	for _, s := range b.Stmts {
		EachExp(s.Op, f)
		for _, in := range Bodies(s.Op) {
			EachExpIn(in, f)
		}
	}
	for k := range b.Result {
		f(&b.Result[k])
	}
}

// Evaluated calls f for the operands of an expression, in the order of the text, each with the
// condition under which it is evaluated, and the value that the condition then has. cond is nil if
// the operand is always evaluated.
func Evaluated(e Exp, f func(x, cond Exp, holds bool)) {
	if e, ok := e.(*Cond); ok {
		f(e.C, nil, true)
		f(e.X, e.C, true)
		f(e.Y, e.C, false)
		return
	}
	if e, ok := e.(*Binary); ok && (e.Op == "&&" || e.Op == "||") {
		f(e.X, nil, true)
		f(e.Y, e.X, e.Op == "&&")
		return
	}
	Operands(e, func(x Exp) { f(x, nil, true) })
}

// ExpNames calls f for every name that an expression uses, arrays included.
func ExpNames(e Exp, f func(name string)) {
	switch e := e.(type) {
	case nil, *Lit:
		return
	case *Ref:
		f(e.Name)
		return
	case *Index:
		f(e.Array)
	}
	Operands(e, func(x Exp) { ExpNames(x, f) })
}

// TypeNames calls f for every name that a type refers to: its dims, and its
// place's block and scalars, but not those that the place binds.
func TypeNames(t Type, f func(name string)) {
	for _, d := range t.Shape {
		if d.Name != "" {
			f(d.Name)
		}
		ExpNames(d.Written, f)
	}
	PlaceNames(t.Place, f)
}

// ExistNames returns the names that an existential place binds: the block, then the scalars in the order of
// the text.
func ExistNames(p *Place) []string {
	if p == nil || !p.Exist {
		return nil
	}
	return append([]string{p.Mem}, ExistScalars(p)...)
}

// ExistScalars returns the scalars that a place binds.
func ExistScalars(p *Place) (names []string) {
	PlaceExps(p, func(e Exp) {
		if x, ok := e.(*Exist); ok { // it stands alone
			names = append(names, x.Name)
		}
	})
	return names
}

// IsExplicit reports whether a function is in explicit form: it contains an allocation, a block, or
// an array with a place (docs/ir.md). Other functions are memory-agnostic.
func IsExplicit(f *Func) bool {
	explicit := func(t Type) bool { return t.Kind == MemKind || t.Place != nil }
	for _, p := range f.Params {
		if explicit(p.Type) {
			return true
		}
	}
	for _, r := range f.Results {
		if explicit(r.Type) {
			return true
		}
	}
	return AnyStmt(f.Body, func(s *Stmt) bool {
		_, found := s.Op.(*Alloc)
		StmtElems(s, func(e *Elem) { found = found || explicit(e.Type) })
		return found
	})
}
