package ir

// Erase returns the memory-agnostic program that an elaborated explicit one is without its memory:
// without allocations, places, and parameters, results and arguments of type mem. By value both mean
// the same. The program itself stays as it is.
func Erase(p *Program) *Program {
	n := Snapshot(p)
	for _, f := range n.Funcs {
		EraseFunc(f)
	}
	return n
}

// Erased tells what a function lacks without its memory, apart from blocks.
type Erased struct {
	// Scalars were bound by places or computed from such scalars. A value that still depends on them has
	// none; that of a memory-correct function does not.
	Scalars map[string]bool
	// Stmts made nothing but blocks.
	Stmts []*Stmt
}

// EraseFunc erases the memory of one function, in place. The functions that it calls, and that call it,
// must be without memory, too.
func EraseFunc(f *Func) *Erased {
	e := &eraser{Erased{Scalars: map[string]bool{}}, map[string]bool{}}
	f.Params = e.elems(f.Params)
	var results []Result
	for _, r := range f.Results {
		if r.Type.Kind != MemKind {
			r.Type.Place = nil
			results = append(results, r)
		}
	}
	f.Results = results
	e.body(f.Body)
	return &e.Erased
}

// Depends reports whether an expression uses a scalar that has no value any more.
func (e *Erased) Depends(x Exp) bool {
	found := false
	if len(e.Scalars) > 0 {
		ExpNames(x, func(n string) { found = found || e.Scalars[n] })
	}
	return found
}

// An eraser erases one function.
type eraser struct {
	Erased
	mem map[string]bool // names of blocks
}

// elems leaves out blocks, and places of the rest.
func (e *eraser) elems(els []*Elem) []*Elem {
	var out []*Elem
	for _, el := range els {
		if el.Type.Kind == MemKind {
			e.mem[el.Name] = true
			continue
		}
		if p := el.Type.Place; p != nil && p.Exist {
			e.mem[p.Mem] = true
		}
		for _, n := range ExistScalars(el.Type.Place) {
			e.Scalars[n] = true
		}
		el.Type.Place = nil
		out = append(out, el)
	}
	return out
}

// values leaves out operands that are blocks.
func (e *eraser) values(es []Exp) []Exp {
	var out []Exp
	for _, x := range es {
		if r, ok := x.(*Ref); ok && e.mem[r.Name] {
			continue
		}
		out = append(out, x)
	}
	return out
}

func (e *eraser) body(b *Body) {
	var stmts []*Stmt
	for _, s := range b.Stmts {
		if e.stmt(s) {
			stmts = append(stmts, s)
		}
	}
	b.Stmts = stmts
	b.Result = e.values(b.Result)
}

// stmt erases a statement; it returns false if nothing is left.
func (e *eraser) stmt(s *Stmt) bool {
	switch op := s.Op.(type) { // the others hold no memory of their own
	case *Alloc:
		e.elems(s.Pat)
		return false
	case *Compute:
		if e.Depends(op.E) && Total(op.E) {
			e.Scalars[s.Pat[0].Name] = true
			return false
		}
	case *Alias:
		if e.mem[op.X] {
			e.elems(s.Pat)
			return false
		}
	case *Loop:
		var params []Param
		for _, p := range op.Params {
			if len(e.elems([]*Elem{p.Elem})) > 0 {
				params = append(params, p)
			}
		}
		op.Params = params
	case *Call:
		op.Args = e.values(op.Args)
	}
	for _, b := range Bodies(s.Op) {
		e.body(b)
	}
	blocks := len(s.Pat) > 0
	if s.Pat = e.elems(s.Pat); !blocks || len(s.Pat) > 0 {
		return true
	}
	e.Stmts = append(e.Stmts, s)
	return false
}
