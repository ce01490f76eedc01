package coalesce

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// A candidate is a copy of the elements of src to a part of dst.
type candidate struct {
	kind  kind
	stmt  *ir.Stmt
	span  diag.Span
	point int      // at which the copy is made
	body  *ir.Body // in which src has to be made
	src   string
	dst   string
	// part returns the place of the copy, given the place of dst.
	part func(lmad.Fun) lmad.Fun
	// items of an update.
	items []ir.Item
	// parts of a concat, by their sizes.
	parts []parts
	depth int // loops and kernels around it
	// param is the loop parameter of a candidate of kind buffers.
	param string
}

// parts of a concat that have one size.
type parts struct {
	size   ir.Dim
	arrays []string
}

// A kind of candidate; each has its switch.
type kind string

// The kinds of candidates.
const (
	copies  kind = "copy"
	concats kind = "concat"
	updates kind = "update"
	results kind = "kernel"
	buffers kind = "buffer"
	steps   kind = "step" // no copy (steps.go)
)

// access is the switch of all that neighbours refuses, apart the one of what it refuses for GPUs only.
const (
	access = "access"
	apart  = "neighbours"
)

// begin is the switch of copies of initial values (start.go).
const begin kind = "start"

// memory is the switch of holds.
const memory kind = "peak"

// copiesAny reports whether a function has candidates; movable leaves out copies of the function's
// own parameters, which lie where the caller put them.
func copiesAny(f *ir.Func, movable bool) bool {
	return ir.AnyStmt(f.Body, func(st *ir.Stmt) bool {
		switch op := st.Op.(type) {
		case *ir.Copy:
			return !movable || !slices.ContainsFunc(f.Params, func(e *ir.Elem) bool { return e.Name == op.X })
		case *ir.Concat:
			return true
		case *ir.Update:
			return slices.ContainsFunc(op.Items, func(it ir.Item) bool { return !it.Fixed })
		case *ir.Map:
			return slices.ContainsFunc(st.Pat, func(e *ir.Elem) bool { return len(e.Type.Shape) > len(op.Space) })
		}
		return false
	})
}

// candidates returns all copies of a function. Deeper ones come first, as they are made more often,
// and then those nearer to the end of the program: so an array that is put in a part of another
// finds that other one in its final place.
func (s *state) candidates() []*candidate {
	if s.listed != nil {
		return s.listed
	}
	var out []*candidate
	var walk func(b *ir.Body, depth int)
	walk = func(b *ir.Body, depth int) {
		for _, st := range b.Stmts {
			out = append(out, s.copiesOf(st, b, depth)...)
			for _, in := range ir.Bodies(st.Op) {
				d := depth
				if _, branch := st.Op.(*ir.If); !branch {
					d++
				}
				walk(in, d)
			}
			out = append(out, s.resultsOf(st, depth+1)...)
			out = append(out, s.steps(st, b, depth)...)
		}
	}
	walk(s.f.Body, 0)
	slices.Reverse(out)
	slices.SortStableFunc(out, func(a, b *candidate) int { return b.depth - a.depth })
	s.firstRowFirst(out)
	s.listed = out
	return out
}

// firstRowFirst lets the first of the updates of one array after the other go before the rest. When it is made, most
// of what is copied is still held, so it is the one that may begin the array earlier without a higher peak;
// then the others may, too.
func (s *state) firstRowFirst(list []*candidate) {
	for from := 0; from < len(list); {
		to, last := from+1, list[from]
		for to < len(list) && last.kind == updates && list[to].kind == updates && list[to].body == last.body && s.find(list[to].dst) == s.find(last.dst) {
			to++
		}
		first := list[to-1]
		copy(list[from+1:to], list[from:to-1])
		list[from] = first
		from = to
	}
}

// copiesOf returns the copies that a statement itself makes.
func (s *state) copiesOf(st *ir.Stmt, b *ir.Body, depth int) []*candidate {
	of := func(k kind, src string, part func(lmad.Fun) lmad.Fun) *candidate {
		return &candidate{kind: k, stmt: st, span: st.Span, point: s.lv.Stmt(st).From, body: b, src: src, dst: st.Pat[0].Name, part: part, depth: depth}
	}
	switch op := st.Op.(type) {
	case *ir.Copy:
		return []*candidate{of(copies, op.X, func(f lmad.Fun) lmad.Fun { return f })}
	case *ir.Update:
		r, ok := op.Value.(*ir.Ref)
		if !ok || !s.array(r.Name) {
			return nil
		}
		c := of(updates, r.Name, func(f lmad.Fun) lmad.Fun { return lmad.UpdateSlice(f, op.Items) })
		c.items = op.Items
		return []*candidate{c}
	case *ir.Concat:
		var out []*candidate
		var sized []parts
		start := sym.Const(0)
		for _, x := range op.Args {
			d := s.lv.Type(x).Shape[op.Dim]
			k := slices.IndexFunc(sized, func(p parts) bool { return p.size == d })
			if k < 0 {
				k = len(sized)
				sized = append(sized, parts{size: d})
			}
			sized[k].arrays = append(sized[k].arrays, x)
			n, at := s.place(x).Len(op.Dim), start
			out = append(out, of(concats, x, func(f lmad.Fun) lmad.Fun { return lmad.ConcatPart(f, op.Dim, at, n) }))
			start = start.Add(n)
		}
		for _, c := range out {
			c.parts = sized
		}
		slices.Reverse(out) // the first is tried first
		return out
	}
	return nil
}

// resultsOf returns the copies that a map makes at the end of its body.
func (s *state) resultsOf(st *ir.Stmt, depth int) []*candidate {
	op, ok := st.Op.(*ir.Map)
	if !ok {
		return nil
	}
	names := make([]string, len(op.Space))
	for k, b := range op.Space {
		names[k] = b.Var
	}
	var out []*candidate
	for k, e := range op.Body.Result {
		r, ok := e.(*ir.Ref)
		if !ok || !s.array(r.Name) {
			continue
		}
		out = append(out, &candidate{
			kind: results, stmt: st, span: op.Body.In, point: s.lv.Body(op.Body).To, body: op.Body,
			src: r.Name, dst: st.Pat[k].Name, depth: depth,
			part: func(f lmad.Fun) lmad.Fun { return lmad.FixOuter(f, names) },
		})
	}
	return out
}

// initialValues returns a candidate for each loop parameter that lies in one block from the second
// iteration on: its initial value should be made there, too.
func (s *state) initialValues() []*candidate {
	var out []*candidate
	var walk func(b *ir.Body, depth int)
	walk = func(b *ir.Body, depth int) {
		for _, st := range b.Stmts {
			for _, in := range ir.Bodies(st.Op) {
				walk(in, depth+1)
			}
			loop, ok := st.Op.(*ir.Loop)
			if !ok {
				continue
			}
			for k, p := range loop.Params {
				init, ok1 := p.Init.(*ir.Ref)
				result, ok2 := loop.Body.Result[k].(*ir.Ref)
				if p.Elem.Type.Kind != ir.ArrayKind || !p.Elem.Type.Place.Exist || !ok1 || !ok2 ||
					len(p.Elem.Type.Place.Ix) > 0 || s.al.Existential(s.block(result.Name)) {
					continue
				}
				d := s.lv.Def(s.block(result.Name))
				if d.Stmt == nil || d.Scope.Span.From > s.lv.Stmt(st).From || d.Scope.Span.To < s.lv.Stmt(st).To {
					continue
				}
				out = append(out, &candidate{
					kind: buffers, stmt: st, span: st.Span, point: s.lv.Stmt(st).To, body: b,
					src: init.Name, dst: result.Name, depth: depth, param: p.Elem.Name,
					part: func(f lmad.Fun) lmad.Fun { return f },
				})
			}
		}
	}
	walk(s.f.Body, 0)
	if rules.Off("coalesce.initialValues") {
		return nil
	}
	// As for copies: the last of a chain of loops moves all of them at once.
	slices.Reverse(out)
	slices.SortStableFunc(out, func(a, b *candidate) int { return b.depth - a.depth })
	return out
}
