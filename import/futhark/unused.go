package futhark

import (
	"slices"

	"github.com/memc-lang/memc/ir"
)

// removeUnused takes out statements that nothing uses: constants of the dump
// that a function does not need, thread-block sizes; and results of kernels that
// nothing uses. Assertions stay, and what holds some.
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
	for _, s := range slices.Backward(b.Stmts) {
		if !u.needed(s) {
			continue
		}
		u.results(s)
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
	slices.Reverse(kept)
	b.Stmts = kept
}

func (u *unused) needed(s *ir.Stmt) bool {
	switch s.Op.(type) {
	case *ir.Assert, *ir.Put:
		return true
	}
	for _, e := range s.Pat {
		if u.live[e.Name] {
			return true
		}
	}
	for _, b := range ir.Bodies(s.Op) {
		if slices.ContainsFunc(b.Stmts, u.needed) {
			return true
		}
	}
	return false
}

// results takes out those of a kernel that nothing uses: what is mapped, and what
// an operator combines side by side with others that do not need it. One result
// stays. What a scan combines only for others to be right is not stored.
func (u *unused) results(s *ir.Stmt) {
	var body *ir.Body
	kept := map[int]bool{}
	for i, e := range s.Pat {
		if u.live[e.Name] {
			kept[i] = true
		}
	}
	if len(kept) == 0 {
		kept[0] = true
	}
	switch op := s.Op.(type) {
	case *ir.Map:
		body = op.Body
	case *ir.Reduce:
		body = op.Body
		op.Op = narrowed(op.Op, kept)
	case *ir.Scan:
		body = op.Body
		combined := len(op.Op.Neutral)
		op.Op = narrowed(op.Op, kept)
		for _, e := range s.Pat[:combined] {
			if !u.live[e.Name] && len(op.Space) == 1 && e.Type.Rank() == 1 {
				e.Type = ir.Scalar(e.Type.Prim) // the last value: nothing is stored
			}
		}
	default:
		return
	}
	s.Pat, body.Result = only(s.Pat, kept), only(body.Result, kept)
}

func only[T any](xs []T, kept map[int]bool) []T {
	var out []T
	for i, x := range xs {
		if kept[i] {
			out = append(out, x)
		}
	}
	return out
}

// narrowed leaves an operator with the values that are kept and those that they
// are computed from, which are kept then, too. One stays.
func narrowed(op ir.Operator, kept map[int]bool) ir.Operator {
	k := len(op.Neutral)
	value := map[string]int{} // by parameter
	for i, e := range op.Params {
		value[e.Name] = i % k
	}
	from := map[string][]ir.Exp{} // of names in the body, what they are computed from
	for _, s := range op.Body.Stmts {
		c, ok := s.Op.(*ir.Compute)
		if !ok {
			return unchanged(op, kept)
		}
		for _, e := range s.Pat {
			from[e.Name] = []ir.Exp{c.E}
		}
	}
	some := false
	for i := range k {
		some = some || kept[i]
	}
	if !some {
		kept[0] = true
	}
	seen := map[string]bool{}
	var need func(e ir.Exp)
	need = func(e ir.Exp) {
		ir.ExpNames(e, func(n string) {
			if seen[n] {
				return
			}
			seen[n] = true
			if i, ok := value[n]; ok && !kept[i] {
				kept[i] = true
				need(op.Body.Result[i])
			}
			for _, x := range from[n] {
				need(x)
			}
		})
	}
	for i := range k {
		if kept[i] {
			need(op.Body.Result[i])
		}
	}
	var params []*ir.Elem
	for i, e := range op.Params {
		if kept[i%k] {
			params = append(params, e)
		}
	}
	op.Params, op.Neutral = params, only(op.Neutral, kept)
	b := *op.Body
	b.Result = only(b.Result, kept)
	b.Stmts = nil
	for _, s := range op.Body.Stmts {
		if seen[s.Pat[0].Name] {
			b.Stmts = append(b.Stmts, s)
		}
	}
	op.Body = &b
	return op
}

// unchanged keeps all of an operator.
func unchanged(op ir.Operator, kept map[int]bool) ir.Operator {
	for i := range op.Neutral {
		kept[i] = true
	}
	return op
}
