package ir

import "strings"

// String returns the type as written.
func (t Type) String() string {
	var b strings.Builder
	printType(&b, t)
	return b.String()
}

// String returns the place as written, from the "@".
func (p *Place) String() string {
	var b strings.Builder
	printPlace(&b, p)
	return b.String()
}

func printType(b *strings.Builder, t Type) {
	if t.Kind == MemKind {
		b.WriteString("mem")
		if t.Space != "" {
			b.WriteString("@" + t.Space)
		}
		return
	}
	if t.Unique {
		b.WriteByte('*')
	}
	for _, d := range t.Shape {
		b.WriteString("[" + d.String() + "]")
	}
	b.WriteString(t.Prim.String())
	if t.Place != nil {
		b.WriteByte(' ')
		printPlace(b, t.Place)
	}
}

func printPlace(b *strings.Builder, p *Place) {
	b.WriteString("@ ")
	if p.Exist {
		b.WriteByte('?')
	}
	b.WriteString(p.Mem)
	if len(p.Ix) > 0 {
		b.WriteString(" -> " + ChainString(p.Ix))
	}
}

// ChainString returns the steps of an index function as written.
func ChainString(steps []IxOp) string {
	var b strings.Builder
	for k, op := range steps {
		if k > 0 {
			b.WriteString(" -> ")
		}
		printIxOp(&b, op)
	}
	return b.String()
}

func printIxOp(b *strings.Builder, op IxOp) {
	switch op := op.(type) { // exhaustive
	case *Direct:
		b.WriteString("Direct(")
		printExps(b, op.Sizes)
	case *LMAD:
		b.WriteString("LMAD(")
		printExp(b, op.Offset, anyLevel)
		for i, d := range op.Dims {
			if i == 0 {
				b.WriteString("; (")
			} else {
				b.WriteString(", (")
			}
			printExp(b, d.Len, anyLevel)
			b.WriteString(" : ")
			printExp(b, d.Stride, anyLevel)
			b.WriteByte(')')
		}
	case *Permute:
		b.WriteString("Permute(")
		printInts(b, op.Perm)
	case *IxReshape:
		b.WriteString("Reshape(")
		printExps(b, op.Sizes)
	case *IxSlice:
		b.WriteString("Slice(")
		printItems(b, op.Items)
	}
	b.WriteByte(')')
}
