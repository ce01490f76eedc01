package sequentialise

import (
	"slices"

	"github.com/memc-lang/memc/ir"
)

// Note [Accumulators as values]
//
// In loops, an accumulator is a value: each `into` makes the array's next value, and the branches and
// loops around it return that, or carry it on.

// A threader writes the body of a thread.
type threader struct {
	op     *ir.Into
	names  []string // of the accumulators' arrays
	values []carried
	// inlined tells of operators that stand in the program already, by their names.
	inlined map[*ir.Operator]bool
}

func (w *writer) into(op *ir.Into) {
	t := &threader{op: op, names: ir.Dests(op), inlined: map[*ir.Operator]bool{}}
	space := w.space(op.Space)
	t.values = w.destinations(t.names)
	w.nest(w.s.Pat, space, t.values, op.Body, func(in *writer, now []string) []ir.Exp {
		now = t.body(in, op.Body, now)
		next := make([]ir.Exp, len(now))
		for k, v := range t.values {
			next[k] = ref(now[k], v.typ)
		}
		return next
	})
}

// body writes the statements of a body. now are the names of the arrays before it; it returns those
// after it.
func (t *threader) body(w *writer, b *ir.Body, now []string) []string {
	now = slices.Clone(now)
	for _, s := range b.Stmts {
		written := t.written(s)
		switch op := s.Op.(type) {
		case *ir.Put:
			t.put(w, op, now, b)
			continue
		case *ir.If:
			if len(written) > 0 {
				then, els := w.inner(), w.inner()
				t.returns(op.Then, written, t.body(then, op.Then, now))
				t.returns(op.Else, written, t.body(els, op.Else, now))
				op.Then.Stmts, op.Else.Stmts = then.out, els.out
			}
		case *ir.Loop:
			if len(written) > 0 {
				in, inner := w.inner(), slices.Clone(now)
				for _, k := range written {
					v := t.values[k]
					el := w.elem(v.base+"_in", v.typ, true)
					el.Type.Unique = true
					op.Params = append(op.Params, ir.Param{Elem: el, Init: ref(now[k], v.typ)})
					inner[k] = el.Name
				}
				t.returns(op.Body, written, t.body(in, op.Body, inner))
				op.Body.Stmts = in.out
			}
		}
		w.out = append(w.out, s)
		for _, k := range written {
			el := w.elem(t.values[k].base+"_out", t.values[k].typ, false)
			s.Pat = append(s.Pat, el)
			now[k] = el.Name
		}
	}
	return now
}

// returns adds arrays to the values of a body.
func (t *threader) returns(b *ir.Body, arrays []int, now []string) {
	for _, k := range arrays {
		b.Result = append(b.Result, ref(now[k], t.values[k].typ))
	}
}

// written returns the numbers of the arrays that a branch or a loop writes.
func (t *threader) written(s *ir.Stmt) []int {
	var out []int
	for _, b := range ir.Bodies(s.Op) {
		ir.EachOp(b, func(_ *ir.Stmt, p *ir.Put) {
			for _, x := range p.Dests {
				out = append(out, slices.Index(t.names, x))
			}
		})
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// put writes an element, and replaces the names of the arrays by those after it.
func (t *threader) put(w *writer, p *ir.Put, now []string, b *ir.Body) {
	first := slices.Index(t.names, p.Dests[0])
	end := first + len(p.Dests)
	acc := slices.IndexFunc(t.op.Accs, func(a ir.Accumulator) bool { return a.Dests[0] == p.Dests[0] })
	next := w.storeAt(t.values[first:end], now[first:end], p.Index, p.Values, t.operator(w, t.op.Accs[acc].Op), b)
	for k, e := range next {
		now[first+k] = e.(*ir.Ref).Name
	}
}

// operator returns an operator to inline. Names are bound once, so it is a copy after the first time.
func (t *threader) operator(w *writer, o *ir.Operator) *ir.Operator {
	if o == nil || !t.inlined[o] {
		t.inlined[o] = true
		return o
	}
	n := &ir.Operator{Body: ir.SnapshotBody(o.Body)}
	to := ir.Substitution{}
	rename := func(name string) {
		to[name] = ir.Var(w.names.Fresh(name))
		w.speakOf(to.Name(name), name)
	}
	for _, e := range o.Params {
		rename(e.Name)
		n.Params = append(n.Params, ir.CloneElem(e))
	}
	ir.BoundNames(n.Body, rename)
	for _, e := range n.Params {
		to.Elem(e)
	}
	to.Body(n.Body)
	return n
}
