package benchmarks

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// An oracle gives what a benchmark must give, in plain Go.
type oracle func(args []value.Value) []value.Value

// oracles are registered by the files of the oracles.
var oracles = map[string]oracle{}

// Every benchmark is listed, in order, with a program, an oracle and a tiny set.
func TestSuite(t *testing.T) {
	var listed, there []string
	for _, b := range all {
		listed = append(listed, b.Name)
		if oracles[b.Name] == nil {
			t.Errorf("%s has no oracle", b.Name)
		}
		if _, ok := b.Set("tiny"); !ok {
			t.Errorf("%s has no tiny data set", b.Name)
		}
		if !strings.Contains(b.Source(), "-- ==") {
			t.Errorf("%s has no test block", b.Name)
		}
	}
	dirs := must.Get(fs.ReadDir(files, "."))(t)
	for _, d := range dirs {
		if d.Name() != "hand" && d.Name() != "roofline" { // not programs of the suite
			there = append(there, d.Name())
		}
	}
	if !sort.StringsAreSorted(listed) || !reflect.DeepEqual(listed, there) {
		t.Errorf("listed %v, there are %v", listed, there)
	}
}

// The program's value on its tiny sets is the oracle's, and so is what stands in
// NAME/data, tiny.in and tiny.out, for `memc test`. With MEMC_GOLDEN=1 these files
// are written anew, from the oracle.
func TestTiny(t *testing.T) {
	for _, b := range all {
		p, list := driver.Check(diag.NewFile(b.Path(), b.Source()))
		if err := list.Err(); err != nil {
			t.Error(err)
			continue
		}
		for _, set := range b.Sets {
			if !strings.HasPrefix(set.Name, "tiny") {
				continue
			}
			t.Run(b.Name+"/"+set.Name, func(t *testing.T) {
				t.Parallel()
				args := set.Args()
				want := oracles[b.Name](args)
				got := must.Get(interp.ByValue(p, "main", args, interp.Options{}))(t)
				compare(t, p.Func("main"), want, got)
				golden(t, filepath.Join(b.Name, "data", set.Name+".in"), args, value.Exact)
				golden(t, filepath.Join(b.Name, "data", set.Name+".out"), want, value.Tolerance{Rel: 1e-6, Abs: 1e-12})
			})
		}
	}
}

// compare holds results, without those that are only sizes, against those wanted.
func compare(t *testing.T, f *ir.Func, want, got []value.Value) {
	t.Helper()
	var shown []value.Value
	for i, v := range got {
		if !f.SizeResult(i) {
			shown = append(shown, v)
		}
	}
	if len(shown) != len(want) {
		t.Fatalf("%d results, expected %d", len(shown), len(want))
	}
	for i := range want {
		if d := value.Diff(want[i], shown[i], value.DefaultTolerance); d != "" {
			t.Errorf("result %d: %s", i, d)
		}
	}
}

// golden compares a file of values with what it must hold.
func golden(t *testing.T, path string, want []value.Value, tol value.Tolerance) {
	if os.Getenv("MEMC_GOLDEN") != "" {
		var text bytes.Buffer
		for _, v := range want {
			text.WriteString(v.Text() + "\n")
		}
		if old, err := read(path); err == nil && same(want, old, tol) {
			return
		}
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o777))
		must.Do(t, os.WriteFile(path, text.Bytes(), 0o666))
		return
	}
	got := must.Get(read(path))(t)
	if !same(want, got, tol) {
		t.Errorf("%s does not hold what the generator and the oracle give (MEMC_GOLDEN=1 writes it)", path)
	}
}

func read(path string) ([]value.Value, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return value.NewReader(path, data).All()
}

func same(want, got []value.Value, tol value.Tolerance) bool {
	if len(want) != len(got) {
		return false
	}
	for i := range want {
		if value.Diff(want[i], got[i], tol) != "" {
			return false
		}
	}
	return true
}

// toF32 returns the elements of an f32 array.
func toF32(v value.Value) []float32 {
	xs := make([]float32, v.Elems())
	for i := range xs {
		xs[i] = math.Float32frombits(binary.LittleEndian.Uint32(v.Data[4*i:]))
	}
	return xs
}

// toInts returns the elements of an integer array.
func toInts(v value.Value) []int64 {
	xs := make([]int64, v.Elems())
	for i := range xs {
		xs[i] = int64(v.Bits(int64(i)))
	}
	return xs
}

// toInt returns a scalar integer.
func toInt(v value.Value) int64 { return int64(v.Bits(0)) }

// fromInts makes an integer array.
func fromInts(p ir.Prim, xs []int64, shape ...int64) value.Value {
	return build(p, shape, func(i int64) uint64 { return uint64(xs[i]) })
}

// narrow makes an f32 array of f64 numbers.
func narrow(xs []float64, shape ...int64) value.Value {
	out := make([]float32, len(xs))
	for i, x := range xs {
		out[i] = float32(x)
	}
	return floats(out, shape...)
}
