package filetest

import (
	"strings"
	"testing"
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
	bs, err := Blocks(src, ".")
	if err != nil {
		t.Fatal(err)
	}
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
	bs, err := Blocks(`-- ==
-- input { 1 }
-- structure { Alloc 0 }
-- structure { Copy 0 }
-- entry: other
-- output
-- {
--   2 }
`, ".")
	if err != nil {
		t.Fatal(err)
	}
	c := bs[0].Cases
	if len(c) != 3 || strings.TrimSpace(c[0].Input) != "1" || strings.TrimSpace(c[0].Output) != "2" || c[0].Entry != "main" {
		t.Errorf("got %+v", c)
	}
}

func TestBlockErrors(t *testing.T) {
	for src, want := range map[string]string{
		"-- ==\n-- input { 1":                      "input without a closing }",
		"-- ==\n-- input { 1 }":                    "an input without an output",
		"-- ==\n-- outptu { 1 }":                   `unknown directive "outptu"`,
		"-- ==\n-- output { 1 }":                   "output without an input",
		"-- ==\n-- structure { Allok 1 }":          "malformed structure",
		"-- ==\n":                                  "a test block without a test",
		"-- ==\n-- error: (":                       "error parsing regexp",
		"-- ==\n-- input @ nosuch\n-- output auto": "no such file",
	} {
		if _, err := Blocks(src, "."); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, expected %q", src, err, want)
		}
	}
}
