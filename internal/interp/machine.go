package interp

import (
	"context"

	"github.com/memc-lang/memc/internal/diag"
	"github.com/memc-lang/memc/ir"
)

// DefaultMaxBytes bounds what a run may hold where Options.MaxBytes is 0.
const DefaultMaxBytes = 8 << 30

// checkEvery is the number of steps between looks at the context.
const checkEvery = 4096

// A machine is the state of one run that both semantics need: the budget of
// steps, the account of memory, and buffers to copy through.
type machine struct {
	ctx      context.Context
	steps    int64 // left until the next look
	left     int64 // steps left in the budget behind steps
	limited  bool
	maxBytes int64
	wraps    *int64
	keep     bool // what is given and not consumed is held to the end
	live     int64
	stats    Stats
	pool     []*elements
	sites    []*ir.Elem // where arrays are bound, for reports
}

func newMachine(opt Options) *machine {
	m := &machine{ctx: opt.Context, left: opt.MaxSteps, limited: opt.MaxSteps > 0, maxBytes: opt.MaxBytes, wraps: opt.Wraps, keep: opt.KeepArguments}
	if m.ctx == nil {
		m.ctx = context.Background()
	}
	if m.maxBytes == 0 {
		m.maxBytes = DefaultMaxBytes
	}
	return m
}

// step counts one iteration of a loop or one thread.
func (m *machine) step() {
	if m.steps--; m.steps < 0 {
		m.look()
	}
}

// look ends the run where the context is done or the budget is spent.
func (m *machine) look() {
	if err := m.ctx.Err(); err != nil {
		fault(diag.Span{}, "the run was stopped: %v", err)
	}
	m.steps = checkEvery
	if m.limited {
		if m.left <= 0 {
			fault(diag.Span{}, "the run took more steps than it was given")
		}
		m.steps = min(m.steps, m.left)
		m.left -= m.steps
	}
}

// A block is a memory block: of the program (by memory), or of one fresh array
// (by value). It is held by the variables that name it or an array in it.
type block struct {
	data []byte
	name string
	gen  uint32 // by value: counts in-place updates
	refs int
	m    *machine
	*shadow
}

// newBlock makes a block of n bytes.
func (m *machine) newBlock(name string, n int64, at diag.Span) *block {
	if n > m.maxBytes-m.live {
		m.full(at, n)
	}
	m.live += n
	m.stats.PeakBytes = max(m.stats.PeakBytes, m.live)
	return &block{data: make([]byte, n), name: name, m: m}
}

// full ends the run, which asks for n bytes more than it may hold.
func (m *machine) full(at diag.Span, n int64) {
	fault(at, "out of memory: %d bytes are asked for beside %d in use, and the interpreter may hold %d", n, m.live, m.maxBytes)
}

// hold makes slot refer to b, and lets go of what it referred to.
func hold(slot **block, b *block) {
	if *slot == b {
		return
	}
	if old := *slot; old != nil {
		if old.refs--; old.refs == 0 {
			old.m.live -= int64(len(old.data))
		}
	}
	if b != nil {
		b.refs++
	}
	*slot = b
}

// elements are the elements of an array in row-major order, on their way from
// one place to another.
type elements struct {
	data []byte
	// undefined tells which elements have no value, by index; nil: all have.
	undefined []bool
}

// take gives a buffer for n bytes; give takes it back. Copies are exact where
// source and target overlap because all of the source is in such a buffer
// before the first element is written.
func (m *machine) take(n int64) *elements {
	if k := len(m.pool); k > 0 {
		e := m.pool[k-1]
		m.pool = m.pool[:k-1]
		e.resize(n)
		return e
	}
	e := &elements{}
	e.resize(n)
	return e
}

func (m *machine) give(e *elements) {
	e.undefined = nil
	m.pool = append(m.pool, e)
}

func (e *elements) resize(n int64) {
	if int64(cap(e.data)) < n {
		e.data = make([]byte, n)
	}
	e.data = e.data[:n]
	e.undefined = nil
}
