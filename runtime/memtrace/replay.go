package memtrace

import (
	"errors"
	"fmt"

	"github.com/memc-lang/memc/runtime/pool"
)

// A Result is what a policy made of a trace.
type Result struct {
	Policy pool.Policy
	First  pool.Stats // after the trace
	// Again counts the driver's buffers in a second run of the trace after the first, and
	// SteadyAfter the runs after which no more are made (-1: some are still made after maxRounds).
	Again       int64
	SteadyAfter int
	// External is the external fragmentation at the time when most was held.
	External float64
}

// maxRounds bounds how often a trace is run to find its steady state.
const maxRounds = 16

// Replay makes the requests of a trace on a policy, without a device: a Source makes buffers
// without memory. Blocks that are live at the end are freed before the trace is run again. A trace
// that frees a block that it did not allocate is an error.
func Replay(events []Event, opt pool.Options) (Result, error) {
	r := Result{Policy: opt.Policy, SteadyAfter: -1}
	p, err := pool.New(nowhere{opt.MaxAlloc}, opt)
	if err != nil {
		return r, err
	}
	defer p.Close()
	for round := 1; round <= maxRounds; round++ {
		before := p.Stats().Creates
		if err := run(events, p, &r, round == 1); err != nil {
			return r, err
		}
		made := p.Stats().Creates - before
		if round == 2 {
			r.Again = made
		}
		if made == 0 && round > 1 {
			r.SteadyAfter = round - 1
			break
		}
	}
	return r, nil
}

func run(events []Event, p pool.Pool, r *Result, first bool) error {
	live := map[uint64]pool.Block{}
	var order []uint64 // of live, those freed included
	held, call := int64(0), int64(0)
	p.Turn()
	for i, e := range events {
		if e.Call > call { // RMM's logs have threads here, which take turns: the larger ones come once
			call = e.Call
			p.Turn()
		}
		switch e.Action {
		case Free:
			b, ok := live[e.Pointer]
			if !ok {
				return fmt.Errorf("event %d frees %#x, which is not allocated", i+1, e.Pointer)
			}
			delete(live, e.Pointer)
			if b != nil {
				p.Put(b)
			}
			continue
		case Allocate:
			if _, twice := live[e.Pointer]; twice {
				return fmt.Errorf("event %d allocates %#x, which is not free", i+1, e.Pointer)
			}
		}
		b, err := p.Get(e.Size, e.Tag)
		if err != nil && !errors.Is(err, pool.ErrNoMemory) {
			return err
		}
		if e.Action == Failure { // it failed then; the policy may do better, and its caller ends
			if b != nil {
				p.Put(b)
			}
			continue
		}
		live[e.Pointer] = b
		order = append(order, e.Pointer)
		if b != nil && b.Kind() == pool.Miss && first {
			if s := p.Stats(); s.Held > held {
				held, r.External = s.Held, s.External()
			}
		}
	}
	for _, at := range order {
		if b := live[at]; b != nil {
			p.Put(b)
		}
		delete(live, at)
	}
	if first {
		r.First = p.Stats()
	}
	return nil
}

// nowhere is a Source of buffers without memory, of any size up to most (0: of any).
type nowhere struct{ most int64 }

func (n nowhere) Create(bytes int64) (any, error) {
	if n.most > 0 && bytes > n.most {
		return nil, pool.ErrTooLarge
	}
	return nil, nil
}
func (nowhere) Release(any)   {}
func (nowhere) Finish() error { return nil }
