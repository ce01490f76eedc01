package imp

import "github.com/memc-lang/memc/ir"

// A visitor sees the parts of a statement: those of each kind in the order in which
// they are evaluated. A nil function sees none.
type visitor struct {
	exp func(ir.Exp)
	mem func(name string, writes bool) // a memory variable; a kernel writes to its block
	// A scalar that the statement assigns. by does nothing else, and may declare it: the
	// statement itself or a Load in it, or nil.
	set  func(name string, by Stmt)
	list func(*[]Stmt) // statements inside
}

func (v *visitor) exps(es ...ir.Exp) {
	if v.exp == nil {
		return
	}
	for _, e := range es {
		if e != nil {
			v.exp(e)
		}
	}
}

func (v *visitor) mems(names ...string) {
	if v.mem == nil {
		return
	}
	for _, m := range names {
		v.mem(m, false)
	}
}

func (v *visitor) writes(name string) {
	if v.mem != nil {
		v.mem(name, true)
	}
}

func (v *visitor) sets(by Stmt, names ...string) {
	if v.set == nil {
		return
	}
	for _, n := range names {
		v.set(n, by)
	}
}

func (v *visitor) lists(s nest) {
	if v.list == nil {
		return
	}
	for _, l := range s.lists() {
		v.list(l)
	}
}

func (v *visitor) args(args []Arg) {
	for _, a := range args {
		if a.Mem != "" {
			v.mems(a.Mem)
		} else {
			v.exps(a.E)
		}
	}
}

func (s *Set) visit(v *visitor)     { v.exps(s.E); v.sets(s, s.Dst) }
func (s *Load) visit(v *visitor)    { v.mems(s.Mem); v.exps(s.Off); v.sets(s, s.Dst) }
func (s *Slots) visit(v *visitor)   { v.mems(s.Mem) }
func (s *Upload) visit(v *visitor)  { v.mems(s.Mem); v.exps(s.Off) }
func (s *Store) visit(v *visitor)   { v.writes(s.Mem); v.exps(s.Off, s.Val) }
func (s *Check) visit(v *visitor)   { v.exps(s.Cond); v.exps(s.Args...) }
func (s *If) visit(v *visitor)      { v.exps(s.Cond); v.lists(s) }
func (s *While) visit(v *visitor)   { v.exps(s.Cond); v.lists(s) }
func (s *SetMem) visit(v *visitor)  { v.mems(s.Src, s.Dst) }
func (s *Alloc) visit(v *visitor)   { v.exps(s.Bytes); v.mems(s.Mem) }
func (s *Free) visit(v *visitor)    { v.mems(s.Mem) }
func (s *SizeOf) visit(v *visitor)  { v.mems(s.Mem); v.sets(s, s.Dst) }
func (s *SizeAs) visit(v *visitor)  { v.exps(s.Bytes); v.sets(s, s.Dst) }
func (s *Query) visit(v *visitor)   { v.sets(s, s.Dst) }
func (s *Inverse) visit(v *visitor) { v.exps(s.N, s.Total); v.sets(s, s.Dst) }
func (s *PtrAt) visit(v *visitor)   { v.writes(s.Base); v.mems(s.Dst); v.exps(s.Off) }
func (s *Call) visit(v *visitor)    { v.args(s.Args); v.sets(nil, s.Results...) }
func (s *KRegion) visit(v *visitor) { v.lists(s) }
func (s *Barrier) visit(*visitor)   {}
func (s *Ticket) visit(v *visitor)  { v.writes(s.Mem); v.exps(s.Off); v.sets(s, s.Dst) }
func (s *Raise) visit(v *visitor)   { v.writes(s.Mem); v.exps(s.Off, s.Val) }
func (s *Await) visit(v *visitor)   { v.mems(s.Mem); v.exps(s.Off); v.sets(nil, s.Dsts...) }

func (s *Fetch) visit(v *visitor) {
	for _, l := range s.Loads {
		v.mems(l.Mem)
		v.exps(l.Off)
	}
	for _, l := range s.Loads {
		v.sets(l, l.Dst)
	}
}

func (s *For) visit(v *visitor) {
	v.exps(s.Bound)
	if s.Local {
		v.exps(localID, localSize)
	}
	if s.Each > 0 {
		v.exps(s.Turns, s.First, s.Step)
	}
	v.sets(s, s.Var)
	v.lists(s)
}

func (s *Copy) visit(v *visitor) {
	for _, r := range []Region{s.Dst, s.Src} {
		v.mems(r.Mem)
		v.exps(r.Offset)
		v.exps(r.Strides...)
	}
	v.exps(s.Shape...)
}

func (s *Launch) visit(v *visitor) {
	v.exps(s.Groups, s.Size)
	v.args(s.Args)
	v.exps(s.Copied)
}

func (s *Move) visit(v *visitor) {
	if s.Group && !s.Store {
		v.writes(s.Room)
	} else {
		v.mems(s.Room)
	}
	if s.Store {
		v.writes(s.Mem)
	} else {
		v.mems(s.Mem)
	}
	v.exps(s.Off, s.Count, s.Even, s.Behind)
}

func (s *Atomic) visit(v *visitor) {
	for i, m := range s.Mems {
		v.writes(m)
		v.exps(s.Offs[i])
	}
	if s.Lock != "" {
		v.writes(s.Lock)
		v.exps(s.LockOff)
	}
	v.sets(nil, s.Old...)
	v.lists(s)
	v.exps(s.New...)
	v.exps(s.Val)
}

// everywhere visits the parts of statements, and of those inside them.
func everywhere(list []Stmt, v visitor) {
	v.list = func(list *[]Stmt) {
		for _, s := range *list {
			s.visit(&v)
		}
	}
	v.list(&list)
}

// Each calls f for the statements of one type, or (Stmt) of all, among statements and those
// inside them, outer ones first.
func Each[T Stmt](list []Stmt, f func(T)) {
	for _, s := range list {
		if t, ok := s.(T); ok {
			f(t)
		}
		for _, l := range lists(s) {
			Each(*l, f)
		}
	}
}

// A nest is a statement with lists of statements in it.
type nest interface{ lists() []*[]Stmt }

func (s *If) lists() []*[]Stmt      { return []*[]Stmt{&s.Then, &s.Else} }
func (s *While) lists() []*[]Stmt   { return []*[]Stmt{&s.Body} }
func (s *For) lists() []*[]Stmt     { return []*[]Stmt{&s.Body} }
func (s *KRegion) lists() []*[]Stmt { return []*[]Stmt{&s.Body} }
func (s *Atomic) lists() []*[]Stmt  { return []*[]Stmt{&s.Body} }

// lists returns the lists of a statement.
func lists(s Stmt) []*[]Stmt {
	if n, ok := s.(nest); ok {
		return n.lists()
	}
	return nil
}

// inside returns the statements in a statement, list by list.
func inside(s Stmt) (out [][]Stmt) {
	for _, l := range lists(s) {
		out = append(out, *l)
	}
	return out
}

// target returns the scalar that a statement assigns, if it does nothing else.
func target(s Stmt) (name string) {
	s.visit(&visitor{set: func(n string, by Stmt) {
		if by == s {
			name = n
		}
	}})
	return name
}

// holds reports whether one of the statements, or of those inside them, is as wanted.
func holds(list []Stmt, wanted func(Stmt) bool) (found bool) {
	Each(list, func(s Stmt) { found = found || wanted(s) })
	return found
}

func isA[T Stmt](s Stmt) bool {
	_, ok := s.(T)
	return ok
}

func holdsBarrier(list []Stmt) bool { return holds(list, isA[*Barrier]) }
func stores(list []Stmt) bool       { return holds(list, isA[*Store]) }
func reads(list []Stmt) bool        { return holds(list, isA[*Load]) }

// loops reports whether statements hold a loop.
func loops(list []Stmt) bool {
	return holds(list, func(s Stmt) bool { return isA[*For](s) || isA[*While](s) })
}

// holdsCheck reports whether statements can fail.
func holdsCheck(list []Stmt) bool {
	return holds(list, func(s Stmt) bool { return isA[*Check](s) || isA[*Alloc](s) })
}

// holdsEffect reports whether statements of a kernel write memory or can fail.
func holdsEffect(list []Stmt) bool {
	return holds(list, func(s Stmt) bool { return isA[*Store](s) || isA[*Atomic](s) }) || holdsCheck(list)
}

// assignments tells of every scalar that statements assign.
func assignments(list []Stmt, f func(name string)) {
	everywhere(list, visitor{set: func(name string, _ Stmt) { f(name) }})
}

func assigns(list []Stmt, name string) (found bool) {
	assignments(list, func(n string) { found = found || n == name })
	return found
}

// uses calls scalar for every scalar that the statements read and mem (which may be nil) for
// every memory variable that they mention, in the order of the text.
func uses(list []Stmt, scalar func(*ir.Ref), mem func(string)) {
	v := visitor{exp: func(e ir.Exp) { refsOf(e, scalar) }}
	if mem != nil {
		v.mem = func(name string, _ bool) { mem(name) }
	}
	everywhere(list, v)
}

// mentions reports whether statements mention a scalar.
func mentions(list []Stmt, name string) bool {
	if name == "" {
		return false
	}
	found := false
	uses(list, func(r *ir.Ref) { found = found || r.Name == name }, nil)
	return found || assigns(list, name)
}

// refsOf calls f for every scalar in an expression.
func refsOf(e ir.Exp, f func(*ir.Ref)) {
	ir.WalkExp(e, func(e ir.Exp) bool {
		if r, ok := e.(*ir.Ref); ok {
			f(r)
		}
		return true
	})
}

// Checks returns the checks that each work-item makes, in the order of the text.
func (k *Kernel) Checks() []*Check { return checksOf(k.Body) }

func checksOf(list []Stmt) (out []*Check) {
	Each(list, func(c *Check) { out = append(out, c) })
	return out
}

// onlyMoves visits statements, and those in branches and in a loop that work-items share (For.Each).
// It returns their number, and false if one does more than compute, read and write.
func onlyMoves(list []Stmt, visit func(Stmt)) (count int, ok bool) {
	for _, s := range list {
		var inner [][]Stmt
		switch s := s.(type) {
		case *Set, *Load, *Store:
		case *If:
			inner = [][]Stmt{s.Then, s.Else}
		case *For:
			if s.Each == 0 {
				return count, false
			}
			inner = [][]Stmt{s.Body}
		default:
			return count, false
		}
		count++
		visit(s)
		for _, list := range inner {
			n, ok := onlyMoves(list, visit)
			count += n
			if !ok {
				return count, false
			}
		}
	}
	return count, true
}
