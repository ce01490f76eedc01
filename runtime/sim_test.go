//go:build cgo

package runtime

import (
	"errors"
	"math/rand/v2"
	"time"
	"unsafe"
)

// A machine simulates devices whose queues run on their own: commands of one queue in their
// order, those of different queues in any order that events allow. Whoever forgets to wait
// for something reads or writes too early, or too late, sooner or later.
type machine struct {
	rng     *rand.Rand
	devices []*simDevice
	failing float64 // how often enqueueing a migration fails
	fails   int
	pins    map[unsafe.Pointer][]byte
	jumps   int // commands that ran before an earlier one of another queue
	order   int64
	ran     int64 // the latest command that ran
}

type simEvent struct{ done bool }

type simCommand struct {
	n     int64
	after []*simEvent
	run   func()
}

// A simDevice is a driver with three queues.
type simDevice struct {
	m      *machine
	shared int // devices with one number have a context together
	queues [3][]simCommand
	live   int
	gone   bool // migrations tell that the device is lost
	noPeer bool // it copies from no other device
}

var errSim = errors.New("a migration failed on purpose")

func (m *machine) add(shared int) *simDevice {
	d := &simDevice{m: m, shared: shared}
	m.devices = append(m.devices, d)
	return d
}

func (d *simDevice) enqueue(queue int, run func(), after ...*simEvent) {
	d.m.order++
	d.queues[queue] = append(d.queues[queue], simCommand{d.m.order, after, run})
	for d.m.rng.IntN(3) == 0 {
		d.m.step()
	}
}

// step runs one command that may run; false: there is none.
func (m *machine) step() bool {
	at := m.rng.IntN(3 * len(m.devices))
	for k := range 3 * len(m.devices) {
		i := (at + k) % (3 * len(m.devices))
		q := &m.devices[i/3].queues[i%3]
		if len(*q) == 0 {
			continue
		}
		c := (*q)[0]
		ready := true
		for _, ev := range c.after {
			ready = ready && ev.done
		}
		if !ready {
			continue
		}
		*q = (*q)[1:]
		if c.n < m.ran {
			m.jumps++
		}
		m.ran = max(m.ran, c.n)
		c.run()
		return true
	}
	return false
}

func (d *simDevice) drain(queue int) {
	done := false
	d.queues[queue] = append(d.queues[queue], simCommand{run: func() { done = true }})
	for !done {
		if !d.m.step() {
			panic("the queues wait for each other")
		}
	}
}

func bytesAt(h handle, off, n int64) []byte { return (*h.(*[]byte))[off : off+n] }

func (d *simDevice) create(bytes int64) (handle, error) {
	b := make([]byte, bytes)
	for i := range b {
		b[i] = byte(d.m.rng.Uint32())
	}
	d.live++
	return &b, nil
}

func (d *simDevice) release(handle) { d.live-- }

func (d *simDevice) write(h handle, off int64, data []byte) error {
	d.enqueue(queueMain, func() { copy(bytesAt(h, off, int64(len(data))), data) })
	d.drain(queueMain)
	return nil
}

func (d *simDevice) read(h handle, off int64, data []byte) error {
	d.enqueue(queueMain, func() { copy(data, bytesAt(h, off, int64(len(data)))) })
	d.drain(queueMain)
	return nil
}

func (d *simDevice) set(h handle, off int64, data []byte) error {
	data = append([]byte(nil), data...)
	d.enqueue(queueMain, func() { copy(bytesAt(h, off, int64(len(data))), data) })
	return nil
}

func (d *simDevice) readAll(list []piece) error {
	for _, p := range list {
		if err := d.read(p.from, p.off, p.data); err != nil {
			return err
		}
	}
	return nil
}

func (d *simDevice) copy(dst handle, dstOff int64, src handle, srcOff, bytes int64) error {
	d.enqueue(queueMain, func() { copy(bytesAt(dst, dstOff, bytes), bytesAt(src, srcOff, bytes)) })
	return nil
}

func (d *simDevice) build(string, string) (module, error) { return simModule{}, nil }

type simModule struct{}

func (simModule) kernel(name string) (kernel, error) { return name, nil }
func (simModule) release()                           {}

// launch runs the one kernel: every byte of the second block becomes a sum of itself, of a byte
// of the first, and of the third argument.
func (d *simDevice) launch(_ kernel, _, _, _ int64, args []Arg) error {
	at := func(b *Block) []byte { return bytesAt(b.buf, b.offset, b.size) }
	src, dst, k := at(args[0].Block), at(args[1].Block), byte(args[2].Bits)
	d.enqueue(queueMain, func() { simKernel(dst, src, k) })
	return nil
}

func simKernel(dst, src []byte, k byte) {
	for i := range dst {
		dst[i] += k
		if len(src) > 0 {
			dst[i] += 3 * src[i%len(src)]
		}
	}
}

func (d *simDevice) finish() error {
	for q := range d.queues {
		d.drain(q)
	}
	return nil
}

func (d *simDevice) took() (time.Duration, error) { return 0, nil }
func (d *simDevice) close()                       {}
func (d *simDevice) link() error                  { return nil }

func (d *simDevice) mark(queue int) (event, error) { return d.copies(queue, func() {}) }

func (d *simDevice) copies(queue int, do func()) (event, error) {
	if err := d.fail(); err != nil {
		return nil, err
	}
	ev := &simEvent{}
	d.enqueue(queue, func() { do(); ev.done = true })
	return ev, nil
}

func (d *simDevice) await(queue int, list []event) error {
	if err := d.fail(); err != nil {
		return err
	}
	var after []*simEvent
	for _, ev := range list {
		after = append(after, ev.(*simEvent))
	}
	d.enqueue(queue, func() {}, after...)
	return nil
}

func (d *simDevice) drop(event)                                       {}
func (d *simDevice) taken() []event                                   { return nil }
func (d *simDevice) span(event) (start, end time.Duration, err error) { return 0, 0, nil }
func (d *simDevice) clock() (time.Duration, error)                    { return 0, nil }

func (d *simDevice) done(ev event) bool { return ev.(*simEvent).done }

func (d *simDevice) wait(ev event) error {
	for !ev.(*simEvent).done {
		if !d.m.step() {
			panic("what is waited for never comes")
		}
	}
	return nil
}

func (d *simDevice) settle(queue int) error {
	if d.gone {
		return errLost
	}
	d.drain(queue)
	return nil
}

func (d *simDevice) fail() error {
	if d.gone {
		return errLost
	}
	if d.m.rng.Float64() < d.m.failing {
		d.m.fails++
		return errSim
	}
	return nil
}

func (d *simDevice) fetch(to unsafe.Pointer, from handle, off, n int64) (event, error) {
	return d.copies(queueOut, func() { copy(unsafe.Slice((*byte)(to), n), bytesAt(from, off, n)) })
}

func (d *simDevice) put(to handle, off int64, from unsafe.Pointer, n int64) (event, error) {
	return d.copies(queueIn, func() { copy(bytesAt(to, off, n), unsafe.Slice((*byte)(from), n)) })
}

func (d *simDevice) peer(to handle, toOff int64, from handle, fromOff, n int64) (event, error) {
	if d.noPeer {
		return nil, errSim
	}
	return d.copies(queueIn, func() { copy(bytesAt(to, toOff, n), bytesAt(from, fromOff, n)) })
}

func (d *simDevice) peers(o linker) bool {
	other := o.(*simDevice)
	return other != d && other.shared == d.shared
}

func (d *simDevice) pin(bytes int64) (pinned, error) {
	mem := make([]byte, bytes)
	at := unsafe.Pointer(&mem[0])
	d.m.pins[at] = mem
	return pinned{at, nil}, nil
}

func (d *simDevice) unpin(p pinned) { delete(d.m.pins, p.at) }
