package reuse

import (
	"slices"

	"github.com/memc-lang/memc/ir"
)

// Note [Blocks that stay the same]
//
// Where a loop's array is changed in place, all its values lie in one block, though the text binds a name
// for the block of each:
//
//	let last: [n]f32 @ ?m_last = loop (u: [n]f32 @ ?m_u = x) for t < k {
//	  let y: [n]f32 @ m_x = map (i < n) { in u[i] * 0.5 }
//	  in y
//	}
//
// Then ?m_u and ?m_last become m_x: nothing is carried, and code generators see that y is made in place. The
// same goes for an if whose branches leave their arrays in one block, and for two blocks that take turns and
// are one. A loop's block may be that of a loop in it, and the reverse; so all names are taken for settled
// first, and those are dropped for which that does not hold, until it holds for all.

// A settler replaces names of blocks that are always one and the same block.
type settler struct {
	of    map[string]*ir.Elem // the element that binds each name
	to    map[string]string   // the first block that each name is taken for
	from  map[string][]string // the arrays whose block each name stands for, or the blocks
	roots map[string]string   // what the names stand for in this round
}

// maxSettle bounds the rounds. If names fall one after the other for longer, all stay as they are.
const maxSettle = 16

// settle replaces names of blocks that are always one and the same block, and reports whether there are any.
func settle(f *ir.Func) bool {
	s := &settler{of: map[string]*ir.Elem{}, to: map[string]string{}, from: map[string][]string{}}
	enter := func(e *ir.Elem) { s.of[e.Name] = e }
	for _, e := range f.Params {
		enter(e)
	}
	ir.WalkStmts(f.Body, func(st *ir.Stmt) bool {
		ir.Elems(st.Op, enter)
		for _, e := range st.Pat {
			enter(e)
		}
		return true
	})
	ir.WalkStmts(f.Body, func(st *ir.Stmt) bool {
		if !slices.ContainsFunc(st.Pat, func(e *ir.Elem) bool { return e.Type.Kind != ir.MemKind }) {
			return true // it chooses blocks, as somebody has written it
		}
		switch op := st.Op.(type) {
		case *ir.Loop:
			for k, p := range op.Params {
				s.assume(p.Elem, p.Init, op.Body.Result[k])
				s.assume(st.Pat[k], p.Init, op.Body.Result[k])
			}
		case *ir.If:
			for k, e := range st.Pat {
				s.assume(e, op.Then.Result[k], op.Else.Result[k])
			}
		}
		return true
	})
	for range maxSettle {
		if s.holds() {
			s.replace(f)
			return len(s.to) > 0
		}
	}
	return false
}

// assume takes the block of an array for that of the arrays that it may be, and a name of a block for one of the blocks.
func (s *settler) assume(e *ir.Elem, from ...ir.Exp) {
	if m := s.whole(e.Name); m == e.Name || m != "" && e.Type.Place.Exist {
		for _, x := range from {
			s.from[m] = append(s.from[m], x.(*ir.Ref).Name)
		}
		s.to[m] = s.whole(s.from[m][0])
	}
}

// holds drops the names that stand for another block, too, and reports whether there were none.
func (s *settler) holds() bool {
	s.roots = make(map[string]string, len(s.to))
	var wrong []string
	for m := range s.to {
		same := s.block(m)
		if same == "" || slices.ContainsFunc(s.from[m], func(x string) bool { return s.block(s.whole(x)) != same }) {
			wrong = append(wrong, m)
		}
	}
	for _, m := range wrong {
		delete(s.to, m)
	}
	return len(wrong) == 0
}

// block is what a name stands for, as far as is assumed. Loops in sequence make long chains, each walked once.
func (s *settler) block(m string) string {
	root, known := s.roots[m]
	if !known {
		if root = m; s.to[m] != "" {
			root = s.block(s.to[m])
		}
		s.roots[m] = root
	}
	return root
}

// replace replaces the names where they are bound, and where they are used.
func (s *settler) replace(f *ir.Func) {
	renamed := map[string]string{}
	for m := range s.to {
		renamed[m] = s.block(m)
	}
	for _, e := range s.of {
		if p := e.Type.Place; p != nil && p.Exist && renamed[p.Mem] != "" {
			e.Type.Place = &ir.Place{Mem: renamed[p.Mem], Span: p.Span}
		}
	}
	rename(f, renamed)
	ir.WalkStmts(f.Body, func(st *ir.Stmt) bool {
		for k := len(st.Pat) - 1; k >= 0; k-- {
			if s.to[st.Pat[k].Name] != "" && st.Pat[k].Type.Kind == ir.MemKind {
				dropResult(st, k)
			}
		}
		return true
	})
}

// dropResult removes a result of an if or a loop, and the loop's parameter, which stands for the same block.
func dropResult(st *ir.Stmt, k int) {
	st.Pat = slices.Delete(st.Pat, k, k+1)
	if op, ok := st.Op.(*ir.Loop); ok {
		op.Params = slices.Delete(op.Params, k, k+1)
	}
	for _, b := range ir.Bodies(st.Op) {
		b.Result = slices.Delete(b.Result, k, k+1)
	}
}

// whole returns the block of an array that begins where its block does, and the name of a block itself; "" for others.
func (s *settler) whole(name string) string {
	e := s.of[name]
	if e == nil || e.Type.Kind == ir.MemKind { // a place binds it, or it is an element
		return name
	}
	if e.Type.Kind != ir.ArrayKind || e.Type.Place == nil || len(e.Type.Place.Ix) > 0 {
		return ""
	}
	return e.Type.Place.Mem
}
