package explicit

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// facts are the results of the first pass over a function. A root is an array whose place comes
// from no other array: a parameter, a fresh array, or the result of a branch, a loop or a call.
// Every other array is a view of its root.
type facts struct {
	prog *ir.Program
	names
	clock  int
	roots  []*name
	loops  map[*ir.Loop][]rule
	loop   int // number of the innermost loop, counted from 1
	count  int // loops so far
	kernel bool
	taken  map[string]bool // fresh roots that will be made in a rotating block
	// carried are the arrays that a loop in a kernel passes from one iteration to the next in the
	// block in which they are made, whichever that is (Note [Blocks of a thread]).
	carried []string
	// combined are the arrays that an operator in a kernel of groups combines.
	combined []string
	kernels  int // so far
	within   int // number of the innermost kernel, counted from 1
}

// An origin says that an array is a view of root. rel maps its indices to positions in root's
// row-major order; nil is the identity. If reshaped is set, rel is right for the numbering of
// elements, but root's own index function may not follow from it symbolically.
type origin struct {
	root     string
	rel      *lmad.Fun
	reshaped bool
}

// root tells how a root came about.
type root struct {
	fresh      bool
	then, els  string // of an if: the branches' results
	loop       int    // the innermost loop around it
	inBranches bool   // it is the result of an if
	start      int    // of an if: when its branches began, by clock
	kernel     int    // the innermost kernel around it, 0 where that is one of groups or none
}

func findFacts(p *ir.Program, f *ir.Func) *facts {
	a := &facts{
		prog:  p,
		names: newNames(ir.Size(f) * 3 / 2), // some for blocks
		loops: map[*ir.Loop][]rule{},
		taken: map[string]bool{},
	}
	for _, n := range f.Sizes {
		a.name(n)
	}
	for _, e := range f.Params {
		a.root(e, root{})
	}
	for _, r := range f.Results {
		if r.Name != "" {
			a.name(r.Name)
		}
	}
	a.body(f.Body)
	a.keepLarge()
	for _, x := range a.carried {
		a.of(x).find().handed = true
	}
	return a
}

func (a *facts) name(s string) *name {
	n := a.of(s)
	a.clock++
	n.defined = a.clock
	return n
}

// elem defines e. It returns its name if e is an array, and otherwise nil.
func (a *facts) elem(e *ir.Elem) *name {
	n := a.name(e.Name)
	n.elem = e
	if e.Type.Kind != ir.ArrayKind {
		return nil
	}
	return n
}

// root defines e. If e is an array, it is its own root.
func (a *facts) root(e *ir.Elem, r root) {
	if n := a.elem(e); n != nil {
		r.loop, r.kernel = a.loop, a.within
		n.root = &r
		n.origin = origin{root: e.Name}
		a.roots = append(a.roots, n)
	}
}

// same defines e as another name for the place of x.
func (a *facts) same(e *ir.Elem, x string) {
	n := a.elem(e)
	if n == nil {
		return
	}
	from := a.of(x)
	n.origin = from.origin
	union(n, from)
	n.follows(from)
}

// view defines e as a view of x; apply derives its index function from x's.
func (a *facts) view(e *ir.Elem, x string, reshape bool, apply func(lmad.Fun) lmad.Fun) {
	n, from := a.elem(e), a.of(x)
	o := from.origin
	rel := apply(a.rel(o))
	whole := lmad.RowMajor(lmad.Sizes(a.of(o.root).typ().Shape))
	o.reshaped = o.reshaped || reshape
	o.rel = &rel
	if !o.reshaped && !a.empty(o.root) && rel.Equal(whole) {
		o.rel = nil
	}
	n.origin = o
	union(n, from)
	// Where x is row-major, is e?
	if apply(lmad.RowMajor(lmad.Sizes(from.typ().Shape))).IsRowMajor() {
		n.follows(from)
	} else {
		n.refute()
	}
}

// empty reports whether an array has a dim of constant size 0. Its row-major strides are then 0, so
// different views in its place look alike.
func (a *facts) empty(x string) bool {
	return slices.Contains(a.of(x).typ().Shape, ir.Dim{})
}

// rel returns an origin's view explicitly.
func (a *facts) rel(o origin) lmad.Fun {
	if o.rel != nil {
		return *o.rel
	}
	return lmad.RowMajor(lmad.Sizes(a.of(o.root).typ().Shape))
}

func (a *facts) body(b *ir.Body) {
	for _, s := range b.Stmts {
		a.stmt(s)
	}
}

func (a *facts) stmt(s *ir.Stmt) {
	switch op := s.Op.(type) {
	case *ir.Alias:
		a.same(s.Pat[0], op.X)
	case *ir.Update:
		a.same(s.Pat[0], op.X)
	case *ir.Reshape:
		dims := lmad.Sizes(s.Pat[0].Type.Shape)
		if sameSizes(dims, lmad.Sizes(a.of(op.X).typ().Shape)) {
			a.same(s.Pat[0], op.X)
		} else {
			a.view(s.Pat[0], op.X, true, func(f lmad.Fun) lmad.Fun { return f.Reshape(dims) })
		}
	case *ir.Rearrange:
		a.view(s.Pat[0], op.X, false, func(f lmad.Fun) lmad.Fun { return f.Permute(op.Perm) })
	case *ir.Slice:
		a.view(s.Pat[0], op.X, false, func(f lmad.Fun) lmad.Fun { return f.Slice(op.Items) })
	case *ir.If:
		a.branch(s, op)
	case *ir.Loop:
		a.loopStmt(s, op)
	case *ir.Call:
		a.call(s, op)
	case *ir.Map, *ir.Reduce, *ir.Scan, *ir.Scatter, *ir.Hist, *ir.Into:
		a.kernelStmt(s)
	default: // scalars, and operations that make a fresh array
		for _, e := range s.Pat {
			a.root(e, root{fresh: true})
		}
	}
}

func (a *facts) kernelStmt(s *ir.Stmt) {
	space, _ := ir.KernelSpace(s.Op)
	body, op, dests := ir.KernelBody(s.Op), ir.OperatorOf(s.Op), ir.Dests(s.Op)
	outer, around := a.kernel, a.within
	a.kernel, a.within = true, 0
	if !ir.IsGroups(s.Op) {
		a.kernels++
		a.within = a.kernels
	}
	for _, b := range space {
		a.name(b.Var)
	}
	a.body(body)
	for _, o := range ir.Operators(s.Op) {
		for _, e := range o.Params {
			a.root(e, root{})
		}
		a.body(o.Body)
	}
	if op != nil && outer { // other threads of the group combine the values
		for _, v := range body.Result[:len(op.Params)/2] {
			if r, ok := v.(*ir.Ref); ok && a.of(r.Name).typ().Kind == ir.ArrayKind {
				a.combined = append(a.combined, r.Name)
			}
		}
	}
	a.kernel, a.within = outer, around
	for k, e := range s.Pat {
		if dests != nil {
			a.same(e, dests[k])
		} else {
			a.root(e, root{fresh: true})
		}
	}
}

// branch: a result of an if is a view if both branches return the same view of one root from
// outside.
func (a *facts) branch(s *ir.Stmt, op *ir.If) {
	start := a.clock
	a.body(op.Then)
	a.body(op.Else)
	for k, e := range s.Pat {
		if e.Type.Kind != ir.ArrayKind {
			a.elem(e)
			continue
		}
		x, y := arrayName(op.Then.Result[k]), arrayName(op.Else.Result[k])
		nx, ny := a.of(x), a.of(y)
		if ox, oy := nx.origin, ny.origin; ox.root == oy.root && a.of(ox.root).defined <= start && a.sameView(ox, oy, start) {
			a.same(e, x)
		} else {
			a.root(e, root{then: x, els: y, inBranches: true, start: start})
			union(a.of(e.Name), nx)
			a.of(e.Name).follows(nx)
		}
		union(a.of(e.Name), ny)
		a.of(e.Name).follows(ny)
	}
}

// sameView reports whether two views of one root are equal, in names defined before start.
func (a *facts) sameView(x, y origin, start int) bool {
	if x.rel == nil || y.rel == nil || rules.Off("explicit.sameView") {
		return x.rel == nil && y.rel == nil && !rules.Off("explicit.sameView")
	}
	if x.reshaped || y.reshaped || a.empty(x.root) || !x.rel.Equal(*y.rel) {
		return false
	}
	for _, n := range x.rel.Names() {
		if at := a.of(n).defined; at == 0 || at > start {
			return false
		}
	}
	return true
}

// call: results may be any of the arguments, or fresh.
func (a *facts) call(s *ir.Stmt, op *ir.Call) {
	callee := a.prog.Func(op.Fn)
	for k, e := range s.Pat {
		a.root(e, root{})
		if e.Type.Kind != ir.ArrayKind {
			continue
		}
		for _, arg := range op.Args {
			if x := arrayName(arg); a.of(x).typ().Kind == ir.ArrayKind {
				union(a.of(e.Name), a.of(x))
			}
		}
		if callee == nil || k >= len(callee.Results) {
			continue
		}
		if p := callee.Results[k].Type.Place; p != nil && len(p.Ix) > 0 {
			a.of(e.Name).refute()
		}
	}
}

// arrayName returns the name that an operand is, or "".
func arrayName(e ir.Exp) string {
	if r, ok := e.(*ir.Ref); ok {
		return r.Name
	}
	return ""
}

func sameSizes(x, y []sym.Poly) bool {
	return slices.EqualFunc(x, y, sym.Poly.Equal)
}

// Some arrays are row-major from offset 0. The search is optimistic: an array counts as row-major
// until it is refuted, and refutations flow along "follows". Each array is refuted at most once, so
// the whole is linear.

// follows says that n is row-major only if x is.
func (n *name) follows(x *name) {
	x.users = append(x.users, n)
	if x.refuted {
		n.refute()
	}
}

func (n *name) refute() {
	work := []*name{n}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if !n.refuted {
			n.refuted = true
			work = append(work, n.users...)
		}
	}
}
