package imp

import (
	"cmp"

	"github.com/memc-lang/memc/ir"
)

// What statements hold, assign and mention.

// mapStmts copies statements, with other expressions.
func mapStmts(list []Stmt, f func(ir.Exp) ir.Exp) []Stmt {
	all := func(es []ir.Exp) []ir.Exp {
		out := make([]ir.Exp, len(es))
		for i, e := range es {
			out[i] = f(e)
		}
		return out
	}
	out := make([]Stmt, len(list))
	for i, s := range list {
		switch s := s.(type) {
		case *Set:
			out[i] = &Set{Dst: s.Dst, E: f(s.E)}
		case *Load:
			out[i] = &Load{Dst: s.Dst, Prim: s.Prim, Mem: s.Mem, Off: f(s.Off), Fresh: s.Fresh}
		case *Store:
			out[i] = &Store{Mem: s.Mem, Prim: s.Prim, Off: f(s.Off), Val: f(s.Val)}
		case *Check:
			out[i] = &Check{Cond: f(s.Cond), Code: s.Code, Args: all(s.Args)}
		case *If:
			out[i] = &If{Cond: f(s.Cond), Then: mapStmts(s.Then, f), Else: mapStmts(s.Else, f)}
		case *For:
			loop := &For{Var: s.Var, Bound: f(s.Bound), Body: mapStmts(s.Body, f), Points: s.Points, Unroll: s.Unroll, Whole: s.Whole, Single: s.Single, Waves: s.Waves}
			if s.Each > 0 {
				loop.Each, loop.Turns, loop.First, loop.Step, loop.InPlace = s.Each, f(s.Turns), f(s.First), f(s.Step), s.InPlace
			}
			out[i] = loop
		case *Move:
			move := *s
			move.Off = f(s.Off)
			if !s.Near {
				move.Count, move.Even = f(s.Count), f(s.Even)
			}
			if s.Behind != nil {
				move.Behind = f(s.Behind)
			}
			out[i] = &move
		case *While:
			out[i] = &While{Cond: f(s.Cond), Body: mapStmts(s.Body, f)}
		}
	}
	return out
}

// cloned copies statements.
func cloned(list []Stmt) []Stmt { return mapStmts(list, func(e ir.Exp) ir.Exp { return e }) }

// renamed copies statements, with other names for scalars.
func renamed(list []Stmt, names map[string]string) []Stmt {
	out := mapStmts(list, func(e ir.Exp) ir.Exp {
		return ir.MapExp(e, func(e ir.Exp) ir.Exp {
			if r, ok := e.(*ir.Ref); ok && names[r.Name] != "" {
				return &ir.Ref{Name: names[r.Name], T: r.T}
			}
			return e
		})
	})
	Each(out, func(s Stmt) {
		switch s := s.(type) {
		case *Set:
			s.Dst = cmp.Or(names[s.Dst], s.Dst)
		case *Load:
			s.Dst = cmp.Or(names[s.Dst], s.Dst)
		case *For:
			s.Var = cmp.Or(names[s.Var], s.Var)
		}
	})
	return out
}

// setFirst reports whether a scalar is assigned before it is read, in every turn.
func setFirst(list []Stmt, name string) bool {
	for _, s := range list {
		if !mentions([]Stmt{s}, name) {
			continue
		}
		read := false
		switch s := s.(type) {
		case *Set:
			ir.ExpNames(s.E, func(n string) { read = read || n == name })
			return s.Dst == name && !read
		case *Load:
			ir.ExpNames(s.Off, func(n string) { read = read || n == name })
			return s.Dst == name && !read
		}
		return false
	}
	return true
}
