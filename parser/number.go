package parser

import (
	"strings"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// number makes a literal. Its value is computed when its type is known.
func (r *reader) number(text string, at diag.Span) ir.Exp {
	l := &ir.Lit{At: at}
	if p, special, ok := strings.Cut(text, "."); ok && (special == "nan" || special == "inf") {
		l.Text, l.Suffix, l.T = special, true, ir.PrimByName(p)
		return l
	}
	_, hex := hexDigits(text)
	l.Text = text
	for _, n := range []int{3, 2} {
		if len(text) <= n {
			continue
		}
		p := ir.PrimByName(text[len(text)-n:])
		if p == ir.Unknown || hex && p.Float() { // f is a digit
			continue
		}
		l.T, l.Suffix, l.Text = p, true, text[:len(text)-n]
		break
	}
	fraction := !hex && strings.ContainsAny(l.Text, ".eE")
	if !wellFormed(l.Text) {
		r.failAt(diag.BadLiteral, at, "a number may end in a type: i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64", "malformed number `%s`", clip(text))
	}
	if fraction && l.T.Integer() {
		r.failAt(diag.BadLiteral, at, "write "+l.T.String()+"(...) around it, or leave out the fraction", "`%s` is not an integer", clip(text))
	}
	if !fraction && !hex {
		// Leading zeros mean octal elsewhere; here they mean nothing.
		l.Text = strings.TrimLeft(l.Text[:len(l.Text)-1], "0") + l.Text[len(l.Text)-1:]
	}
	return l
}

// hexDigits returns the text after "0x".
func hexDigits(s string) (string, bool) {
	if len(s) >= 2 && s[0] == '0' && s[1]|0x20 == 'x' {
		return s[2:], true
	}
	return "", false
}

// wellFormed reports whether the text is a number without suffix. The scanner has checked all but
// the letters at its end.
func wellFormed(s string) bool {
	if digits, ok := hexDigits(s); ok {
		return digits != "" && strings.Trim(digits, "0123456789abcdefABCDEF") == ""
	}
	mantissa, exponent, ok := strings.Cut(strings.ToLower(s), "e")
	if ok && (exponent == "" || strings.Trim(exponent[1:], "0123456789") != "" || !digit(exponent[len(exponent)-1])) {
		return false
	}
	return strings.Trim(mantissa, "0123456789.") == "" && digit(mantissa[len(mantissa)-1])
}
