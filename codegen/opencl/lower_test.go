//go:build cgo

package opencl_test

import (
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/test/load"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
)

// lower brings a source text to imperative form, by way of the explicit one.
func lower(t *testing.T, name, text string) *imp.Program {
	t.Helper()
	_, low := lowerBoth(t, name, text)
	return low
}

// lowerBoth also gives the explicit program.
func lowerBoth(t *testing.T, name, text string) (*ir.Program, *imp.Program) {
	t.Helper()
	p := load.Checked(t, name, text)
	must.Get(pipeline.Run(p, pipeline.MemoryPasses(), pipeline.Options{Verify: true}))(t)
	low := must.Get(imp.Lower(p, imp.Options{}))(t)
	return p, low
}
