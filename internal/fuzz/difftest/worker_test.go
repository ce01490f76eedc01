package difftest_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/memc-lang/memc/internal/fuzz/difftest"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir/diag"
)

// role tells this binary that it is a worker.
const role = "MEMC_DIFFTEST_WORKER"

func TestMain(m *testing.M) {
	in := io.Reader(os.Stdin)
	switch os.Getenv(role) {
	case "":
		os.Exit(m.Run())
	case "hangs":
		in = &hanging{Reader: in}
	case "dies":
		in = &mortal{Reader: in, left: 4}
	case "dies of scans":
		in = &fragile{in}
	}
	if err := difftest.Serve(in, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// hanging reads what to do, and comes back from no read behind that: as a program
// whose kernel never ends.
type hanging struct {
	io.Reader
	begun bool
}

func (h *hanging) Read(b []byte) (int, error) {
	n, err := h.Reader.Read(b)
	if h.begun {
		time.Sleep(time.Hour)
	}
	h.begun = true
	return n, err
}

// A run that is stopped ends, though its workers do not; what they were at is not counted.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(time.Second, cancel)
	sum, err := difftest.Fuzz(difftest.FuzzOptions{Seed: 1, N: 8, Jobs: 2, Worker: workers(t, "hangs"), Context: ctx})
	if err != nil || ctx.Err() == nil || sum.Programs != 0 || len(sum.Failures) != 0 {
		t.Fatalf("%+v, %v", sum, err)
	}
}

// mortal ends the process at a read, as a driver that aborts does.
type mortal struct {
	io.Reader
	left int
}

func (m *mortal) Read(b []byte) (int, error) {
	if m.left--; m.left < 0 {
		fmt.Fprintln(os.Stderr, "driver: assertion failed")
		os.Exit(3)
	}
	return m.Reader.Read(b[:min(len(b), 1<<10)])
}

// fragile ends the process at a program with a scan, as a driver that crashes.
type fragile struct{ io.Reader }

func (f *fragile) Read(b []byte) (int, error) {
	n, err := f.Reader.Read(b)
	if bytes.Contains(b[:n], []byte("= scan")) {
		fmt.Fprintf(os.Stderr, "driver: assertion %d failed\n", os.Getpid())
		os.Exit(3)
	}
	return n, err
}

func workers(t *testing.T, as string) func() *exec.Cmd {
	t.Helper()
	self := must.Get(os.Executable())(t)
	return func() *exec.Cmd {
		c := exec.Command(self)
		c.Env = append(os.Environ(), role+"="+as)
		return c
	}
}

// Programs run in other processes as they do in this one.
func TestProcesses(t *testing.T) {
	opt := difftest.FuzzOptions{Seed: 40, N: 10, Jobs: 2, Every: 10, Pipelines: 3, Shared: 4}
	tables := func(worker func() *exec.Cmd) string {
		opt.Worker = worker
		sum := must.Get(difftest.Fuzz(opt))(t)
		sum.Slowest, sum.Time = nil, 0
		var b bytes.Buffer
		sum.Write(&b)
		return b.String() + sum.Line()
	}
	if here, there := tables(nil), tables(workers(t, "serves")); here != there {
		t.Errorf("in this process:\n%s\nin others:\n%s", here, there)
	}
}

// A process that ends takes one program with it, and the run goes on.
func TestProcessEnds(t *testing.T) {
	sum := must.Get(difftest.Fuzz(difftest.FuzzOptions{Seed: 1, N: 8, Jobs: 1, Worker: workers(t, "dies")}))(t)
	if sum.Programs != 8 || len(sum.Failures) == 0 || len(sum.Failures) == 8 {
		t.Fatalf("%d programs ran and %d failed; expected 8, some of which failed", sum.Programs, len(sum.Failures))
	}
	for _, f := range sum.Failures {
		msg := f.Failure.Error()
		if f.Failure.Stage != difftest.StageProcess || !strings.Contains(msg, "exit status 3") || !strings.Contains(msg, "driver: assertion failed") || f.Subject.Text == "" {
			t.Errorf("seed %d: %s", f.Seed, msg)
		}
	}
}

// What keeps a worker from starting ends the run with its reason.
func TestProcessCannotStart(t *testing.T) {
	_, err := difftest.Fuzz(difftest.FuzzOptions{Seed: 1, N: 8, Jobs: 2, Every: 1, Devices: []string{"no such device"}, Worker: workers(t, "serves")})
	if err == nil || !strings.Contains(err.Error(), "no such device") {
		t.Errorf("got %v", err)
	}
}

// A program that ends the process is made small as others are: each try that ends it has a new one. What
// does not end it runs as it does here.
func TestReduceCrash(t *testing.T) {
	apart := must.Get(difftest.CheckApart(t.Context(), workers(t, "dies of scans"), "", nil))(t)
	defer apart.Close()
	opt := difftest.Options{Apart: apart}
	right := must.Get(difftest.Read(diag.NewFile("right.ir", "-- ==\n-- input { [1, 2] }\n-- output auto\n"+
		"entry main [n] (xs: [n]i32) : [n]i32 = {\n  let a = map (i < n) { in xs[i] + 1 }\n  in a\n}\n")))(t)
	if f := difftest.Check(right, opt); f != nil {
		t.Fatalf("a right program fails: %v", f)
	}
	s := must.Get(difftest.Read(diag.NewFile("crash.ir", `-- ==
-- input { [1, 2] 3 }
-- output auto
entry main [n] (xs: [n]i32, k: i32) : (i32, [n]i32) = {
  let a = map (i < n) { in xs[i] + k }
  let b = scan (i < n) op (p, q) { in p + q } neutral (0) { in a[i] * 2 }
  let c = map (i < n) { in b[n - 1 - i] + a[i] }
  let d = reduce (i < n) op (p, q) { in max(p, q) } neutral (0) { in c[i] }
  in (d, c)
}
`)))(t)
	f := difftest.Check(s, opt)
	if f == nil || f.Stage != difftest.StageProcess || !strings.Contains(f.Msg, "exit status 3\ndriver: assertion") {
		t.Fatalf("the crash is %v", f)
	}
	small := difftest.Reduce(s, difftest.Same(f, opt), difftest.ReduceOptions{})
	if !strings.Contains(small.Text, "= scan") || strings.Contains(small.Text, "map") || strings.Contains(small.Text, "reduce") {
		t.Errorf("reduced to\n%s", small.Text)
	}
	if f := difftest.Check(right, opt); f != nil {
		t.Errorf("after crashes a right program fails: %v", f)
	}
}
