package parser

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// A node is an expression with the height of its tree.
type node struct {
	e      ir.Exp
	height int
}

// exp reads a scalar expression.
func (r *reader) exp() ir.Exp { return r.sub().e }

// sub reads an expression, perhaps inside another one.
func (r *reader) sub() node {
	start := r.tok.start
	r.enter()
	x := r.climb(r.unary(), start, 1)
	r.nest--
	return x
}

// enter counts a step into an expression; try resets the count.
func (r *reader) enter() {
	if r.nest++; r.nest > MaxExpDepth {
		r.tooDeep(r.spanOf(r.tok))
	}
}

func (r *reader) tooDeep(at diag.Span) {
	r.failAt(diag.TooLarge, at, "name its parts with `let`", "the expression is nested deeper than %d", MaxExpDepth)
}

// grown makes a node of an expression with these parts.
func (r *reader) grown(e ir.Exp, parts ...node) node {
	h := 0
	for _, p := range parts {
		h = max(h, p.height)
	}
	return r.over(e, h)
}

// over makes a node of an expression whose highest part has this height.
func (r *reader) over(e ir.Exp, height int) node {
	if height >= MaxExpDepth {
		at := e.Span()
		r.tooDeep(diag.Span{Start: at.End - 1, End: at.End})
	}
	return node{e, height + 1}
}

// climb continues an expression that began at start, after its first operand, with operators of at
// least this precedence (precedence climbing).
func (r *reader) climb(left node, start, least int) node {
	for {
		op := r.tok
		p := precedence[op.kind]
		if p == 0 || p < least {
			return left
		}
		r.take()
		from := r.tok.start
		right := r.climb(r.unary(), from, p+1)
		left = r.grown(&ir.Binary{Op: spellings[op.kind], X: left.e, Y: right.e, At: r.from(start)}, left, right)
	}
}

func (r *reader) unary() node {
	op := r.tok
	if op.kind != kMinus && op.kind != kNot && op.kind != kTilde {
		return r.primary()
	}
	r.enter()
	r.take()
	x := r.unary()
	r.nest--
	return r.grown(&ir.Unary{Op: spellings[op.kind], X: x.e, At: r.from(op.start)}, x)
}

func (r *reader) primary() node {
	t := r.tok
	switch t.kind {
	case kName:
		return r.named()
	case kNumber:
		r.take()
		return node{r.number(r.text(t), r.spanOf(t)), 1}
	case kTrue, kFalse:
		r.take()
		l := ir.BoolLit(t.kind == kTrue)
		l.At = r.spanOf(t)
		return node{l, 1}
	case kLParen:
		r.take()
		x := r.sub()
		if r.tok.kind == kComma {
			r.unexpected("`)`", "an expression has one value")
		}
		r.expect(kRParen, "")
		return x
	case kPrim:
		r.take()
		r.expect(kLParen, "a conversion is written "+r.text(t)+"(e)")
		x := r.sub()
		r.expect(kRParen, "")
		return r.grown(&ir.Convert{X: x.e, T: ir.PrimByName(r.text(t)), At: r.from(t.start)}, x)
	case kIf:
		r.take()
		c := r.sub()
		r.expect(kThen, "a conditional expression is: if c then a else b")
		return r.thenElse(t.start, c)
	case kQuery:
		if r.exist {
			r.take()
			name := r.name("a name")
			return node{&ir.Exist{Name: name, At: r.from(t.start)}, 1}
		}
		r.unexpected("an expression", "?name may only be in the index function of a place @ ?m")
	case kBad:
		if r.text(t)[0] == '"' {
			r.failAt(diag.BadLiteral, r.spanOf(t), "a string ends on its line", "string without an end")
		}
	}
	hint := ""
	if t.kind == kLBrack {
		hint = "an array is an expression of its own: let xs = [...]"
	}
	if t.kind > kMem && t.kind.reserved() {
		hint = "`" + spellings[t.kind] + "` begins a statement's right-hand side: give it a `let` of its own"
	}
	r.unexpected("an expression", hint)
	return node{}
}

// named reads an expression that begins with a name: a reference, an element, a built-in.
func (r *reader) named() node {
	t := r.take()
	name := r.text(t)
	switch r.tok.kind {
	case kLParen:
		if _, ok := ir.Builtins[name]; !ok {
			r.noBuiltin(t)
		}
		r.take()
		var args []ir.Exp
		height := 0
		r.list(kRParen, func() {
			x := r.sub()
			args, height = append(args, x.e), max(height, x.height)
		})
		return r.over(&ir.Builtin{Fn: name, Args: args, At: r.from(t.start)}, height)
	case kLBrack:
		r.words.add(r, t, aValue)
		r.take()
		items, height := r.items(kRBrack)
		return r.element(t, items, height)
	}
	r.words.add(r, t, aValue)
	return node{&ir.Ref{Name: name, At: r.spanOf(t)}, 1}
}

// element makes a read of an element of array t. No item may be a slice.
func (r *reader) element(t token, items []ir.Item, height int) node {
	e := &ir.Index{Array: r.text(t), Indices: make([]ir.Exp, len(items)), At: r.from(t.start)}
	for i, it := range items {
		if !it.Fixed {
			r.failAt(diag.SliceWithin, it.Span, "a slice is a statement of its own: let ys = "+clip(r.text(t))+"[...]", "a slice inside an expression")
		}
		e.Indices[i] = it.Index
	}
	return r.over(e, height)
}

func (r *reader) noBuiltin(t token) {
	name := clip(r.text(t))
	hint := "the call of a function is a statement of its own: let y = " + name + "(...)"
	if near := diag.Nearest(name, ir.BuiltinNames()); near != "" {
		hint = "did you mean `" + near + "`? Otherwise " + hint
	}
	r.failAt(diag.UnknownFunction, r.spanOf(t), hint, "`%s` is not a built-in function", name)
}

// thenElse reads the rest of a conditional expression, after "then".
func (r *reader) thenElse(start int, c node) node {
	x := r.sub()
	r.expect(kElse, "both sides are needed: if c then a else b")
	y := r.sub()
	return r.grown(&ir.Cond{C: c.e, X: x.e, Y: y.e, At: r.from(start)}, c, x, y)
}
