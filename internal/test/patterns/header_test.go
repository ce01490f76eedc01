package patterns_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/internal/test/patterns"
)

func TestReadHeader(t *testing.T) {
	h := must.Get(patterns.ReadHeader("-- Prose.\n-- target coalesce: Alloc 1 Copy 0\n-- target sequentialise reuse: Alloc 12 Copy 3\n" +
		"-- forbidden C3: a @ m -> Direct(n); b @ m\n-- forbidden: c @ m_c\n-- ==\n"))(t)
	want := &patterns.Header{
		Targets: []patterns.Target{
			{Line: 2, Name: "coalesce", Passes: []string{"explicit", "lift", "coalesce:-access", "lower"}, Alloc: 1},
			{Line: 3, Name: "sequentialise reuse", Passes: []string{"sequentialise", "explicit", "reuse"}, Alloc: 12, Copy: 3},
		},
		Forbidden: []patterns.Forbidden{
			{Line: 4, Condition: "C3", Moves: []patterns.Move{{Array: "a", Place: "m -> Direct(n)"}, {Array: "b", Place: "m"}}},
			{Line: 5, Moves: []patterns.Move{{Array: "c", Place: "m_c"}}},
		},
	}
	if !reflect.DeepEqual(h, want) {
		t.Errorf("got %+v", h)
	}
}

func TestReadHeaderErrors(t *testing.T) {
	for src, want := range map[string]string{
		"-- target coalesce: Alloc 1":          "line 1: malformed target",
		"\n-- target merge: Alloc 1 Copy 0":    `line 2: unknown pipeline "merge"`,
		"-- forbidden C6: a @ m":               "malformed line",
		"-- forbidden C1: a at m":              "expected ARRAY @ PLACE",
		"-- target coalesce: Alloc one Copy 0": "malformed target",
	} {
		if _, err := patterns.ReadHeader(src); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, expected %q", src, err, want)
		}
	}
}
