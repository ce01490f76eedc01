package filetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
)

func TestBlocks(t *testing.T) {
	src := `-- Prose that tells the point.
-- ==
-- structure { Alloc 1 Copy 0 }
-- structure passes(explicit, cleanup) { Alloc 2 }
-- input { [1i32,
--         2i32] }
-- output { 3i32 }
-- entry: other
-- input { 0i64 }
-- error: out of
-- input { 1i64 }
-- output auto
entry main () : i64 = { in 1 }
-- ==
-- error: nothing
`
	bs := must.Get(Blocks(src, "."))(t)
	if len(bs) != 2 || len(bs[0].Cases) != 5 || len(bs[1].Cases) != 1 {
		t.Fatalf("got %+v", bs)
	}
	c := bs[0].Cases
	if got := c[1]; !got.HasPasses || strings.Join(got.Passes, ",") != "explicit,cleanup" || got.Structure[0] != (Count{"Alloc", 2}) {
		t.Errorf("structure: %+v", got)
	}
	if got := c[2]; strings.Join(strings.Fields(got.Input), " ") != "[1i32, 2i32]" || strings.TrimSpace(got.Output) != "3i32" || got.Entry != "main" {
		t.Errorf("input: %+v", got)
	}
	if got := c[3]; got.Entry != "other" || got.Fails == nil || !got.Fails.MatchString("index out of bounds") {
		t.Errorf("failing input: %+v", got)
	}
	if got := c[4]; !got.Auto {
		t.Errorf("auto: %+v", got)
	}
	if bs[1].Cases[0].Refused == nil {
		t.Errorf("refused: %+v", bs[1])
	}
}

// What an input gives may stand behind other tests, and its brace on a line of its own.
func TestBlockLayout(t *testing.T) {
	bs := must.Get(Blocks(`-- ==
-- input { 1 }
-- structure { Alloc 0 }
-- structure { Copy 0 }
-- entry: other
-- output
-- {
--   2 }
`, "."))(t)
	c := bs[0].Cases
	if len(c) != 3 || strings.TrimSpace(c[0].Input) != "1" || strings.TrimSpace(c[0].Output) != "2" || c[0].Entry != "main" {
		t.Errorf("got %+v", c)
	}
}

// Several entries take one input; a random input is its own oracle; a tolerance
// holds for the inputs that follow; files are values.
func TestBlockInputs(t *testing.T) {
	dir := t.TempDir()
	var npy strings.Builder
	must.Do(t, value.EncodeNPY(&npy, value.New(ir.F32, []int64{2})))
	for name, text := range map[string]string{"a.npy": npy.String(), "b.txt": "[1, 2] 3"} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	bs := must.Get(Blocks(`-- ==
-- entry: f g
-- input @ a.npy b.txt
-- output { 2 }
-- entry: h
-- tolerance 1e-4 0
-- random input (n = 3, seed = 2) { [n][2]f32 in -1 ..< n,
--   [4]u8 in 5 ..< 7  n [true, false] i64 }
-- random input { i64 }
-- error: no
`, dir))(t)
	c := bs[0].Cases
	if len(c) != 4 || c[0].Entry != "f" || c[1].Entry != "g" || c[2].Entry != "h" || c[1].Output != c[0].Output || c[1].Output == "" {
		t.Fatalf("entries: %+v", c)
	}
	vs, err := value.NewReader("input", []byte(c[0].Input)).All()
	if err != nil || len(vs) != 3 || vs[0].Type() != "[2]f32" || vs[1].Type() != "[2]i32" {
		t.Errorf("files: %v, %v", vs, err)
	}
	if !c[2].Auto || c[2].Within.Rel != 1e-4 || c[2].Within.Abs != 0 || c[0].Within != value.DefaultTolerance {
		t.Errorf("random: %+v", c[2])
	}
	vs, err = value.NewReader("input", []byte(c[2].Input)).All()
	if err != nil || len(vs) != 5 || vs[0].Type() != "[3][2]f32" || vs[1].Type() != "[4]u8" || vs[2].Bits(0) != 3 || vs[3].Type() != "[2]bool" || vs[4].Type() != "i64" {
		t.Fatalf("random: %v, %v", vs, err)
	}
	for i := range int64(6) {
		if f := vs[0].Float(i); f < -1 || f >= 3 {
			t.Errorf("element %d is %v", i, f)
		}
	}
	for i := range int64(4) {
		if b := vs[1].Bits(i); b != 5 && b != 6 {
			t.Errorf("element %d is %d", i, b)
		}
	}
	if c[3].Auto || c[3].Fails == nil {
		t.Errorf("random with an error: %+v", c[3])
	}
}

func TestBlockErrors(t *testing.T) {
	for src, want := range map[string]string{
		"-- ==\n-- input { 1":                           "input without a closing }",
		"-- ==\n-- input { 1 }":                         "an input without an output",
		"-- ==\n-- outptu { 1 }":                        `unknown directive "outptu"`,
		"-- ==\n-- output { 1 }":                        "output without an input",
		"-- ==\n-- structure { Allok 1 }":               "malformed structure",
		"-- ==\n":                                       "a test block without a test",
		"-- ==\n-- entry:\n-- input { }\n-- output { }": "entry without a name",
		"-- ==\n-- tolerance x":                         "malformed tolerance",
		"-- ==\n-- tolerance -1":                        "malformed tolerance",
		"-- ==\n-- random { i32 }":                      "malformed random input",
		"-- ==\n-- random input (n) { i32 }":            "malformed size",
		"-- ==\n-- random input { [n]i32 }":             "`n` is not a size",
		"-- ==\n-- random input { [9999999999]i32 }":    "at most",
		"-- ==\n-- random input { i32 in 3 ..< 3 }":     "malformed bounds",
		"-- ==\n-- random input { u8 in -1 ..< 3 }":     "malformed bounds",
		"-- ==\n-- random input { i32 in 0.5 ..< 3 }":   "malformed bounds",
		"-- ==\n-- error: (":                            "error parsing regexp",
		"-- ==\n-- input @ nosuch\n-- output auto":      "no such file",
	} {
		if _, err := Blocks(src, "."); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, expected %q", src, err, want)
		}
	}
}
