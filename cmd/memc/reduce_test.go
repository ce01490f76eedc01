package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/memc-lang/memc/internal/fuzz/difftest"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir/diag"
)

// A reduction that is interrupted gives the smallest program so far, though a program
// that it tries never ends.
func TestReduceInterrupted(t *testing.T) {
	s := must.Get(difftest.Read(diag.NewFile("sum.ir", `-- ==
-- input { 1i64 2i64 }
-- output { 3i64 }
entry main (x: i64, y: i64) : i64 = {
  let a = x + 1
  let b = y + 2
  let c = x * y
  in a + b
}
`)))(t)
	ctx, cancel := context.WithCancel(t.Context())
	tries := 0
	fails := func(*difftest.Subject) bool {
		if tries++; tries > 1 {
			cancel()
			time.Sleep(time.Hour)
		}
		return true
	}
	a := &app{stderr: &bytes.Buffer{}}
	if small := a.reduce(ctx, s, fails, difftest.ReduceOptions{}); small == s {
		t.Errorf("nothing was reduced before the interrupt:\n%s", small.Text)
	}
}

// An interrupt ends a run of memc fuzz at once, after the tables. It comes when the run has told of a program.
func TestFuzzInterrupted(t *testing.T) {
	cmd := exec.Command("memc", "fuzz", "--n=1000000", "--opencl=0")
	var out bytes.Buffer
	cmd.Stdout = &out
	told := bufio.NewReader(must.Get(cmd.StderrPipe())(t))
	must.Do(t, cmd.Start())
	line, err := told.ReadString('\n')
	must.Do(t, cmd.Process.Signal(os.Interrupt))
	rest, _ := io.ReadAll(told)
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); err != nil || code != 130 || !strings.HasSuffix(out.String(), " 0 failed\n") {
		t.Errorf("exit code %d, %v\n%s\n%s%s", code, err, &out, line, rest)
	}
}

// An interrupt and SIGTERM end what is interruptible.
func TestInterruptible(t *testing.T) {
	self := must.Get(os.FindProcess(os.Getpid()))(t)
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		ctx, stop := interruptible()
		defer stop()
		must.Do(t, self.Signal(sig))
		<-ctx.Done()
	}
}
