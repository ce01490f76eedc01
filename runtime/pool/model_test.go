//go:build cgo

package pool

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"runtime/cgo"
	"slices"
	"strconv"
	"testing"
	"unsafe"
)

// bytesSource makes buffers of real bytes, as many as room allows. failAt
// refuses one buffer, by number from 1; failFrom all from that number on.
type bytesSource struct {
	room             int64
	held             int64
	failAt, failFrom int
	creates          int
	finishes         int
	live             map[*[]byte]bool
}

func newBytes() *bytesSource { return &bytesSource{live: map[*[]byte]bool{}} }

func (s *bytesSource) Create(n int64) (any, error) {
	s.creates++
	if s.room > 0 && s.held+n > s.room || s.creates == s.failAt || s.failFrom > 0 && s.creates >= s.failFrom {
		return nil, fmt.Errorf("refused: %w", ErrNoMemory)
	}
	s.held += n
	b := make([]byte, n)
	s.live[&b] = true
	return &b, nil
}

func (s *bytesSource) Release(h any) {
	b := h.(*[]byte)
	if !s.live[b] {
		panic("a buffer is released twice")
	}
	delete(s.live, b)
	s.held -= int64(len(*b))
}

func (s *bytesSource) Finish() error { s.finishes++; return nil }

// A model is what a pool should be, by brute force: every block in use, and
// after every request all properties by looking at all of them.
type model struct {
	t    *testing.T
	p    *cPool
	src  *bytesSource
	live []*modelBlock
	rng  *rand.Rand
}

type modelBlock struct {
	b      Block
	asked  int64
	tag    int
	canary uint64
	buf    *[]byte
	off    int64
	size   int64
}

func newModel(t *testing.T, opt Options, seed int64) *model {
	src := newBytes()
	return &model{t: t, p: newPool(t, src, opt), src: src, rng: rand.New(rand.NewSource(seed))}
}

// A life tells how long the blocks of a site live, as C numbers it.
type life int

const (
	fresh life = iota
	brief
	lasting
)

// What follows says again what the pool decides by: Note [Lives] and Note [Whole buffers].

// lifeOf tells how long the next block of a site will live.
func (m *model) lifeOf(tag int) life {
	i := tag << 1
	if tag < 0 {
		i = ^i
	}
	if i >= int(m.p.c.site_count) {
		return fresh
	}
	s := unsafe.Slice(m.p.c.sites, m.p.c.site_count)[i]
	if s.newest != nil && s.newest.turn < m.p.c.turn {
		return lasting
	}
	return life(s.life)
}

// batch returns the size of a new buffer.
func (m *model) batch(size int64, how life) int64 {
	have := int64(m.p.c.bytes[how])
	if how == brief {
		have = m.src.held
	}
	return max(1, min(max(have/16, Slack), int64(m.p.c.max_alloc))/size) * size
}

// room returns how much more may be held by the budget, with a block of that size.
func (m *model) room(size int64, how life) int64 {
	s := m.p.Counts()
	most, part := max(s.PeakRounded, s.Rounded+size), int64(4)
	if how == brief {
		part = 16
	}
	return most + most/part + Slack - m.src.held
}

// mayBreak reports whether a request may have an idle buffer.
func (m *model) mayBreak(idle, size int64, how life) bool {
	if int64(m.p.c.churn) > 32*m.p.Counts().PeakRounded {
		return true
	}
	if idle+size > int64(m.p.c.limit)-m.src.held {
		return idle-idle/16 <= max(size, Slack)
	}
	return how == brief || idle/2 <= m.batch(size, how)
}

// get requests a block, and checks where it is. The free ranges before the call
// say what the best fit was.
func (m *model) get(asked int64, tag int) bool {
	m.t.Helper()
	holes := m.holes()
	before := m.p.Stats()
	how := m.lifeOf(tag)
	serving := m.serving(holes, asked, how)
	b, err := m.p.Get(asked, tag)
	if err != nil {
		if !errors.Is(err, ErrNoMemory) {
			m.t.Fatalf("Get(%d): %v", asked, err)
		}
		return false
	}
	k := &modelBlock{b, asked, tag, m.rng.Uint64(), b.Buffer().(*[]byte), b.Offset(), b.Size()}
	if !m.src.live[k.buf] {
		m.t.Fatal("a block in a buffer that was handed back")
	}
	if k.size < asked || k.size < 1 || k.off < 0 || k.off+k.size > int64(len(*k.buf)) {
		m.t.Fatalf("%d bytes asked: block [%d, %d) in a buffer of %d", asked, k.off, k.off+k.size, len(*k.buf))
	}
	for _, o := range m.live {
		if o.buf == k.buf && k.off < o.off+o.size && o.off < k.off+k.size {
			m.t.Fatalf("block [%d, %d) overlaps [%d, %d)", k.off, k.off+k.size, o.off, o.off+o.size)
		}
	}
	if m.p.Policy() == Region {
		m.checkFit(k, holes, serving, how, before)
	} else if k.off != 0 {
		m.t.Fatalf("a block of policy %v at offset %d", m.p.Policy(), k.off)
	}
	k.paint()
	m.live = append(m.live, k)
	return true
}

// A hole is a free range of a buffer, as long as can be.
type hole struct {
	buf   *[]byte
	size  int64
	whole bool
}

// serving returns the holes that may serve a site: of buffers in use those where its blocks belong,
// and of the others those that may be broken for it.
func (m *model) serving(holes []hole, asked int64, how life) []hole {
	size := max(Grain, (asked+Grain-1)/Grain*Grain)
	lives := map[*[]byte]life{}
	for _, l := range list(&m.p.c.idle, &m.p.c.busy) {
		for buf := l.oldest; buf != nil; buf = buf.next {
			lives[cgo.Handle(uintptr(buf.handle)).Value().(*[]byte)] = life(buf.life)
		}
	}
	return slices.DeleteFunc(slices.Clone(holes), func(h hole) bool {
		if h.whole {
			return h.size >= size && !m.mayBreak(h.size, size, how)
		}
		return how == lasting && lives[h.buf] != lasting // some of these may serve it, too
	})
}

func (m *model) holes() []hole {
	if m.p.Policy() != Region {
		return nil
	}
	per := map[*[]byte][]*modelBlock{}
	for _, k := range m.live {
		per[k.buf] = append(per[k.buf], k)
	}
	var out []hole
	for buf := range m.src.live {
		list := per[buf]
		slices.SortFunc(list, func(a, b *modelBlock) int { return int(a.off - b.off) })
		at := int64(0)
		for _, k := range list {
			if k.off > at {
				out = append(out, hole{buf, k.off - at, false})
			}
			at = k.off + k.size
		}
		if end := int64(len(*buf)); end > at {
			out = append(out, hole{buf, end - at, at == 0})
		}
	}
	return out
}

// checkFit checks a block of policy region: aligned, no larger than it must be, from the smallest of
// the holes that may serve it and are large enough, and from a new buffer only where there is none.
func (m *model) checkFit(k *modelBlock, holes, serving []hole, how life, before Stats) {
	if want := max(Grain, (k.asked+Grain-1)/Grain*Grain); k.off%Grain != 0 || k.size != want {
		m.t.Fatalf("%d bytes asked: %d bytes at offset %d", k.asked, k.size, k.off)
	}
	best, anywhere := smallest(serving, k.size), smallest(holes, k.size)
	limited := m.p.c.limit < 1<<50 || m.src.room > 0 || m.src.failAt > 0 || m.src.failFrom > 0
	switch {
	case k.b.Kind() == Miss && best != nil:
		m.t.Fatalf("a new buffer for %d bytes, and there was a hole of %d", k.size, best.size)
	case k.b.Kind() == Miss && before.Buffers > 0 && !limited:
		// The budget holds but for blocks in use: what is idle was given up.
		if room := m.room(k.size, how); room < 0 && m.p.c.idle.oldest != nil && m.p.c.idle.oldest != k.b.(*cBlock).buf {
			m.t.Fatalf("%d bytes above the budget, with an idle buffer", -room)
		}
	case k.b.Kind() != Miss && anywhere == nil:
		m.t.Fatalf("a hit of %d bytes without a hole", k.size)
	case k.b.Kind() != Miss && best == nil && how == brief && !limited:
		m.t.Fatalf("a hit of %d bytes without a hole that may serve it", k.size)
	}
	if (k.b.Kind() == HitSplit || k.b.Kind() == HitOther) && best != nil && m.binsShort() &&
		(m.holeOf(k) > best.size || m.holeOf(k) < best.size && how != lasting) {
		m.t.Fatalf("%d bytes from a hole of %d; the best is %d", k.size, m.holeOf(k), best.size)
	}
}

// smallest returns the smallest hole of at least that size.
func smallest(holes []hole, size int64) *hole {
	var best *hole
	for i := range holes {
		if h := &holes[i]; h.size >= size && (best == nil || h.size < best.size) {
			best = h
		}
	}
	return best
}

// binsShort reports whether the search in bins is exact: so few blocks that no
// bin can be longer than it looks.
func (m *model) binsShort() bool { return len(m.live) < 32 }

// holeOf returns the size of the hole that a fresh block was cut from: the block
// and what is free behind it.
func (m *model) holeOf(k *modelBlock) int64 {
	size := k.size
	if r := k.b.(*cBlock).right; r != nil && r.used == 0 {
		size += int64(r.size)
	}
	return size
}

func (m *model) put(i int) {
	k := m.live[i]
	m.live[i] = m.live[len(m.live)-1]
	m.live = m.live[:len(m.live)-1]
	if !k.intact() {
		m.t.Fatalf("the canary of a block of %d bytes is dead", k.asked)
	}
	m.p.Put(k.b)
}

// paint writes the canary to both ends of what was asked for.
func (k *modelBlock) paint() {
	for _, at := range k.canaries() {
		binary.LittleEndian.PutUint64((*k.buf)[at:], k.canary)
	}
}

func (k *modelBlock) intact() bool {
	for _, at := range k.canaries() {
		if binary.LittleEndian.Uint64((*k.buf)[at:]) != k.canary {
			return false
		}
	}
	return true
}

func (k *modelBlock) canaries() []int64 {
	if k.asked < 16 {
		return nil
	}
	return []int64{k.off, k.off + k.asked - 8}
}

// check compares the statistics with the model's, and walks the pool's lists.
func (m *model) check() {
	m.t.Helper()
	s := m.p.Stats()
	var asked, rounded int64
	var bytes [3]int64
	for _, k := range m.live {
		asked += k.asked
		rounded += k.size
		bytes[k.b.(*cBlock).life] += k.size
	}
	for how, n := range m.p.c.bytes {
		if int64(n) != bytes[how] {
			m.t.Fatalf("%v bytes in use by life; the model has %v", m.p.c.bytes, bytes)
		}
	}
	if s.Asked != asked || s.Rounded != rounded || s.Held != m.src.held || s.Blocks != int64(len(m.live)) ||
		s.Buffers != int64(len(m.src.live)) || s.Creates-s.Releases != s.Buffers {
		m.t.Fatalf("stats %+v; the model has asked %d, rounded %d, held %d, blocks %d, buffers %d", s, asked, rounded, m.src.held, len(m.live), len(m.src.live))
	}
	if lim := int64(m.p.c.limit); s.Held-Slack > lim {
		m.t.Fatalf("%d bytes held, the limit is %d", s.Held, lim)
	}
	largest := int64(0)
	for _, h := range m.holes() {
		largest = max(largest, h.size)
	}
	if m.p.Policy() == Region && largest != s.LargestFree {
		m.t.Fatalf("the largest hole is %d, not %d", largest, s.LargestFree)
	}
	seen := int64(0)
	for i, l := range list(&m.p.c.idle, &m.p.c.busy) {
		for buf := l.oldest; buf != nil; buf = buf.next {
			seen++
			at, used := int64(0), int64(0)
			for b := buf.first; b != nil; b = b.right {
				if int64(b.off) != at || b.buf != buf || b.right != nil && (b.right.left != b || b.used+b.right.used == 0) {
					m.t.Fatalf("the blocks of buffer %d are out of order, or free neighbours are not joined", buf.id)
				}
				if b.used != 0 {
					used++
				}
				at += int64(b.size)
			}
			if at != int64(buf.size) || used != int64(buf.used) || (used == 0) != (i == 0) {
				m.t.Fatalf("buffer %d: blocks of %d bytes in %d, %d in use, counted %d", buf.id, at, buf.size, used, buf.used)
			}
		}
	}
	if seen != s.Buffers {
		m.t.Fatalf("%d buffers in lists, %d in all", seen, s.Buffers)
	}
}

// draw returns a size: mostly small, some large, some nearly equal.
func draw(rng *rand.Rand) int64 {
	switch rng.Intn(8) {
	case 0:
		return rng.Int63n(3)
	case 1, 2:
		return rng.Int63n(1 << 16)
	case 3:
		return 40000 + rng.Int63n(600)
	case 4:
		return rng.Int63n(1 << 19)
	}
	return rng.Int63n(1 << uint(4+rng.Intn(12)))
}

// soakRequests is how many requests a soak makes: 1,000,000 with
// MEMC_SOAK=1000000.
func soakRequests(t *testing.T) int {
	if s := os.Getenv("MEMC_SOAK"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatalf("MEMC_SOAK=%s: %v", s, err)
		}
		return n
	}
	return 60000
}

// TestSoak makes random requests, in phases that fill and empty the pool, and
// holds every answer against the model.
func TestSoak(t *testing.T) {
	total := soakRequests(t)
	for _, x := range []struct {
		name string
		opt  Options
		room int64
	}{
		{"driver", Options{Policy: Driver}, 0},
		{"tagged", Options{Policy: Tagged}, 0},
		{"tagged-little-room", Options{Policy: Tagged, Limit: 3 << 20}, 2 << 20},
		{"region", Options{Policy: Region, IdleFor: 3000}, 0},
		{"region-little-room", Options{Policy: Region, Limit: 3 << 20, MaxAlloc: 300 << 10}, 2 << 20},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			m := newModel(t, x.opt, 1)
			m.src.room = x.room
			failed, requests := 0, 0
			for requests < total {
				aim := 1 << m.rng.Intn(9)
				if m.rng.Intn(3) > 0 {
					m.p.Turn()
				}
				for range 4 * aim {
					if n := len(m.live); n < aim && m.rng.Intn(5) > 0 || n == 0 {
						requests++
						if !m.get(draw(m.rng), m.rng.Intn(20)-4) {
							failed++
						}
					} else {
						m.put(m.rng.Intn(n))
					}
				}
				m.check()
			}
			for len(m.live) > 0 {
				m.put(m.rng.Intn(len(m.live)))
			}
			m.check()
			if (failed > 0) != (x.room > 0) {
				t.Errorf("%d requests failed", failed)
			}
			s := m.p.Stats()
			if s.Requests != int64(requests) || s.Failures != int64(failed) || s.Hits[Miss]+s.Hits[HitTag]+s.Hits[HitOther]+s.Hits[HitSplit]+s.Failures != s.Requests {
				t.Errorf("%d requests, %d failed; stats %+v", requests, failed, s)
			}
			m.p.Close()
			if len(m.src.live) != 0 {
				t.Errorf("%d buffers are left", len(m.src.live))
			}
			t.Logf("%d requests, %d failed, hits %v, %d buffers made", requests, failed, s.Hits, s.Creates)
		})
	}
}
