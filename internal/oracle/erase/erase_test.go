package erase_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/oracle/erase"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/parser"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/explicit"
)

func load(name, text string) *ir.Program {
	p, list := parser.Parse(diag.NewFile(name, text))
	if list.Failed() {
		return nil
	}
	if more := check.Program(p); more.Failed() {
		return nil
	}
	return p
}

func makeExplicit(t *testing.T, p *ir.Program) *ir.Program {
	t.Helper()
	n := ir.CloneProgram(p)
	c := transform.NewContext("explicit", &diag.List{File: p.File}, transform.Unlimited)
	if err := explicit.Pass.Run(n, c); err != nil {
		return nil
	}
	return n
}

// The pass explicit adds memory and nothing else: erased again, its result is
// the program it came from; and the erased program is one that memc accepts.
func TestExplicitErasedIsTheProgram(t *testing.T) {
	checked := 0
	for _, dir := range []string{"testdata", "examples"} {
		must.Do(t, filepath.WalkDir(filepath.Join("..", "..", "..", dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".ir") {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			p := load(path, string(data))
			if p == nil {
				return nil
			}
			q := makeExplicit(t, p)
			if q == nil {
				return nil
			}
			checked++
			if err := erase.Equal(p, q); err != nil {
				t.Errorf("%s: %v\n%s", path, err, ir.Erase(q))
			}
			e := ir.Erase(q)
			for _, f := range e.Funcs {
				if ir.IsExplicit(f) {
					t.Errorf("%s: memory is left in %s:\n%s", path, f.Name, e)
				}
			}
			if load(path, e.String()) == nil {
				t.Errorf("%s: refused after erasure:\n%s", path, e)
			}
			return nil
		}))
	}
	if checked < 100 {
		t.Errorf("only %d programs were compared", checked)
	}
}

const base = `
entry main [n] (xs: [n]i32, k: i64) : ([n]i32, i32) = {
  let r = loop (a = xs) for i < k {
    let b = map (j < n) { let h = xs[0] * 2 in a[(j + 1) % n] + h }
    in b
  }
  let s = reduce (l < n) op (p, q) { in p + q } neutral (0) { in r[l] }
  in (r, s)
}`

// What does not change the meaning: names, copies, where a scalar is computed,
// memory. What does: everything else.
func TestEqual(t *testing.T) {
	p := load("base", base)
	for _, c := range []struct {
		old, new string
		equal    bool
	}{
		{"let s =", "let unused = k + 1\n  let s =", true},
		{"in b\n", "let c = copy b\n in c\n", true},
		{"let b = map (j < n) { let h = xs[0] * 2 in", "let h = xs[0] * 2\n let b = map (j < n) { in", true},
		{"+ h", "- h", false},
		{"neutral (0)", "neutral (1)", false},
		{"j + 1", "j + 2", false},
		{"for i < k", "for i < k + 1", false},
		{"in b\n", "in a\n", false},
		{"in r[l]", "in xs[l]", false},
		{"let s =", "assert k > 0 \"k\"\n  let s =", false},
	} {
		q := load("changed", strings.Replace(base, c.old, c.new, 1))
		if q == nil {
			t.Fatalf("%s -> %s is no program", c.old, c.new)
		}
		if err := erase.Equal(p, q); (err == nil) != c.equal {
			t.Errorf("%s -> %s: %v", c.old, c.new, err)
		}
	}
}
