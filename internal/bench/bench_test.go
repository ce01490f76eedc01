package bench

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
)

func TestSummary(t *testing.T) {
	s := Summarise([]int64{50, 10, 30, 20, 40})
	if want := (Summary{Median: 30, Low: 20, High: 40, Min: 10, Max: 50}); s != want {
		t.Errorf("got %+v, want %+v", s, want)
	}
	if got := s.Spread(); got != 1.0/3 {
		t.Errorf("spread %v", got)
	}
	if s := Summarise([]int64{7}); s.Median != 7 || s.Low != 7 || s.Spread() != 0 {
		t.Errorf("one run: %+v", s)
	}
	if s := Summarise([]int64{1, 2}); s.Median != 1.5 {
		t.Errorf("two runs: %+v", s)
	}
	if (Summarise(nil) != Summary{}) {
		t.Error("no runs")
	}
	a, b := Summarise([]int64{10, 11, 12}), Summarise([]int64{12, 13, 14})
	if !a.Apart(b) || !b.Apart(a) || a.Apart(a) {
		t.Error("apart")
	}
}

func TestConfigs(t *testing.T) {
	got, _, err := ParseConfigs([]string{"none", "mine=explicit,explicit"})
	if err != nil || len(got) != 2 || !reflect.DeepEqual(got[1], Config{Name: "mine", Passes: []string{"explicit", "explicit"}}) {
		t.Errorf("got %v, %v", got, err)
	}
	got, _, err = ParseConfigs([]string{"scope", "none", "both@driver"})
	if err != nil || len(got) != 3 || !got[0].Hold || got[1].Hold || got[2].Allocator != "driver" || got[2].Name != "both" {
		t.Errorf("got %v, %v", got, err)
	}
	got, _, err = ParseConfigs([]string{"both", "free=explicit,lift,coalesce:-access,lower,reuse"})
	if err != nil || len(got) != 2 || got[1].Passes[2] != "coalesce:-access" {
		t.Errorf("switches of passes: %v %v", got, err)
	}
	// What compiles to the same is measured once.
	got, notes, err := ParseConfigs([]string{"none", "again=inline,simplify,fuse,simplify,explicit"})
	if err != nil || len(got) != 1 || len(notes) != 1 || !strings.Contains(notes[0], "again is left out: it is the same as none") {
		t.Errorf("got %v, %v, %v", got, notes, err)
	}
	for text, want := range map[string]string{
		"both@dirver":  "configuration both@dirver: unknown allocator \"dirver\": expected driver, tagged, region",
		"boht":         `unknown configuration "boht" (did you mean "both"?)`,
		"x=explicti":   `configuration x: unknown pass "explicti"; did you mean "explicit"?`,
		"=explicit":    "expected NAME=PASS,PASS",
		"a,b=explicit": "in a --config of its own",
	} {
		if _, _, err := ParseConfigs([]string{text}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

// sample is a report with all kinds of outcomes.
func sample() *Report {
	return &Report{Outcomes: []Outcome{
		{Program: "b/nw.ir", Entry: "main", Set: "small", Config: "none", Allocator: "region", Device: "d", Passes: []string{"explicit"},
			Runtimes: []int64{2000, 2100, 1900}, PeakBytes: 4000, Lower: 3500, PeakHeld: 8000, Allocs: 5, DriverAllocs: 4, SteadyAllocs: 1, CopiedBytes: 1500, Kernels: 7, Static: Static{3, 2, 1}},
		{Program: "b/nw.ir", Entry: "main", Set: "small", Config: "both", Allocator: "tagged", Device: "d", Passes: []string{"explicit", "reuse"},
			Runtimes: []int64{1000, 1000, 1000}, PeakBytes: 3000, Allocs: 3, Kernels: 7, Static: Static{1, 0, 1}},
		{Program: "b/nw.ir", Entry: "step", Set: "small", Config: "none", Error: "out of\nmemory | really"},
	}}
}

func TestJSON(t *testing.T) {
	var text bytes.Buffer
	must.Do(t, sample().WriteJSON(&text))
	for _, want := range []string{
		`"b/nw.ir [both tagged]": {`, `"b/nw.ir:step [none]": {`, `"datasets": {`, `"runtimes": [`, `"device": 3000`, `"small": "out of\nmemory | really"`,
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%s\nhas no %s", text.String(), want)
		}
	}
	got, err := ReadJSON(&text)
	if err != nil || !reflect.DeepEqual(got, sample()) {
		t.Errorf("got %+v, %v", got, err)
	}
}

// A report as Futhark writes it.
const futhark = `{"rodinia/nw.fut": {"datasets": {"small": {"bytes": {"device": 5000}, "runtimes": [900, 910], "stderr": ""}}}}`

func TestJSONOfFuthark(t *testing.T) {
	r, err := ReadJSON(strings.NewReader(futhark))
	if err != nil || len(r.Outcomes) != 1 || r.Outcomes[0].PeakBytes != 5000 || len(r.Outcomes[0].Runtimes) != 2 {
		t.Fatalf("got %+v, %v", r, err)
	}
	changes := Compare(r, sample())
	if len(changes) != 3 || changes[0].Old == nil || changes[1].Old == nil || changes[2].Old != nil {
		t.Fatalf("got %+v", changes)
	}
	// 2000 us after 900, and fewer bytes.
	if !changes[0].Worse(0.05) || changes[0].Worse(2) {
		t.Error("slower")
	}
	for _, bad := range []string{"", "[]", `{"x": {}}`, `{"x": {"datasets": {"y": 1}}}`} {
		if _, err := ReadJSON(strings.NewReader(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

func TestTable(t *testing.T) {
	var text bytes.Buffer
	must.Do(t, sample().WriteTable(&text))
	squeezed := strings.Join(strings.Fields(text.String()), " ")
	for _, want := range []string{
		"| nw | small | none | 5 (3) | 4, 1 | 2 | 7 | 1.50 kB | 4.00 kB | | 3.50 kB | 8.00 kB | 2.00 ms | ±2 % | |",
		"| | | both tagged | 3 (1) | 0, 0 | 0 | 7 | 0 B | 3.00 kB | -25.0 % | 0 B | 0 B | 1.00 ms | ±0 % | -50.0 % |",
		`| nw:step | small | none | failed: out of memory \| really |`,
		"Measured on d, up to 3 runs each",
	} {
		if !strings.Contains(squeezed, want) {
			t.Errorf("%s\nhas no line %s", text.String(), want)
		}
	}
}

func TestCompare(t *testing.T) {
	after := sample()
	after.Outcomes[0].PeakBytes = 4001
	after.Outcomes[1].Error, after.Outcomes[1].Runtimes = "boom", nil
	after.Outcomes = after.Outcomes[:2]
	changes := Compare(sample(), after)
	if len(changes) != 3 || changes[2].New != nil {
		t.Fatalf("got %+v", changes)
	}
	for i, want := range []bool{true, true, false} {
		if changes[i].Worse(0.05) != want {
			t.Errorf("change %d: worse is %v", i, !want)
		}
	}
	var text bytes.Buffer
	must.Do(t, WriteChanges(&text, changes))
	for _, want := range []string{"+0.0 %", "fails now: boom", "only in the first report", "2 of 3 are worse"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%s\nhas no %s", text.String(), want)
		}
	}
	if got := Compare(sample(), sample()); got[0].Worse(0) || got[1].Worse(0) {
		t.Error("equal reports differ")
	}
}

func TestUnits(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.00 kB", 9995: "10.0 kB", 999499: "999 kB", 999500: "1.00 MB", 12_345_678_901: "12.3 GB"} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %s, want %s", n, got, want)
		}
	}
	for us, want := range map[float64]string{12: "12 us", 1234: "1.23 ms", 99_960: "100 ms", 2.5e6: "2.50 s"} {
		if got := Micros(us); got != want {
			t.Errorf("Micros(%v) = %s, want %s", us, got, want)
		}
	}
}

const program = `entry main [n] (xs: [n]i32) : [n]i32 = {
  let ys = map (i < n) { in xs[i] + 1 }
  let zs = copy ys
  in zs
}
`

func TestRun(t *testing.T) {
	ctx, err := runtime.Open("", runtime.Options{})
	if errors.Is(err, runtime.ErrNoOpenCL) || errors.Is(err, runtime.ErrNoDevice) {
		if _, err := Run(nil, Options{}); err == nil {
			t.Error("no error without a device")
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx.Close()
	args := func(n int64) func(*ir.Func) ([]value.Value, error) {
		return func(*ir.Func) ([]value.Value, error) { return []value.Value{value.New(ir.I32, []int64{n})}, nil }
	}
	refuse := func(*ir.Func) ([]value.Value, error) { return nil, errors.New("no data") }
	var finished int
	r, err := Run([]Program{
		{Name: "p.ir", File: diag.NewFile("p.ir", program), Entry: "main", Sets: []Set{{"a", args(100)}, {"b", refuse}}},
		{Name: "q.ir", File: diag.NewFile("q.ir", "entry main"), Entry: "main", Sets: []Set{{"a", args(1)}}},
	}, Options{
		Configs: []Config{{Name: "none", Passes: []string{"explicit"}}, {Name: "again", Passes: []string{"explicit", "explicit"}}}, Allocators: []string{"driver", "region"}, Warmup: 1, Runs: 4,
		Progress: func(p Progress) {
			if p.Finished {
				finished++
			}
		},
	})
	if err != nil || len(r.Outcomes) != 12 || finished != 3 {
		t.Fatalf("%d outcomes, %d data sets, %v", len(r.Outcomes), finished, err)
	}
	for _, o := range r.Outcomes[:4] {
		if o.Error != "" || len(o.Runtimes) != 4 || o.PeakBytes < 800 || o.PeakBytes > 1200 || o.Allocs != 3 || o.Lower != 800 || o.CopiedBytes != 400 || o.Kernels != 1 || o.Static != (Static{2, 1, 1}) {
			t.Errorf("got %+v", o)
		}
	}
	if rises := r.Rises(); len(rises) != 0 {
		t.Errorf("merging raises %v", rises)
	}
	r.Outcomes = append(r.Outcomes, r.Outcomes[0])
	last := &r.Outcomes[len(r.Outcomes)-1]
	last.Config, last.PeakBytes = "both", last.PeakBytes+1
	if rises := r.Rises(); len(rises) != 1 || !strings.Contains(rises[0], "p.ir, a: 1201 bytes with both driver, 1200 without merging") {
		t.Errorf("got %q", rises)
	}
	r.Outcomes = r.Outcomes[:len(r.Outcomes)-1]
	if r.Outcomes[0].SteadyAllocs != 3 || r.Outcomes[1].SteadyAllocs != 0 {
		t.Errorf("the driver makes %d and %d buffers for 3 blocks", r.Outcomes[0].SteadyAllocs, r.Outcomes[1].SteadyAllocs)
	}
	if twin := r.Outcomes[3]; twin.Same != "none" || twin.Config != "again" || !reflect.DeepEqual(twin.Runtimes, r.Outcomes[1].Runtimes) {
		t.Errorf("the same program under another name: %+v", twin)
	}
	if r.Failed() != 8 || r.Outcomes[4].Error != "no data" || !strings.Contains(r.Outcomes[8].Error, "q.ir:1:") {
		t.Errorf("got %+v", r.Outcomes[4:])
	}
}

// TestTune holds the tuner to its promise: it names only thresholds of the program, and
// only values that they may have.
func TestTune(t *testing.T) {
	const text = `entry main [n] (xs: [n]i32) : i32 = {
  let s = reduce (i < n) op (a, b) { in a + b } neutral (0) { in xs[i] }
  in s
}`
	args := func(*ir.Func) ([]value.Value, error) {
		return []value.Value{value.New(ir.I32, []int64{5000})}, nil
	}
	p := Program{Name: "sum", File: diag.NewFile("sum.ir", text), Entry: "main", Sets: []Set{{Name: "zeros", Args: args}}}
	var told strings.Builder
	got := must.Get(Tune([]Program{p}, Options{Runs: 1, Lower: imp.Options{Tuning: imp.Tuning{"max-share": 32}}}, &told))(t)
	for name, v := range got {
		h, ok := imp.ThresholdNamed(name)
		if !ok || v < h.Least || v > h.Most {
			t.Errorf("%s %d", name, v)
		}
	}
	// It divides first. Whether that helps, and so what comes next, is the machine's to say.
	for _, tried := range [][]string{{"share-work 16"}, {"max-share 8"}, {"max-share 2", "max-share 128"}} {
		if !slices.ContainsFunc(tried, func(part string) bool { return strings.Contains(told.String(), part+":") }) {
			t.Errorf("it tried none of %q:\n%s", tried, told.String())
		}
	}
	if strings.Contains(told.String(), "hist-bytes") {
		t.Errorf("a sum does not depend on hist-bytes:\n%s", told.String())
	}
}
