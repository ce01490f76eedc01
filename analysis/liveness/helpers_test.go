package liveness_test

import (
	"testing"

	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/internal/test/load"
)

func analyze(t testing.TB, text string) *liveness.Table {
	t.Helper()
	p := load.Explicit(t, text)
	return liveness.Analyze(p, aliases.Analyze(p)).Func("main")
}
