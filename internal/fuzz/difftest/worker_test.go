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
	opt := difftest.FuzzOptions{Seed: 40, N: 20, Jobs: 2, Every: 20, Pipelines: 3, Shared: 4}
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
