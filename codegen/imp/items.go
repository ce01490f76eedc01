package imp

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Work-items of a group]
//
// Any number of work-items can run a kernel of groups, since they distribute the points of a step.
// If there are more work-items than points, some wait at every barrier; with fewer work-items, more
// groups run at once. So at the launch the host chooses the power of two from 32 to 256 that suits
// the largest of the steps in the innermost loops. If the device has room for all groups even with
// 256 work-items each, it chooses the one that suits the largest of all steps: on an H200 a tile of
// nw, 64 x 64, took 37 us with 64 work-items, and 26 with 256. The host knows the extents of these
// steps, or a bound of them: b for min(d, b - 1) - max(0, d + 1 - b) + 1, where d is a loop's index.

const fewestItems = 32

// items returns the number of work-items for a kernel of so many groups.
func (b *block) items(op *ir.Map, groups sym.Poly) ir.Exp {
	e := extents{b: b, outer: map[string]bool{}, defs: map[string]ir.Exp{}, loops: map[string]ir.Exp{}}
	for _, name := range ir.FreeNames(op.Body) {
		e.outer[name] = true
	}
	ir.Binds(op, func(name string) { e.outer[name] = false })
	for _, x := range op.Space {
		e.loops[x.Var] = x.Size
	}
	e.body(op.Body, 0)
	if len(e.all) == 0 {
		return groupSize
	}
	points, all := b.exp(greatest(e.inner)), b.exp(greatest(e.all))
	if c, ok := poly(all).Sub(poly(points)).IsConst(); !ok || c > 0 {
		roomy := not(less(b.query(DeviceItems), times(groups.Exp(), groupSize)))
		points = choose(roomy, all, points)
	}
	if c, ok := poly(points).IsConst(); ok {
		n := int64(fewestItems)
		for n < min(c, GroupSize) {
			n *= 2
		}
		return i64(n)
	}
	points = b.atom(points, "points")
	size := ir.Exp(groupSize)
	for n := int64(GroupSize / 2); n >= fewestItems; n /= 2 {
		size = choose(binary("<=", points, i64(n)), i64(n), size)
	}
	return b.atom(size, "items")
}

func greatest(points []ir.Exp) ir.Exp {
	most := points[0]
	for _, x := range points[1:] {
		most = larger(most, x)
	}
	return most
}

// extents finds how many points the steps of a body have.
type extents struct {
	b     *block
	outer map[string]bool   // what it has from outside
	defs  map[string]ir.Exp // its scalars
	loops map[string]ir.Exp // its indices, with their bounds
	depth int
	inner []ir.Exp // in the innermost loops
	all   []ir.Exp
}

func (e *extents) body(body *ir.Body, depth int) {
	for _, s := range body.Stmts {
		switch op := s.Op.(type) {
		case *ir.Compute:
			e.defs[s.Pat[0].Name] = op.E
		case *ir.If:
			e.body(op.Then, depth)
			e.body(op.Else, depth)
		case *ir.Loop:
			if op.Var != "" {
				e.loops[op.Var] = op.Bound
			}
			e.body(op.Body, depth+1)
		}
		if space, ok := ir.KernelSpace(s.Op); ok {
			e.step(space, depth)
		}
	}
}

func (e *extents) step(space ir.Space, depth int) {
	points := ir.Exp(i64(1))
	for _, x := range space {
		most := sym.Bound(x.Size, true, e.known, e.defined)
		if most == nil {
			return
		}
		points = times(points, most)
	}
	if depth > e.depth {
		e.depth, e.inner = depth, nil
	}
	if depth == e.depth {
		e.inner = append(e.inner, points)
	}
	e.all = append(e.all, points)
}

// known reports whether the host can evaluate an expression.
func (e *extents) known(x ir.Exp) bool {
	if e.b.f.fallible(x) {
		return false
	}
	known := true
	ir.ExpNames(x, func(n string) { known = known && e.outer[n] })
	return known
}

func (e *extents) defined(name string, most bool) ir.Exp {
	if n, ok := e.loops[name]; ok {
		if most {
			return subtract(n, i64(1))
		}
		return i64(0)
	}
	return e.defs[name]
}

// fewer returns the number of work-items of a group where points take long: so few that there
// are as many groups as the device has units, of which one has room for 2048 work-items.
func (b *block) fewer(total sym.Poly) ir.Exp {
	room, n, least := b.query(DeviceItems), total.Exp(), b.f.l.threshold(leastItems)
	size := ir.Exp(i64(least))
	for k := 2 * least; k <= GroupSize; k *= 2 {
		size = choose(binary("<=", room, times(n, i64(2048/k))), i64(k), size)
	}
	return b.atom(size, "items")
}

// readTogether reports whether only neighbouring points read the same elements in their loops: the
// places change from turn to turn, and from point to point only by a quotient of the point's number. Then
// a large group reads them once, as the cells of lavaMD read the particles of a neighbouring cell.
func readTogether(list []Stmt, number string) bool {
	const alike, near, apart = 0, 1, 2 // values of all points, of neighbouring ones, of one
	kinds, turn, most := map[string]int{number: apart}, map[string]bool{}, alike
	var kind func(e ir.Exp) int
	kind = func(e ir.Exp) (most int) {
		ir.WalkExp(e, func(e ir.Exp) bool {
			switch e := e.(type) {
			case *ir.Ref:
				most = max(most, kinds[e.Name])
			case *ir.Binary:
				if e.Op == "/" {
					most = max(most, min(kind(e.X), near), kind(e.Y))
					return false
				}
			case *ir.Builtin:
				if e.Fn == QuotientFn {
					most = max(most, min(kind(e.Args[0]), near), kind(e.Args[1]))
					return false
				}
			}
			return true
		})
		return most
	}
	var visit func(list []Stmt, looping bool)
	visit = func(list []Stmt, looping bool) {
		set := func(name string, e ir.Exp) {
			kinds[name], turn[name] = max(kinds[name], kind(e)), turn[name] || looping
		}
		for _, s := range list {
			switch s := s.(type) {
			case *Set:
				set(s.Dst, s.E)
			case *Load:
				changes := false
				refsOf(s.Off, func(r *ir.Ref) { changes = changes || turn[r.Name] })
				if looping && changes {
					most = max(most, kind(s.Off))
				}
				set(s.Dst, s.Off)
			default:
				repeats := isA[*For](s) || isA[*While](s)
				v := visitor{set: func(name string, _ Stmt) { turn[name] = turn[name] || repeats }}
				v.list = func(list *[]Stmt) { visit(*list, looping || repeats) }
				s.visit(&v)
			}
		}
	}
	visit(list, false)
	visit(list, false) // with what a turn leaves to the next
	return most == near
}
