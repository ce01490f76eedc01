package check

import (
	"math"
	"strconv"
	"strings"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// Open types belong to expressions that consist of literals without a suffix: such an expression
// takes the type that its context requires. They never reach the program.
const (
	openInt ir.Prim = 200 + iota
	openFloat
)

func open(p ir.Prim) bool { return p >= openInt }

// closed returns the type of an open expression whose context requires no other.
func closed(p ir.Prim) ir.Prim {
	switch p {
	case openInt:
		return ir.I64
	case openFloat:
		return ir.F64
	}
	return p
}

// openOf returns the open type of a literal without a suffix.
func openOf(l *ir.Lit) ir.Prim {
	switch t := strings.TrimPrefix(l.Text, "-"); {
	case t == "true" || t == "false":
		return ir.Bool
	case t == "nan" || t == "inf":
		return openFloat
	case strings.HasPrefix(t, "0x") || strings.HasPrefix(t, "0X"):
		return openInt
	case strings.ContainsAny(t, ".eE"):
		return openFloat
	}
	return openInt
}

// literal gives l the type t and computes its bits. Under a unary minus the magnitude may be one
// larger: -128i8.
func (c *fn) literal(l *ir.Lit, t ir.Prim, negated bool) {
	bits, problem := literalBits(l.Text, t, negated)
	if problem != "" {
		c.errorf(diag.LiteralRange, l.At, "the literal `%s` %s", clip(l.Text), problem)
		return
	}
	switch {
	case c.elab:
		l.T, l.Bits = t, bits
	case l.T != t || l.Bits != bits:
		c.bugf(l.At, "the literal `%s` has type %s and bits %#x, not %s and %#x", clip(l.Text), l.T, l.Bits, t, bits)
	}
}

// clip shortens text from the program that may be megabytes long.
func clip(s string) string {
	if len(s) > 40 {
		return s[:37] + "..."
	}
	return s
}

// literalBits returns the representation of a literal in type t, or says why there is none.
func literalBits(text string, t ir.Prim, negated bool) (bits uint64, problem string) {
	switch {
	case t == ir.Bool:
		switch text {
		case "true":
			return 1, ""
		case "false":
			return 0, ""
		}
		return 0, "is not a bool"
	case text == "true" || text == "false":
		return 0, "is a bool, and no " + t.String()
	case t.Integer():
		return integerBits(text, t, negated)
	}
	return floatBits(text, t)
}

func integerBits(text string, t ir.Prim, negated bool) (uint64, string) {
	digits, minus := strings.CutPrefix(text, "-")
	if openOf(&ir.Lit{Text: text}) != openInt {
		return 0, "is not an integer, but " + t.String() + " is needed here"
	}
	v, err := parseUint(digits)
	limit := uint64(math.MaxUint64)
	if t.Signed() {
		limit = 1<<(t.Bits()-1) - 1
		if negated != minus { // one sign: the least value has no positive counterpart
			limit++
		}
	} else {
		if w := t.Bits(); w < 64 {
			limit = 1<<w - 1
		}
		if minus {
			limit = 0
		}
	}
	if err != nil || v > limit {
		return 0, "does not fit " + t.String()
	}
	if minus {
		v = -v
	}
	if t.Signed() { // sign-extend
		sh := 64 - t.Bits()
		v = uint64(int64(v<<sh) >> sh)
	}
	return v, ""
}

func parseUint(digits string) (uint64, error) {
	if len(digits) > 2 && (digits[1] == 'x' || digits[1] == 'X') {
		return strconv.ParseUint(digits[2:], 16, 64)
	}
	return strconv.ParseUint(digits, 10, 64)
}

func floatBits(text string, t ir.Prim) (uint64, string) {
	bits := t.Bits()
	if t == ir.F16 {
		bits = 64 // rounded once, below
	}
	v, err := strconv.ParseFloat(text, bits)
	if openOf(&ir.Lit{Text: text}) == openInt {
		if u, uerr := parseUint(strings.TrimPrefix(text, "-")); uerr == nil {
			v, err = float64(u), nil
			if t == ir.F32 {
				v = float64(float32(u))
			}
			if strings.HasPrefix(text, "-") {
				v = -v
			}
		}
	}
	if err != nil {
		return 0, "does not fit " + t.String()
	}
	switch t {
	case ir.F16:
		h := ir.HalfBits(v)
		if math.IsInf(ir.HalfFloat(h), 0) && !math.IsInf(v, 0) {
			return 0, "does not fit " + t.String()
		}
		return h, ""
	case ir.F32:
		return uint64(math.Float32bits(float32(v))), ""
	}
	return math.Float64bits(v), ""
}
