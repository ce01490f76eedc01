package pipeline

import (
	"crypto/sha256"
	"fmt"
	"runtime/debug"

	"github.com/memc-lang/memc/internal/base/diag"
	"github.com/memc-lang/memc/internal/base/parallel"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/transform"
)

// checks look at the program after every pass, while later passes run on another copy of it. One
// check ends before the next begins, and none begins after one that found an error. So all find the
// same in the same order as if each pass waited for them.
type checks struct {
	verify   bool
	memory   *memoryChecks // nil where they are not asked for
	unproven []*diag.Diagnostic
	running  chan struct{} // closed where no check runs any more; nil before the first
	last     *ir.Program   // the one whose check was asked for last; nil before the first
	failed   error         // the finding of a check
	wrong    *ir.Program   // in which it found that
	passes   int           // that had run when it found that
	broken   string        // a panic of a check, and where
}

func newChecks(p *ir.Program, opt Options) *checks {
	k := &checks{verify: opt.Verify}
	if opt.Memcheck {
		k.memory = newMemoryChecks(p)
	}
	return k
}

// asked reports whether anything is checked.
func (k *checks) asked() bool { return k.verify || k.memory != nil }

// saw reports whether a program has the text of the one that was checked last.
func (k *checks) saw(p *ir.Program) bool {
	if k.last == nil {
		return false
	}
	var then, now [sha256.Size]byte
	parallel.Do(func() { then = digest(k.last) }, func() { now = digest(p) })
	return then == now
}

// digest stands for a program's text, which may be long.
func digest(p *ir.Program) [sha256.Size]byte {
	h := sha256.New()
	ir.Print(h, p)
	return [sha256.Size]byte(h.Sum(nil))
}

// start has the program checked that a pass, the n-th, left; nobody may change it until wait.
func (k *checks) start(left *ir.Program, pass *transform.Pass, n int) {
	if !k.asked() {
		return
	}
	before, running := k.running, make(chan struct{})
	k.running, k.last = running, left
	go func() {
		defer close(running)
		if before != nil {
			<-before
		}
		if k.failed != nil || k.broken != "" {
			return
		}
		defer func() {
			if x := recover(); x != nil {
				k.broken = fmt.Sprintf("%v\n\n%s", x, debug.Stack())
			}
		}()
		if k.failed = k.check(left, pass); k.failed != nil {
			k.wrong, k.passes = left, n
		}
	}()
}

func (k *checks) check(p *ir.Program, pass *transform.Pass) error {
	if k.verify {
		if err := verify(p, pass); err != nil {
			return err
		}
	}
	if k.memory == nil {
		return nil
	}
	unproven, err := k.memory.after(p, pass)
	k.unproven = append(k.unproven, unproven...)
	return err
}

// wait returns the findings of the checks that were started.
func (k *checks) wait() error {
	if k.running != nil {
		<-k.running
	}
	if k.broken != "" {
		panic(k.broken)
	}
	return k.failed
}

// during runs a part of the compiler. It may panic on a program that a check finds to be wrong: then
// what the check finds is the cause, and the part has not ended.
func (k *checks) during(part func()) (ended bool) {
	defer func() {
		if x := recover(); x != nil && k.wait() == nil {
			panic(x)
		}
	}()
	part()
	return true
}
