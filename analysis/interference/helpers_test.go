package interference_test

import (
	"os"
	"testing"

	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/interference"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/internal/test/load"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
)

func analyze(p *ir.Program) *interference.Program {
	a := aliases.Analyze(p)
	return interference.Analyze(p, a, liveness.Analyze(p, a))
}

func table(t testing.TB, text string) *interference.Table {
	t.Helper()
	return analyze(load.Explicit(t, text)).Func("main")
}

func file(t testing.TB, name string) *interference.Table {
	t.Helper()
	text := must.Get(os.ReadFile("../../testdata/analysis/" + name + ".ir"))(t)
	return table(t, string(text))
}
