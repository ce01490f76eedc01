package futhark

import "github.com/memc-lang/memc/ir"

// removeUnused takes out statements that nothing uses: constants of the dump
// that a function does not need, thread-block sizes. Assertions stay, and what
// holds some.
func removeUnused(f *ir.Func) {
	u := &unused{live: map[string]bool{}}
	for _, r := range f.Results {
		ir.TypeNames(r.Type, u.mark)
	}
	u.body(f.Body)
}

type unused struct{ live map[string]bool }

func (u *unused) mark(name string) { u.live[name] = true }

func (u *unused) body(b *ir.Body) {
	for _, e := range b.Result {
		ir.ExpNames(e, u.mark)
	}
	kept := make([]*ir.Stmt, 0, len(b.Stmts))
	for i := len(b.Stmts) - 1; i >= 0; i-- {
		s := b.Stmts[i]
		if !u.needed(s) {
			continue
		}
		for _, e := range s.Pat {
			ir.TypeNames(e.Type, u.mark)
		}
		ir.Elems(s.Op, func(e *ir.Elem) { ir.TypeNames(e.Type, u.mark) })
		for _, in := range ir.Bodies(s.Op) {
			u.body(in)
		}
		ir.Uses(s.Op, u.mark)
		kept = append(kept, s)
	}
	for i, j := 0, len(kept)-1; i < j; i, j = i+1, j-1 {
		kept[i], kept[j] = kept[j], kept[i]
	}
	b.Stmts = kept
}

func (u *unused) needed(s *ir.Stmt) bool {
	if _, ok := s.Op.(*ir.Assert); ok {
		return true
	}
	for _, e := range s.Pat {
		if u.live[e.Name] {
			return true
		}
	}
	for _, b := range ir.Bodies(s.Op) {
		for _, in := range b.Stmts {
			if u.needed(in) {
				return true
			}
		}
	}
	return false
}
