package filetest

import (
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/memc-lang/memc/analysis/arena"
	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/run/exec"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	memrt "github.com/memc-lang/memc/runtime"
)

// fileTest is the common state of the cases of one file.
type fileTest struct {
	file      *diag.File
	passes    string         // the pipeline of the file
	ctx       *memrt.Context // nil: no OpenCL
	lower     imp.Options
	c         bool // run as C too
	allocator string
	built     *driver.Compiled // as C
	compiled  bool
	err       error
	source    *ir.Program // checked, as written
	explicit  *ir.Program // after the passes
	prepared  *exec.Prepared
	unproven  *diag.Diagnostic
}

func (t *fileTest) close() {
	if t.prepared != nil {
		t.prepared.Close()
	}
}

// guard runs a case; a panic is a failure of that case only.
func (t *fileTest) guard(c *Case) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	switch {
	case c.Refused != nil:
		_, _, err := explicit(t.file, t.passes, t.c)
		return matches(err, c.Refused, "compiling")
	case c.Structure != nil:
		return t.structure(c)
	}
	return t.input(c)
}

func (t *fileTest) structure(c *Case) error {
	passes := t.passes
	if c.HasPasses {
		passes = strings.Join(c.Passes, ",")
	}
	_, report, err := explicit(t.file, passes, false)
	if err != nil {
		return err
	}
	for _, k := range c.Structure {
		got := map[string]int{"Alloc": report.After.Alloc, "Copy": report.After.Copy, "Kernel": report.After.Kernel, "Thread": report.After.Thread}[k.What]
		if got != k.N {
			return fmt.Errorf("after passes %q: %s %d, expected %d", passes, k.What, got, k.N)
		}
	}
	return nil
}

// compile makes the program as written and the explicit one, once per file.
func (t *fileTest) compile() error {
	if t.compiled {
		return t.err
	}
	t.compiled = true
	var list *diag.List
	if t.source, list = driver.Check(t.file); list.Err() != nil {
		t.err = list
		return t.err
	}
	var report *pipeline.Report
	t.explicit, report, t.err = explicit(t.file, t.passes, t.c)
	if report != nil && len(report.Unproven) > 0 {
		t.unproven = report.Unproven[0]
	}
	if t.err == nil && t.c {
		t.built, t.err = driver.Compile(t.explicit, t.lower)
	}
	if t.err != nil || t.ctx == nil {
		return t.err
	}
	low, err := driver.Lower(t.explicit, t.lower)
	if err == nil {
		t.prepared, err = exec.Prepare(t.ctx, low.Imp, low.Kernels, exec.Options{})
	}
	t.err = err
	return err
}

// input runs an input in every way: by value as written, by memory after the
// passes, and on OpenCL.
func (t *fileTest) input(c *Case) error {
	if err := t.compile(); err != nil {
		return err
	}
	f := t.source.EntryNamed(c.Entry)
	if f == nil {
		return fmt.Errorf("no entry %q", c.Entry)
	}
	args, err := ReadValues("input", c.Input, f)
	if err != nil {
		return err
	}
	byValue := func() ([]value.Value, error) {
		return interp.ByValue(t.source, f.Name, args, interp.Options{})
	}
	var want []value.Value
	shown := seq(len(f.Results)) // the results that are compared
	switch {
	case c.Auto:
		if want, err = byValue(); err != nil {
			return fmt.Errorf("by value: %w", err)
		}
	case c.Fails == nil:
		if want, shown, err = expected(c, f); err != nil {
			return err
		}
	}
	type way struct {
		how string
		run func() ([]value.Value, error)
	}
	ways := []way{
		{"by value", byValue},
		{"by memory", func() ([]value.Value, error) {
			return interp.ByMemory(t.explicit, f.Name, args, interp.Options{Barriers: arena.New(t.explicit).Barriers()})
		}},
		{"on OpenCL", func() ([]value.Value, error) { return t.prepared.Call(f.Name, args) }},
	}
	if t.ctx == nil {
		ways = ways[:2]
	}
	if c.Auto { // the run by value is the oracle itself
		ways = ways[1:]
	}
	if t.built != nil {
		ways = append(ways, way{"as C", func() ([]value.Value, error) {
			got, _, err := t.built.Run(f.Name, args, driver.RunOptions{Allocator: t.allocator})
			return got, err
		}})
	}
	for _, w := range ways {
		got, err := w.run()
		if c.ByMemory && w.how == "by value" {
			if err != nil {
				return fmt.Errorf("%s: %w", w.how, err)
			}
			continue
		}
		if c.Fails != nil {
			if err := matches(err, c.Fails, "running "+w.how); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", w.how, err)
		}
		if err := compare(w.how, want, got, shown, c.Within); err != nil {
			return err
		}
	}
	if t.ctx != nil && t.ctx.LiveBlocks() != 0 {
		return fmt.Errorf("on OpenCL: %d blocks are live after the call", t.ctx.LiveBlocks())
	}
	return nil
}

// seq is 0 .. n-1.
func seq(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// expected reads the values of an output, with the entry's result types for literals without a
// suffix. As in the language's first version, an output may omit sizes among the results, because
// the arrays show them. shown are the results that have values.
func expected(c *Case, f *ir.Func) (want []value.Value, shown []int, err error) {
	var arrays []int // and scalars that are no sizes
	for i := range f.Results {
		if !f.SizeResult(i) {
			arrays = append(arrays, i)
		}
	}
	shown = seq(len(f.Results))
	want, err = ReadResults("output", c.Output, f, shown)
	if err != nil && len(arrays) < len(shown) {
		short, e := ReadResults("output", c.Output, f, arrays)
		return short, arrays, e // who leaves the sizes out counts so
	}
	return want, shown, err
}

// ReadResults reads the values of some of an entry's results, with their types for
// literals without a suffix.
func ReadResults(name, text string, f *ir.Func, shown []int) ([]value.Value, error) {
	r := value.NewReader(name, []byte(text))
	var want []value.Value
	for k, i := range shown {
		v, err := r.Next(f.Results[i].Type.Prim)
		if err == io.EOF {
			return nil, fmt.Errorf("%s holds %d values, but `%s` gives %d", name, k, f.Name, len(shown))
		}
		if err != nil {
			return nil, fmt.Errorf("output: %w", err)
		}
		want = append(want, v)
	}
	if rest, err := r.All(); err != nil || len(rest) > 0 {
		return nil, fmt.Errorf("%s holds more than %d values", name, len(want))
	}
	return want, nil
}
