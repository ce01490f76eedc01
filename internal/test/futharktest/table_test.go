package futharktest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/compiler/pipeline"
)

// TestTable: docs/futhark-table.md says of the samples in testdata/futhark what
// is true today, and its sums are those of its rows. MEMC_GOLDEN=1 rewrites them;
// all rows are made by the command that stands above the table.
func TestTable(t *testing.T) {
	path := filepath.Join("..", "..", "..", "docs", "futhark-table.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	rows, err := Read(text)
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for i, r := range rows {
		at[r.Name+" "+r.Target] = i
	}
	samples, err := Samples(filepath.Join("..", "..", "..", "testdata", "futhark"), "")
	if err != nil {
		t.Fatal(err)
	}
	compared := Compare(samples, pipeline.DefaultPasses())
	if len(compared) < 30 {
		t.Errorf("%d samples are compared", len(compared))
	}
	golden := os.Getenv("MEMC_GOLDEN") != ""
	for _, r := range compared {
		i, ok := at[r.Name+" "+r.Target]
		switch {
		case !ok:
			t.Errorf("%s %s has no row", r.Name, r.Target)
		case golden:
			rows[i] = r
		case rows[i].Line() != r.Line():
			t.Errorf("the table says\n%sbut it is\n%s", rows[i].Line(), r.Line())
		}
	}
	var out strings.Builder
	head, _, _ := strings.Cut(text, tableHead)
	out.WriteString(head)
	if err := Write(&out, rows); err != nil {
		t.Fatal(err)
	}
	switch {
	case golden:
		if err := os.WriteFile(path, []byte(out.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	case out.String() != text:
		t.Error("the sums are not those of the rows; make golden")
	}
}
