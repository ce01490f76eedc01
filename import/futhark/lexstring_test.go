package futhark

import (
	"testing"

	"github.com/memc-lang/memc/ir/diag"
)

// TestTexts: quoted texts have the escapes of Haskell's printer.
func TestTexts(t *testing.T) {
	for _, x := range []struct{ in, want string }{
		{`"plain"`, "plain"},
		{`"a\nb\tc\\d\"e\'f"`, "a\nb\tc\\d\"e'f"},
		{`"\955\&1 \1114111"`, "λ1 \U0010ffff"},
		{`"\SOH\SO\&H\DEL\ESC\US\DC1"`, "\x01\x0eH\x7f\x1b\x1f\x11"},
		{`"\a\b\f\r\v"`, "\a\b\f\r\v"},
		{`"\99999999 \99999999999999"`, "\uFFFD \uFFFD"},
		{`"C:\wide\ä"`, `C:\wide\ä`},
	} {
		toks := lex(diag.NewFile("x.fut_gpu_mem", x.in))
		if len(toks) != 2 || toks[0].kind != tokString || toks[0].text != x.want || toks[0].span.End != len(x.in) {
			t.Errorf("%s: %d tokens, %q", x.in, len(toks), toks[0].text)
		}
	}
	for _, open := range []string{`"open`, `"open\`, `"`, `"a\"`} {
		if toks := lex(diag.NewFile("x.fut_gpu_mem", open)); len(toks) != 2 || toks[0].kind != tokPunct {
			t.Errorf("%s: %v", open, toks)
		}
	}
}
