package benchdoc

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/bench"
	"github.com/memc-lang/memc/internal/test/must"
)

const thesisText = `# a source
program,benchmark,pipeline,data,peak_before_kB,peak_after_kB,time_before_ms,time_after_ms
nw,nw,GPU,a,100,50,10,11
nw,nw,GPU,b,100,70,10,9
nw,nw-old,CPU,a,100,90,,
,keys,GPU,a,1,1,,
`

const futharkText = `program,data,set,peak_bytes,allocations,time_us
nw,512,small,1999,7,1000
nw,large,,5,7,1000
`

const notesText = `For the reader of the file.

## nw
less: because of this
and of that.

slower: noise

## lud
general: a remark
`

// outcome is a measurement of nw on its small set.
func outcome(config string, peak, lower int64, runtimes ...int64) bench.Outcome {
	return bench.Outcome{Program: "b/nw.ir", Entry: "main", Set: "small", Config: config, Device: "an H200", PeakBytes: peak, Lower: lower, Runtimes: runtimes}
}

func document(t *testing.T, outcomes ...bench.Outcome) *Document {
	t.Helper()
	d := &Document{}
	d.Thesis = must.Get(ReadThesis(strings.NewReader(thesisText)))(t)
	d.Futhark = must.Get(ReadFuthark(strings.NewReader(futharkText)))(t)
	d.Notes = must.Get(ReadNotes(strings.NewReader(notesText)))(t)
	d.Add(Named{"bench/here.json", &bench.Report{Outcomes: outcomes}})
	return d
}

func TestSavings(t *testing.T) {
	d := document(t)
	got := savings(d.Thesis, "nw")
	if len(got) != 2 || math.Abs(got[0].Peak-0.4) > 1e-9 || math.Abs(got[0].Time) > 1e-9 || !got[0].Timed || got[1].Timed || math.Abs(got[1].Peak-0.1) > 1e-9 {
		t.Errorf("got %+v", got)
	}
	if len(savings(d.Thesis, "")) != 0 || len(savings(d.Thesis, "other")) != 0 {
		t.Error("savings of no program")
	}
}

func TestNotes(t *testing.T) {
	n := document(t).Notes
	if len(n) != 3 || n[Key{"nw", Less}] != "because of this and of that." || n[Key{"lud", general}] != "a remark" {
		t.Errorf("got %q", n)
	}
	for _, bad := range []string{"## nw\nwhat: x", "## nw\nno colon", "## nw\nless: a\n\nless: b"} {
		if _, err := ReadNotes(strings.NewReader(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
	for _, bad := range []string{"a,b\n1,2\n", "program,data,set,peak_bytes,allocations,time_us\nnw,512,small,x,7,1\n"} {
		if _, err := ReadFuthark(strings.NewReader(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

func TestCases(t *testing.T) {
	for _, c := range []struct {
		what       string
		none, both bench.Outcome
		want       string
	}{
		{"nothing to explain", outcome("none", 2000, 1000, 900), outcome("both", 1000, 1000, 900), ""},
		{"half of it, 40 % in the thesis", outcome("none", 2000, 1200, 900), outcome("both", 1200, 1200, 900), ""},
		{"less than the thesis", outcome("none", 2000, 1900, 900), outcome("both", 1900, 1900, 900), "less"},
		{"slower", outcome("none", 2000, 1000, 800, 810, 820, 830), outcome("both", 1000, 1000, 900, 910, 920, 930), "slower"},
		{"slower in too few runs", outcome("none", 2000, 1000, 800, 810, 820), outcome("both", 1000, 1000, 900, 910, 920), ""},
		{"slower, but the best runs are alike", outcome("none", 2000, 1000, 800, 810, 820, 830), outcome("both", 1000, 1000, 800, 910, 920, 930), ""},
		{"above the bound", outcome("none", 2000, 1000, 900), outcome("both", 1100, 1050, 900), "bound"},
		{"above Futhark", outcome("none", 4000, 2000, 900), outcome("both", 2000, 2000, 900), "above"},
		{"slower than Futhark", outcome("none", 2000, 1000, 1200), outcome("both", 1000, 1000, 1200), "behind"},
	} {
		d := document(t, c.none, c.both)
		var got []string
		for _, x := range d.Cases() {
			got = append(got, x.Kind)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: got %v, want %s", c.what, d.Cases(), c.want)
		}
		for _, x := range d.Unexplained() {
			if x.Kind == Less || x.Kind == Slower {
				t.Errorf("%s: %v has a note", c.what, x)
			}
		}
		if want := c.want == "bound" || c.want == "above" || c.want == "behind"; (len(d.Unexplained()) > 0) != want {
			t.Errorf("%s: unexplained %v", c.what, d.Unexplained())
		}
	}
	// What is the same program cannot be slower than itself.
	same := outcome("both", 1000, 1000, 2000)
	same.Same = "none"
	if got := document(t, outcome("none", 1000, 1000, 100), same).slower(&Section{}, document(t, outcome("none", 1000, 1000, 100), same).sections[0].All[0]); got != nil {
		t.Errorf("got %v", got)
	}
}

func TestWrite(t *testing.T) {
	failed := outcome("both", 0, 0)
	failed.Program, failed.Error = "b/lud.ir", "no | memory"
	other := outcome("none", 10, 10, 10)
	other.Program = "b/lud.ir"
	held := outcome("both", 1900, 1900, 900)
	held.Allocator = "driver"
	d := document(t, outcome("scope", 4000, 1900, 900), outcome("none", 2000, 1900, 900), outcome("both", 1900, 1900, 900), held, other, failed)
	d.Command([]string{"bench/here.json"}, "docs/b.md")
	var b bytes.Buffer
	must.Do(t, d.Write(&b))
	squeezed := strings.Join(strings.Fields(b.String()), " ")
	for _, want := range []string{
		"`memc bench report bench/here.json -o docs/b.md` makes this page", "## here: an H200", "![peak](b-here-peak.svg)",
		"| nw | small | 0 | 0 | 0 B | 0 | 4.00 kB | 2.00 kB | | | 1.90 kB | 5.0 % | 1.90 kB | 0.0 % |",
		`| lud | small | failed: no \| memory |`,
		"| nw | nw | GPU | 40.0 | 0.0 | small | 5.0 | 52.5 | 0.0 ~ |", "| | nw-old | CPU | 10.0 |",
		"| nw | 512 | 2.00 kB | 7 | 1.00 ms | 1.90 kB | -5.0 % | 0 | 900 us | 0.90x |",
		"takes less time than Futhark's for 1 of 1 figures (here), and 0.90 of its time in the geometric mean.",
		"*Saves less than in the thesis:* small saves 5.0 % of its peak; in the thesis, nw saves 40.0 % (GPU); memc saves 52.5 % compared with scope (here). Because of this and of that.",
		"### lud - A remark", "| program | data | region: held | buffers | driver: held |",
	} {
		if !strings.Contains(squeezed, want) {
			t.Errorf("%s\nhas no %s", b.String(), want)
		}
	}
	for _, write := range []func(io.Writer) error{d.Sections()[0].WritePeaks, d.Sections()[0].WriteTimes} {
		b.Reset()
		must.Do(t, write(&b))
		for dec := xml.NewDecoder(&b); ; {
			if _, err := dec.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestRead(t *testing.T) {
	if _, err := Read([]string{"no/such.json"}, "."); err == nil {
		t.Error("a report that is missing was read")
	}
	dir := t.TempDir()
	report, notes := filepath.Join(dir, "a.json"), filepath.Join(dir, "notes.md")
	must.Do(t, os.WriteFile(report, []byte("{}"), 0o600))
	if d, err := Read([]string{report}, dir); err != nil || d.Thesis != nil || len(d.Sections()) != 1 {
		t.Errorf("got %+v, %v", d, err)
	}
	must.Do(t, os.WriteFile(notes, []byte("## a\nwrong"), 0o600))
	if _, err := Read([]string{report}, dir); err == nil || !strings.Contains(err.Error(), "notes.md: line 2") {
		t.Errorf("got %v", err)
	}
}

// kept are the reports of the repository.
func kept(t *testing.T) (*Document, []string) {
	t.Helper()
	root := filepath.Join("..", "..", "..")
	paths, err := filepath.Glob(filepath.Join(root, "bench", "programs", "*.json"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no kept report: %v", err)
	}
	d := must.Get(Read(paths, filepath.Join(root, "bench", "programs")))(t)
	for i := range paths {
		paths[i] = "bench/programs/" + filepath.Base(paths[i])
	}
	return d, paths
}

// Every case of the kept reports is explained, no measurement failed, and no
// merging raised a peak.
func TestKept(t *testing.T) {
	d, paths := kept(t)
	for _, c := range d.Unexplained() {
		t.Errorf("bench/programs/notes.md has no note on %s, %s (%s): %s", c.Program, c.Kind, c.Device, c.What)
	}
	for _, path := range paths {
		r := must.Get(ReadReport(filepath.Join("..", "..", "..", path)))(t)
		for _, o := range r.Outcomes {
			if o.Error != "" {
				t.Errorf("%s: %s, %s, %s: %s", path, o.Program, o.Set, o.Config, o.Error)
			}
			if o.Lower > o.PeakBytes {
				t.Errorf("%s: %s, %s, %s: the bound is above the peak", path, o.Program, o.Set, o.Config)
			}
		}
		for _, rise := range r.Rises() {
			t.Errorf("%s: %s", path, rise)
		}
	}
}

// bench/programs/report.md is what the command makes of the kept reports. With MEMC_GOLDEN=1 it is written anew.
func TestDocument(t *testing.T) {
	d, paths := kept(t)
	const report = "bench/programs/report.md"
	d.Command(paths, report)
	files := map[string]func(io.Writer) error{report: d.Write}
	for _, s := range d.Sections() {
		files[d.Chart(s, "peak")], files[d.Chart(s, "time")] = s.WritePeaks, s.WriteTimes
	}
	for path, write := range files {
		var want bytes.Buffer
		must.Do(t, write(&want))
		full := filepath.Join("..", "..", "..", path)
		if os.Getenv("MEMC_GOLDEN") != "" {
			must.Do(t, os.WriteFile(full, want.Bytes(), 0o666))
		}
		if got, err := os.ReadFile(full); err != nil || !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%s is not what the kept reports give (%v)", path, err)
		}
	}
}
