package irjson_test

import (
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/irjson"
	"github.com/memc-lang/memc/parser"
)

// FuzzJSON: no JSON crashes the reader, and what it reads is the program of a text.
func FuzzJSON(f *testing.F) {
	for _, text := range []string{small, must.Read(f, "../../parser/testdata/all.ir"), "--! version 1\n-- c\nfun f () : () = { in () }"} {
		f.Add(string(must.Get(irjson.Marshal(must.Get(parser.ParseText("seed.ir", text))(f)))(f)))
	}
	for _, text := range []string{"{}", `{"funcs":[null]}`, `{"funcs":[{"name":"f","body":{"result":[{"kind":"lit"}]}}]}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, list := irjson.Parse(diag.NewFile("in.json", text))
		if list.Failed() {
			return
		}
		roundTrip(t, "in.json", p)
	})
}
