//go:build cgo

package allocbench

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/runtime"
)

// Every benchmark runs with every allocator on a small heap, and finds that what
// it measures is right; what comes out is written and read back.
func TestAll(t *testing.T) {
	ctx, err := runtime.Open("", runtime.Options{})
	if err != nil {
		t.Fatalf("these tests need an OpenCL device (PoCL will do): %v", err)
	}
	defer ctx.Close()
	var rows []Row
	emit := func(r Row) { rows = append(rows, r) }
	for _, cfg := range []Config{
		{Allocators: []string{"atomic", "cf", "slab"}},
		{Allocators: []string{"aw", "c", "cm", "cfm", "d"}, Tests: []string{"ad", "mixed"}},
	} {
		cfg.HeapBytes, cfg.Groups, cfg.Reps, cfg.Quick = 48<<20, 4, 1, true
		must.Do(t, Run(ctx, cfg, emit, func(s string) { t.Log(s) }))
	}
	seen := map[string]int{}
	for _, r := range rows {
		seen[r.Test+" "+r.Allocator]++
		if r.Value < 0 || r.Metric == "percent used" && r.Value > 100 {
			t.Errorf("%+v is impossible", r)
		}
	}
	for _, test := range Tests() {
		for _, a := range []string{"atomic", "cf", "slab"} {
			if seen[test.Name+" "+a] < 2 && test.Name != "regs" {
				t.Errorf("%s has no figure for %s", test.Name, a)
			}
		}
	}
	var b bytes.Buffer
	must.Do(t, WriteCSV(&b, rows))
	again, err := ReadCSV(&b)
	if err != nil || len(again) != len(rows) || !reflect.DeepEqual(again[0].Metric, rows[0].Metric) {
		t.Errorf("%d figures are written, %d read (%v)", len(rows), len(again), err)
	}
	var table, plot bytes.Buffer
	if err := WriteTables(&table, again); err != nil || !strings.Contains(table.String(), "slab") {
		t.Errorf("tables: %v", err)
	}
	if err := WriteSVG(&plot, again); err != nil || strings.Count(plot.String(), "<polyline") < 10 || strings.Contains(plot.String(), "NaN") {
		t.Errorf("plots: %v, %d lines", err, strings.Count(plot.String(), "<polyline"))
	}
	if err := Run(ctx, Config{Tests: []string{"no such"}}, nil, nil); err == nil {
		t.Error("an unknown benchmark runs")
	}
	if err := Run(ctx, Config{Allocators: []string{"no such"}}, nil, nil); err == nil {
		t.Error("an unknown allocator runs")
	}
}

func TestMeshes(t *testing.T) {
	for text, want := range map[string]int{
		"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1/1/1 2/2/2 3//3 4\nf -1 -2 -3\n": 4,
		"f 1 2 3\n":                        -1,
		"v 0 0\n":                          -1,
		"v 0 0 x\n":                        -1,
		"v 0 0 0\nv 1 1 1\nf 1 2 0\n":      -1,
		"v 0 0 0\nv 1 1 1\nf 1 2 -3\n":     -1,
		"# nothing\n":                      -1,
		"v 0 0 0\nv 1 1 1\nf 1 2 1 2 1\n#": 3,
	} {
		path := filepath.Join(t.TempDir(), "mesh.obj")
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
		boxes, err := readOBJ(path)
		if want < 0 && err == nil || want >= 0 && (err != nil || len(boxes) != want) {
			t.Errorf("%q gives %d boxes, %v; want %d", text, len(boxes), err, want)
		}
	}
	if _, err := readOBJ("no/such/file"); err == nil {
		t.Error("a file that does not exist is read")
	}
}
