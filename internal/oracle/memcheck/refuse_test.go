package memcheck_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/oracle/memcheck"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/parser"
)

// header returns the text after "-- word:" in a file.
func header(text, word string) string {
	for _, line := range strings.Split(text, "\n") {
		if rest, ok := strings.CutPrefix(line, "-- "+word+":"); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

// What the checker must find (TestFindings) is an error: run by memory on the file's input the program
// fails, and not as it does by value, or gives something else than by value.
func TestErrors(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "testdata", "memcheck", "neg-*.ir"))
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text := must.Read(t, path)
			if header(text, "memory") == "" {
				t.Fatal("no `-- memory: regex`")
			}
			p := prepare(t, diag.NewFile(filepath.Base(path), text))
			if p == nil {
				t.Fatal("refused before the memory is checked")
			}
			args := must.Get(value.NewReader("input", []byte(header(text, "input"))).All())(t)
			byValue, err := interp.ByValue(p, "main", args, interp.Options{})
			// Where an assertion ends the run, the memory must be wrong before.
			const asserted = "assertion failed"
			if err != nil && !strings.Contains(err.Error(), asserted) {
				t.Fatalf("by value: %v", err)
			}
			got, err := interp.ByMemory(p, "main", args, interp.Options{})
			if err != nil {
				if strings.Contains(err.Error(), asserted) {
					t.Errorf("by memory: %v", err)
				}
				return
			}
			for i := range got {
				if value.Diff(byValue[i], got[i], value.DefaultTolerance) != "" {
					return
				}
			}
			t.Error("by memory the program gives what it gives by value")
		})
	}
}

// A view that does not lie where its array does is refused, but for one without
// elements. The verifier refuses these places first, if it does not see that there are none, so they are checked in
// spite of it.
func TestMisplacedView(t *testing.T) {
	for size, want := range map[string]bool{"n": true, "min(n, 1)": true, "0i64": false, "min(n, 0)": false} {
		file := diag.NewFile("view.ir", strings.Replace(`entry main [n] (xs: [n]i32 @ ?m_xs) : i64 = {
  let k = SIZE
  let m = alloc k * 4
  let a: [k][2]u16 @ m = map (i < k, j < 2) { in u16(i * 2 + j) }
  let b: [k][1]u16 @ m -> Direct(k, 2) -> Slice((0, k), (0, 1, 0)) = a[(0, k), (0, 1, 0)]
  let c: [k][1][1]u16 @ m -> Direct(k, 2) -> Slice((0, k), (1, 1, 0)) -> Reshape(k, 1, 1) = reshape (k, 1, 1) b
  in k
}
`, "SIZE", size, 1))
		p, list := parser.Parse(file)
		if list.Failed() {
			t.Fatal(list)
		}
		if refused := check.Program(p); refused.Failed() == (size == "0i64") {
			t.Fatalf("%s: the verifier says %v", size, refused)
		}
		found := memcheck.Check(p)
		if got := len(found.Findings) > 0; got != want {
			t.Errorf("%s: found %v, expected a finding: %v", size, found.List(nil), want)
		}
	}
}
