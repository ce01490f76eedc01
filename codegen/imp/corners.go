package imp

import (
	"github.com/memc-lang/memc/ir"
)

// Note [Corners]
//
// A step checks an index, 0 <= f(k) < n, for all k below count. If f only grows with k, or only
// falls, it suffices to check the first and the last k. This applies if f is a sum of indices, of
// products of an index with a value that is the same for all points, and of such values; or the
// minimum or maximum of such a sum and such a value. In a space of two dimensions it suffices to
// check the four corners.
//
// Arithmetic wraps, and then f may leave the range in between. This cannot happen if the space and
// the factors are small (maxFactor), since the values at the corners are in range; and operands of
// min or max must be small as well. A further test records this. If it fails, each point is
// checked. So is an index of another form.

const (
	maxFactor = 1 << 28
	maxTerms  = 32
	maxValue  = 1 << 61
)

// A course tells how a value depends on the indices of a step.
type course struct {
	kind  courseKind
	terms int // of a sum
}

type courseKind int

const (
	constant courseKind = iota // the same for all points
	sum                        // of indices and constants
	scaled                     // of products of such sums with constants, too
	monotone                   // min or max of such a sum and a constant, and sums with constants
	unknown
)

// corners holds the facts about the variables of a step.
type corners struct {
	axes   map[string]bool
	course map[string]course
	guards []ir.Exp // that courses rely on, over the copies
}

func (k *corners) isAxis(name string) bool { return k != nil && k.axes[name] }

// atCorners copies the checks of a step for the corners of its space.
func (c *checksAhead) atCorners(s *For) []Stmt {
	if len(s.Box) == 0 || len(s.Box) > 2 {
		return nil
	}
	outer := c.corners
	defer func() { c.corners = outer }()
	c.corners = &corners{axes: map[string]bool{}, course: map[string]course{}}
	var out, body []Stmt
	some := ir.Exp(ir.BoolLit(true))
	corner := c.b.temp("corner", ir.I64)
	for d, a := range s.Box {
		size, ok := c.exp(a.Size)
		if !ok {
			return nil
		}
		c.axes[a.Var], c.ready[a.Var] = true, true
		c.course[a.Var] = course{sum, 1}
		some = and(some, binary(">", size, i64(0)))
		out = append(out, c.note(less(size, i64(maxFactor))))
		// Bit d of the corner's number.
		bit := &ir.Binary{Op: "&", X: &ir.Binary{Op: ">>", X: corner, Y: i64(int64(d)), T: ir.I64}, Y: i64(1), T: ir.I64}
		last := &ir.Binary{Op: "-", X: size, Y: i64(1), T: ir.I64}
		body = append(body, &Set{Dst: c.name(a.Var), E: choose(equalTo(bit, i64(0)), i64(0), last)})
	}
	before := len(c.moved)
	body = append(body, c.list(s.Body, true)...)
	if len(c.moved) == before {
		return nil
	}
	all := &For{Var: corner.Name, Bound: i64(1 << len(s.Box)), Body: body}
	return append(out, &If{Cond: some, Then: []Stmt{all}})
}

// learn notes how a variable depends on indices.
func (c *checksAhead) learn(name string, e ir.Exp) []Stmt {
	if c.corners == nil {
		return nil
	}
	c.course[name] = c.courseOf(e)
	return c.guarding()
}

// guarding returns tests of the conditions that courses rely on.
func (c *checksAhead) guarding() []Stmt {
	var out []Stmt
	if c.corners != nil {
		for _, g := range c.guards {
			out = append(out, c.note(g))
		}
		c.guards = nil
	}
	return out
}

// forget drops the facts about variables that statements assign.
func (c *checksAhead) forget(list []Stmt) {
	if c.corners != nil {
		assignments(list, func(name string) { c.course[name] = course{kind: unknown} })
	}
}

// varies reports whether an expression may differ from point to point.
func (c *checksAhead) varies(e ir.Exp) bool {
	found := false
	if c.corners != nil {
		refsOf(e, func(r *ir.Ref) { found = found || c.course[r.Name].kind != constant })
	}
	return found
}

// decides reports whether a condition holds at all points if it does at the corners.
func (c *checksAhead) decides(cond ir.Exp) bool {
	if !c.varies(cond) {
		return true
	}
	b, ok := cond.(*ir.Binary)
	if !ok {
		return false
	}
	switch b.Op {
	case "&&":
		return c.decides(b.X) && c.decides(b.Y)
	case "||":
		return !c.varies(b.X) && c.decides(b.Y) || c.decides(b.X) && !c.varies(b.Y)
	case "<":
		i, n, ok := asBelow(cond)
		if !ok || c.varies(n) || c.courseOf(i).kind == unknown {
			return false
		}
		size, _ := c.exp(n)
		if g := nonNegative(size); known(g) != 1 {
			c.guards = append(c.guards, g)
		}
		return true
	}
	return false
}

// courseOf tells how an expression depends on indices.
func (c *checksAhead) courseOf(e ir.Exp) course {
	if !c.varies(e) {
		return course{constant, 1}
	}
	none := course{kind: unknown}
	switch e := e.(type) {
	case *ir.Ref:
		return c.course[e.Name]
	case *ir.Unary:
		if e.Op == "-" {
			return c.courseOf(e.X)
		}
	case *ir.Builtin:
		if e.Fn == IndexFn {
			return c.courseOf(e.Args[0])
		}
		if e.T != ir.I64 || e.Fn != "min" && e.Fn != "max" {
			return none
		}
		x, y := c.courseOf(e.Args[0]), c.courseOf(e.Args[1])
		changing, arg := x, e.Args[0]
		if x.kind == constant {
			changing, arg = y, e.Args[1]
		} else if y.kind != constant {
			return none
		}
		if changing.kind == unknown {
			return none
		}
		c.bounded(arg, maxValue)
		return course{monotone, 1}
	case *ir.Binary:
		if e.T != ir.I64 {
			return none
		}
		x, y := c.courseOf(e.X), c.courseOf(e.Y)
		switch e.Op {
		case "+", "-":
			n := course{max(x.kind, y.kind), x.terms + y.terms}
			if n.terms > maxTerms || n.kind == monotone && x.kind != constant && y.kind != constant {
				return none
			}
			return n
		case "*":
			factor, other := e.X, y
			if y.kind == constant {
				factor, other = e.Y, x
			} else if x.kind != constant {
				return none
			}
			if other.kind != sum {
				return none
			}
			c.bounded(factor, maxFactor)
			return course{scaled, other.terms}
		}
	}
	return none
}

// bounded has an expression lie between -limit and limit.
func (c *checksAhead) bounded(e ir.Exp, limit int64) {
	x, _ := c.exp(e)
	if l, ok := x.(*ir.Lit); ok && -limit < int64(l.Bits) && int64(l.Bits) < limit {
		return
	}
	moved := &ir.Binary{Op: "+", X: x, Y: i64(limit), T: ir.I64}
	c.guards = append(c.guards, less(unsigned(moved), unsigned(i64(2*limit))))
}
