package ir_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/parser"
)

func format(t *testing.T, name, text string, width int) string {
	t.Helper()
	p, err := parser.ParseText(name, text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var b strings.Builder
	must.Do(t, ir.Format(&b, p, width))
	return b.String()
}

func TestFormatLong(t *testing.T) {
	got := format(t, "long.ir", `entry main [n] (first_argument: [n]i32, second_argument: [n]i32) : ([n]i32, i32) = {
  -- A comment stays as it is, however long it may be, since nobody knows where it could be broken.
  let s = reduce (index < n) op (left, right) { in left + right } neutral (0) { in first_argument[index] * second_argument[index] }  -- sum
  assert first_argument[0] < second_argument[0] && first_argument[1] < second_argument[1] "a -- b, c, d, e"
  let ys = map (i < n) { in if first_argument[i] > 0 then first_argument[i] else second_argument[i] * 2 }
  in (ys, s)
}
`, 60)
	want := `entry main [n] (first_argument: [n]i32,
    second_argument: [n]i32) : ([n]i32, i32) = {
  -- A comment stays as it is, however long it may be, since nobody knows where it could be broken.
  let s = reduce (index < n)
      op (left, right) { in left + right }
      neutral (0) { in first_argument[index]
      * second_argument[index] }  -- sum
  assert first_argument[0] < second_argument[0]
      && first_argument[1]
      < second_argument[1] "a -- b, c, d, e"
  let ys = map (i < n) { in if first_argument[i] > 0
      then first_argument[i] else second_argument[i] * 2 }
  in (ys, s)
}
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// What Format writes reads as the same program, and is not changed by Format.
func TestFormatAgain(t *testing.T) {
	broken := 0
	must.Do(t, filepath.WalkDir("../testdata", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".ir") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil || len(data) > 20000 {
			return err
		}
		p, perr := parser.ParseText(path, string(data))
		if perr != nil {
			return nil
		}
		for _, width := range []int{20, 60, 120} {
			text := format(t, path, string(data), width)
			again, err := parser.ParseText(path, text)
			if err != nil {
				t.Errorf("%v\n%s", err, text)
				return nil
			}
			if diff := cmp.Diff(p.String(), again.String()); diff != "" {
				t.Errorf("%s: another program:\n%s", path, diff)
			}
			if diff := cmp.Diff(text, format(t, path, text, width)); diff != "" {
				t.Errorf("%s: changed again:\n%s", path, diff)
			}
			if text != p.String() {
				broken++
			}
		}
		return nil
	}))
	if broken < 200 {
		t.Errorf("only %d files have a line that was broken", broken)
	}
}
