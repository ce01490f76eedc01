package main

import (
	"bytes"
	"context"
	"os"
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
