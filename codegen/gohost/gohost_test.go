package gohost_test

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/codegen/gohost"
	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/codegen/opencl"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/test/load"
	"github.com/memc-lang/memc/internal/test/must"
)

func TestPackageName(t *testing.T) {
	for in, want := range map[string]string{
		"dir/file.ir": "file", "2d-blur.ir": "m2dblur", "Radix_Sort.ir": "radixsort", "": "m", "<stdin>": "stdin",
		"main.ir": "mainprog", "func.ir": "funcprog", "string.ir": "stringprog", `c\d.ir`: "d",
	} {
		if got := gohost.PackageName(in); got != want {
			t.Errorf("PackageName(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestRefusesPackageNames(t *testing.T) {
	for name, msg := range map[string]string{
		"": "is not the name of a Go package", "a-b": "is not the name", "2d": "is not the name", "_": "is not the name",
		"main": "cannot be imported", "func": "is not the name", "host": "has a meaning of its own", "error": "has a meaning of its own",
	} {
		if _, err := gohost.Generate(&imp.Program{}, name); err == nil || !strings.Contains(err.Error(), msg) {
			t.Errorf("package %q: got %v, want %q", name, err, msg)
		}
	}
}

// awkward has names that mean something in Go, to the generated code, or to methods
// that every program has.
const awkward = `
fun helper (c: i64, err: i64) : i64 = { let r = c + err in r }

entry close [n] (p: [n]i32, type: i64, func: i64, host': i64, ret0: i64) : (m: i64, out: [m]i32, nil: i64, len: f64) = {
  let range = type + func
  let c = helper(range, ret0)
  let m = n + c
  let int64: [m]i32 = replicate (m) 7
  let len = f64.nan
  in (m, int64, c, len)
}

entry stats_2 (run_close: bool, entry_stats_2: bool) : bool = { in run_close && entry_stats_2 }
entry _2 (x: *[3]f32) : ([3]f32, [3]f32) = { let y = copy x in (x, y) }
entry nothing (k: i64) : (k1: i64, [k1]i8) = { let k1 = k let z = replicate (k1) 0i8 in (k1, z) }
`

// Awkward names give Go that builds, and what is public is what the documentation
// says; the text is the same every time.
func TestAwkwardNames(t *testing.T) {
	m := newModule(t)
	p := load.Checked(t, "dir/awkward.ir", awkward)
	m.add(p, "awkward")
	m.run("", "go", "vet", "./...")
	api := must.Read(t, filepath.Join(m.dir, "awkward", gohost.APIFile))
	for _, want := range []string{
		"func (p *Program) EntryClose(p_ *Array[int32], type_, func_, host_, ret0 int64) (out *Array[int32], nil_ int64, len_ float64, err error) {",
		"func (p *Program) Stats2(runClose1, entryStats21 bool) (out bool, err error) {",
		"func (p *Program) Entry2(x *Array[float32]) (out0, out1 *Array[float32], err error) {",
		"func (p *Program) Nothing(k int64) (out *Array[int8], err error) {",
		"// Shapes: p_ [n], out [m].",
		"// It consumes x: the call may write into the argument, which cannot be used afterwards.",
		"//\tclose [n] (p: [n]i32, type: i64, func: i64, host': i64, ret0: i64) : (m: i64, out: [m]i32, nil: i64, len: f64)",
	} {
		if !strings.Contains(api, want) {
			t.Errorf("no %q in\n%s", want, api)
		}
	}
	again, err := gohost.Generate(lower(t, load.Checked(t, "dir/awkward.ir", awkward)), "awkward")
	if err != nil || again.API != api || again.Host != must.Read(t, filepath.Join(m.dir, "awkward", gohost.HostFile)) ||
		again.Tables != must.Read(t, filepath.Join(m.dir, "awkward", gohost.TablesFile)) {
		t.Errorf("the second time the text is another one (%v)", err)
	}
}

// Names of Futhark's dumps lose their numbers where they are seen from outside.
func TestDumpNames(t *testing.T) {
	const text = "entry main [n_2] (xs_3: [n_2]i32, xs_4: i64, x_: i64) : i64 = { in xs_4 + x_ + n_2 }"
	for file, want := range map[string]string{
		"a.fut_gpu_mem": "Main(xs *Array[int32], xs1, x int64)",
		"a.ir":          "Main(xs3 *Array[int32], xs4, x int64)",
	} {
		pkg, err := gohost.Generate(lower(t, load.Checked(t, file, text)), "dump")
		if err != nil || !strings.Contains(pkg.API, want) {
			t.Errorf("no %q in\n%s", want, pkg.API)
		}
	}
}

// A package without entries is a Go package, too.
func TestNoEntry(t *testing.T) {
	m := newModule(t)
	m.add(load.Checked(t, "none.ir", "fun f (x: i64) : i64 = { in x }"), "none")
	m.run("", "go", "vet", "./...")
}

// Generated code lives in other modules, so of this one it imports what is public.
func TestImports(t *testing.T) {
	files, err := filepath.Glob("../../examples/go-host/canny/*.go")
	if err != nil || len(files) != 3 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, name := range files {
		f := must.Get(parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly))(t)
		for _, i := range f.Imports {
			if path := strings.Trim(i.Path.Value, `"`); path != gohost.Support && path != "embed" && path != "math" {
				t.Errorf("%s imports %s", name, path)
			}
		}
	}
}

// The example's package has the interface that is generated today. Its other files
// change with every pass, and serve as well when they are older: MEMC_GOLDEN=1
// rewrites all.
func TestExampleIsCurrent(t *testing.T) {
	const dir = "../../examples/go-host/canny"
	path := "../../examples/canny.ir"
	low := lower(t, load.Checked(t, path, must.Read(t, path)))
	pkg := must.Get(gohost.Generate(low, "canny"))(t)
	if os.Getenv("MEMC_GOLDEN") != "" {
		for name, text := range map[string]string{
			gohost.APIFile: pkg.API, gohost.HostFile: pkg.Host, gohost.TablesFile: pkg.Tables, gohost.KernelsFile: opencl.Kernels(low),
		} {
			must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		}
	}
	if got := must.Read(t, filepath.Join(dir, gohost.APIFile)); got != pkg.API {
		t.Errorf("%s is not what is generated now; MEMC_GOLDEN=1 rewrites it", filepath.Join(dir, gohost.APIFile))
	}
}

// Without checks every operation still gives some value: Go's division panics.
func TestUnsafe(t *testing.T) {
	m := newModule(t)
	p := load.Checked(t, "unsafe.ir", `
entry main (x: i32, y: i32, n: i64) : (i32, i32, i32, i32, i64) = {
  in (x / y, x % y, fdiv(x, y), fmod(x, y), n / (n - n))
}
`)
	must.Get(pipeline.Run(p, pipeline.DefaultPasses(), pipeline.Options{}))(t)
	low := must.Get(imp.Lower(p, imp.Options{Unsafe: true}))(t)
	pkg := must.Get(gohost.Generate(low, "unsafe"))(t)
	if strings.Contains(pkg.Host, "Fault") {
		t.Errorf("there is a check in\n%s", pkg.Host)
	}
	m.write("unsafe/"+gohost.HostFile, pkg.Host)
	m.write("unsafe/"+gohost.TablesFile, pkg.Tables)
	m.write("unsafe/"+gohost.KernelsFile, "")
	m.write("unsafe/unsafe_test.go", `package unsafe

import "testing"

func TestMain_(t *testing.T) {
	a, b, c, d, e, err := runMain(nil, 7, 0, 5)
	if a != 0 || b != 0 || c != 0 || d != 0 || e != 0 || err != nil {
		t.Error(a, b, c, d, e, err)
	}
}
`)
	m.run("", "go", "test", "./...")
}
