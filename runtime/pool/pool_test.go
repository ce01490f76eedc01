//go:build cgo

package pool

import (
	"errors"
	"math"
	"math/rand"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

// newPool returns a pool that the test closes, if it has not.
func newPool(t testing.TB, src Source, opt Options) *cPool {
	t.Helper()
	p := must.Get(New(src, opt))(t).(*cPool)
	t.Cleanup(func() {
		if p.self != 0 {
			p.Close()
		}
	})
	return p
}

// list makes a list of what C alone can name.
func list[T any](x ...T) []T { return x }

func mustGet(t *testing.T, p *cPool, bytes int64, tag int) Block {
	t.Helper()
	b, err := p.Get(bytes, tag)
	if err != nil {
		t.Fatalf("Get(%d): %v", bytes, err)
	}
	return b
}

// hugeSource makes buffers of any size up to most, of no memory.
type hugeSource struct {
	creates int
	most    int64 // 0: of any
}

func (s *hugeSource) Create(n int64) (any, error) {
	if s.most > 0 && n > s.most {
		return nil, ErrTooLarge
	}
	s.creates++
	return nil, nil
}
func (s *hugeSource) Release(any)   {}
func (s *hugeSource) Finish() error { return nil }

// Sizes at the rims: 0, 1, beyond 32 bits, the largest buffer, beyond it, and
// beyond all numbers.
func TestSizes(t *testing.T) {
	for policy := range Policies {
		src := &hugeSource{most: 1<<33 + Grain}
		p := newPool(t, src, Options{Policy: Policy(policy), MaxAlloc: 1 << 30})
		for _, n := range []int64{0, 1, 16, 17, 255, 256, 257, 1<<31 - 1, 1 << 32, 1<<32 + 1, 1 << 33, 1<<33 + 7} {
			for range 2 {
				b := mustGet(t, p, n, int(n%7))
				if b.Size() < max(n, 1) || b.Offset()%16 != 0 {
					t.Errorf("%v: %d bytes give %d at %d", p.Policy(), n, b.Size(), b.Offset())
				}
				p.Put(b)
			}
		}
		before := p.Stats()
		for _, n := range []int64{1<<33 + 2*Grain, 1 << 40, math.MaxInt64, math.MaxInt64 - 20, -1, math.MinInt64} {
			if b, err := p.Get(n, 0); !errors.Is(err, ErrNoMemory) {
				t.Errorf("%v: %d bytes give %v, %v", p.Policy(), n, b, err)
			}
		}
		if s := p.Stats(); s.Failures != 6 || s.Blocks != 0 || s.Rounded != 0 || s.Creates != before.Creates || s.Releases > before.Releases+1 {
			t.Errorf("%v: %+v", p.Policy(), s)
		}
	}
	if _, err := ParsePolicy("buddy"); err == nil {
		t.Error("buddy is no policy")
	}
}

// The seed's rules, one by one.
func TestTaggedRules(t *testing.T) {
	src := newBytes()
	p := newPool(t, src, Options{Policy: Tagged})
	a := mustGet(t, p, 1000, 1)
	p.Put(a)
	if b := mustGet(t, p, 504, 1); b.Kind() != HitTag || b.Size() != 1008 {
		t.Errorf("half of a tag's free block: %v, %d bytes", b.Kind(), b.Size())
	} else {
		p.Put(b)
	}
	if b := mustGet(t, p, 400, 1); b.Kind() != Miss || p.Stats().Releases != 1 {
		t.Errorf("less than half: %v; the block must go back, %d did", b.Kind(), p.Stats().Releases)
	} else {
		p.Put(b)
	}
	// One free block per tag: of two, the newer one stays.
	x, y := mustGet(t, p, 320, 2), mustGet(t, p, 400, 2)
	p.Put(x)
	p.Put(y)
	if s := p.Stats(); s.Buffers != 1 || s.Held != 400 {
		t.Errorf("%d buffers of %d bytes, want the one of 400", s.Buffers, s.Held)
	}
	// Another tag's block, the smallest that fits, before the driver is asked.
	for _, b := range []Block{mustGet(t, p, 600, 103), mustGet(t, p, 720, 104), mustGet(t, p, 480, 105)} {
		p.Put(b)
	}
	if b := mustGet(t, p, 512, 9); b.Kind() != HitOther || b.Size() != 608 {
		t.Errorf("another tag's block: %v, %d bytes, want other, 608", b.Kind(), b.Size())
	}
	p.Forget(104)
	if s := p.Stats(); s.Free() != 400+480 {
		t.Errorf("%d bytes free after a tag was forgotten, want those of the two others", s.Free())
	}
}

// learn lets sites below n see a block come and go in a call.
func learn(t *testing.T, p *cPool, n int) {
	t.Helper()
	for tag := range n {
		p.Put(mustGet(t, p, 1, tag))
	}
	p.Trim()
}

// Split from a free block, joined with either neighbour and with both.
func TestRegionJoins(t *testing.T) {
	for _, order := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		p := newPool(t, newBytes(), Options{Policy: Region})
		learn(t, p, 4)
		whole := mustGet(t, p, 3*Slack, 0)
		p.Put(whole)
		made := p.Stats().Creates
		var part [3]Block
		for i := range part {
			part[i] = mustGet(t, p, Slack, i+1)
			if part[i].Offset() != int64(i)*Slack {
				t.Fatalf("part %d at %d", i, part[i].Offset())
			}
		}
		for _, i := range order {
			p.Put(part[i])
		}
		b := mustGet(t, p, 3*Slack, 9)
		if s := p.Stats(); b.Kind() != HitOther || s.Creates != made {
			t.Errorf("freed in order %v: the whole is a %v, %d buffers made", order, b.Kind(), s.Creates)
		}
	}
}

// A small block that lives long does not pin a large idle buffer.
func TestRegionPins(t *testing.T) {
	p := newPool(t, newBytes(), Options{Policy: Region})
	p.Put(mustGet(t, p, 8<<20, 0))
	pin := mustGet(t, p, 100, 1)
	big := mustGet(t, p, 8<<20, 0)
	if s := p.Stats(); pin.BufferID() == big.BufferID() || s.Creates != 2 || s.Held > (8<<20)*17/16+Slack {
		t.Errorf("pin in buffer %d, the large block in %d, %d bytes held", pin.BufferID(), big.BufferID(), s.Held)
	}
}

// A server with a large temporary keeps small results: the large request finds room again under a limit
// that leaves 1 MB, and 7 MB more than needed are held at most without one.
func TestRegionKeeps(t *testing.T) {
	for _, limit := range []int64{44e6, 0} {
		p := newPool(t, &hugeSource{}, Options{Policy: Region, Limit: limit})
		p.Put(mustGet(t, p, 40e6, 0))
		for range 30 {
			p.Turn()
			temp := mustGet(t, p, 1e6, 1)
			mustGet(t, p, 1e5, 2)
			p.Put(temp)
		}
		p.Turn()
		p.Put(mustGet(t, p, 40e6, 0))
		if s := p.Stats(); s.PeakHeld > 47e6 || s.PeakAsked != 43e6 {
			t.Errorf("limit %d: %d bytes held for %d", limit, s.PeakHeld, s.PeakAsked)
		}
	}
}

// Growing requests do not leave a trail of idle buffers.
func TestRegionBudget(t *testing.T) {
	p := newPool(t, newBytes(), Options{Policy: Region})
	for n := int64(1 << 20); n < 4<<20; n += 70000 {
		p.Put(mustGet(t, p, n, 0))
		if s := p.Stats(); s.PeakHeld > s.PeakRounded*17/16+Slack {
			t.Fatalf("%d bytes held for %d", s.PeakHeld, s.PeakRounded)
		}
	}
}

// A buffer that is idle for long goes back; one that is used stays.
func TestRegionIdle(t *testing.T) {
	p := newPool(t, newBytes(), Options{Policy: Region, IdleFor: 100})
	p.Put(mustGet(t, p, 10<<20, 0))
	for range 102 {
		p.Put(mustGet(t, p, 1000, 1))
	}
	if s := p.Stats(); s.Buffers != 1 || s.Held != Slack {
		t.Errorf("%d buffers of %d bytes, want the small one", s.Buffers, s.Held)
	}
}

// Down the ladder: without growth, after a wait, with idle buffers given up, the
// largest first; and no further than needed.
func TestLadder(t *testing.T) {
	src := newBytes()
	p := newPool(t, src, Options{Policy: Region})
	keep := mustGet(t, p, 4<<20, 0)
	src.room = src.held + 20000
	small := mustGet(t, p, 10000, 1)
	if small.Kind() != Miss || src.held != 4<<20+10240 || src.finishes != 0 {
		t.Errorf("no room for growth: %v, %d held, %d waits", small.Kind(), src.held, src.finishes)
	}
	src.room = 0
	a, b := mustGet(t, p, 1<<20, 2), mustGet(t, p, 2<<20, 3)
	c := mustGet(t, p, 512<<10, 4)
	p.Put(a)
	p.Put(b)
	p.Put(c)
	src.room = 7200 << 10 // too little until the last of them is given up
	last := mustGet(t, p, 3<<20, 5)
	if src.held > src.room || src.finishes != 2 {
		t.Errorf("%d held of %d, %d waits", src.held, src.room, src.finishes)
	}
	before := p.Stats()
	if _, err := p.Get(8<<20, 6); !errors.Is(err, ErrNoMemory) {
		t.Errorf("beyond the room: %v", err)
	}
	if s := p.Stats(); s.Blocks != before.Blocks || s.Failures != 1 {
		t.Errorf("%+v after %+v", s, before)
	}
	p.Put(last)
	p.Put(mustGet(t, p, 100<<10, 7))
	p.Put(keep)
	p.Put(small)
}

// brokenSource fails for another reason than memory.
type brokenSource struct{ create, finish error }

func (s *brokenSource) Create(int64) (any, error) { return nil, s.create }
func (s *brokenSource) Release(any)               {}
func (s *brokenSource) Finish() error             { return s.finish }

func TestBrokenSource(t *testing.T) {
	lost := errors.New("the device is lost")
	for policy := range Policies {
		for _, src := range []*brokenSource{{create: lost}, {create: ErrNoMemory, finish: lost}} {
			p := newPool(t, src, Options{Policy: Policy(policy)})
			if _, err := p.Get(1000, 0); !errors.Is(err, lost) {
				t.Errorf("%v: %v", p.Policy(), err)
			}
			if s := p.Stats(); s.Blocks+s.Held+s.Buffers != 0 {
				t.Errorf("%v: %+v", p.Policy(), s)
			}
		}
	}
}

// Every n-th buffer is refused, and all from the n-th on: a request gets a right
// block or a clean error, and all is well afterwards.
func TestRefusals(t *testing.T) {
	for policy := range Policies {
		for n := 1; n <= 12; n++ {
			for _, forGood := range []bool{false, true} {
				m := newModel(t, Options{Policy: Policy(policy)}, int64(n))
				if forGood {
					m.src.failFrom = n
				} else {
					m.src.failAt = n
				}
				failed := 0
				for i := range 300 {
					if len(m.live) > 8 || i > 200 && len(m.live) > 0 {
						m.put(m.rng.Intn(len(m.live)))
					} else if !m.get(draw(m.rng)*4, i%5) {
						failed++
					}
					m.check()
				}
				if !forGood && failed > 0 {
					t.Errorf("%v: one refusal, by number %d, made %d requests fail", m.p.Policy(), n, failed)
				}
				m.src.failFrom = 0
				m.get(1<<20, 0)
				m.p.Close()
				if len(m.src.live) != 0 {
					t.Errorf("%v: %d buffers are left", m.p.Policy(), len(m.src.live))
				}
			}
		}
	}
}

// Random programs, called again and again, need no more of the driver after a
// few calls (Note [Steady state]).
func TestSteadyState(t *testing.T) {
	worst := 0
	for seed := range int64(400) {
		rng := rand.New(rand.NewSource(seed))
		type call struct {
			size int64
			tag  int
			free int // of the live blocks, by position; -1: an allocation
		}
		var program []call
		live := 0
		for range 3 + rng.Intn(60) {
			if live > 0 && rng.Intn(2) == 0 {
				program = append(program, call{free: rng.Intn(live)})
				live--
			} else {
				program = append(program, call{size: draw(rng) << uint(rng.Intn(6)), tag: rng.Intn(9), free: -1})
				live++
			}
		}
		p := newPool(t, &hugeSource{}, Options{Policy: Region})
		last := 0
		for call := range 40 {
			made := p.Stats().Creates
			var blocks []Block
			for _, s := range program {
				if s.free < 0 {
					blocks = append(blocks, mustGet(t, p, s.size, s.tag))
					continue
				}
				p.Put(blocks[s.free])
				blocks = append(blocks[:s.free], blocks[s.free+1:]...)
			}
			for _, b := range blocks {
				p.Put(b)
			}
			if p.Stats().Creates != made {
				last = call + 1
			}
		}
		worst = max(worst, last)
	}
	if worst > 8 {
		t.Errorf("a program needed %d calls to come to rest", worst)
	}
	t.Logf("the slowest of 400 programs came to rest after %d calls", worst)
}
