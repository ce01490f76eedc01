package explicit

import (
	"sync"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
)

// A pair is the two blocks of a rotating parameter inside of the loop.
type pair struct{ next, other string }

const oneLMAD = "a loop's parameter has one offset and one stride per dimension"

// loop places the parameters of a loop by the rules of the first pass, then the body, then the
// loop's results.
func (t *function) loop(s *ir.Stmt, op *ir.Loop) {
	decided := t.facts.loops[op]
	arrays := len(op.Params)
	pairs := make([]pair, arrays)
	rowMajor := make([]bool, arrays)
	for k := range decided {
		t.parameter(s, op, k, decided[k], &pairs[k], &rowMajor[k])
	}
	if op.Var != "" {
		t.define(op.Var)
		t.limits[op.Var] = op.Bound
	}

	outer := t.open()
	t.sometimes(runs(op), func() {
		t.stmts(op.Body)
		ifs := sync.OnceValue(t.ifs)
		for k := range decided {
			t.next(op, k, decided[k], pairs[k], ifs)
		}
	})
	t.close(op.Body, t.out)
	t.out = outer

	for k, r := range decided {
		e := s.Pat[k]
		switch r.kind {
		case scalarRule:
			t.elem(e)
		case inPlace:
			t.put(e, t.of(op.Params[k].Elem.Name).place)
		default:
			t.gives(e, t.of(op.Params[k].Elem.Name).place, rowMajor[k])
		}
	}
	for k := range pairs {
		if pairs[k].next == "" {
			continue
		}
		for _, suffix := range []string{"_next", "_other"} {
			e := &ir.Elem{Name: t.unused.Fresh("m_" + s.Pat[k].Name + suffix), Type: ir.Mem, Written: true}
			t.elem(e)
			s.Pat = append(s.Pat, e)
		}
	}
	t.emit(s)
}

// parameter places one parameter. rowMajor: a parameter in an existential block lies there as fresh
// arrays do.
func (t *function) parameter(s *ir.Stmt, op *ir.Loop, k int, r rule, blocks *pair, rowMajor *bool) {
	p := &op.Params[k]
	init := arrayName(p.Init)
	switch r.kind {
	case scalarRule:
		t.elem(p.Elem)
		return
	case inPlace:
		t.put(p.Elem, t.of(init).place)
		return
	}
	if !t.of(init).place.single() {
		init = t.copyOf(init, p.Init.Span(), oneLMAD)
		p.Init = &ir.Ref{Name: init}
	}
	if r.kind == rotating {
		*blocks = t.rotate(s, op, k)
		p = &op.Params[k] // there are more now
		for _, x := range r.targets {
			t.target[x] = blocks.next
		}
		if t.near[blocks.next] {
			init = t.nearBy(init, p.Init.Span())
			p.Init = &ir.Ref{Name: init}
		}
	}
	// The fresh values of a rotating parameter lie as t.layout says. Does the initial value, too?
	usual := t.layout(blocks.next, p.Elem.Type.Shape)
	if r.kind == existential {
		usual = rowMajorIn("", p.Elem.Type.Shape)
		*rowMajor = !t.of(p.Elem.Name).refuted && !rules.Off("explicit.refute")
	} else {
		*rowMajor = t.of(init).place.over(p.Elem.Type.Shape).fun.Equal(usual.fun)
	}
	if *rowMajor {
		t.existsAs(p.Elem, usual)
	} else {
		t.exists(p.Elem, false)
	}
	t.near[t.of(p.Elem.Name).place.mem] = t.near[t.of(init).place.mem]
}

// rotate makes the two blocks of a rotating parameter, and the two parameters
// that hold them (Note [Two blocks that rotate]).
func (t *function) rotate(s *ir.Stmt, op *ir.Loop, k int) pair {
	e := op.Params[k].Elem
	var inside [2]string
	for j, suffix := range []string{"_a", "_b"} {
		block := t.alloc(e.Name, suffix, e.Type, s.Span)
		inside[j] = t.unused.Fresh("m_" + e.Name + []string{"_next", "_other"}[j])
		t.threads[inside[j]] = t.threads[block]
		t.near[inside[j]] = t.near[block]
		param := &ir.Elem{Name: inside[j], Type: ir.Mem, Written: true}
		t.elem(param)
		op.Params = append(op.Params, ir.Param{Elem: param, Init: &ir.Ref{Name: block}})
	}
	return pair{next: inside[0], other: inside[1]}
}

// next brings a parameter's next value to the place that its rule requires, at the end of the body
// under construction. ifs returns the ifs in it.
func (t *function) next(op *ir.Loop, k int, r rule, blocks pair, ifs func() map[string]choice) {
	b := op.Body
	switch r.kind {
	case rotating:
		e := op.Params[k].Elem
		x := arrayName(b.Result[k])
		want := t.layout(blocks.next, e.Type.Shape)
		if r.stays {
			t.single(b, k, oneLMAD)
			next, other := (&roles{t, e.Name, blocks, ifs(), map[string]pair{}}).after(x)
			b.Result = append(b.Result, &ir.Ref{Name: next}, &ir.Ref{Name: other})
			return
		}
		if p := t.of(x).place; p.mem != want.mem || !p.over(e.Type.Shape).fun.Equal(want.fun) {
			c := t.copyTo(x, t.unused.Fresh(x+"_copy"), want, e.Type, b.Result[k].Span(),
				"the next value of `"+e.Name+"` is not made in the block that the loop takes next")
			b.Result[k] = &ir.Ref{Name: c}
		}
		b.Result = append(b.Result, &ir.Ref{Name: blocks.other}, &ir.Ref{Name: blocks.next})
	case existential:
		t.single(b, k, oneLMAD)
	}
}

// A choice is a result of an if.
type choice struct {
	s *ir.Stmt
	k int
}

// ifs returns the ifs of the body under construction, by the names that they bind.
func (t *function) ifs() map[string]choice {
	out := map[string]choice{}
	ir.EachOp(&ir.Body{Stmts: t.out}, func(s *ir.Stmt, _ *ir.If) {
		for k, e := range s.Pat {
			out[e.Name] = choice{s, k}
		}
	})
	return out
}

// roles tell which blocks a rotating parameter's next value leaves for the next iteration.
type roles struct {
	*function
	param  string
	blocks pair
	ifs    map[string]choice
	known  map[string]pair // by the arrays that ifs bind
}

// after returns the names of the two blocks, next and other, of the iteration after the one whose next value is
// that one. Where branches differ, the if returns the blocks.
func (r *roles) after(value string) (next, other string) {
	root := r.facts.of(value).origin.root
	c, chosen := r.ifs[root]
	switch {
	case root == r.param:
		return r.blocks.next, r.blocks.other
	case !chosen:
		return r.blocks.other, r.blocks.next
	}
	p, known := r.known[root]
	if !known {
		p = r.choose(c.s, c.k)
		r.known[root] = p
	}
	return p.next, p.other
}

func (r *roles) choose(s *ir.Stmt, k int) pair {
	bodies := ir.Bodies(s.Op)
	var ends [2]pair
	for j, b := range bodies {
		ends[j].next, ends[j].other = r.after(arrayName(b.Result[k]))
	}
	if ends[0] == ends[1] {
		return ends[0]
	}
	for j, b := range bodies {
		b.Result = append(b.Result, &ir.Ref{Name: ends[j].next}, &ir.Ref{Name: ends[j].other})
	}
	var names [2]string
	for j, suffix := range []string{"_next", "_other"} {
		e := &ir.Elem{Name: r.unused.Fresh("m_" + s.Pat[k].Name + suffix), Type: ir.Mem, Written: true}
		r.elem(e)
		s.Pat = append(s.Pat, e)
		names[j] = e.Name
	}
	return pair{names[0], names[1]}
}

// gives places the loop's result for a parameter in an existential block.
func (t *function) gives(e *ir.Elem, param place, rowMajor bool) {
	if rowMajor {
		t.existsAs(e, param)
	} else {
		t.exists(e, false)
	}
	t.near[t.of(e.Name).place.mem] = t.near[param.mem]
}
