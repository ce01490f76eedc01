package futharktest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/test/must"
)

// TestTable: internal/test/futharktest/table.md says of the samples in testdata/futhark what
// is true today, and its sums are those of its rows. MEMC_GOLDEN=1 rewrites them;
// all rows are made by the command that stands above the table.
func TestTable(t *testing.T) {
	path := "table.md"
	text := must.Read(t, path)
	rows := must.Get(Read(text))(t)
	at := map[string]int{}
	for i, r := range rows {
		at[r.Name+" "+r.Target] = i
	}
	samples := must.Get(Samples(filepath.Join("..", "..", "..", "testdata", "futhark"), ""))(t)
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
	must.Do(t, Write(&out, rows))
	switch {
	case golden:
		must.Do(t, os.WriteFile(path, []byte(out.String()), 0o666))
	case out.String() != text:
		t.Error("the sums are not those of the rows; make golden")
	}
}
