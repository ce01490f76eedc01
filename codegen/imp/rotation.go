package imp

import "github.com/memc-lang/memc/ir"

// Note [Blocks that take turns]
//
// A loop whose steps read one block and write another has both as parameters, which change places:
//
//	loop (xs @ ?m = start, next: mem = a, other: mem = b) { let ys @ next = ..; in (ys, other, next) }
//
// All of them are one class, since each block comes to each of them. But m and next are never the
// same block. At first they differ, since a was allocated after start's block was bound. In the
// following step they are next and other of this step, which differ if they differ at first. other
// and m, however, become the same block.
//
// So memc first assumes of each two parameters that they are never the same block. It drops pairs
// that are the same at first, and then pairs whose next values may be the same block by the dropped
// pairs.

// A rotation finds pairs of memory variables that have different blocks wherever both are
// in scope and used.
type rotation struct {
	*classes
	at    int
	bound map[string]int // when a variable got its block
	made  map[string]int // when it was allocated
	never map[[2]string]bool
}

// apartInLoops returns those pairs for the parameters of the host's loops, both ways round.
func (c *classes) apartInLoops(f *ir.Func) map[[2]string]bool {
	r := &rotation{classes: c, bound: map[string]int{}, made: map[string]int{}, never: map[[2]string]bool{}}
	for _, p := range f.Params {
		r.bind(p)
	}
	r.number(f.Body)
	r.loops(f.Body)
	return r.never
}

func (r *rotation) bind(e *ir.Elem) {
	r.at++
	if name, ok := owned(e); ok {
		r.bound[name] = r.at
	}
}

// onHost returns the bodies of a statement that the host runs.
func onHost(s *ir.Stmt) []*ir.Body {
	switch s.Op.(type) {
	case *ir.If, *ir.Loop:
		return ir.Bodies(s.Op)
	}
	return nil
}

// number records when variables get their blocks.
func (r *rotation) number(b *ir.Body) {
	for _, s := range b.Stmts {
		if loop, ok := s.Op.(*ir.Loop); ok {
			for _, p := range loop.Params {
				r.bind(p.Elem)
			}
		}
		for _, in := range onHost(s) {
			r.number(in)
		}
		for _, e := range s.Pat {
			r.bind(e)
			if _, ok := s.Op.(*ir.Alloc); ok {
				r.made[e.Name] = r.at
			}
		}
	}
}

// loops looks at loops, the outer ones first.
func (r *rotation) loops(b *ir.Body) {
	for _, s := range b.Stmts {
		loop, ok := s.Op.(*ir.Loop)
		if ok {
			r.loop(s, loop)
		}
		for _, in := range onHost(s) {
			r.loops(in)
		}
	}
}

// maxTurning bounds the parameters of a loop that are compared in pairs: of those of a larger
// loop nothing is known.
const maxTurning = 32

// loop finds which parameters of a loop are never one block, and neither are the results.
func (r *rotation) loop(s *ir.Stmt, loop *ir.Loop) {
	var all []int // parameters that have blocks
	for i, p := range loop.Params {
		if _, ok := owned(p.Elem); ok {
			all = append(all, i)
		}
	}
	if len(all) > maxTurning {
		return
	}
	pairs := func(f func(i, j int)) {
		for k, i := range all {
			for _, j := range all[:k] {
				f(i, j)
			}
		}
	}
	name := func(i int) string { n, _ := owned(loop.Params[i].Elem); return n }
	pairs(func(i, j int) {
		r.note(name(i), name(j), !r.one(r.block(loop.Params[i].Init), r.block(loop.Params[j].Init)))
	})
	for changed := true; changed; {
		changed = false
		pairs(func(i, j int) {
			if r.never[[2]string{name(i), name(j)}] && r.one(r.block(loop.Body.Result[i]), r.block(loop.Body.Result[j])) {
				r.note(name(i), name(j), false)
				changed = true
			}
		})
	}
	pairs(func(i, j int) {
		x, fine := owned(s.Pat[i])
		y, ok := owned(s.Pat[j])
		if fine && ok {
			r.note(x, y, r.never[[2]string{name(i), name(j)}])
		}
	})
}

func (r *rotation) note(x, y string, never bool) {
	r.never[[2]string{x, y}], r.never[[2]string{y, x}] = never, never
}

// block returns the memory variable of a value.
func (r *rotation) block(e ir.Exp) string {
	name := e.(*ir.Ref).Name
	if m, ok := r.mem[name]; ok {
		return m
	}
	return name
}

// one reports whether two variables may have one block.
func (r *rotation) one(x, y string) bool {
	after := func(x, y string) bool { // x was allocated when y had its block
		at, ok := r.bound[y]
		return ok && r.made[x] > at
	}
	return x == y || r.class(x) == r.class(y) && !r.never[[2]string{x, y}] && !after(x, y) && !after(y, x)
}
