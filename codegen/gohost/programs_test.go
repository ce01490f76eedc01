//go:build cgo

package gohost_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/codegen/opencl"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/run/exec"
	"github.com/memc-lang/memc/internal/test/filetest"
	"github.com/memc-lang/memc/internal/test/load"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
)

// The requests and answers of testdata/harness.
type (
	wireValue struct {
		Type  string  `json:"type"`
		Array bool    `json:"array"`
		Shape []int64 `json:"shape"`
		Data  []byte  `json:"data"`
	}
	request struct {
		Program, Method string
		Args            []wireValue
		Last            bool
	}
	response struct {
		Results           []wireValue
		Kind, Code, Error string
		Live              int
		Stats             runtime.Stats
	}
)

// A run is one call of a program's entry, and what the interpreter makes of it.
type run struct {
	path  string
	line  int
	low   *imp.Program
	f     *ir.Func
	args  []value.Value
	want  []value.Value
	fails error
	says  *regexp.Regexp // what the file demands of the message; nil: nothing
}

// TestPrograms generates packages from the examples and from programs of the
// language's tests, builds them all at once, and runs their test blocks; the
// interpreter by value is the oracle, also for the message of a failing run. Each
// run is made twice: the second asks the driver for nothing, and does what
// internal/run/exec does: as many allocations, copies and launches, with the same peak,
// or the same message.
// MEMC_ALL=1 takes all programs there are.
func TestPrograms(t *testing.T) {
	all := os.Getenv("MEMC_ALL") != ""
	paths := must.Get(filetest.HostSample(filepath.Join("..", "..", "testdata"), all))(t)
	patterns := []string{"testdata/*.ir", "../../examples/*.ir", "../../testdata/c/neg-words.ir"}
	if all {
		patterns = append(patterns, "../../benchmarks/*/*.ir")
	}
	for _, pattern := range patterns {
		more, err := filepath.Glob(pattern)
		if err != nil || len(more) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		paths = append(paths, more...)
	}
	m := newModule(t)
	var runs []run
	var requests, imports, table strings.Builder
	enc := json.NewEncoder(&requests)
	programs := 0
	for _, path := range paths {
		list := runsOf(t, path)
		if len(list) == 0 {
			continue
		}
		name := fmt.Sprintf("p%d", programs)
		programs++
		low := m.add(load.Checked(t, path, must.Read(t, path)), name)
		fmt.Fprintf(&imports, "\t%q\n", "example.com/user/"+name)
		fmt.Fprintf(&table, "\t%q: func(o host.Options) (any, error) { return %s.Open(o) },\n", name, name)
		for i, r := range list {
			q := request{Program: name, Method: method(r.f.Name), Last: i == len(list)-1}
			for _, a := range r.args {
				q.Args = append(q.Args, wireValue{goType(a.Prim), a.Shape != nil, a.Shape, a.Data})
			}
			must.Do(t, enc.Encode(q))
			r.low = low
			runs = append(runs, r)
		}
	}
	m.write("main.go", must.Read(t, "testdata/harness/main.go"))
	m.write("programs.go", fmt.Sprintf("package main\n\nimport (\n\t\"github.com/memc-lang/memc/runtime/host\"\n%s)\n\nvar programs = map[string]func(host.Options) (any, error){\n%s}\n", &imports, &table))
	m.run("", "go", "build", "-o", "harness", ".")
	m.run("", "go", "vet", "./...")
	out, err := m.try(requests.String(), filepath.Join(m.dir, "harness"))
	if err != nil {
		t.Error(err)
	}
	ctx := must.Get(runtime.Open("", runtime.Options{}))(t)
	defer ctx.Close()
	dec := json.NewDecoder(strings.NewReader(out))
	var prepared *exec.Prepared
	for i, r := range runs {
		var a response
		if err := dec.Decode(&a); err != nil {
			t.Fatalf("%s:%d: no answer: %v", r.path, r.line, err)
		}
		r.compare(t, a)
		if prepared == nil {
			if prepared, err = exec.Prepare(ctx, r.low, opencl.Kernels(r.low), exec.Options{}); err != nil {
				t.Fatalf("%s: %v", r.path, err)
			}
		}
		if r.fails == nil {
			r.compareStats(t, ctx, prepared, a.Stats)
		} else if _, err := prepared.Call(r.f.Name, r.args); said(err) != [2]string{firstLine(a.Error), a.Code} {
			t.Errorf("%s:%d: memc run says\n%v\nand the Go host (%s)\n%s", r.path, r.line, err, a.Code, a.Error)
		}
		if i+1 == len(runs) || runs[i+1].low != r.low {
			prepared.Close()
			prepared = nil
		}
	}
	t.Logf("%d runs of %d programs", len(runs), programs)
}

// runsOf returns the runs of a file's test blocks.
func runsOf(t *testing.T, path string) (list []run) {
	t.Helper()
	text := must.Read(t, path)
	blocks := must.Get(filetest.Blocks(text, filepath.Dir(path)))(t)
	var p *ir.Program
	for _, b := range blocks {
		for _, c := range b.Cases {
			if !c.HasInput || c.ByMemory { // by value it succeeds
				continue
			}
			if p == nil {
				p = load.Checked(t, path, text)
			}
			f := p.Func(c.Entry)
			args, err := filetest.ReadValues("input", c.Input, f)
			if err != nil {
				t.Fatalf("%s:%d: %v", path, c.Line, err)
			}
			if len(args) != len(f.Params) || !fit(f, args) {
				continue // the types of Go exclude that
			}
			r := run{path: path, line: c.Line, f: f, args: args, says: c.Fails}
			r.want, r.fails = interp.ByValue(p, c.Entry, args, interp.Options{})
			list = append(list, r)
		}
	}
	return list
}

// fit reports whether arguments have the types of their parameters.
func fit(f *ir.Func, args []value.Value) bool {
	for i, a := range args {
		t := f.Params[i].Type
		if a.Prim != t.Prim || (a.Shape != nil) != (t.Kind == ir.ArrayKind) {
			return false
		}
	}
	return true
}

// said returns the text of an error, as a Go package has it, and its code.
func said(err error) (said [2]string) {
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		text := strings.Replace(d.Error(), fmt.Sprintf("error[%s]: ", d.Code), "", 1)
		said = [2]string{strings.Replace(text, d.File.Name, filepath.Base(d.File.Name), 1), string(d.Code)}
	}
	return said
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

func (r *run) compare(t *testing.T, a response) {
	t.Helper()
	where := fmt.Sprintf("%s:%d", r.path, r.line)
	if a.Live > 1 { // what the harness's own program has
		t.Errorf("%s: %d blocks are left", where, a.Live)
	}
	if r.fails != nil {
		by := said(r.fails)
		want, code := by[0], by[1]
		if strings.Contains(want, "out of memory") && a.Kind == "out of memory" {
			return // each in its own words
		}
		got := firstLine(a.Error)
		// Passes may have moved another check of the same statement to the front.
		right := withoutColumn(got) == withoutColumn(want) && a.Code == code || r.says != nil && r.says.MatchString(got)
		if !right || a.Kind != "fault" {
			t.Errorf("%s: error (%s)\n%s\nby value\n%s", where, a.Kind+" "+a.Code, a.Error, want)
		}
		return
	}
	if a.Error != "" {
		t.Errorf("%s: %s", where, a.Error)
		return
	}
	if n := a.Stats.DriverAllocs; n != 0 {
		t.Errorf("%s: the second call asked the driver for %d buffers", where, n)
	}
	var want []value.Value
	for i, v := range r.want {
		if !r.f.SizeResult(i) {
			want = append(want, v)
		}
	}
	if len(a.Results) != len(want) {
		t.Errorf("%s: %d results of %d", where, len(a.Results), len(want))
		return
	}
	for i, w := range want {
		g := a.Results[i]
		got := value.Value{Prim: prim(g.Type), Data: g.Data}
		if g.Array {
			got.Shape = g.Shape
		}
		if d := value.Diff(w, got, value.DefaultTolerance); d != "" {
			t.Errorf("%s: result %d: %s", where, i, d)
		}
	}
}

// compareStats runs the program in this process.
func (r *run) compareStats(t *testing.T, ctx *runtime.Context, p *exec.Prepared, got runtime.Stats) {
	t.Helper()
	ctx.ResetStats()
	if _, err := p.Call(r.f.Name, r.args); err != nil {
		t.Errorf("%s:%d: %v", r.path, r.line, err)
		return
	}
	figures := func(s runtime.Stats) string {
		return fmt.Sprintf("%d blocks, %d bytes copied, %d launches, peak %d", s.AllocRequests, s.CopiedBytes, s.KernelLaunches, s.PeakBytes)
	}
	if g, w := figures(got), figures(ctx.Stats()); g != w {
		t.Errorf("%s:%d: %s; in-process: %s", r.path, r.line, g, w)
	}
}

// withoutColumn drops the column from "file:line:col: message": passes may find an
// index out of bounds before the expression that the interpreter names, in the
// same statement.
func withoutColumn(msg string) string {
	parts := strings.SplitN(msg, ":", 4)
	if len(parts) < 4 {
		return msg
	}
	return parts[0] + ":" + parts[1] + ":" + parts[3]
}

// goType and prim translate between the language's types and Go's.
func goType(p ir.Prim) string {
	switch {
	case p == ir.Bool:
		return "bool"
	case p == ir.F16:
		return "host.Float16"
	case p.Float():
		return "float" + p.String()[1:]
	case p.Unsigned():
		return "uint" + p.String()[1:]
	}
	return "int" + p.String()[1:]
}

func prim(name string) ir.Prim {
	for _, p := range ir.Prims {
		if goType(p) == name {
			return p
		}
	}
	return ir.Unknown
}

// method returns the name of an entry's method where no rule but the plain one is at
// work.
func method(entry string) string {
	var b strings.Builder
	for _, w := range strings.Split(entry, "_") {
		if w != "" {
			b.WriteString(strings.ToUpper(w[:1]) + w[1:])
		}
	}
	return b.String()
}
