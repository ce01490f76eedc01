package interference_test

import (
	"os"
	"testing"

	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/interference"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/internal/base/diag"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/parser"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/explicit"
)

// load checks a program and brings it into explicit form.
func load(t testing.TB, text string) *ir.Program {
	t.Helper()
	p, list := parser.Parse(diag.NewFile("test.ir", text))
	if !list.Failed() {
		list = check.Program(p)
	}
	if err := list.Err(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	must.Do(t, explicit.Pass.Run(p, transform.NewContext("explicit", &list, transform.Unlimited)))
	if list := check.Program(p); list.Failed() {
		t.Fatalf("%v\n%s", list.Err(), p)
	}
	return p
}

func analyze(p *ir.Program) *interference.Program {
	a := aliases.Analyze(p)
	return interference.Analyze(p, a, liveness.Analyze(p, a))
}

func table(t testing.TB, text string) *interference.Table {
	t.Helper()
	return analyze(load(t, text)).Func("main")
}

func file(t testing.TB, name string) *interference.Table {
	t.Helper()
	text := must.Get(os.ReadFile("../../testdata/analysis/" + name + ".ir"))(t)
	return table(t, string(text))
}
