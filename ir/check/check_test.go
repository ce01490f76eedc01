package check_test

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/parser"
)

const testdata = "../../testdata/check"

// programs lists the test programs whose name starts with prefix.
func programs(t *testing.T, prefix string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(testdata, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".ir") && strings.HasPrefix(filepath.Base(path), prefix) {
			out = append(out, path)
		}
		return err
	})
	if err != nil || len(out) == 0 {
		t.Fatalf("no programs %s*.ir: %v", prefix, err)
	}
	return out
}

func parse(t testing.TB, name, text string) *ir.Program {
	t.Helper()
	p, l := parser.Parse(diag.NewFile(name, text))
	if l.Failed() {
		t.Fatalf("%s does not parse: %s", name, render(&l))
	}
	return p
}

// refusal returns what the parser, or behind it the checker, says of a program.
func refusal(t *testing.T, path string) diag.List {
	t.Helper()
	p, l := parser.Parse(diag.NewFile(path, must.Read(t, path)))
	if !l.Failed() {
		l = check.Program(p)
	}
	return l
}

func render(l *diag.List) string {
	var b strings.Builder
	l.Render(&b, false)
	return b.String()
}

// header returns the rest of each comment line that starts with key.
func header(text, key string) []string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		if rest, ok := strings.CutPrefix(line, "-- "+key); ok {
			out = append(out, strings.TrimSpace(rest))
		}
	}
	return out
}

func TestRefused(t *testing.T) {
	for _, path := range programs(t, "neg-") {
		t.Run(strings.TrimPrefix(path, testdata+"/"), func(t *testing.T) {
			text := must.Read(t, path)
			l := refusal(t, path)
			wants := header(text, "error:")
			if len(wants) == 0 {
				t.Fatal("no error is expected in the file")
			}
			for _, want := range wants {
				if !matches(&l, regexp.MustCompile(want)) {
					t.Errorf("no message matches %q; got:\n%s", want, render(&l))
				}
			}
			for _, d := range l.All {
				if d.Severity == diag.Bug || !d.Span.Known() || strings.Contains(d.Msg, "%!") || strings.Contains(d.Hint, "%!") {
					t.Errorf("a bug, no position, or a bad format:\n%s", render(&l))
				}
			}
			// One mistake is one message.
			if len(l.All) != len(wants) {
				t.Errorf("%d messages for %d mistakes:\n%s", len(l.All), len(wants), render(&l))
			}
		})
	}
}

func matches(l *diag.List, re *regexp.Regexp) bool {
	for _, d := range l.All {
		if re.MatchString(d.Msg) || re.MatchString(d.Error()) {
			return true
		}
	}
	return false
}

func TestAccepted(t *testing.T) {
	for _, path := range programs(t, "pos-") {
		t.Run(strings.TrimPrefix(path, testdata+"/"), func(t *testing.T) {
			p := parse(t, path, must.Read(t, path))
			accept(t, p, "as written")
			once := p.String()
			accept(t, p, "elaborated twice")
			if twice := p.String(); once != twice {
				t.Errorf("elaboration is not idempotent:\n%s\nthen:\n%s", once, twice)
			}
			// With every type written the program means the same, so what was
			// inferred is what a user could have written.
			showTypes(p)
			full := p.String()
			q := parse(t, "full.ir", full)
			accept(t, q, "with its types written:\n"+full)
			showTypes(q)
			if again := q.String(); again != full {
				t.Errorf("types written and inferred differ:\n%s\nthen:\n%s", full, again)
			}
		})
	}
}

func accept(t *testing.T, p *ir.Program, how string) {
	t.Helper()
	if l := check.Program(p); l.Failed() {
		t.Fatalf("refused, %s:\n%s", how, render(&l))
	}
	if l := check.Verify(p); l.Failed() {
		t.Fatalf("accepted, %s, but it does not verify:\n%s", how, render(&l))
	}
}

// showTypes makes the printer show all types.
func showTypes(p *ir.Program) {
	for _, f := range p.Funcs {
		eachBody(f.Body, func(b *ir.Body, s *ir.Stmt) {
			if s == nil {
				return
			}
			for _, e := range s.Pat {
				e.Written = true
			}
			if l, ok := s.Op.(*ir.Loop); ok {
				for _, q := range l.Params {
					q.Elem.Written = true
				}
			}
			if o := operator(s.Op); o != nil {
				for _, e := range o.Params {
					e.Written = true
				}
			}
		})
	}
}

// eachBody visits the statements in order, and with a nil statement the end of
// each body.
func eachBody(b *ir.Body, visit func(*ir.Body, *ir.Stmt)) {
	for _, s := range b.Stmts {
		visit(b, s)
		for _, k := range bodies(s.Op) {
			eachBody(k, visit)
		}
	}
	visit(b, nil)
}

func operator(op ir.Op) *ir.Operator {
	switch op := op.(type) {
	case *ir.Reduce:
		return &op.Op
	case *ir.Scan:
		return &op.Op
	case *ir.Hist:
		return &op.Op
	}
	return nil
}

func bodies(op ir.Op) []*ir.Body {
	switch op := op.(type) {
	case *ir.If:
		return []*ir.Body{op.Then, op.Else}
	case *ir.Loop:
		return []*ir.Body{op.Body}
	case *ir.Map:
		return []*ir.Body{op.Body}
	case *ir.Reduce:
		return []*ir.Body{op.Body, op.Op.Body}
	case *ir.Scan:
		return []*ir.Body{op.Body, op.Op.Body}
	case *ir.Scatter:
		return []*ir.Body{op.Body}
	case *ir.Hist:
		return []*ir.Body{op.Body, op.Op.Body}
	}
	return nil
}

// TestObligations compares what is left to the run with the lines "run time:"
// in the programs.
func TestObligations(t *testing.T) {
	for _, path := range programs(t, "pos-") {
		if filepath.Base(filepath.Dir(path)) != "sizes" {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			text := must.Read(t, path)
			p := parse(t, path, text)
			accept(t, p, "as written")
			table := check.Obligations(p)
			inScope(t, p, table)
			var got []string
			show := func(qs []check.Equality) {
				for _, q := range qs {
					got = append(got, fmt.Sprintf("%s: %s = %s", q.What, ir.ExpString(q.A), ir.ExpString(q.B)))
				}
			}
			for _, f := range p.Funcs {
				eachBody(f.Body, func(b *ir.Body, s *ir.Stmt) {
					if s == nil {
						show(table.AtResult[b])
						return
					}
					show(table.Before[s])
					show(table.After[s])
				})
			}
			if want := header(text, "run time:"); strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("left to the run:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}
