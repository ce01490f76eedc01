package difftest

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/memc-lang/memc/internal/base/hostmem"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/fuzz/progen"
)

// patience is how long a process may take for one program. Far more than any needs:
// a kernel that never ends is a failure, not the end of the run.
const patience = 2 * time.Minute

// setup is what a process is told first: how seeds become programs and checks.
type setup struct {
	Every, EveryC, Pipelines, Shared, ByHand, Twice, Size int

	Without, CC []string

	Device, Passes string
	Custom         bool // Passes are given
}

// hello is its first answer, before any result.
type hello struct{ Err string }

// A request is a seed, or the text of a file with a program and its inputs.
type request struct {
	Seed       int64
	Name, Text string
}

// Serve is the other side of a worker that is a process of its own: it reads requests
// until the input ends, and writes what came of each.
func Serve(in io.Reader, out io.Writer) error {
	dec, enc := gob.NewDecoder(in), gob.NewEncoder(out)
	var s setup
	if err := dec.Decode(&s); err != nil {
		return fmt.Errorf("reading what to do: %w", err)
	}
	w, err := s.worker()
	if err != nil {
		return enc.Encode(hello{err.Error()})
	}
	defer w.close()
	if err := enc.Encode(hello{}); err != nil {
		return err
	}
	room := hostmem.Budget()
	for {
		var q request
		if err := dec.Decode(&q); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		var r *result
		if q.Text != "" {
			r = w.file(q)
		} else {
			r = w.check(q.Seed)
		}
		r.Last = hostmem.Budget() < room/2
		if err := enc.Encode(r); err != nil {
			return err
		}
	}
}

func (s *setup) worker() (*local, error) {
	opt := &FuzzOptions{Every: s.Every, EveryC: s.EveryC, Pipelines: s.Pipelines, Shared: s.Shared, ByHand: s.ByHand, Twice: s.Twice, Size: s.Size, Without: s.Without, CC: s.CC, Devices: []string{s.Device}}
	if s.Custom {
		var err error
		if opt.Passes, err = pipeline.Parse(s.Passes); err != nil {
			return nil, err
		}
	}
	return newLocal(opt, s.Device)
}

// A process runs programs in a process of its own, and starts another one where
// that ends.
type process struct {
	opt    *FuzzOptions
	device string

	cmd *exec.Cmd
	// unwatch ends that the process is killed when the run is stopped.
	unwatch func() bool
	stdin   io.WriteCloser
	enc     *gob.Encoder
	dec     *gob.Decoder
	stderr  *ends
}

func startProcess(opt *FuzzOptions, device string) (*process, error) {
	p := &process{opt: opt, device: device}
	if err := p.start(); err != nil {
		return nil, err
	}
	return p, nil
}

func (p *process) start() error {
	p.cmd, p.stderr = p.opt.Worker(), &ends{}
	p.cmd.Stderr = p.stderr
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		return err
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := p.cmd.Start(); err != nil {
		return fmt.Errorf("starting a worker: %w", err)
	}
	p.stdin, p.enc, p.dec = stdin, gob.NewEncoder(stdin), gob.NewDecoder(stdout)
	cmd := p.cmd
	p.unwatch = context.AfterFunc(p.opt.Context, func() { _ = cmd.Process.Kill() })
	o := p.opt
	s := setup{Every: o.Every, EveryC: o.EveryC, Pipelines: o.Pipelines, Shared: o.Shared, ByHand: o.ByHand, Twice: o.Twice, Size: o.Size, Without: o.Without, CC: o.CC, Device: p.device,
		Passes: pipeline.String(o.Passes), Custom: o.Passes != nil}
	var h hello
	if err := errors.Join(p.enc.Encode(s), p.dec.Decode(&h)); err != nil {
		return fmt.Errorf("starting a worker: %s", p.ended(err))
	}
	if h.Err != "" {
		p.close()
		return errors.New(h.Err)
	}
	return nil
}

// close lets the process end: its input ends.
func (p *process) close() {
	if p.cmd != nil {
		_ = p.stdin.Close()
		_ = p.cmd.Wait()
		p.unwatch()
	}
	p.cmd = nil
}

// ended waits for a process that answers no more, and tells how it ended.
func (p *process) ended(cause error) string {
	_ = p.stdin.Close()
	err := p.cmd.Wait()
	p.unwatch()
	p.cmd = nil
	if err == nil {
		err = cause
	}
	return strings.TrimSpace(fmt.Sprintf("the process that ran the program ended: %v\n%s", err, p.stderr))
}

func (p *process) check(seed int64) *result {
	r, lost := p.ask(request{Seed: seed})
	if lost != "" {
		return p.lost(seed, lost)
	}
	return r
}

// ask returns what came of a request, or why the process ended; neither if the run was stopped.
func (p *process) ask(q request) (r *result, lost string) {
	if p.opt.Context.Err() != nil {
		return nil, ""
	}
	if p.cmd == nil {
		if err := p.start(); err != nil {
			return nil, err.Error()
		}
	}
	cmd := p.cmd
	var late atomic.Bool
	timer := time.AfterFunc(patience, func() { late.Store(cmd.Process.Kill() == nil) })
	r = &result{}
	err := p.enc.Encode(q)
	if err == nil {
		err = p.dec.Decode(r)
	}
	if timer.Stop(); err == nil {
		if r.Last {
			p.close()
		}
		return r, ""
	}
	msg := p.ended(err)
	if p.opt.Context.Err() != nil {
		return nil, ""
	}
	if late.Load() {
		msg = fmt.Sprintf("the program was not done after %v", patience)
	}
	return nil, msg
}

// lost is the result of a program whose process ended.
func (p *process) lost(seed int64, msg string) *result {
	x := p.opt.plan(seed)
	return &result{Seed: seed, Outcome: Outcome{Failure: &Failure{Stage: StageProcess, Input: -1, Msg: msg, Text: x.Subject.Text}},
		Coverage: progen.NewCoverage(), OpenCL: x.OpenCL, Random: x.Random, Shared: x.Shared}
}

// Ends keep the first and the last of what is written to them: why Go ends a process
// stands first, what a driver says before it aborts last.
type ends struct {
	mu          sync.Mutex
	first, last []byte
	cut         bool
}

// endBytes is enough for a few lines.
const endBytes = 1000

func (t *ends) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	k := min(len(b), endBytes-len(t.first))
	t.first = append(t.first, b[:k]...)
	t.last = append(t.last, b[k:]...)
	t.cut = t.cut || len(t.last) > endBytes
	t.last = t.last[max(0, len(t.last)-endBytes):]
	return len(b), nil
}

func (t *ends) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cut {
		return string(t.first) + "\n..\n" + string(t.last)
	}
	return string(t.first) + string(t.last)
}
