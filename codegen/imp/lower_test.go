package imp_test

import (
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/parser"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/explicit"
)

// lower brings a source text to imperative form, by way of the explicit one.
func lower(name, text string, opt imp.Options) (*imp.Program, error) {
	p, list := parser.Parse(diag.NewFile(name, text))
	if err := list.Err(); err != nil {
		return nil, err
	}
	if list = check.Program(p); list.Err() != nil {
		return nil, list.Err()
	}
	remarks := &diag.List{File: p.File}
	if err := explicit.Pass.Run(p, transform.NewContext("explicit", remarks, transform.Unlimited)); err != nil {
		return nil, err
	}
	if list = check.Verify(p); list.Err() != nil {
		return nil, list.Err()
	}
	return imp.Lower(p, opt)
}

func mustLower(t *testing.T, text string) *imp.Program {
	t.Helper()
	p := must.Get(lower(t.Name(), text, imp.Options{}))(t)
	return p
}

// dumped returns a program as text.
func dumped(t *testing.T, p *imp.Program) string {
	t.Helper()
	var text strings.Builder
	must.Do(t, imp.Dump(&text, p))
	return text.String()
}

// programs lowers all programs of the tests and examples that are not meant to
// be refused.
func programs(t *testing.T) iter.Seq2[string, *imp.Program] {
	return func(yield func(string, *imp.Program) bool) {
		n := 0
		for _, dir := range []string{"testdata", "examples"} {
			root := filepath.Join("..", "..", dir)
			must.Do(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
				if err != nil || !strings.HasSuffix(path, ".ir") {
					return err
				}
				text, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				p, err := lower(path, string(text), imp.Options{})
				if err != nil {
					var bug *diag.List
					if errors.As(err, &bug) && diag.ExitCode(err) == diag.ExitBug {
						t.Errorf("%s: %v", path, err)
					}
					return nil
				}
				if n++; !yield(path, p) {
					return fs.SkipAll
				}
				return nil
			}))
		}
		if n < 80 {
			t.Errorf("only %d programs were lowered", n)
		}
	}
}

// count counts the statements of type S in the host functions.
func count[S imp.Stmt](p *imp.Program) int {
	n := 0
	for _, f := range p.Funcs {
		imp.Each(f.Body, func(S) { n++ })
	}
	return n
}

func TestCopiesVanish(t *testing.T) {
	for _, c := range []struct {
		what, body string
		copies     int
	}{
		{"a copy at its own place", `
  let m = alloc n * 4
  let xs: [n]i32 @ m = map (i < n) { in as[i] + 1 }
  let ys: [n]i32 @ m = copy xs
  in ys`, 0},
		{"a copy at another place", `
  let m = alloc n * 8
  let xs: [n]i32 @ m = map (i < n) { in as[i] + 1 }
  let ys: [n]i32 @ m -> LMAD(n; (n : 1)) = copy xs
  let zs: [n]i32 @ m = copy ys
  in zs`, 2},
		{"concat arguments at their own slices", `
  let n2 = n + n
  let m = alloc n2 * 4
  let xs: [n]i32 @ m = map (i < n) { in as[i] + 1 }
  let ys: [n]i32 @ m -> LMAD(n; (n : 1)) = map (j < n) { in as[j] }
  let zs: [n2]i32 @ m = concat@0 (xs, ys)
  let k = zs[0]
  in xs`, 0},
		{"an update whose value lies at its slice", `
  let n2 = n + n
  let m = alloc n2 * 4
  let zs: [n2]i32 @ m = scratch i32 (n2)
  let ys: [n]i32 @ m -> LMAD(n; (n : 1)) = map (j < n) { in as[j] }
  let us: [n2]i32 @ m = zs with [(n, n)] = ys
  let k = us[0]
  in as`, 0},
	} {
		p := mustLower(t, "entry main [n] (as: [n]i32 @ ?m_as) : [n]i32 = {"+c.body+"\n}\n")
		if got := count[*imp.Copy](p); got != c.copies {
			t.Errorf("%s: %d copies, want %d", c.what, got, c.copies)
		}
	}
}

func TestKernelPerParallelOperation(t *testing.T) {
	p := mustLower(t, `
entry main [n] (xs: [n]i32) : [n]i32 = {
  let ys = map (i < n) { in xs[i] * 2 }
  let zs = map (j < n) { in ys[j] + xs[j] }
  in zs
}
`)
	if got := count[*imp.Launch](p); got != 2 {
		t.Errorf("%d launches, want 2", got)
	}
	if p.KernelChecks {
		t.Error("indices below the size of the array they read are checked")
	}
}

// TestFreedAtOnce: a block is freed behind its last use, not at the end.
func TestFreedAtOnce(t *testing.T) {
	p := mustLower(t, `
entry main [n] (xs: [n]i32) : [n]i32 = {
  let ys = map (i < n) { in xs[i] * 2 }
  let zs = map (j < n) { in ys[n - 1 - j] }
  let us = map (k < n) { in zs[n - 1 - k] }
  in us
}
`)
	var order []string
	for _, s := range p.Funcs[0].Body {
		switch s.(type) {
		case *imp.Launch:
			order = append(order, "launch")
		case *imp.Free:
			order = append(order, "free")
		}
	}
	if got, want := strings.Join(order, " "), "launch launch free launch free free"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestUnsafeLeavesChecksOut(t *testing.T) {
	text := `
entry main [n] (xs: [n]i32, i: i64, d: i32) : i32 = {
  assert i > 0 "positive"
  let part = xs[(i, 2)]
  let pairs = reshape (i, 2) xs
  in xs[i] / d + part[0] + pairs[0, 0]
}
`
	for _, c := range []struct {
		unsafe bool
		checks int
	}{{false, 7}, {true, 2}} { // an assertion and a comparison of sizes stay
		p := must.Get(lower(t.Name(), text, imp.Options{Unsafe: c.unsafe}))(t)
		if got := count[*imp.Check](p); got != c.checks {
			t.Errorf("unsafe %v: %d checks, want %d", c.unsafe, got, c.checks)
		}
	}
}

// TestLimitOfGroupsIsToldOnce lowers a reduction of arrays whose places only the body knows, and one of arrays and
// scalars. The second kernel, for devices with little local memory, does not report the limitation again.
func TestLimitOfGroupsIsToldOnce(t *testing.T) {
	for _, text := range []string{`entry main [n][k][m] (xs: [n][k]i64, at: [m]i64) : [n][k]i64 = {
  let ys = map (i < n) {
    let t = map (j < n, e < k) { in xs[j, e] + i }
    let r = reduce (j < m) op (a, b) { in a + b } neutral (0) {
      let p = at[j]
      let row = t[p, (0, k)]
      in row
    }
    in r
  }
  in ys
}
`, `entry main [n][k][m] (xs: [n][m][k]i64) : ([n][k]i64, [n]i64) = {
  let (ys, zs) = map (i < n) {
    let (r, s) = reduce (j < m) op (a, b, c, d) { in (a + c, b + d) } neutral (0, 0) {
      let row = xs[i, j, (0, k)]
      in (row, j)
    }
    in (r, s)
  }
  in (ys, zs)
}
`} {
		_, err := lower("rows.ir", text, imp.Options{})
		var list *diag.List
		if !errors.As(err, &list) || len(list.All) != 1 || list.All[0].Msg != "an operator on arrays in a kernel of groups" {
			t.Errorf("expected one limitation, got %v", err)
		}
	}
}
