package imp

import "github.com/memc-lang/memc/ir"

// uses calls scalar for every scalar that the statements read and mem for every
// memory variable that they mention, in the order of the text.
func uses(stmts []Stmt, scalar func(*ir.Ref), mem func(string)) {
	u := user{scalar: scalar, mem: mem}
	u.stmts(stmts)
}

// Checks gives the checks that each work-item makes, in the order of the text.
func (k *Kernel) Checks() []*Check {
	var out []*Check
	u := user{scalar: func(*ir.Ref) {}, mem: func(string) {}, check: func(c *Check) { out = append(out, c) }}
	u.stmts(k.Body)
	return out
}

type user struct {
	scalar func(*ir.Ref)
	mem    func(string)
	check  func(*Check) // may be nil
	each   func(ir.Exp) // told of every expression and each in it; may be nil
	write  func(string) // told of every block that a kernel writes; may be nil
}

func (u *user) stmts(list []Stmt) {
	for _, s := range list {
		u.stmt(s)
	}
}

func (u *user) stmt(s Stmt) {
	switch s := s.(type) {
	case *Set:
		u.exps(s.E)
	case *Load:
		u.mem(s.Mem)
		u.exps(s.Off)
	case *Fetch:
		for _, l := range s.Loads {
			u.stmt(l)
		}
	case *Slots:
		u.mem(s.Mem)
	case *Upload:
		u.mem(s.Mem)
		u.exps(s.Off)
	case *Store:
		u.writes(s.Mem)
		u.mem(s.Mem)
		u.exps(s.Off, s.Val)
	case *Check:
		if u.check != nil {
			u.check(s)
		}
		u.exps(s.Cond)
		u.exps(s.Args...)
	case *If:
		u.exps(s.Cond)
		u.stmts(s.Then)
		u.stmts(s.Else)
	case *For:
		u.exps(s.Bound)
		if s.Local {
			u.exps(localID, localSize)
		}
		if s.Turns != nil {
			u.exps(s.Turns)
		}
		u.stmts(s.Body)
	case *While:
		u.exps(s.Cond)
		u.stmts(s.Body)
	case *SetMem:
		u.mem(s.Src)
		u.mem(s.Dst)
	case *Alloc:
		u.exps(s.Bytes)
		u.mem(s.Mem)
	case *Free:
		u.mem(s.Mem)
	case *SizeOf:
		u.mem(s.Mem)
	case *Query:
	case *Inverse:
		u.exps(s.N, s.Total)
	case *PtrAt:
		u.writes(s.Base)
		u.mem(s.Base)
		u.mem(s.Dst)
		u.exps(s.Off)
	case *Copy:
		for _, r := range []Region{s.Dst, s.Src} {
			u.mem(r.Mem)
			u.exps(r.Offset)
			u.exps(r.Strides...)
		}
		u.exps(s.Shape...)
	case *Launch:
		u.exps(s.Groups)
		if s.Size != nil {
			u.exps(s.Size)
		}
		u.args(s.Args)
		if s.Copied != nil {
			u.exps(s.Copied)
		}
	case *Call:
		u.args(s.Args)
	case *KRegion:
		u.stmts(s.Body)
	case *Move:
		if s.Store {
			u.writes(s.Mem)
		}
		u.mem(s.Room)
		u.mem(s.Mem)
		u.exps(s.Off, s.Count)
	case *Ticket:
		u.writes(s.Mem)
		u.mem(s.Mem)
		u.exps(s.Off)
	case *Raise:
		u.writes(s.Mem)
		u.mem(s.Mem)
		u.exps(s.Off, s.Val)
	case *Await:
		u.mem(s.Mem)
		u.exps(s.Off)
	case *Atomic:
		for i, m := range s.Mems {
			u.writes(m)
			u.mem(m)
			u.exps(s.Offs[i])
		}
		if s.Lock != "" {
			u.writes(s.Lock)
			u.mem(s.Lock)
			u.exps(s.LockOff)
		}
		u.stmts(s.Body)
		u.exps(s.New...)
		if s.Val != nil {
			u.exps(s.Val)
		}
	}
}

func (u *user) writes(mem string) {
	if u.write != nil {
		u.write(mem)
	}
}

func (u *user) args(args []Arg) {
	for _, a := range args {
		if a.Mem != "" {
			u.mem(a.Mem)
		} else {
			u.exps(a.E)
		}
	}
}

func (u *user) exps(es ...ir.Exp) {
	for _, e := range es {
		u.exp(e)
	}
}

func (u *user) exp(e ir.Exp) {
	if u.each != nil {
		u.each(e)
	}
	if r, ok := e.(*ir.Ref); ok {
		u.scalar(r)
	}
	ir.Operands(e, u.exp)
}

// holdsCheck tells whether a Check can fail in the statements.
func holdsCheck(stmts []Stmt) bool {
	for _, s := range stmts {
		switch s := s.(type) {
		case *Check, *Alloc:
			return true
		case *If:
			if holdsCheck(s.Then) || holdsCheck(s.Else) {
				return true
			}
		case *For:
			if holdsCheck(s.Body) {
				return true
			}
		case *While:
			if holdsCheck(s.Body) {
				return true
			}
		case *KRegion:
			if holdsCheck(s.Body) {
				return true
			}
		case *Atomic:
			if holdsCheck(s.Body) {
				return true
			}
		}
	}
	return false
}
