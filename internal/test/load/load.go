// Package load gives tests the programs that they work on.
//
//	p := load.Checked(t, "sum.ir", text)
//	p := load.Explicit(t, text)
//	bytes, err := load.Peak(p, "main", args)
//
// A program that is refused ends the test. The package is for external test packages, since it
// imports every pass.
package load

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/test/filetest"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/parser"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/explicit"
)

// Checked parses and checks memc's own text, whatever the name ends in.
func Checked(t testing.TB, name, text string) *ir.Program {
	t.Helper()
	p, list := parser.Parse(diag.NewFile(name, text))
	if !list.Failed() {
		list = check.Program(p)
	}
	if err := list.Err(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return p
}

// Explicit returns a program in explicit form.
func Explicit(t testing.TB, text string) *ir.Program {
	t.Helper()
	p := Checked(t, "test.ir", text)
	if _, err := pipeline.Run(p, []*transform.Pass{explicit.Pass}, pipeline.Options{Verify: true}); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return p
}

// Inputs reads the values of an input of a test block.
func Inputs(t testing.TB, f *ir.Func, text string) []value.Value {
	t.Helper()
	return must.Get(filetest.ReadValues("input", text, f))(t)
}

var input = regexp.MustCompile(`(?m)^-- input \{(.*)\}$`)

// EachInput runs a test for every program below a folder that has inputs, is in explicit form
// after the pass, and is not refused.
func EachInput(t *testing.T, folder string, f func(t *testing.T, p *ir.Program, inputs [][]value.Value)) {
	must.Do(t, filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".ir") {
			return err
		}
		text := must.Read(t, path)
		texts := input.FindAllStringSubmatch(text, -1)
		if len(texts) == 0 || strings.Contains(text, "-- error") || strings.Contains(text, "-- entry:") {
			return nil
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			p := Explicit(t, text)
			var inputs [][]value.Value
			for _, in := range texts {
				inputs = append(inputs, Inputs(t, p.Func("main"), in[1]))
			}
			f(t, p, inputs)
		})
		return nil
	}))
}

// Peak measures the peak of a run by memory. The caller keeps the arguments, so they are held
// throughout: the entry hands them out again.
func Peak(p *ir.Program, entry string, args []value.Value) (int64, error) {
	q := ir.CloneProgram(p)
	f := q.Func(entry)
	for _, e := range f.Params {
		if e.Type.Kind == ir.ArrayKind && !e.Type.Unique {
			typ := ir.CloneType(e.Type)
			typ.Place = nil
			f.Results = append(f.Results, ir.Result{Type: typ})
			f.Body.Result = append(f.Body.Result, &ir.Ref{Name: e.Name})
		}
	}
	var stats interp.Stats
	_, err := interp.ByMemory(q, entry, args, interp.Options{MaxSteps: 3_000_000, Stats: &stats})
	return stats.PeakBytes, err
}
