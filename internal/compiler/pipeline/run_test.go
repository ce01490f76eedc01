package pipeline_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/test/load"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/transform"
)

const program = `entry main [n] (xs: [n]i32) : [n]i32 = {
  let ys = map (i < n) { in xs[i] + 1 }
  let zs = copy ys
  in zs
}
`

func TestReport(t *testing.T) {
	passes := must.Get(pipeline.Parse("explicit"))(t)
	r := must.Get(pipeline.Run(load.Checked(t, "test.ir", program), passes, pipeline.Options{Verify: true}))(t)
	want := `{"before":{"alloc":2,"copy":1,"kernel":1},"after":{"alloc":2,"copy":1,"kernel":1},"passes":[{"name":"explicit","rewrites":1}]}`
	if got := r.JSON(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	r = must.Get(pipeline.Run(load.Checked(t, "test.ir", program), nil, pipeline.Options{}))(t)
	want = `{"before":{"alloc":0,"copy":1,"kernel":1},"after":{"alloc":0,"copy":1,"kernel":1},"passes":[]}`
	if got := r.JSON(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestLimitStopsAPass(t *testing.T) {
	p := load.Checked(t, "test.ir", program+strings.Replace(program, "main", "other", 1))
	r := must.Get(pipeline.Run(p, pipeline.MemoryPasses(), pipeline.Options{Verify: true, Limit: map[string]int{"explicit": 1}}))(t)
	if got := r.Passes[1].Rewrites; got != 1 {
		t.Errorf("%d rewrites, want 1", got)
	}
	if ir.IsExplicit(p.Funcs[1]) || !ir.IsExplicit(p.Funcs[0]) {
		t.Error("the limit of one rewrite must leave just the second function as it is")
	}
}

// A pass that settles does not run again before another one has changed something.
func TestSettles(t *testing.T) {
	runs := 0
	again := &transform.Pass{Name: "again", Settles: true, Run: func(*ir.Program, *transform.Context) error { runs++; return nil }}
	none := &transform.Pass{Name: "none", Run: func(*ir.Program, *transform.Context) error { return nil }}
	some := &transform.Pass{Name: "some", Run: func(_ *ir.Program, c *transform.Context) error {
		c.Rewrite(diag.Span{}, "a change")
		return nil
	}}
	r := must.Get(pipeline.Run(load.Checked(t, "test.ir", program), []*transform.Pass{again, none, again, some, again, again}, pipeline.Options{}))(t)
	if runs != 2 || len(r.Passes) != 6 {
		t.Errorf("%d runs in %d places, want 2 in 6", runs, len(r.Passes))
	}
}

func TestPrinting(t *testing.T) {
	for _, tc := range []struct {
		name     string
		printing pipeline.Printing
		want     []string
		none     []string
	}{
		{"after-all", pipeline.Printing{AfterAll: true}, []string{"-- after explicit", "let m_ys = alloc n * 4"}, []string{"@@"}},
		{"after", pipeline.Printing{After: []string{"explicit"}}, []string{"-- after explicit"}, []string{"@@"}},
		{"diff", pipeline.Printing{ChangedDiff: true}, []string{"+  let m_ys = alloc n * 4", "@@ line 1 @@", "changed nothing"}, []string{"-- after"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var out bytes.Buffer
			passes := must.Get(pipeline.Parse("explicit,explicit"))(t)
			must.Get(pipeline.Run(load.Checked(t, "test.ir", program), passes, pipeline.Options{After: tc.printing.Hook(&out)}))(t)
			for _, w := range tc.want {
				if !strings.Contains(out.String(), w) {
					t.Errorf("%q is missing in\n%s", w, out.String())
				}
			}
			for _, w := range tc.none {
				if strings.Contains(out.String(), w) {
					t.Errorf("%q should not be in\n%s", w, out.String())
				}
			}
		})
	}
	if (pipeline.Printing{}).Hook(nil) != nil {
		t.Error("nothing to print, but a hook")
	}
	if err := (pipeline.Printing{After: []string{"explici"}}).Check(); err == nil || !strings.Contains(err.Error(), `"explicit"`) {
		t.Errorf("unknown pass in --print-after: %v", err)
	}
}

// A pass that breaks the program is found by the verifier, as a bug of memc's.
func TestBrokenProgramIsABug(t *testing.T) {
	breaks := &transform.Pass{Name: "breaks", Run: func(p *ir.Program, _ *transform.Context) error {
		p.Funcs[0].Body.Result[0] = &ir.Ref{Name: "nobody"}
		return nil
	}}
	_, err := pipeline.Run(load.Checked(t, "test.ir", program), []*transform.Pass{breaks}, pipeline.Options{Verify: true})
	if !pipeline.IsBug(err) || diag.ExitCode(err) != diag.ExitBug || !strings.Contains(err.Error(), "after pass breaks: ") {
		t.Errorf("got %v", err)
	}
}

// No pass counts that ran after a broken program: whether it fails, panics, or mends what it finds.
func TestNoPassCountsAfterABrokenProgram(t *testing.T) {
	breaks := &transform.Pass{Name: "breaks", Run: func(p *ir.Program, _ *transform.Context) error {
		p.Funcs[0].Body.Result[0] = &ir.Ref{Name: "nobody"}
		return nil
	}}
	for what, next := range map[string]func(p *ir.Program, c *transform.Context) error{
		"fails":  func(*ir.Program, *transform.Context) error { return errors.New("cannot") },
		"panics": func(*ir.Program, *transform.Context) error { panic("nobody") },
		"mends": func(p *ir.Program, c *transform.Context) error {
			c.Rewrite(p.Funcs[0].Span, "one")
			p.Funcs[0].Body.Result[0] = &ir.Ref{Name: "xs"}
			return nil
		},
	} {
		opt := pipeline.Options{Verify: true, Memcheck: what == "mends"} // otherwise only the end counts
		p := load.Checked(t, "test.ir", program)
		r, err := pipeline.Run(p, []*transform.Pass{breaks, {Name: "next", Run: next}, {Name: "again", Run: next}}, opt)
		if !pipeline.IsBug(err) || !strings.Contains(err.Error(), "after pass breaks: ") || len(r.Passes) != 1 || len(r.Remarks.All) > 0 {
			t.Errorf("the next pass %s: got %v after %d passes with %d remarks", what, err, len(r.Passes), len(r.Remarks.All))
		}
		if !strings.Contains(p.String(), "in nobody") {
			t.Errorf("the next pass %s: the program is not the one that is wrong:\n%s", what, p)
		}
	}
}

func TestFailingPassEndsThePipeline(t *testing.T) {
	fault := errors.New("cannot")
	fails := &transform.Pass{Name: "fails", Run: func(*ir.Program, *transform.Context) error { return fault }}
	r, err := pipeline.Run(load.Checked(t, "test.ir", program), append([]*transform.Pass{fails}, pipeline.All()...), pipeline.Options{Verify: true})
	if !errors.Is(err, fault) || len(r.Passes) != 1 {
		t.Errorf("error %v after %d passes", err, len(r.Passes))
	}
	var stats bytes.Buffer
	r.WriteStats(&stats)
	if out := stats.String(); !strings.Contains(out, "fails") || !strings.Contains(out, "alloc") {
		t.Errorf("statistics:\n%s", out)
	}
}

// Without remarks the passes do the same.
func TestQuiet(t *testing.T) {
	run := func(quiet bool) (string, *pipeline.Report) {
		p := load.Checked(t, "test.ir", program)
		r := must.Get(pipeline.Run(p, pipeline.DefaultPasses(), pipeline.Options{Verify: true, Quiet: quiet}))(t)
		return p.String(), r
	}
	loud, told := run(false)
	quiet, untold := run(true)
	if loud != quiet || told.JSON() != untold.JSON() {
		t.Errorf("with remarks\n%s\nwithout\n%s", loud, quiet)
	}
	if len(told.Remarks.All) == 0 || len(untold.Remarks.All) > 0 {
		t.Errorf("%d remarks, and %d where none are wanted", len(told.Remarks.All), len(untold.Remarks.All))
	}
}
