package runtime

import (
	"time"
	"unsafe"
)

// Note [Order between queues]. A device of several has three queues, each of which executes its
// commands in order: one for kernels, one for incoming transfers, one for outgoing ones. Only
// events order commands of different queues or devices. A lane is a queue that leaves an event (a
// mark) after its commands. A track is the commands that touched one piece of storage: a command
// that reads it waits for the last one that wrote it; a command that writes it waits for all.
// Storage that changes hands within a buffer of the pool keeps its track: the next owner waits for
// the last owner's commands (several.inherit).

// An event is a driver's: a command that is done, sooner or later.
type event any

// Queues of a linked driver.
const (
	queueMain = iota // kernels, and all that one device alone does
	queueIn          // transfers from the host or another device
	queueOut         // transfers to the host
)

// A linker is a driver whose device works together with others. Nothing here waits, if
// it does not say so. Errors of commands may show later, as the main queue's do.
type linker interface {
	// link opens queueIn and queueOut; close of the driver closes them.
	link() error
	// mark returns an event of all commands so far on a queue, and starts them.
	mark(queue int) (event, error)
	// await has the commands that follow on a queue wait for events, of this driver or a peer's.
	await(queue int, list []event) error
	drop(ev event)
	done(ev event) bool
	wait(ev event) error    // waits
	settle(queue int) error // waits for all commands on a queue

	// If the driver was opened for profiling, taken returns the events of commands since its last
	// call. span waits for one, drops it, and returns its times by the device's clock; clock
	// returns the present time by that clock.
	taken() []event
	span(ev event) (start, end time.Duration, err error)
	clock() (time.Duration, error)

	// fetch copies to the host's memory, on queueOut. put copies from the host's memory, and peer
	// from the buffer of a driver that peers named, both on queueIn. Each starts its copy and
	// returns the copy's event. (A mark would suffice, but NVIDIA's driver ends it after the
	// kernels of other queues.)
	fetch(to unsafe.Pointer, from handle, off, bytes int64) (event, error)
	put(to handle, off int64, from unsafe.Pointer, bytes int64) (event, error)
	peer(to handle, toOff int64, from handle, fromOff, bytes int64) (event, error)
	// peers reports whether this driver can copy from the other's buffers.
	peers(other linker) bool
	// pin makes memory of the host that devices reach fast; errNoMemory (wrapped) where
	// there is none.
	pin(bytes int64) (pinned, error)
	unpin(p pinned)
}

// Pinned is memory of the host.
type pinned struct {
	at unsafe.Pointer
	of any // the driver's
}

// A lane is a queue with the marks after its commands.
type lane struct {
	link  linker
	queue int
	eager bool            // leave a mark after each command, not only when another command waits for it
	last  int64           // marks so far
	done  int64           // marks up to this one are known to be done
	marks []mark          // those not known to be done, the oldest first
	after map[*lane]int64 // which marks of others the commands here wait for already
}

type mark struct {
	n  int64
	ev event
}

// A stamp is a mark of a lane; the zero stamp is none.
type stamp struct {
	on *lane
	n  int64
}

// maxMarks is how many marks a lane keeps before it looks which are done.
const maxMarks = 16

// mark leaves a mark after the commands so far.
func (l *lane) mark() (stamp, error) {
	ev, err := l.link.mark(l.queue)
	if err != nil { // nobody could wait for the commands: that is done here
		if err := l.link.settle(l.queue); err != nil {
			return stamp{}, err
		}
		l.last++
		l.done = l.last
		return stamp{l, l.last}, nil
	}
	return l.leave(ev), nil
}

// leave has an event of all commands so far be the next mark.
func (l *lane) leave(ev event) stamp {
	l.last++
	l.marks = append(l.marks, mark{l.last, ev})
	if len(l.marks) > maxMarks {
		n := 0
		for n < len(l.marks) && l.link.done(l.marks[n].ev) {
			l.link.drop(l.marks[n].ev)
			l.done = l.marks[n].n
			n++
		}
		l.marks = append(l.marks[:0], l.marks[n:]...)
	}
	return stamp{l, l.last}
}

// stamp stands for the commands so far. As long as nobody waits for a lane, its commands cost
// no marks: the first who does has it leave one, behind more commands than necessary.
func (l *lane) stamp() (stamp, error) {
	if l.eager {
		return l.mark()
	}
	return stamp{l, l.last + 1}, nil
}

// event returns the event of a stamp, or nil if the stamp is done.
func (s stamp) event() (event, error) {
	if s.on == nil {
		return nil, nil
	}
	s.on.eager = true
	if s.n > s.on.last {
		if _, err := s.on.mark(); err != nil {
			return nil, err
		}
	}
	if s.n <= s.on.done { // its mark is gone: those that are left are of later commands
		return nil, nil
	}
	for _, m := range s.on.marks {
		if m.n >= s.n {
			return m.ev, nil
		}
	}
	return nil, nil
}

// await makes the following commands on the lane wait for stamps. OpenCL contexts share no events,
// so the host waits. Callbacks could set a user event of the other context, but NVIDIA's driver
// calls them late: chunks that take 0.08 ms came 20 ms apart.
func (l *lane) await(list []stamp) error {
	var events []event
	var waits []stamp // those that nothing has waited for yet
	for _, s := range list {
		if s.on == l || s.n <= l.after[s.on] {
			continue
		}
		if s.on.link != l.link && !l.link.peers(s.on.link) {
			if err := s.wait(); err != nil {
				return err
			}
			waits = append(waits, s)
			continue
		}
		ev, err := s.event()
		if err != nil {
			return err
		}
		if ev != nil {
			events, waits = append(events, ev), append(waits, s)
		}
	}
	if len(events) > 0 {
		if err := l.link.await(l.queue, events); err != nil {
			return err
		}
	}
	for _, s := range waits {
		l.after[s.on] = max(l.after[s.on], s.n)
	}
	return nil
}

// wait waits for a stamp.
func (s stamp) wait() error {
	ev, err := s.event()
	if err != nil || ev == nil {
		return err
	}
	return s.on.link.wait(ev)
}

// close drops the marks.
func (l *lane) close() {
	for _, m := range l.marks {
		l.link.drop(m.ev)
	}
	l.marks = nil
}

// A track is the commands that touched a piece of storage: the last that wrote it, and the
// last on every lane since then.
type track struct {
	wrote stamp
	uses  []stamp
}

// before returns the stamps that a command has to wait for.
func (t *track) before(writes bool) []stamp {
	if writes {
		return t.uses
	}
	return []stamp{t.wrote}
}

// read records a command that reads.
func (t *track) read(s stamp) {
	for i := range t.uses {
		if t.uses[i].on == s.on {
			t.uses[i].n = max(t.uses[i].n, s.n)
			return
		}
	}
	t.uses = append(t.uses, s)
}

// write records a command that writes, and so waited for all others.
func (t *track) write(s stamp) {
	t.wrote = s
	t.uses = append(t.uses[:0], s)
}
