package driver

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/run/exec"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
)

// ahead is how many calls may be done before an earlier one is: their results wait.
const ahead = 64

// A spreader hands calls out to devices, and their results on in order.
type spreader struct {
	next func() ([]value.Value, error)
	done func([]value.Value) error

	mu      sync.Mutex
	moved   sync.Cond // told of every change
	taken   int       // calls handed out
	told    int       // calls whose results were handed on
	waiting map[int][]value.Value
	err     error
}

// Spread runs an entry once for each list of arguments that next returns, until next returns
// io.EOF. Each device of the list takes the next call when it has finished its last one, so a fast
// device runs more calls. done receives the results in the order of the calls. After an error no
// further call begins. WallUS of the statistics is the time of all calls together.
func Spread(p *ir.Program, entry string, next func() ([]value.Value, error), done func([]value.Value) error, opt RunOptions) (st runtime.Stats, err error) {
	ctx, err := runtime.Open(opt.Device, opt.context())
	if err != nil {
		return st, err
	}
	defer ctx.Close()
	opt.Lower.Entry = entry
	low, err := Lower(p, opt.Lower)
	if err != nil {
		return st, err
	}
	s := &spreader{next: next, done: done, waiting: map[int][]value.Value{}}
	s.moved.L = &s.mu
	var ready []*exec.Prepared
	for _, c := range ctx.Devices() {
		prepared, err := exec.Prepare(c, low.Imp, low.Kernels, exec.Options{})
		if err != nil {
			return st, err
		}
		defer prepared.Close()
		ready = append(ready, prepared)
	}
	start := time.Now()
	var all sync.WaitGroup
	for _, p := range ready {
		all.Add(1)
		go func() {
			defer all.Done()
			s.work(p, entry)
		}()
	}
	all.Wait()
	st = ctx.Stats()
	st.WallUS = time.Since(start).Microseconds()
	return st, s.err
}

// work runs calls on a device until there are no more.
func (s *spreader) work(p *exec.Prepared, entry string) {
	for {
		i, args, ok := s.take()
		if !ok {
			return
		}
		results, err := p.Call(entry, args)
		if err != nil {
			var d *diag.Diagnostic
			if errors.As(err, &d) {
				d.With(diag.Span{}, "this is call %d", i+1)
			} else {
				err = fmt.Errorf("call %d: %w", i+1, err)
			}
			s.stop(err)
			return
		}
		s.give(i, results)
	}
}

func (s *spreader) take() (int, []value.Value, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.err == nil && s.taken-s.told >= ahead {
		s.moved.Wait()
	}
	if s.err != nil || s.next == nil {
		return 0, nil, false
	}
	args, err := s.next()
	if err != nil {
		s.next = nil
		if !errors.Is(err, io.EOF) {
			s.err = err
		}
		s.moved.Broadcast()
		return 0, nil, false
	}
	s.taken++
	return s.taken - 1, args, true
}

// give hands results on, or keeps them until those of earlier calls are there.
func (s *spreader) give(i int, results []value.Value) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting[i] = results
	for {
		r, ok := s.waiting[s.told]
		if !ok {
			break
		}
		delete(s.waiting, s.told)
		s.told++
		if err := s.done(r); err != nil && s.err == nil {
			s.err = err
		}
	}
	s.moved.Broadcast()
}

func (s *spreader) stop(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
	s.moved.Broadcast()
}
