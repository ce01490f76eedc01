//go:build cgo

package futharkapi_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
)

// A server is a server executable that runs. It is driven as futhark test and futhark
// bench do: a line is a command, and its answer ends with "%%% OK".
type server struct {
	t   *testing.T
	dir string
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

func startServer(t *testing.T, file string, lower lowering) *server {
	t.Helper()
	dir := generateFor(t, lower, file, driver.COptions{Server: true})
	base := strings.TrimSuffix(file, filepath.Ext(file))
	s := &server{t: t, dir: dir, cmd: exec.Command(build(t, dir, "server", filepath.Join(dir, base+".c")))}
	s.cmd.Dir, s.cmd.Stderr = dir, os.Stderr
	in := must.Get(s.cmd.StdinPipe())(t)
	out := must.Get(s.cmd.StdoutPipe())(t)
	s.in, s.out = in, bufio.NewScanner(out)
	must.Do(t, s.cmd.Start())
	hang := time.AfterFunc(5*time.Minute, func() { s.cmd.Process.Kill() })
	t.Cleanup(func() {
		in.Close()
		if err := s.cmd.Wait(); err != nil {
			t.Errorf("the server ends with %v", err)
		}
		hang.Stop()
	})
	if said := s.answer(); said != "" {
		t.Fatalf("at the start: %q", said)
	}
	return s
}

// answer reads up to "%%% OK".
func (s *server) answer() string {
	s.t.Helper()
	var b strings.Builder
	for s.out.Scan() {
		if s.out.Text() == "%%% OK" {
			return b.String()
		}
		b.WriteString(s.out.Text() + "\n")
	}
	s.t.Fatalf("the server is gone, after %q", b.String())
	return ""
}

// does sends a command; all of its answer must match.
func (s *server) does(command, want string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, command+"\n"); err != nil {
		s.t.Fatal(err)
	}
	if got := s.answer(); !fully(want, got) {
		s.t.Errorf("%s: %q, expected %q", command, got, want)
	}
}

// fails sends a command that must fail with a message.
func (s *server) fails(command, message string) {
	s.t.Helper()
	s.does(command, `(?:runtime: \d+\n)?%%% FAILURE\n`+message+`\n`)
}

func (s *server) file(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// stores demands that variables have these values.
func (s *server) stores(vars, want string) {
	s.t.Helper()
	s.does("store out "+vars, "")
	data, err := os.ReadFile(filepath.Join(s.dir, "out"))
	if err != nil {
		s.t.Fatal(err)
	}
	var b strings.Builder
	r := value.NewReader("out", data)
	for {
		v, err := r.Next(ir.Unknown)
		if err == io.EOF {
			break
		}
		if err != nil {
			s.t.Fatal(err)
		}
		if b.Len() > 0 {
			b.WriteString(" ")
		}
		if err := value.WriteText(&b, v); err != nil {
			s.t.Fatal(err)
		}
	}
	if b.String() != want {
		s.t.Errorf("%s: %s, expected %s", vars, b.String(), want)
	}
}

const ran = `runtime: \d+\n`

type lowering = func(*ir.Program, imp.Options) (*driver.Lowered, error)

// TestServer drives servers through their commands and failures.
func TestServer(t *testing.T) {
	for name, lower := range map[string]lowering{"opencl": driver.Lower, "c": driver.LowerTasks} {
		t.Run(name, func(t *testing.T) { serve(t, startServer(t, "values.ir", lower)) })
		t.Run(name+", opaque", func(t *testing.T) { serveOpaque(t, startServer(t, "opaque_entries.fut_gpu_mem", lower)) })
	}
}

func serve(t *testing.T, s *server) {
	t.Helper()
	s.does("entry_points", `(?s)scalars\n.*gather\n.*`)
	s.does("types", `(?s).*\[\]\[\]i32\n.*`)
	s.does("inputs add_to", `\*\[\]f64\ni64\nf64\n`)
	s.does("outputs twice", `\[\]f64\n\[\]f64\n`)
	s.does("outputs count_up", `\[\]i64\n`) // what only sizes the array is none
	s.file("in", "[1.5, 2.5] 1 10")
	s.does("restore in xs []f64 i i64 v f64", "")
	s.does("type xs", `\[\]f64\n`)
	s.does("shape xs", `2\n`)
	s.does("kind []f64", `array\n`)
	s.does("kind i64", `scalar\n`)
	s.does("rank [][]i32", `2\n`)
	s.does("elemtype [][]i32", `i32\n`)

	s.does("call twice a b xs", ran)
	s.does("call add_to c a i v", ran) // consumes a, whose block b and xs have as well
	s.stores("c b xs i", "[1.5f64, 12.5f64] [1.5f64, 2.5f64] [1.5f64, 2.5f64] 1i64")
	s.fails("call add_to d a i v", `.*error\[E905\]: argument .xs. was consumed by a call`)
	s.fails("type d", "Unknown variable: d")
	s.does("free a b c", "")
	s.fails("free a", "Unknown variable: a")

	// Binary values, and a name with a space.
	s.does(`store "two values" xs i`, "")
	s.does(`restore "two values" ys []f64 j i64`, "")
	s.stores("ys j", "[1.5f64, 2.5f64] 1i64")
	s.does("rename ys zs", "")
	s.fails("rename ys zs", "Unknown variable: ys")
	s.fails("rename xs zs", "Variable already exists: zs")

	// Failures leave nothing, and the server goes on.
	s.fails("restore in xs []f64", "Variable already exists: xs")
	s.fails("restore in p []f64 q i64", "Expected EOF after reading 2 values from in")
	s.fails("type p", "Unknown variable: p")
	s.fails("restore in p []f64 q i64 r f64 s f64", "Failed to restore variable s: the file has too few values")
	s.fails("restore in p []f64 q i64 r bool", `(?s)Failed to restore variable r: in:1:14: error\[E907\]: .*`)
	s.fails("restore in p [][]i32", "Failed to restore variable p: .*")
	s.fails("restore in p []f64 q", "A variable has no type: q")
	s.fails("restore in p []u8x", `Unknown type: \[\]u8x`)
	s.fails("restore nothing p f64", "Failed to open nothing")
	s.fails("store /nonexistent/out xs", "Failed to open /nonexistent/out")
	s.fails("store out p", "Unknown variable: p")
	s.file("at", "[1, 2, 3] [7]")
	s.does("restore at data []i32 is []i64", "")
	s.fails("call gather g data is", `.*values.ir:.*: error\[E801\]: index 7 is out of bounds .*`)
	s.fails("call gather xs data is", "Variable already exists: xs")
	s.fails("call gather g data data", `Wrong input type.  Expected \[\]i64, got \[\]i32.`)
	s.fails("call gather g data", "gather takes 1 variables for results and 2 for arguments.")
	s.fails("call twice g g xs", "Variable already exists: g")
	s.fails("call nothing", "Unknown entry point: nothing")
	s.fails("inputs", "The command inputs does not take 0 words.")
	s.fails("shape i", "Not an array type")
	s.fails("fields i64", "Not a record type")
	s.fails("", "Empty line")
	s.fails("frobnicate x", "Unknown command: frobnicate")
	s.fails("tuning_param_class x", "Unknown tuning parameter: x")
	s.does("tuning_params gather", "")
	s.does("attributes gather", "")

	s.does("pause_profiling", "")
	s.does("unpause_profiling", "")
	s.does("report", `\{"memory":\{"device":\d+\},"events":\[\]\}\n`)
	s.does("clear", "")
	s.fails("type xs", "Unknown variable: xs")
	s.file("n", "3")
	s.does("restore n n i64", "")
	s.does("call count_up "+strings.Repeat("long", 200)+" n", ran)
	s.stores(strings.Repeat("long", 200), "[0i64, 1i64, 2i64, 3i64]")
}

// serveOpaque has values of opaque types, and tuning parameters.
func serveOpaque(t *testing.T, s *server) {
	t.Helper()
	s.does("kind body", `record\n`)
	s.does("kind shape", `sum\n`)
	s.does("fields body", `id i32\nmass f64\npos point\n`)
	s.does("fields point", `x f32\ny f32\n`)
	s.file("in", "1f32 2f32 2.5 7")
	s.does("restore in x f32 y f32 mass f64 tag i32", "")
	s.does("new p point x y", "")
	s.does("call make_body b p mass tag", ran)
	s.stores("b", "7i32 2.5f64 1.0f32 2.0f32")
	s.does("project at b pos", "")
	s.does("type at", `point\n`)
	s.stores("at", "1.0f32 2.0f32")
	s.does("store kept b", "")
	s.does("restore kept again body", "")
	s.stores("again", "7i32 2.5f64 1.0f32 2.0f32")
	s.fails("project q b nothing", "No such field")
	s.fails("new q point x", "2 fields expected but 1 values provided.")
	s.fails("new q point x mass", "Field y mismatch: expected type f32, got f64")
	s.fails("type q", "Unknown variable: q")
	s.fails("new q f32", "Not a record type")
	s.fails("restore in q body", "(?s)Failed to restore variable q: .*")

	io.WriteString(s.in, "tuning_params move\n")
	said := s.answer()
	m := regexp.MustCompile(`(?m)^move\.segmap_tblock_size_\d+$`).FindString(said)
	if m == "" {
		t.Fatalf("tuning parameters: %q", said)
	}
	s.does("tuning_param_class "+m, `thread_block_size\n`)
	s.does("set_tuning_param "+m+" 64", "")
	s.fails("set_tuning_param nothing 64", "Failed to set tuning parameter nothing to 64")
}

// A server that cannot start says why, and ends.
func TestServerWithoutDevice(t *testing.T) {
	dir := generateFor(t, driver.Lower, "scalar.ir", driver.COptions{Server: true})
	prog := build(t, dir, "server", filepath.Join(dir, "scalar.c"))
	out, errs, code := run(t, dir, "", prog, "-d", "nonsense")
	if code != 1 || out != "" || !strings.Contains(errs, `no OpenCL device matches "nonsense"`) {
		t.Errorf("exit code %d, output %q, error %q", code, out, errs)
	}
	if out, errs, code = run(t, dir, "types", prog); code != 0 || !strings.HasSuffix(out, "%%% OK\n") {
		t.Errorf("a last line without its end: exit code %d, output %q, error %q", code, out, errs)
	}
}
