package membench

import (
	"math/rand"

	"github.com/memc-lang/memc/runtime/memtrace"
)

// A Trace is a sequence of requests with a name.
type Trace struct {
	Name   string
	Events []memtrace.Event
}

// A script writes a trace; each block has a pointer of its own.
type script struct {
	events []memtrace.Event
	next   uint64
}

func (s *script) get(bytes int64, tag int) memtrace.Event {
	s.next++
	e := memtrace.Event{Action: memtrace.Allocate, Pointer: s.next, Size: bytes, Tag: tag}
	s.events = append(s.events, e)
	return e
}

func (s *script) put(e memtrace.Event) {
	e.Action = memtrace.Free
	s.events = append(s.events, e)
}

// Adversarial returns traces that are hard for one policy or another.
func Adversarial() []Trace {
	return []Trace{
		{"growing sizes", growing(false)}, {"growing sizes, two live", growing(true)},
		{"sawtooth", sawtooth()}, {"long-lived pins", pins()}, {"every second freed", comb()}, {"random", random()},
	}
}

// growing asks for a little more each time: what was freed never fits.
func growing(overlap bool) []memtrace.Event {
	var s script
	var last *memtrace.Event
	for n := int64(1 << 20); n < 64<<20; n += n / 8 {
		e := s.get(n, 0)
		if last != nil && overlap {
			s.put(*last)
		}
		if last = &e; !overlap {
			s.put(e)
		}
	}
	if overlap {
		s.put(*last)
	}
	return s.events
}

// sawtooth fills up in small steps and drops everything, with teeth of
// different sizes.
func sawtooth() []memtrace.Event {
	var s script
	for tooth := range 12 {
		n := int64(64<<10) << (tooth % 5)
		var live []memtrace.Event
		for i := range (16 << 20) / n {
			live = append(live, s.get(n-1000*int64(tooth), int(i%8)))
		}
		for _, e := range live {
			s.put(e)
		}
	}
	return s.events
}

// pins leaves a small block behind in every round of large ones, as results do
// that the caller keeps.
func pins() []memtrace.Event {
	var s script
	var kept []memtrace.Event
	for round := range 40 {
		a, b := s.get(8<<20, 0), s.get(4<<20, 1)
		kept = append(kept, s.get(3000, 2))
		s.put(a)
		c := s.get(12<<20-int64(round)*4096, 3)
		s.put(b)
		s.put(c)
	}
	for _, e := range kept {
		s.put(e)
	}
	return s.events
}

// comb frees every second of many blocks, and asks for blocks of twice the size.
func comb() []memtrace.Event {
	var s script
	var live []memtrace.Event
	for range 256 {
		live = append(live, s.get(128<<10, 0))
	}
	for i := 0; i < len(live); i += 2 {
		s.put(live[i])
	}
	for range 64 {
		s.put(s.get(256<<10, 1))
	}
	for i := 1; i < len(live); i += 2 {
		s.put(live[i])
	}
	return s.events
}

// random holds about 40 blocks of sizes between 1 KiB and 4 MiB.
func random() []memtrace.Event {
	var s script
	var live []memtrace.Event
	rng := rand.New(rand.NewSource(7))
	for range 4000 {
		if n := len(live); n > 0 && rng.Intn(80) < n {
			i := rng.Intn(n)
			s.put(live[i])
			live[i] = live[n-1]
			live = live[:n-1]
		} else {
			live = append(live, s.get(1<<uint(10+rng.Intn(12))+rng.Int63n(1000), rng.Intn(10)))
		}
	}
	for _, e := range live {
		s.put(e)
	}
	return s.events
}
