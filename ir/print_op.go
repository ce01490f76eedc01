package ir

import (
	"strconv"
	"strings"
)

// op writes the right-hand side of a let, or all of an assert.
func (p *printer) op(op Op) {
	var b strings.Builder
	switch op := op.(type) { // exhaustive
	case *If:
		p.out.WriteString("if " + ExpString(op.Cond) + " ")
		p.body(op.Then, true)
		p.out.WriteString(" else ")
		p.body(op.Else, true)
		return
	case *Loop:
		p.loop(op)
		return
	case *Map:
		p.out.WriteString("map " + spaceString(op.Space) + " ")
		p.body(op.Body, true)
		return
	case *Reduce:
		p.out.WriteString("reduce " + foldString(op.Space, op.Over) + " ")
		p.operator(op.Op)
		p.out.WriteByte(' ')
		p.body(op.Body, true)
		return
	case *Scan:
		p.out.WriteString("scan " + foldString(op.Space, op.Over) + " ")
		p.operator(op.Op)
		p.out.WriteByte(' ')
		p.body(op.Body, true)
		return
	case *Scatter:
		p.out.WriteString("scatter " + dests(op.Dests) + " " + spaceString(op.Space) + " ")
		if op.Any {
			p.out.WriteString("any ")
		}
		p.body(op.Body, true)
		return
	case *Hist:
		p.out.WriteString("hist " + dests(op.Dests) + " " + spaceString(op.Space) + " ")
		p.operator(op.Op)
		p.out.WriteByte(' ')
		p.body(op.Body, true)
		return
	case *Into:
		p.out.WriteString("map " + spaceString(op.Space) + " into (")
		for i, a := range op.Accs {
			p.accumulator(i, a)
		}
		p.out.WriteString(") ")
		p.body(op.Body, true)
		return
	case *Put:
		b.WriteString("into " + dests(op.Dests) + " [")
		printExps(&b, op.Index)
		b.WriteString("] = " + values(op.Values))
	case *Compute:
		printExp(&b, op.E, anyLevel)
	case *Assert:
		b.WriteString("assert ")
		printExp(&b, op.Cond, anyLevel)
		if op.Msg != "" {
			b.WriteString(" " + strconv.Quote(op.Msg))
		}
		if len(op.Values) > 0 {
			b.WriteString(" (")
			printExps(&b, op.Values)
			b.WriteString(")")
		}
		if op.Size {
			b.WriteString(" size")
		}
		if op.Threads {
			b.WriteString(" threads")
		}
	case *Copy:
		b.WriteString("copy " + op.X)
	case *Concat:
		b.WriteString("concat@" + strconv.Itoa(op.Dim) + " (" + strings.Join(op.Args, ", ") + ")")
	case *Scratch:
		b.WriteString("scratch " + op.Prim.String() + " (")
		printExps(&b, op.Dims)
		b.WriteByte(')')
	case *Range:
		if op.Iota {
			b.WriteString("iota ")
			printExp(&b, op.Hi, anyLevel)
			break
		}
		b.WriteByte('[')
		printExp(&b, op.Lo, anyLevel)
		b.WriteString(" ..< ")
		printExp(&b, op.Hi, anyLevel)
		b.WriteByte(']')
	case *Replicate:
		b.WriteString("replicate (")
		printExps(&b, op.Dims)
		b.WriteString(") ")
		printExp(&b, op.X, anyLevel)
	case *ArrayLit:
		b.WriteByte('[')
		printExps(&b, op.Elems)
		b.WriteByte(']')
	case *Alias:
		b.WriteString(op.X)
	case *Reshape:
		b.WriteString("reshape (")
		printExps(&b, op.Dims)
		b.WriteString(") " + op.X)
	case *Rearrange:
		b.WriteString("rearrange (")
		printInts(&b, op.Perm)
		b.WriteString(") " + op.X)
	case *Slice:
		b.WriteString(op.X + "[")
		printItems(&b, op.Items)
		b.WriteByte(']')
	case *Update:
		b.WriteString(op.X + " with [")
		printItems(&b, op.Items)
		b.WriteString("] = ")
		printExp(&b, op.Value, anyLevel)
	case *Alloc:
		b.WriteString("alloc")
		if op.Space != "" {
			b.WriteString("@" + op.Space)
		}
		b.WriteByte(' ')
		printExp(&b, op.Size, anyLevel)
	case *Call:
		b.WriteString(op.Fn + "(")
		printExps(&b, op.Args)
		b.WriteByte(')')
	}
	p.out.WriteString(b.String())
}

func (p *printer) loop(op *Loop) {
	var b strings.Builder
	b.WriteString("loop (")
	for i, q := range op.Params {
		if i > 0 {
			b.WriteString(", ")
		}
		printElem(&b, q.Elem)
		b.WriteString(" = ")
		printExp(&b, q.Init, anyLevel)
	}
	b.WriteString(") ")
	switch {
	case op.Cond != nil:
		b.WriteString("while ")
		printExp(&b, op.Cond, anyLevel)
	case op.While != "":
		b.WriteString("while " + op.While)
	default:
		b.WriteString("for " + op.Var + " < ")
		printExp(&b, op.Bound, anyLevel)
	}
	p.out.WriteString(b.String() + " ")
	p.body(op.Body, true)
}

func (p *printer) operator(o Operator) {
	var b strings.Builder
	if o.Commutative {
		b.WriteString("commutative ")
	}
	b.WriteString("op (")
	for i, e := range o.Params {
		if i > 0 {
			b.WriteString(", ")
		}
		printElem(&b, e)
	}
	b.WriteString(") ")
	p.out.WriteString(b.String())
	p.body(o.Body, true)
	b.Reset()
	b.WriteString(" neutral (")
	printExps(&b, o.Neutral)
	b.WriteByte(')')
	p.out.WriteString(b.String())
}

func (p *printer) accumulator(i int, a Accumulator) {
	if i > 0 {
		p.out.WriteString(", ")
	}
	p.out.WriteString(dests(a.Dests))
	switch {
	case a.Any:
		p.out.WriteString(" any")
	case a.Op != nil:
		p.out.WriteByte(' ')
		p.operator(*a.Op)
	}
}

func spaceString(s Space) string {
	var b strings.Builder
	b.WriteByte('(')
	for i, d := range s {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(d.Var + " < ")
		printExp(&b, d.Size, anyLevel)
	}
	b.WriteByte(')')
	return b.String()
}

// foldString writes the bounds of a reduction. The last ones may be combined at once: (i < n) over
// (j < m, k < l).
func foldString(s Space, over int) string {
	switch {
	case over == 0:
		return spaceString(s)
	case over == len(s):
		return "over " + spaceString(s)
	}
	return spaceString(s[:len(s)-over]) + " over " + spaceString(s[len(s)-over:])
}

func dests(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return "(" + strings.Join(names, ", ") + ")"
}
