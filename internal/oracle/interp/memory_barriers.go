package interp

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// Note [Between barriers]
//
// The threads of a group run the statements of its body one after another, but they only wait for
// each other at barriers. So between two barriers any thread may be ahead of another one. Accesses
// of different threads are checked as in a kernel, with an epoch for each interval. Point k of
// every map and scatter belongs to the same thread. All other work, and a read of an element at the
// level of the group, may be done by any thread, a different one in each statement. And the thread
// that writes a fresh array is not the one that reads its operands, such as y[0] in replicate (k)
// y[0].

// meeting is the level of the touches between barriers, behind those of kernels.
const meeting = 2

// anybody is the first id of those that are no thread's.
const anybody = 1 << 31

// An interval is the work of a group between two barriers.
type interval struct {
	epoch uint32 // counted as those of kernels; 0 outside of groups
	id    uint32 // who is at work
	some  uint32 // statements so far
}

// at returns the epoch of a level, and who is at work there.
func (m *memoryArrays) at(level int) (epoch, id uint32) {
	if level == meeting {
		return m.gap.epoch, m.gap.id
	}
	return m.levels[level].epoch, m.levels[level].id
}

// proceed goes on to the next statement of a group, behind a barrier or not.
func (m *memoryArrays) proceed(meets bool) {
	if meets {
		m.epoch++
		m.gap.epoch = m.epoch
	}
	m.gap.some++
	m.gap.id = anybody + m.gap.some%(anybody/2)
}

// readInGap records the read of an element; moved those of all elements of an array.
func (m *memoryArrays) readInGap(a *array, pos int64, at diag.Span) {
	if m.gap.epoch == 0 {
		return
	}
	for g := pos * a.size >> m.shift; g <= (pos*a.size+a.size-1)>>m.shift; g++ {
		m.noteRead(meeting, a, g, at)
	}
}

func (m *memoryArrays) moved(a *array, at diag.Span) {
	if m.gap.epoch == 0 {
		return
	}
	a.runs(func(pos, n, stride int64) {
		for range n {
			m.readInGap(a, pos, at)
			pos += stride
		}
	})
}

// atWork records which thread of a kernel goes on.
func (m *memoryArrays) atWork(t int64) {
	k := m.levels[len(m.levels)-1].kernel
	switch {
	case m.barriers == nil || t < 0:
	case k.groups:
		m.proceed(true)
	case m.gap.epoch != 0 && k.sharedOut:
		m.gap.id = uint32(t + 1)
	}
}

// proceeding compiles what goes before a statement of a group, or before the results of a
// body; nil elsewhere.
func (fn *function) proceeding(meets func(Barriers) bool) code {
	m, ok := fn.sem.(*memoryArrays)
	if !ok || !fn.inGroup || m.barriers == nil {
		return nil
	}
	met := meets(m.barriers)
	return func([]uint64) { m.proceed(met) }
}

// compileThread compiles the body of a kernel, which no group runs together.
func (fn *function) compileThread(b *ir.Body) *body {
	defer func(before bool) { fn.inGroup = before }(fn.inGroup)
	fn.inGroup = false
	return fn.compileBody(b)
}

func pointName(id uint32) string {
	if id >= anybody {
		return "any thread of the group"
	}
	return "the thread of point " + itoa(int(id)-1) + " in the group"
}
