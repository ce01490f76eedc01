package explicit_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/test/filetest"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/metrics"
	"github.com/memc-lang/memc/parser"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/explicit"
)

// parse returns the elaborated, verified program of a text.
func parse(t *testing.T, name, text string) *ir.Program {
	t.Helper()
	p, diags := parser.Parse(diag.NewFile(name, text))
	if err := diags.Err(); err != nil {
		t.Fatalf("parse: %v\n%s", err, text)
	}
	found := check.Program(p)
	if err := found.Err(); err != nil {
		var out strings.Builder
		found.Render(&out, false)
		t.Fatalf("check: %v\n%s\n%s", err, out.String(), text)
	}
	return p
}

// transformed returns the program after the pass; it must verify.
func transformed(t *testing.T, name, text string) (*ir.Program, *diag.List) {
	t.Helper()
	p := parse(t, name, text)
	remarks := &diag.List{File: p.File}
	if err := explicit.Pass.Run(p, transform.NewContext("explicit", remarks, transform.Unlimited)); err != nil {
		t.Fatalf("explicit: %v", err)
	}
	found := check.Verify(p)
	if err := found.Err(); err != nil {
		var out strings.Builder
		found.Render(&out, false)
		t.Fatalf("verify: %v\n%s\n%s", err, out.String(), p)
	}
	return p, remarks
}

func programs(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../testdata/explicit/*.ir")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d test programs: %v", len(files), err)
	}
	return files
}

// Every test program has the same results before and after the pass, by value and by memory, has
// the counts that its test block states, and prints as text that parses to the same program.
func TestPrograms(t *testing.T) {
	for _, file := range programs(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".ir"), func(t *testing.T) {
			data := must.Get(os.ReadFile(file))(t)
			blocks := must.Get(filetest.Blocks(string(data), filepath.Dir(file)))(t)
			if len(blocks) == 0 {
				t.Fatal("no test block")
			}
			before := parse(t, file, string(data))
			after, _ := transformed(t, file, string(data))
			again := parse(t, file, after.String())
			if after.String() != again.String() {
				t.Errorf("printing and parsing changes the program:\n%s\n%s", after, again)
			}
			for _, b := range blocks {
				for _, c := range b.Cases {
					structure(t, c, after)
					runCase(t, c, before, after, again)
				}
			}
			if t.Failed() {
				t.Log(after)
			}
		})
	}
}

func structure(t *testing.T, c filetest.Case, p *ir.Program) {
	t.Helper()
	got := metrics.Count(p)
	for _, want := range c.Structure {
		n := map[string]int{"Alloc": got.Alloc, "Copy": got.Copy, "Kernel": got.Kernel}[want.What]
		if n != want.N {
			t.Errorf("line %d: %s %d, want %d", c.Line, want.What, n, want.N)
		}
	}
}

func runCase(t *testing.T, c filetest.Case, before, after, again *ir.Program) {
	t.Helper()
	if !c.HasInput {
		return
	}
	args, err := value.NewReader("input", []byte(c.Input)).All()
	if err != nil {
		t.Fatalf("line %d: %v", c.Line, err)
	}
	want, wantErr := interp.ByValue(before, c.Entry, args, interp.Options{})
	if (wantErr != nil) != (c.Fails != nil) || c.Fails != nil && !c.Fails.MatchString(wantErr.Error()) {
		t.Errorf("line %d: by value before the pass: %v, want %v", c.Line, wantErr, c.Fails)
		return
	}
	if c.Output != "" {
		stated, err := value.NewReader("output", []byte(c.Output)).All()
		if err != nil {
			t.Fatalf("line %d: %v", c.Line, err)
		}
		compare(t, c, "by value before the pass", stated, want)
	}
	for _, run := range []struct {
		how string
		f   func(*ir.Program, string, []value.Value, interp.Options) ([]value.Value, error)
		p   *ir.Program
	}{
		{"by value after the pass", interp.ByValue, after},
		{"by memory after the pass", interp.ByMemory, after},
		{"by memory after printing and parsing", interp.ByMemory, again},
	} {
		got, err := run.f(run.p, c.Entry, args, interp.Options{})
		switch {
		case c.Fails != nil && (err == nil || !c.Fails.MatchString(err.Error())):
			t.Errorf("line %d: %s: %v, want an error that matches %s", c.Line, run.how, err, c.Fails)
		case c.Fails == nil && err != nil:
			t.Errorf("line %d: %s: %v", c.Line, run.how, err)
		case c.Fails == nil:
			compare(t, c, run.how, want, got)
		}
	}
}

func compare(t *testing.T, c filetest.Case, how string, want, got []value.Value) {
	t.Helper()
	if len(want) != len(got) {
		t.Errorf("line %d: %s: %d values, want %d", c.Line, how, len(got), len(want))
		return
	}
	for k := range want {
		if d := value.Diff(want[k], got[k], value.Exact); d != "" {
			t.Errorf("line %d: %s: value %d: %s", c.Line, how, k, d)
		}
	}
}

// The pass leaves an explicit program as it is.
func TestIdempotent(t *testing.T) {
	for _, file := range programs(t) {
		data := must.Get(os.ReadFile(file))(t)
		p, _ := transformed(t, file, string(data))
		once := p.String()
		c := transform.NewContext("explicit", nil, transform.Unlimited)
		if err := explicit.Pass.Run(p, c); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if p.String() != once || c.Rewrites != 0 {
			t.Errorf("%s: a second run made %d rewrites:\n%s", file, c.Rewrites, p)
		}
	}
}
