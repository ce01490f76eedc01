package liveness_test

import (
	"testing"

	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/internal/base/diag"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
)

// load checks a program and brings it into explicit form.
func load(t testing.TB, text string) *ir.Program {
	t.Helper()
	passes := must.Get(pipeline.Parse("explicit"))(t)
	p, _, err := driver.Explicit(diag.NewFile("test.ir", text), passes, pipeline.Options{Verify: true})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return p
}

func analyze(t testing.TB, text string) *liveness.Table {
	t.Helper()
	p := load(t, text)
	return liveness.Analyze(p, aliases.Analyze(p)).Func("main")
}
