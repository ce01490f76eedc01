package filetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

// Large inputs are left out, but a block must have another one.
func TestElements(t *testing.T) {
	path := filepath.Join(t.TempDir(), "two.ir")
	must.Do(t, os.WriteFile(path, []byte(`-- ==
-- structure { Copy 0 }
-- random input (n = 101) { [n]i32 }
-- random input (n = 100) { [n]i32 }
entry main [n] (xs: [n]i32) : i64 = { in n }
-- ==
-- entry: more
-- structure { Copy 0 }
-- random input (n = 101) { [n]i32 }
entry more [n] (xs: [n]i32) : i64 = { in n }
`), 0o600))
	results := must.Get(Run([]string{path}, Options{Device: NoDevice, Elements: 100}))(t)
	var got []string
	for _, r := range results {
		text := "ok"
		if r.Err != nil {
			text = r.Err.Error()
		}
		got = append(got, text)
	}
	if want := "ok, ok, ok, every input has more than 100 elements"; strings.Join(got, ", ") != want {
		t.Errorf("%s, expected %s", strings.Join(got, ", "), want)
	}
}
