package futharktest

import (
	"errors"
	"fmt"
	"math/rand"
	"os"
	"strings"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/run/exec"
	"github.com/memc-lang/memc/internal/test/filetest"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// maxSteps bounds a run on an input that nobody has thought about.
const maxSteps = 1 << 20

// loose allows for another order of additions, in f16 and on cancellation too.
var loose = value.Tolerance{Rel: 2e-2, Abs: 1e-2}

// Agree runs all dumps of one program on random inputs, and reports differences. The stages of a
// dump are the same program, so the results of each must equal those of the first one by value. The
// shapes are random, including empty ones. The elements are those of the sample's own inputs, which
// the program can process. Agree returns the number of runs that were compared.
func Agree(stages []Sample, rounds int, opt Options, rng *rand.Rand) (runs int, err error) {
	var all []error
	var dumps []*dump
	for _, s := range stages {
		d, err := open(s, opt)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", s.Path, err)
		}
		defer d.close()
		dumps = append(dumps, d)
	}
	for _, c := range stages[0].Cases {
		f := dumps[0].source.EntryNamed(c.Entry)
		if f == nil {
			return runs, fmt.Errorf("%s: no entry `%s`", dumps[0].path, c.Entry)
		}
		text, err := os.ReadFile(c.In)
		if err != nil {
			return runs, err
		}
		seen, err := filetest.ReadValues(c.In, string(text), f)
		if err != nil {
			return runs, err
		}
		for round := range rounds {
			args := randomArgs(f, seen, round, rng)
			want, first := dumps[0].ways[0].run(f.Name, args)
			if first != nil && strings.Contains(first.Error(), "more steps") {
				continue // a program that never ends is not run in other ways
			}
			for _, d := range dumps {
				for _, w := range d.ways {
					got, err := w.run(f.Name, args)
					runs++
					if diff := differ(d.source.EntryNamed(c.Entry), want, got, first, err); diff != "" {
						all = append(all, fmt.Errorf("%s: %s %s: %s\n%s", d.path, c.Entry, w.how, diff, showArgs(args)))
					}
				}
			}
		}
	}
	return runs, errors.Join(all...)
}

// A dump is a stage of a program, ready to run.
type dump struct {
	path   string
	source *ir.Program
	ways   []way
	close  func()
}

func open(s Sample, opt Options) (*dump, error) {
	data, err := os.ReadFile(s.Path)
	if err != nil {
		return nil, err
	}
	source, list := driver.Import(diag.NewFile(s.Path, string(data)))
	if err := list.Err(); err != nil {
		return nil, err
	}
	passes := opt.Passes
	if passes == nil {
		passes = pipeline.DefaultPasses()
	}
	explicit := ir.CloneProgram(source)
	if _, err := pipeline.Run(explicit, passes, pipeline.Options{Verify: opt.Verify, Memcheck: opt.Verify}); err != nil {
		return nil, err
	}
	bound := interp.Options{MaxSteps: maxSteps}
	d := &dump{path: s.Path, source: source, close: func() {}}
	d.ways = []way{
		{"by value", func(e string, a []value.Value) ([]value.Value, error) { return interp.ByValue(source, e, a, bound) }},
		{"by memory", func(e string, a []value.Value) ([]value.Value, error) { return interp.ByMemory(explicit, e, a, bound) }},
	}
	if opt.Ctx == nil {
		return d, nil
	}
	low, err := driver.Lower(explicit, imp.Options{})
	if err != nil {
		return nil, err
	}
	prepared, err := exec.Prepare(opt.Ctx, low.Imp, low.Kernels, exec.Options{})
	if err != nil {
		return nil, err
	}
	d.close = prepared.Close
	d.ways = append(d.ways, way{"on OpenCL", prepared.Call})
	return d, nil
}

// differ compares the results that are no sizes of others, or that both failed.
func differ(f *ir.Func, want, got []value.Value, first, err error) string {
	switch {
	case first != nil && err != nil:
		return ""
	case first != nil:
		return fmt.Sprintf("no fault, where the first stage has one: %v", first)
	case err != nil:
		return fmt.Sprintf("a fault, where the first stage has none: %v", err)
	}
	got = shown(f, got)
	if want = shown(f, want); len(want) != len(got) {
		return fmt.Sprintf("%d results, not %d", len(got), len(want))
	}
	for i := range want {
		if d := value.Diff(want[i], got[i], loose); d != "" {
			return fmt.Sprintf("result %d: %s", i+1, d)
		}
	}
	return ""
}

func shown(f *ir.Func, vs []value.Value) []value.Value {
	var out []value.Value
	for i, v := range vs {
		if len(vs) != len(f.Results) || !f.SizeResult(i) {
			out = append(out, v)
		}
	}
	return out
}

func showArgs(args []value.Value) string {
	text := ""
	for _, a := range args {
		text += a.Text() + "\n"
	}
	return text
}

// randomArgs makes arguments of the shapes that the entry's types allow. The
// first round keeps the sample's shapes, the second has every size zero.
func randomArgs(f *ir.Func, seen []value.Value, round int, rng *rand.Rand) []value.Value {
	sizes := map[string]int64{}
	for i, p := range f.Params {
		for k, d := range p.Type.Shape {
			if d.Name != "" {
				sizes[d.Name] = seen[i].Shape[k]
			}
		}
	}
	if round > 0 {
		for _, p := range f.Params { // in the order of the parameters, not of the map
			for _, d := range p.Type.Shape {
				if _, ok := sizes[d.Name]; ok && d.Name != "" {
					sizes[d.Name] = []int64{0, 1, 2, 3, 4, 5, 7, 16, 33}[rng.Intn(9)]
				}
			}
		}
	}
	if round == 1 {
		for name := range sizes {
			sizes[name] = 0
		}
	}
	args := make([]value.Value, len(f.Params))
	for i, p := range f.Params {
		var shape []int64
		for _, d := range p.Type.Shape {
			if d.Name != "" {
				shape = append(shape, sizes[d.Name])
			} else {
				shape = append(shape, d.Const)
			}
		}
		v := value.New(p.Type.Prim, shape)
		for k := range v.Elems() {
			if n := seen[i].Elems(); n > 0 {
				v.SetBits(k, seen[i].Bits(rng.Int63n(n)))
			}
		}
		if n, ok := sizes[p.Name]; ok && p.Type.Kind == ir.ScalarKind {
			v.SetBits(0, uint64(n))
		}
		args[i] = v
	}
	return args
}
