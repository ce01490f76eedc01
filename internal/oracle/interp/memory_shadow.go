package interp

import (
	"unsafe"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// A shadow records for every granule of a block when it was written, and which threads touched it
// in the present kernel. A granule is as large as the smallest element of the program. Elements are
// aligned to their size, so granules are as exact as bytes.
type shadow struct {
	// time is the time of the event that wrote the granule; 0: never written.
	// With the bit undefined, the event left it undefined.
	time []uint32
	race [3][]touched // of each level, and between barriers; made when a kernel first touches the block
	// scratched is the time at which a scratch array was last put there; made when
	// one is first.
	scratched []uint32
}

const undefined = 1 << 31

// touched tells which threads of a kernel touched a granule: the one that
// wrote it and two that read it (with two different ones, any writer
// conflicts). 0 is none.
type touched struct {
	epoch      uint32
	writer     uint32
	reader     uint32
	other      uint32
	readerSite int32
	otherSite  int32
}

// Ids of pseudo-threads in touched; a thread t has the id t+1.
const (
	combinerID = 1<<32 - 1
	histID     = 1<<32 - 2
)

// recordedEvents bounds the table from times to sites (4 bytes an event).
const recordedEvents = 1 << 24

// tick begins an event at the site of an array.
func (m *memoryArrays) tick(site int32) uint32 {
	if m.clock++; m.clock == undefined {
		limited(m.sites[site].Span, "the run makes more than %d arrays and updates", undefined)
	}
	if m.clock < recordedEvents {
		m.events = append(m.events, site)
	}
	return m.clock
}

// maker returns the binding whose event has that time, or nil.
func (m *memoryArrays) maker(time uint32) *ir.Elem {
	if i := int(time &^ undefined); i > 0 && i <= len(m.events) {
		return m.sites[m.events[i-1]]
	}
	return nil
}

// offset returns the byte at which element pos of a begins; it must lie in the
// block.
func (m *memoryArrays) offset(a *array, pos int64, what string, at diag.Span) int64 {
	if b := a.mem; pos < 0 || pos >= int64(len(b.data))/a.size {
		fault(diag.OutsideBlock, at, "%s outside of a block: element %d of block `%s` through `%s` of %v, and the block has %d bytes",
			what, pos, b.name, a.name, a.prim, len(b.data))
	}
	return pos * a.size
}

// read checks a read of the element at pos of a. It gives the element's byte,
// and whether it is defined.
func (m *memoryArrays) read(a *array, pos int64, at diag.Span) (byte int64, defined bool) {
	byte = m.offset(a, pos, "read", at)
	b := a.mem
	defined = true
	first, last := byte>>m.shift, (byte+a.size-1)>>m.shift
	for g := first; g <= last; g++ {
		// One comparison finds all that is suspicious: 0 wraps to the largest
		// time, and an undefined byte has a time past every other.
		w := b.time[g]
		if w-1 >= a.stamp {
			if w&^undefined > a.stamp {
				m.suspicious(a, g, w, at)
			}
			defined = false
		}
		// Not written since, and read through an array made from the scratch array.
		if b.scratched != nil && b.scratched[g] > w && b.scratched[g] <= a.born {
			defined = false
		}
		for k := range m.levels {
			if m.levels[k].id != 0 {
				m.noteRead(k, a, g, at)
			}
		}
	}
	return byte, defined
}

// suspicious reports the error of granule g, which is read through a and was overwritten at
// time w: a race between threads, or a later array.
func (m *memoryArrays) suspicious(a *array, g int64, w uint32, at diag.Span) {
	for k, l := range m.levels {
		if race := a.mem.race[k]; l.id != 0 && race != nil {
			if c := &race[g]; c.epoch == l.epoch && c.writer != 0 && c.writer != l.id {
				m.conflict(k, a.mem, g, c.writer, m.maker(w), l.id, m.sites[a.site], "read", at)
			}
		}
	}
	m.overwritten(a, g, w, at)
}

func (m *memoryArrays) overwritten(a *array, g int64, w uint32, at diag.Span) {
	by := m.maker(w)
	d := &diag.Diagnostic{Severity: diag.Error, Code: diag.Overwritten, Span: at}
	where := "block `" + a.mem.name + "`, byte " + itoa(int(g<<m.shift))
	if by == nil {
		d.Msg = "`" + a.name + "` was overwritten by a later array: " + where
		panic(d)
	}
	d.Msg = "`" + a.name + "` was overwritten by `" + by.Name + "`"
	if m.file != nil && by.Span.Known() {
		line, _ := m.file.Position(by.Span.Start)
		d.Msg += ", made at line " + itoa(line)
	}
	d.Msg += ": " + where
	d.With(m.sites[a.site].Span, "`%s` is made here", a.name)
	d.With(by.Span, "`%s` is made here", by.Name)
	panic(d)
}

// write checks and notes a write of the element at pos of a, and gives its
// byte. mark is 0, or undefined.
func (m *memoryArrays) write(a *array, pos int64, g guard, mark uint32, at diag.Span) (byte int64) {
	byte = m.offset(a, pos, "write", at)
	b := a.mem
	first, last := byte>>m.shift, (byte+a.size-1)>>m.shift
	for i := first; i <= last; i++ {
		for k := range m.levels {
			if m.levels[k].id != 0 {
				m.noteWrite(k, a, i, at)
			}
		}
		if m.gap.epoch != 0 {
			m.noteWrite(meeting, a, i, at)
		}
		if w := b.time[i] &^ undefined; w >= g.low && w <= g.high && w != 0 {
			m.twice(a, i, w, at)
		}
		b.time[i] = a.stamp | mark
	}
	return byte
}

// twice reports two elements of the arrays that one operation makes in one
// place.
func (m *memoryArrays) twice(a *array, g int64, w uint32, at diag.Span) {
	where := "block `" + a.mem.name + "`, byte " + itoa(int(g<<m.shift))
	if by := m.maker(w); by != nil && by.Name != a.name {
		fault(diag.SharedMemory, at, "`%s` and `%s`, made by one operation, share memory: %s", by.Name, a.name, where)
	}
	fault(diag.SharedMemory, at, "two elements of `%s` share memory: %s", a.name, where)
}

// touch returns the record of granule g of b in the kernel that runs at a level.
func (m *memoryArrays) touch(k int, b *block, g int64) *touched {
	if b.race[k] == nil {
		b.claim(int64(len(b.time))*int64(unsafe.Sizeof(touched{})), diag.Span{})
		b.race[k] = make([]touched, len(b.time))
	}
	c := &b.race[k][g]
	if epoch, _ := m.at(k); c.epoch != epoch {
		*c = touched{epoch: epoch}
	}
	return c
}

func (m *memoryArrays) noteRead(k int, a *array, g int64, at diag.Span) {
	c := m.touch(k, a.mem, g)
	_, id := m.at(k)
	if c.writer != 0 && c.writer != id {
		m.conflict(k, a.mem, g, c.writer, m.maker(a.mem.time[g]), id, m.sites[a.site], "read", at)
	}
	switch {
	case c.reader == 0:
		c.reader, c.readerSite = id, a.site
	case c.reader != id && c.other == 0:
		c.other, c.otherSite = id, a.site
	}
}

func (m *memoryArrays) noteWrite(k int, a *array, g int64, at diag.Span) {
	c := m.touch(k, a.mem, g)
	_, id := m.at(k)
	mine := m.sites[a.site]
	switch {
	case c.writer != 0 && c.writer != id:
		m.conflict(k, a.mem, g, id, mine, c.writer, m.maker(a.mem.time[g]), "written", at)
	case c.reader != 0 && c.reader != id:
		m.conflict(k, a.mem, g, id, mine, c.reader, m.sites[c.readerSite], "read", at)
	case c.other != 0 && c.other != id:
		m.conflict(k, a.mem, g, id, mine, c.other, m.sites[c.otherSite], "read", at)
	}
	c.writer = id
}

// conflict reports two threads that touch one element, one of which writes it.
func (m *memoryArrays) conflict(k int, b *block, g int64, writer uint32, written *ir.Elem, second uint32, touched *ir.Elem, how string, at diag.Span) {
	name := func(el *ir.Elem) string {
		if el == nil {
			return "an array"
		}
		return "`" + el.Name + "`"
	}
	d := &diag.Diagnostic{Severity: diag.Error, Code: diag.Race, Span: at}
	who, other := m.threadName(k, writer), m.threadName(k, second)
	d.Msg = "two threads of a kernel touch one element: " + name(written) + " is written by " + who + ", " +
		name(touched) + " is " + how + " by " + other + " (block `" + b.name + "`, byte " + itoa(int(g<<m.shift)) + ")"
	if written != nil {
		d.With(written.Span, "`%s` is made here", written.Name)
	}
	if touched != nil && touched != written {
		d.With(touched.Span, "`%s` is made here", touched.Name)
	}
	panic(d)
}

func (m *memoryArrays) threadName(level int, id uint32) string {
	switch id {
	case combinerID:
		return "the combining of values"
	case histID:
		return "the histogram"
	}
	if level == meeting {
		return pointName(id)
	}
	t := int64(id) - 1
	n := m.levels[level].kernel.n
	s := "]"
	for k := len(n) - 1; k >= 0; k-- {
		s = itoa(int(t%n[k])) + s
		t /= n[k]
		if k > 0 {
			s = ", " + s
		}
	}
	return "thread [" + s
}
