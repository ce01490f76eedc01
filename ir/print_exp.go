package ir

import (
	"strconv"
	"strings"
)

// levels of the binary operators, as in package parser.
var levels = map[string]int{
	"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6,
	"<": 7, "<=": 7, ">": 7, ">=": 7, "<<": 8, ">>": 8,
	"+": 9, "-": 9, "*": 10, "/": 10, "%": 10, "**": 11,
}

const (
	anyLevel   = 0
	unaryLevel = 12
)

// ExpString returns an expression as text, with only the parentheses that it needs.
func ExpString(e Exp) string {
	var b strings.Builder
	printExp(&b, e, anyLevel)
	return b.String()
}

// printExp writes e as an operand: it needs parentheses if its level is lower than the given one.
func printExp(b *strings.Builder, e Exp, level int) {
	switch e := e.(type) { // exhaustive
	case *Lit:
		b.WriteString(litString(e))
	case *Ref:
		b.WriteString(e.Name)
	case *Exist:
		b.WriteString("?" + e.Name)
	case *Index:
		b.WriteString(e.Array + "[")
		printExps(b, e.Indices)
		b.WriteString("]")
	case *Unary:
		open(b, level > unaryLevel, func() {
			b.WriteString(e.Op)
			if e.Op == "-" && beginsWithMinus(e.X) {
				open(b, true, func() { printExp(b, e.X, anyLevel) }) // "--" begins a comment
				return
			}
			printExp(b, e.X, unaryLevel)
		})
	case *Binary:
		l := levels[e.Op]
		open(b, l < level, func() {
			printExp(b, e.X, l)
			b.WriteString(" " + e.Op + " ")
			printExp(b, e.Y, l+1)
		})
	case *Cond:
		open(b, level > anyLevel, func() {
			b.WriteString("if ")
			printExp(b, e.C, anyLevel)
			b.WriteString(" then ")
			printExp(b, e.X, anyLevel)
			b.WriteString(" else ")
			printExp(b, e.Y, anyLevel)
		})
	case *Convert:
		b.WriteString(e.T.String() + "(")
		printExp(b, e.X, anyLevel)
		b.WriteString(")")
	case *Builtin:
		b.WriteString(e.Fn + "(")
		printExps(b, e.Args)
		b.WriteString(")")
	}
}

func beginsWithMinus(e Exp) bool {
	switch e := e.(type) {
	case *Unary:
		return e.Op == "-"
	case *Lit:
		return strings.HasPrefix(e.Text, "-")
	}
	return false
}

func open(b *strings.Builder, parens bool, inner func()) {
	if parens {
		b.WriteByte('(')
	}
	inner()
	if parens {
		b.WriteByte(')')
	}
}

func printExps(b *strings.Builder, es []Exp) {
	for i, e := range es {
		if i > 0 {
			b.WriteString(", ")
		}
		printExp(b, e, anyLevel)
	}
}

func litString(e *Lit) string {
	switch {
	case e.Text == "nan" || e.Text == "inf":
		return e.T.String() + "." + e.Text
	case e.Suffix:
		return e.Text + e.T.String()
	}
	return e.Text
}

// printItems writes the items of a slice.
func printItems(b *strings.Builder, items []Item) {
	for i, it := range items {
		if i > 0 {
			b.WriteString(", ")
		}
		if it.Fixed {
			printExp(b, it.Index, anyLevel)
			continue
		}
		b.WriteByte('(')
		printExp(b, it.Start, anyLevel)
		b.WriteString(", ")
		printExp(b, it.Len, anyLevel)
		if it.Stride != nil {
			b.WriteString(", ")
			printExp(b, it.Stride, anyLevel)
		}
		b.WriteByte(')')
	}
}

func printInts(b *strings.Builder, cs []int) {
	for i, c := range cs {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(c))
	}
}
