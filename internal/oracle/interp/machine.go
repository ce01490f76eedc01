package interp

import (
	"context"

	"github.com/memc-lang/memc/internal/base/hostmem"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// quick is what a run may hold before it looks at the machine, which takes a while.
const quick = 64 << 20

// checkEvery is the number of steps between looks at the context.
const checkEvery = 4096

// stepBytes is how much is copied in the time of a step.
const stepBytes = 16

// A machine is the state of one run that both semantics need: the budget of
// steps, the account of memory, and buffers to copy through.
type machine struct {
	ctx      context.Context
	steps    int64 // left until the next look
	left     int64 // steps left in the budget behind steps
	limited  bool
	wraps    *int64 // where it is set, counts results that did not fit in their type
	maxBytes int64  // that blocks may have; 0: as many as the machine can hold
	live     int64  // bytes of blocks
	// held are the bytes that the run holds of the machine: blocks with their shadows, and
	// buffers. They may be as many as room. Go's heap may have heap bytes before garbage
	// is collected; 0: nobody has looked at the machine yet.
	held, room, heap int64
	stats            Stats
	pool             []*elements
	sites            []*ir.Elem // where arrays are bound, for reports
}

func newMachine(opt Options) *machine {
	m := &machine{ctx: opt.Context, left: opt.MaxSteps, limited: opt.MaxSteps > 0, maxBytes: opt.MaxBytes, wraps: opt.Wraps, room: quick}
	if m.ctx == nil {
		m.ctx = context.Background()
	}
	return m
}

// step counts one iteration of a loop or one thread, with its statements.
func (m *machine) step(statements int) { m.spend(1 + int64(statements)) }

func (m *machine) spend(steps int64) {
	if m.steps -= steps; m.steps < 0 {
		m.look()
	}
}

// look ends the run where the context is done or the budget is spent.
func (m *machine) look() {
	if err := m.ctx.Err(); err != nil {
		fault("", diag.Span{}, "the run was stopped: %v", err)
	}
	over := min(m.steps, 0)
	m.steps = checkEvery
	if m.limited {
		if m.left += over; m.left <= 0 {
			m.stats.Spent = true
			fault("", diag.Span{}, "the run took more steps than it was given")
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
	held int64 // bytes claimed for it
	near bool  // a group's: it is not of the memory that statistics count
	m    *machine
	*shadow
}

// newBlock makes a block of n bytes.
func (m *machine) newBlock(name string, n int64, at diag.Span) *block {
	m.fits(n, at)
	m.live += n
	m.stats.PeakBytes = max(m.stats.PeakBytes, m.live)
	return m.makeBlock(name, n, at, false)
}

func (m *machine) makeBlock(name string, n int64, at diag.Span, near bool) *block {
	b := &block{name: name, m: m, near: near}
	b.claim(n, at)
	b.data = make([]byte, n)
	return b
}

// fits ends the run where it may not hold n bytes more.
func (m *machine) fits(n int64, at diag.Span) {
	m.stats.Spent = n <= ir.MaxBytes // no machine has more
	if m.maxBytes > 0 && n > m.maxBytes-m.live {
		fault(diag.OutOfMemory, at, "out of memory: %d bytes requested, %d bytes are in use, and the interpreter may hold %d", n, m.live, m.maxBytes)
	}
	if n > m.room-m.held && m.heap == 0 {
		var budget int64
		budget, m.heap = hostmem.Collected()
		m.room = m.held + budget
	}
	if n > m.room-m.held {
		fault(diag.OutOfMemory, at, "out of memory: %d bytes requested, the interpreter holds %d bytes, and this machine has room for %d", n, m.held, m.room)
	}
	m.stats.Spent = false
}

// claim counts n bytes that are about to be made.
func (m *machine) claim(n int64, at diag.Span) {
	m.fits(n, at)
	m.held += n
	if m.heap > 0 {
		hostmem.Tidy(n, m.heap)
	}
}

// claim counts n bytes that go with the block.
func (b *block) claim(n int64, at diag.Span) {
	b.m.claim(n, at)
	b.held += n
}

// hold makes slot refer to b, and releases the block that it referred to.
func hold(slot **block, b *block) {
	if *slot == b {
		return
	}
	if old := *slot; old != nil {
		if old.refs--; old.refs == 0 {
			if !old.near {
				old.m.live -= int64(len(old.data))
			}
			old.m.held -= old.held
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

// take returns a buffer for n bytes; give takes it back. Copies are exact where
// source and target overlap because all of the source is in such a buffer
// before the first element is written.
func (m *machine) take(n int64) *elements {
	if k := len(m.pool); k > 0 {
		e := m.pool[k-1]
		m.pool = m.pool[:k-1]
		return m.resized(e, n)
	}
	return m.resized(&elements{}, n)
}

func (m *machine) resized(e *elements, n int64) *elements {
	if more := n - int64(cap(e.data)); more > 0 {
		m.claim(more, diag.Span{})
	}
	m.spend(n / stepBytes)
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
