//go:build cgo

package pyhost_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/codegen/opencl"
	"github.com/memc-lang/memc/codegen/pyhost"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/test/filetest"
	"github.com/memc-lang/memc/internal/test/load"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// The tests use the system's Python, with NumPy: scripts/bootstrap --test installs both.
const python = "/usr/bin/python3"

// A folder is a directory of packages, from which Python runs.
type folder struct {
	t   *testing.T
	dir string
}

func newFolder(t *testing.T) *folder {
	t.Helper()
	if err := exec.Command(python, "-c", "import numpy").Run(); err != nil {
		t.Fatalf("no Python with NumPy (Debian: python3-numpy): %v", err)
	}
	return &folder{t, t.TempDir()}
}

// add generates a package, whose library is built as flags say.
func (f *folder) add(p *ir.Program, name string, tasks bool, flags ...string) {
	f.t.Helper()
	if _, err := pipeline.Run(p, pipeline.DefaultPasses(), pipeline.Options{}); err != nil {
		f.t.Fatalf("%s: %v", p.File.Name, err)
	}
	low, err := imp.Lower(p, imp.Options{Tasks: tasks})
	if err != nil {
		f.t.Fatalf("%s: %v", p.File.Name, err)
	}
	kernels := ""
	if !tasks {
		kernels = opencl.Kernels(low)
	}
	files, err := pyhost.Generate(low, kernels, pyhost.Options{Name: name, Flags: [][]string{flags}})
	if err != nil {
		f.t.Fatal(err)
	}
	for _, file := range files {
		f.write(filepath.Join(name, file.Name), file.Text)
	}
}

func (f *folder) write(name, text string) {
	f.t.Helper()
	name = filepath.Join(f.dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

// run runs Python in the folder, with warnings as errors.
func (f *folder) run(stdin string, args ...string) string {
	f.t.Helper()
	cmd := exec.CommandContext(f.t.Context(), python, append([]string{"-W", "error"}, args...)...)
	cmd.Dir = f.dir
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
	if err := cmd.Run(); err != nil || errs.Len() > 0 {
		f.t.Errorf("%s %s: %v\n%s", python, strings.Join(args, " "), err, &errs)
	}
	return out.String()
}

// TestUser uses a package of each target as a stranger would.
func TestUser(t *testing.T) {
	path := filepath.Join("..", "opencl", "testdata", "host", "library.ir")
	user := must.Get(filepath.Abs("testdata/user.py"))(t)
	for _, target := range []string{"c", "opencl"} {
		t.Run(target, func(t *testing.T) {
			f := newFolder(t)
			f.add(load.Checked(t, path, must.Read(t, path)), "library", target == "c", "-O1", "-fopenmp")
			f.write("user.py", must.Read(t, user))
			if out := f.run("", "user.py", target); out != "ok\n" {
				t.Error(out)
			}
		})
	}
}

// TestLibrary builds the library of a package: once, anew where what was kept is damaged,
// with the first flags that the compiler takes, and with a clear message where there is no
// compiler or it refuses.
func TestLibrary(t *testing.T) {
	f := newFolder(t)
	cache := t.TempDir()
	t.Setenv("MEMC_CACHE", cache)
	p := load.Checked(t, "one.ir", "entry main (x: i32) : i32 = { in x + 1 }")
	f.add(p, "one", true, "-no-such-flag")
	f.write("one/__init__.py", strings.Replace(must.Read(t, filepath.Join(f.dir, "one/__init__.py")), `["-no-such-flag"],`, `["-no-such-flag"], ["-O0"],`, 1))
	// What nobody has used for long goes; the user's own file stays.
	long := time.Now().AddDate(0, -2, 0)
	foreign := filepath.Join(cache, "letter")
	for _, path := range []string{filepath.Join(cache, strings.Repeat("a", 32)+".so"), foreign} {
		must.Do(t, os.WriteFile(path, nil, 0o644))
		must.Do(t, os.Chtimes(path, long, long))
	}
	call := "import one\nprint(one.Program().main(41))"
	kept := func() []string {
		found, err := filepath.Glob(filepath.Join(cache, "*"))
		if err != nil || len(found) > 2 || !slices.Contains(found, foreign) {
			t.Fatalf("kept: %v, %v", found, err)
		}
		return slices.DeleteFunc(found, func(path string) bool { return path == foreign })
	}
	nothing := func(string) error { return nil }
	for _, damage := range []func(path string) error{
		nothing,
		func(path string) error { return os.WriteFile(path, []byte("no library"), 0o644) },
		func(path string) error { return os.Truncate(path, 8192) }, // the loader would end by SIGBUS
		func(path string) error { return os.Truncate(path, 0) },
		os.Remove,
	} {
		if found := kept(); len(found) > 0 {
			must.Do(t, damage(found[0]))
		}
		for range 2 {
			if out := f.run("", "-c", call); out != "42\n" {
				t.Error(out)
			}
		}
		kept()
	}
	if st, err := os.Stat(kept()[0]); err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("kept: %v, %v", st, err)
	}
	must.Do(t, os.Chmod(cache, 0o777)) // others may have planted something
	if out := f.run("", "-c", "import one\ntry: one.Program()\nexcept one.BuildError as e: print(e)"); !strings.Contains(out, "others can write to "+cache) {
		t.Error(out)
	}
	must.Do(t, os.Chmod(cache, 0o755))
	refused := "import one\ntry: one.Program()\nexcept one.BuildError as e: print(e)"
	f.write("one/one.c", "no C")
	if out := f.run("", "-c", refused); !strings.HasPrefix(out, "the C compiler refused") || !strings.Contains(out, "error:") {
		t.Error(out)
	}
	t.Setenv("CC", "no-such-compiler")
	if out := f.run("", "-c", refused); out != "there is no C compiler 'no-such-compiler' (the variable CC names another)\n" {
		t.Error(out)
	}
}

type request struct {
	Program string   `json:"program"`
	Method  string   `json:"method"`
	Args    [][]byte `json:"args"`
	Last    bool     `json:"last"`
}

type response struct {
	Results     [][]byte
	Kind, Error string
	Allocs      int
}

// hasInput reports whether a program runs.
func hasInput(blocks []filetest.Block) bool {
	return slices.ContainsFunc(blocks, func(b filetest.Block) bool {
		return slices.ContainsFunc(b.Cases, func(c filetest.Case) bool { return c.HasInput })
	})
}

// TestPrograms runs the test blocks of programs of the language's tests, on processors and
// on OpenCL by turns; the interpreter by value is the oracle.
func TestPrograms(t *testing.T) {
	paths := must.Get(filetest.HostSample(filepath.Join("..", "..", "testdata"), false))(t)
	paths = append(paths, "../gohost/testdata/scalars.ir", "../gohost/testdata/elements.ir")
	f := newFolder(t)
	var requests strings.Builder
	enc := json.NewEncoder(&requests)
	type run struct {
		c     filetest.Case
		where string
		f     *ir.Func
		args  []value.Value
	}
	var runs []run
	programs := 0
	for i, path := range paths {
		if i%2 == 1 && i < len(paths)-2 {
			continue // every other one will do
		}
		text := must.Read(t, path)
		blocks := must.Get(filetest.Blocks(text, filepath.Dir(path)))(t)
		if !hasInput(blocks) {
			continue // it may be refused
		}
		p, first := load.Checked(t, path, text), len(runs)
		for _, b := range blocks {
			for _, c := range b.Cases {
				if !c.HasInput || c.ByMemory {
					continue
				}
				fn := p.Func(c.Entry)
				args, err := filetest.ReadValues("input", c.Input, fn)
				if err != nil {
					t.Fatalf("%s:%d: %v", path, c.Line, err)
				}
				if len(args) == len(fn.Params) {
					runs = append(runs, run{c, path, fn, args})
				}
			}
		}
		if first == len(runs) {
			continue
		}
		name := "p" + strings.Repeat("x", programs)
		programs++
		f.add(load.Checked(t, path, text), name, programs%2 == 0, "-O0")
		for k, r := range runs[first:] {
			q := request{Program: name, Method: r.f.Name, Args: [][]byte{}, Last: first+k+1 == len(runs)}
			for _, a := range r.args {
				var b bytes.Buffer
				must.Do(t, value.EncodeNPY(&b, a))
				q.Args = append(q.Args, b.Bytes())
			}
			must.Do(t, enc.Encode(q))
		}
	}
	f.write("harness.py", must.Read(t, "testdata/harness.py"))
	dec := json.NewDecoder(strings.NewReader(f.run(requests.String(), "harness.py")))
	for _, r := range runs {
		var a response
		if err := dec.Decode(&a); err != nil {
			t.Fatalf("%s:%d: no answer: %v", r.where, r.c.Line, err)
		}
		compare(t, r.where, r.c, r.f, r.args, a)
	}
	t.Logf("%d runs of %d programs", len(runs), programs)
}

func compare(t *testing.T, path string, c filetest.Case, f *ir.Func, args []value.Value, a response) {
	t.Helper()
	p := load.Checked(t, path, must.Read(t, path))
	want, fails := interp.ByValue(p, c.Entry, args, interp.Options{})
	if fails != nil {
		var d *diag.Diagnostic
		if !errors.As(fails, &d) || a.Kind != "Fault" && a.Kind != "OutOfMemory" {
			t.Errorf("%s:%d: %s: %s\nby value\n%v", path, c.Line, a.Kind, a.Error, fails)
		}
		return
	}
	var shown []value.Value
	for i, v := range want {
		if !f.SizeResult(i) {
			shown = append(shown, v)
		}
	}
	if a.Kind != "" || len(a.Results) != len(shown) || a.Allocs != 0 {
		t.Errorf("%s:%d: %s %s, %d results of %d, %d buffers of the driver's", path, c.Line, a.Kind, a.Error, len(a.Results), len(shown), a.Allocs)
		return
	}
	for i, w := range shown {
		got := must.Get(value.DecodeNPY(a.Results[i]))(t)
		if len(w.Shape) == 0 {
			got.Shape = nil
		}
		if d := value.Diff(w, got, value.DefaultTolerance); d != "" {
			t.Errorf("%s:%d: result %d: %s", path, c.Line, i, d)
		}
	}
}

// TestNames gives entries and parameters names that Python has other uses for. An error has its place in another
// language, where the program records it.
func TestNames(t *testing.T) {
	f := newFolder(t)
	f.add(load.Checked(t, "names.ir", `
entry close (self: i32, keep: i32, x': i32, x_: i32, lambda: i32) : i32 = { in self - keep + x' - x_ + lambda }
entry _run (x: i32) : i32 = { in x }
entry class (x: i32) : i32 = { in x }
entry memc (x: i32) : i32 = { in x }
entry library (x: i32) : i32 = { in x }
entry quotient (x: i32) : i32 = {
  --@ a.lang:3:5
  let y = 6 / x
  in y
}
`), "names", true, "-O0")
	out := f.run("", "-c", `
import names, inspect
p = names.Program()
print(p.entry_close(1, 2, 3, 4, 5), p.entry_close(self_1=1, keep_1=2, x_=3, x__1=4, lambda_=5),
      p.entry__run(6), p.class_(7), p.memc(8), p.library(9))
try: p.quotient(0)
except names.Fault as e: print(e.origin)
p.close()`)
	if out != "3 3 6 7 8 9\na.lang:3:5\n" {
		t.Error(out)
	}
	for source, want := range map[string]string{"dir/2d-blur.ir": "m2d_blur", "lambda.ir": "lambda_", "blur.fut_gpu_mem": "blur"} {
		if got := pyhost.PackageName(source); got != want {
			t.Errorf("%s: %s, want %s", source, got, want)
		}
	}
	for _, bad := range []string{"a-b", "", "2d", "class"} {
		if _, err := pyhost.Generate(nil, "", pyhost.Options{Name: bad}); err == nil {
			t.Errorf("%q is taken as a name", bad)
		}
	}
}

// TestExample runs examples/python.
func TestExample(t *testing.T) {
	f := newFolder(t)
	path := "../../examples/kmeans.ir"
	f.add(load.Checked(t, path, must.Read(t, path)), "kmeans", true, "-O1")
	f.write("clusters.py", must.Read(t, "../../examples/python/clusters.py"))
	out := f.run("", "clusters.py")
	if !strings.Contains(out, "1000 points around (10.0, 0.0)\n") || strings.Count(out, "points around") != 3 {
		t.Error(out)
	}
}
