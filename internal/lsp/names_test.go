package lsp

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/parser"
)

// eachProgram calls f for every correct program of some folders.
func eachProgram(t *testing.T, f func(*diag.File, *ir.Program), folders ...string) {
	programs := 0
	for _, dir := range folders {
		must.Do(t, filepath.WalkDir(filepath.Join("..", "..", dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".ir" {
				return err
			}
			file := must.Get(driver.ReadSource(path))(t)
			if p, list := driver.Check(file); !list.Failed() && ownText(file) {
				programs++
				f(file, p)
			}
			return nil
		}))
	}
	if programs < 100 {
		t.Errorf("only %d correct programs", programs)
	}
}

// TestNames gives every binding of every correct program a name of its own, by the names that the parser
// finds. The program must stay correct, and must not become another one.
func TestNames(t *testing.T) {
	eachProgram(t, func(f *diag.File, before *ir.Program) {
		names := parser.Names(f)
		fresh := map[diag.Span]string{}
		for k, n := range names {
			if !n.Bound.Known() {
				t.Errorf("%sthe parser finds no binding of a name", f.Locate(n.Span))
			} else if n.Bound == n.Span {
				fresh[n.Span] = fmt.Sprintf("renamed_%d", k)
			}
		}
		var b strings.Builder
		at := 0
		for _, n := range names {
			b.WriteString(f.Text[at:n.Start] + fresh[n.Bound])
			at = n.End
		}
		b.WriteString(f.Text[at:])
		after, list := driver.Check(diag.NewFile(f.Name, b.String()))
		if err := list.Err(); err != nil {
			t.Errorf("%s renamed: %v", f.Name, err)
		} else if a, b := count(before), count(after); a != b {
			t.Errorf("%s has %d statements, renamed %d", f.Name, a, b)
		}
	}, "testdata", "examples", "benchmarks", "parser/testdata")
}

// TestHover hovers over every binding of correct programs: each has a type or a header, and each array and
// block a sentence.
func TestHover(t *testing.T) {
	s := &server{}
	eachProgram(t, func(f *diag.File, _ *ir.Program) {
		d := newDocument("file:///x.ir", nil, f.Text)
		s.open = map[string]*document{d.uri: d}
		for _, n := range d.names {
			if n.Bound != n.Span {
				continue
			}
			answer, err := s.hover(d, &params{Position: d.position(n.Start)})
			h, ok := answer.(hover)
			if err != nil || !ok || d.explained() == nil {
				t.Errorf("%shovering gives %v, %v", f.Locate(n.Span), answer, err)
			} else if strings.HasSuffix(h.Contents.Value, "]f32\n```") && !strings.Contains(h.Contents.Value, "(") {
				t.Errorf("%snothing is said of an array's memory", f.Locate(n.Span))
			}
		}
	}, "testdata/analysis", "testdata/groups", "testdata/lang/explicit", "testdata/mix", "testdata/reuse/loop", "testdata/reuse/if")
}

func count(p *ir.Program) (n int) {
	for _, f := range p.Funcs {
		ir.WalkStmts(f.Body, func(*ir.Stmt) bool { n++; return true })
	}
	return n
}
