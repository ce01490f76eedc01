package futhark

import "github.com/memc-lang/memc/ir"

// Note [Exclusive scans]
//
// Futhark's `exscan` is an array of neutral elements, an inclusive scan, and a scatter of every
// scanned value to the next index, all in one kernel of Futhark's. memc would have to keep the
// scanned values for the scatter. If the three occur in this form, they become one scan, whose
// thread i takes the value of the thread before: the body is the same, for i - 1, and returns the
// neutral element for i = 0. The value of the last thread, which nobody needs, is not computed, so
// the body must not be able to fail.

// exclusives finds scatters of scanned values to the next index.
func (t *translator) exclusives(f *ir.Func) {
	x := &exclusive{t: t, uses: map[string]int{}, defs: map[string]*ir.Stmt{}}
	ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
		ir.Uses(s.Op, func(n string) { x.uses[n]++ })
		for _, b := range ir.Bodies(s.Op) {
			for _, e := range b.Result {
				ir.ExpNames(e, func(n string) { x.uses[n]++ })
			}
		}
		return true
	})
	for _, e := range f.Body.Result {
		ir.ExpNames(e, func(n string) { x.uses[n]++ })
	}
	x.body(f.Body)
}

type exclusive struct {
	t    *translator
	uses map[string]int
	defs map[string]*ir.Stmt // of the body under way, since something was consumed
}

// body looks at the statements of host code, inner bodies first.
func (x *exclusive) body(b *ir.Body) {
	for _, s := range b.Stmts {
		if _, kernel := ir.KernelSpace(s.Op); !kernel {
			for _, in := range ir.Bodies(s.Op) {
				x.body(in)
			}
		}
	}
	clear(x.defs)
	for _, s := range b.Stmts {
		if op, ok := s.Op.(*ir.Scatter); ok {
			x.scatter(s, op)
		}
		switch s.Op.(type) {
		case *ir.Update, *ir.Scatter, *ir.Hist, *ir.Into, *ir.If, *ir.Loop, *ir.Call:
			clear(x.defs) // the body may read what these consume
		}
		for _, e := range s.Pat {
			x.defs[e.Name] = s
		}
	}
}

// scatter rewrites a scatter to an exclusive scan, if it is one.
func (x *exclusive) scatter(s *ir.Stmt, op *ir.Scatter) {
	if len(op.Space) != 1 || len(op.Dests) != 1 || len(op.Body.Result) != 2 {
		return
	}
	scanned, ok := x.moved(op)
	if !ok {
		return
	}
	from, to := x.defs[scanned], x.defs[op.Dests[0]]
	if from == nil || to == nil || len(from.Pat) != 1 || x.uses[scanned] != 1 || x.uses[op.Dests[0]] != 1 {
		return
	}
	scan, ok := from.Op.(*ir.Scan)
	zeros, filled := to.Op.(*ir.Replicate)
	if !ok || !filled || len(scan.Space) != 1 || len(scan.Op.Neutral) != 1 || len(zeros.Dims) != 1 || from.Pat[0].Type.Rank() != 1 {
		return
	}
	n := ir.ExpString(op.Space[0].Size)
	neutral, lit := scan.Op.Neutral[0].(*ir.Lit)
	if !lit || ir.ExpString(zeros.X) != ir.ExpString(neutral) || ir.ExpString(scan.Space[0].Size) != n || ir.ExpString(zeros.Dims[0]) != n ||
		s.Pat[0].Type.Prim != from.Pat[0].Type.Prim || !total(scan.Body) {
		return
	}
	before := scan.Space[0].Var
	at := x.t.fresh(before)
	val := x.t.fresh(from.Pat[0].Name)
	p := neutral.T
	shifted := &ir.Stmt{Pat: []*ir.Elem{{Name: before, Type: ir.Scalar(ir.I64), Written: true, Span: s.Span}}, Span: s.Span,
		Op: &ir.Compute{E: &ir.Binary{Op: "-", X: ir.Var(at), Y: ir.IntLit(1), T: ir.I64}}}
	then := &ir.Body{Stmts: append([]*ir.Stmt{shifted}, scan.Body.Stmts...), Result: scan.Body.Result, Span: scan.Body.Span, In: scan.Body.In}
	first := &ir.Body{Result: []ir.Exp{ir.CloneExp(neutral)}, Span: scan.Body.Span, In: scan.Body.In}
	pick := &ir.Stmt{Pat: []*ir.Elem{{Name: val, Type: ir.Scalar(p), Written: true, Span: s.Span}}, Span: s.Span,
		Op: &ir.If{Cond: compare("<", ir.IntLit(0), ir.Var(at)), Then: then, Else: first}}
	s.Op = &ir.Scan{
		Space: ir.Space{{Var: at, Size: op.Space[0].Size, Span: op.Space[0].Span}}, Op: scan.Op,
		Body: &ir.Body{Stmts: []*ir.Stmt{pick}, Result: []ir.Exp{&ir.Ref{Name: val, T: p}}, Span: scan.Body.Span, In: scan.Body.In},
	}
	s.Pat[0].Type.Place = ir.ClonePlace(to.Pat[0].Type.Place)
	// What was scanned is unused now; its body stands elsewhere.
	from.Op = &ir.Scratch{Prim: p, Dims: []ir.Exp{ir.CloneExp(op.Space[0].Size)}}
}

// moved reports whether a scatter writes element i of an array at i + 1.
func (x *exclusive) moved(op *ir.Scatter) (array string, ok bool) {
	i := op.Space[0].Var
	defs := map[string]ir.Exp{}
	for _, s := range op.Body.Stmts {
		c, ok := s.Op.(*ir.Compute)
		if !ok {
			return "", false
		}
		defs[s.Pat[0].Name] = c.E
	}
	of := func(e ir.Exp) ir.Exp {
		if r, ok := e.(*ir.Ref); ok && defs[r.Name] != nil {
			return defs[r.Name]
		}
		return e
	}
	sum, isSum := of(op.Body.Result[0]).(*ir.Binary)
	read, isRead := of(op.Body.Result[1]).(*ir.Index)
	if !isSum || !isRead || sum.Op != "+" || len(read.Indices) != 1 || !isVar(read.Indices[0], i) {
		return "", false
	}
	next := isConst(sum.X, 1) && isVar(sum.Y, i) || isVar(sum.X, i) && isConst(sum.Y, 1)
	return read.Array, next
}

func isVar(e ir.Exp, name string) bool {
	r, ok := e.(*ir.Ref)
	return ok && r.Name == name
}

// total reports whether a body only reads elements and computes what cannot fail.
func total(b *ir.Body) bool {
	for _, s := range b.Stmts {
		c, ok := s.Op.(*ir.Compute)
		if !ok {
			return false
		}
		safe := true
		ir.WalkExp(c.E, func(e ir.Exp) bool {
			switch e := e.(type) {
			case *ir.Binary:
				safe = safe && e.Op != "/" && e.Op != "%" && e.Op != "**"
			case *ir.Builtin:
				safe = safe && e.Fn != "fdiv" && e.Fn != "fmod"
			}
			return safe
		})
		if !safe {
			return false
		}
	}
	return true
}
