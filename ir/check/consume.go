package check

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// statement records the names that a statement uses, then those that it consumes, then those that
// it makes.
func (u *unique) statement(s *ir.Stmt) {
	if _, put := s.Op.(*ir.Put); put {
		ir.Exps(s.Op, u.uses) // its accumulator is consumed
		return
	}
	ir.EachUse(s.Op, func(n *string) { u.use(*n, u.at) }, u.uses)
	switch op := s.Op.(type) {
	case *ir.Assert, *ir.Alloc:
	case *ir.Compute:
		if r, ok := op.E.(*ir.Ref); ok && u.isArray(r.Name) {
			u.share(s.Pat, r.Name)
		}
	case *ir.Alias, *ir.Reshape, *ir.Rearrange, *ir.Slice:
		u.share(s.Pat, ir.Arrays(op)[0])
	case *ir.Update:
		u.consume(op.X, s.Span, "consumed by an update")
		u.made(s.Pat)
	case *ir.If:
		u.ifOp(s, op)
	case *ir.Loop:
		u.loop(s, op)
	case *ir.Call:
		u.call(s, op)
	case *ir.Map:
		u.kernel("map", s, op.Body)
	case *ir.Reduce:
		u.kernel("reduce", s, op.Body)
	case *ir.Scan:
		u.kernel("scan", s, op.Body)
	case *ir.Scatter:
		u.dests(op.Dests, "scatter")
		u.kernel("scatter", s, op.Body)
	case *ir.Hist:
		u.dests(op.Dests, "hist")
		u.kernel("hist", s, op.Body)
	case *ir.Into:
		u.dests(ir.Dests(op), intoName)
		u.kernel(intoName, s, op.Body)
	default:
		u.made(s.Pat)
	}
}

func (u *unique) dests(names []string, what string) {
	for i, x := range names {
		if n := u.nodeOf(x); n != nil && n.dead != nil && i > 0 && !u.said[x] {
			u.said[x] = true
			u.errorf(diag.WrittenTwice, u.at, "`%s` writes into `%s` twice", what, x).
				Hinted("the arrays it writes into must be different ones")
			continue
		}
		u.consume(x, u.at, "consumed by a "+what)
	}
}

// kernelBody checks a body that many threads run at the same time: it must not consume an array
// made outside.
func (u *unique) kernelBody(what string, b *ir.Body) {
	at := u.at
	u.barriers = append(u.barriers, barrier{u.next + 1, what})
	u.body(b)
	u.barriers = u.barriers[:len(u.barriers)-1]
	u.at = at
}

// kernel checks the bodies of a kernel. Its neutral values must not be arrays that it writes.
func (u *unique) kernel(what string, s *ir.Stmt, body *ir.Body) {
	for _, o := range ir.Operators(s.Op) {
		u.usesAll(o.Neutral)
		u.kernelBody(what, o.Body)
	}
	u.kernelBody(what, body)
	u.made(s.Pat)
}

// ifOp checks each branch on its own. After the if, all that either branch consumed is consumed.
func (u *unique) ifOp(s *ir.Stmt, op *ir.If) {
	at, mark := u.at, len(u.killed)
	u.body(op.Then)
	killed := u.revive(mark)
	deaths := make([]*death, len(killed))
	for i, n := range killed {
		deaths[i], n.dead = n.dead, nil
	}
	u.body(op.Else)
	for i, n := range killed {
		if n.dead == nil {
			n.dead = deaths[i]
			u.killed = append(u.killed, n)
		}
	}
	u.at = at
	ghosts := u.newGhosts(mark)
	for i, e := range s.Pat {
		if e.Type.Kind != ir.ArrayKind {
			continue
		}
		var parents []*node
		for _, b := range []*ir.Body{op.Then, op.Else} {
			if i < len(b.Result) {
				n := u.refNode(b.Result[i])
				parents = append(append(parents, n), ghosts.of(n)...)
			}
		}
		u.is(e.Name, u.node(e.Name, e.Span, parents...))
	}
}

// loop checks the body once, as any of its iterations. A parameter with "*" owns its value: the
// loop consumes its initial value and each next one, so that the parameter shares elements with no
// other name.
func (u *unique) loop(s *ir.Stmt, op *ir.Loop) {
	inits := make([]ir.Exp, len(op.Params))
	for i, p := range op.Params {
		inits[i] = p.Init
	}
	for i, p := range op.Params {
		if p.Elem.Type.Unique {
			u.handOver(inits, i, "consumed by the loop, as the first value of `"+p.Elem.Name+"`")
		}
	}
	at := u.at
	first := u.next + 1
	nodes := make([]*node, len(op.Params))
	for i, p := range op.Params {
		if p.Elem.Type.Kind != ir.ArrayKind {
			continue
		}
		if p.Elem.Type.Unique {
			nodes[i] = u.node(p.Elem.Name, p.Elem.Span)
		} else {
			nodes[i] = u.node(p.Elem.Name, p.Elem.Span, u.refNode(p.Init))
			nodes[i].loopParam, nodes[i].param = true, nodes[i]
		}
		u.is(p.Elem.Name, nodes[i])
	}
	u.barriers = append(u.barriers, barrier{first, ""})
	u.body(op.Body)
	for i, p := range op.Params {
		if p.Elem.Type.Unique && i < len(op.Body.Result) {
			u.handOver(op.Body.Result, i, "given as the next value of `"+p.Elem.Name+"`")
		}
	}
	u.barriers = u.barriers[:len(u.barriers)-1]
	u.at = at
	last := make([]*node, len(op.Params))
	for i := range op.Params {
		if i < len(op.Body.Result) && nodes[i] != nil && !op.Params[i].Elem.Type.Unique {
			last[i] = u.refNode(op.Body.Result[i])
		}
	}
	rotated := u.rotation(nodes, last, first)
	for i, e := range s.Pat {
		if e.Type.Kind != ir.ArrayKind || i >= len(op.Params) {
			continue
		}
		if op.Params[i].Elem.Type.Unique {
			u.is(e.Name, u.node(e.Name, e.Span))
			continue
		}
		u.is(e.Name, u.node(e.Name, e.Span, nodes[i], last[i], rotated[i]))
	}
	for _, n := range nodes {
		if n != nil {
			n.loopParam = false
		}
	}
}

func (u *unique) call(s *ir.Stmt, op *ir.Call) {
	g := u.funcs[op.Fn]
	if g == nil || len(g.Params) != len(op.Args) {
		u.made(s.Pat)
		return
	}
	var shared []*node
	for i, p := range g.Params {
		if p.Type.Unique {
			u.handOver(op.Args, i, "consumed by the call of `"+op.Fn+"`")
		} else if n := u.refNode(op.Args[i]); n != nil && p.Type.Kind == ir.ArrayKind {
			shared = append(shared, n)
		}
	}
	// Results without "*" may be any argument without "*", and each other.
	var common *node
	for i, e := range s.Pat {
		if e.Type.Kind != ir.ArrayKind {
			continue
		}
		if i < len(g.Results) && g.Results[i].Type.Unique {
			u.is(e.Name, u.node(e.Name, e.Span))
			continue
		}
		if common == nil {
			common = u.node(e.Name, e.Span, shared...)
			common.fix("the result of a call, of a type without `*`")
		}
		u.is(e.Name, u.node(e.Name, e.Span, common))
	}
}
