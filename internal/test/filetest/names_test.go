package filetest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/base/diag"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
)

// TestNamesReused rewrites programs such that every name is used again as soon
// as it is out of scope: they must mean what they meant.
func TestNamesReused(t *testing.T) {
	files := must.Get(collect([]string{"../../../testdata/lang", "../../../testdata/handwritten"}))(t)
	dir, reused := t.TempDir(), 0
	var paths []string
	for i, path := range files {
		text := must.Read(t, path)
		if !strings.Contains(text, "-- output") || strings.Contains(text, "-- error") || strings.Contains(text, "@ ") && strings.Contains(text, "input @") {
			continue
		}
		p, list := driver.Check(diag.NewFile(path, text))
		must.Do(t, list.Err())
		for _, f := range p.Funcs {
			n := &renamer{inUse: map[string]bool{}, to: map[string]string{}}
			n.function(f)
			reused += len(n.to) - n.most
			f.Body = parsed(t, p, f, n.to)
		}
		out := filepath.Join(dir, fmt.Sprintf("%d-%s", i, filepath.Base(path)))
		must.Do(t, os.WriteFile(out, []byte(p.String()), 0o600))
		paths = append(paths, out)
	}
	results := must.Get(Run(paths, Options{Device: NoDevice}))(t)
	for _, r := range results {
		if r.Err != nil {
			text, _ := os.ReadFile(r.Path)
			t.Errorf("%s:%d: %v\n%s", r.Path, r.Line, r.Err, text)
		}
	}
	if len(paths) < 80 || reused < 300 {
		t.Errorf("only %d programs, in which %d names are used again", len(paths), reused)
	}
}

// A renamer gives each binding of a function whose names are unique the first
// of v0, v1, .. that is not in scope.
type renamer struct {
	inUse map[string]bool
	to    map[string]string
	most  int // names in scope at once
}

func (n *renamer) function(f *ir.Func) {
	ir.AllNames(&ir.Func{Sizes: f.Sizes, Params: f.Params, Results: f.Results, Body: &ir.Body{}}, func(x string) { n.inUse[x] = true })
	n.body(f.Body)
}

func (n *renamer) bind(name string) {
	for i := 0; ; i++ {
		v := fmt.Sprintf("v%d", i)
		if !n.inUse[v] {
			n.inUse[v], n.to[name] = true, v
			n.most = max(n.most, i+1)
			return
		}
	}
}

func (n *renamer) scope(f func() []string) {
	for _, name := range f() {
		delete(n.inUse, n.to[name])
	}
}

func (n *renamer) body(b *ir.Body) {
	n.scope(func() (bound []string) {
		for _, s := range b.Stmts {
			n.scope(func() (inner []string) {
				ir.Binds(s.Op, func(x string) {
					n.bind(x)
					inner = append(inner, x)
				})
				for _, b := range ir.Bodies(s.Op) {
					n.body(b)
				}
				return inner
			})
			for _, e := range s.Pat {
				for _, x := range append([]string{e.Name}, ir.ExistNames(e.Type.Place)...) {
					n.bind(x)
					bound = append(bound, x)
				}
			}
		}
		return bound
	})
}

var word = regexp.MustCompile(`--.*|[A-Za-z_][A-Za-z0-9_']*(\s*\()?`)

// parsed returns the body of f with other names.
func parsed(t *testing.T, p *ir.Program, f *ir.Func, to map[string]string) *ir.Body {
	t.Helper()
	one := &ir.Program{Funcs: []*ir.Func{f}}
	text := one.String()
	at := strings.Index(text, " = {\n")
	text = text[:at] + word.ReplaceAllStringFunc(text[at:], func(w string) string {
		name := strings.TrimRight(w, " (")
		if v, ok := to[name]; ok && (name == w || strings.HasSuffix(w, " (")) {
			return v + w[len(name):]
		}
		return w
	})
	q, list := driver.Parse(diag.NewFile(f.Name, text))
	if err := list.Err(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return q.Funcs[0].Body
}
