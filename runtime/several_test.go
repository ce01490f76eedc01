//go:build cgo && !darwin

package runtime

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/memc-lang/memc/internal/test/fakecl"
	"github.com/memc-lang/memc/internal/test/must"
)

// TestSeveralRandom makes 100,000 random steps on simulated devices, whose queues run their
// commands as late and as mixed as events allow: kernels, writes, reads, copies of a block
// onto itself, new and freed blocks, on devices with little memory, with migrations
// that fail. Every byte read must be the right one.
func TestSeveralRandom(t *testing.T) {
	worlds := []struct {
		platforms []int
		allocator string
		limit     int64
	}{
		{[]int{0}, "region", 9000}, {[]int{0, 0}, "region", 9000}, {[]int{0, 1}, "tagged", 9000},
		{[]int{0, 0, 1}, "region", 7000}, {[]int{0, 0}, "driver", 9000},
	}
	for n, w := range worlds {
		t.Run(fmt.Sprint(w.platforms, w.allocator), func(t *testing.T) {
			refuse := rand.New(rand.NewPCG(9, uint64(n)))
			m, fronts := simulate(t, uint64(n), w.platforms, []int64{w.limit}, Options{
				Allocator: w.allocator, Evict: true, Scatter: 5, chunk: 700, Refuse: func(_, _ int64) bool { return refuse.IntN(50) == 0 },
			})
			m.Failing(0.02)
			steps := 100_000 / len(worlds)
			full := randomSteps(t, m, fronts, steps)
			st := fronts[0].Stats()
			t.Logf("%d jumps, %d failures, %d times full, %+v", m.Jumps(), m.Fails(), full, *st.Moved)
			if m.Jumps() < int64(steps/10) || m.Fails() < 50 || st.Evicted == 0 || len(w.platforms) > 1 && st.Migrated == 0 {
				t.Error("too little happened")
			}
		})
	}
}

func randomSteps(t *testing.T, m *simulation, fronts []*Context, steps int) (full int) {
	type item struct {
		b    *Block
		want []byte
	}
	var live []item
	kernels := map[*Context]*Kernel{}
	for _, c := range fronts {
		kernels[c] = simBuild(t, c)
	}
	rng := rand.New(rand.NewPCG(uint64(steps), 1))
	fill := func(n int64) []byte {
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(rng.Uint32())
		}
		return data
	}
	// may tells whether a command did what it should; else it has changed nothing.
	may := func(err error) bool {
		var oom *OutOfMemory
		switch {
		case err == nil:
			return true
		case errors.As(err, &oom):
			full++
		case !errors.Is(err, clError(fakecl.Fails)):
			t.Fatal(err)
		}
		return false
	}
	for range steps {
		c := fronts[rng.IntN(len(fronts))]
		switch k := rng.IntN(12); {
		case k == 0 && len(live) < 12:
			n := rng.Int64N(3000)
			if rng.IntN(10) == 0 {
				n = 0
			}
			b, err := c.Alloc(n, rng.IntN(4))
			if !may(err) {
				continue
			}
			data := fill(n)
			if !may(c.Write(b, 0, data)) {
				b.Release()
				continue
			}
			live = append(live, item{b, data})
		case len(live) == 0:
		case k == 1:
			i := rng.IntN(len(live))
			live[i].b.Release()
			live = append(live[:i], live[i+1:]...)
		case k == 2: // a part is written
			x := live[rng.IntN(len(live))]
			if n := int64(len(x.want)); n > 0 {
				off := rng.Int64N(n)
				data := fill(rng.Int64N(n - off + 1))
				if may(c.Write(x.b, off, data)) {
					copy(x.want[off:], data)
				}
			}
		case k == 3:
			x := live[rng.IntN(len(live))]
			if n := int64(len(x.want)); n > 0 {
				i := rng.Int64N(n)
				if may(c.WriteElem(x.b, i, 1, 77)) {
					x.want[i] = 77
				}
			}
		case k == 4:
			x := live[rng.IntN(len(live))]
			got := make([]byte, len(x.want))
			if may(c.Read(x.b, 0, got)) && !bytes.Equal(got, x.want) {
				t.Fatalf("a block of %d bytes has other contents than it should", len(got))
			}
		case k == 5: // a copy within a block, through a temporary one
			x := live[rng.IntN(len(live))]
			if n := int64(len(x.want)); n > 2 {
				by := 1 + rng.Int64N(n/2)
				if may(c.CopyStrided(CopyKernels{}, 1, []int64{n - by}, Region{x.b, by, []int64{1}}, Region{x.b, 0, []int64{1}})) {
					copy(x.want[by:], append([]byte(nil), x.want[:n-by]...))
				}
			}
		case k == 6:
			x, y := live[rng.IntN(len(live))], live[rng.IntN(len(live))]
			if n := int64(min(len(x.want), len(y.want))); n > 0 && x.b != y.b {
				if may(c.CopyStrided(CopyKernels{}, 1, []int64{n}, Region{x.b, 0, []int64{1}}, Region{y.b, 0, []int64{1}})) {
					copy(x.want[:n], y.want)
				}
			}
		default:
			x, y := live[rng.IntN(len(live))], live[rng.IntN(len(live))]
			if x.b == y.b {
				continue
			}
			add := byte(rng.Uint32())
			if may(c.Launch(kernels[c], 1, 1, simArgs(x.b, y.b, add))) {
				simKernel(y.want, x.want, add)
			}
		}
	}
	m.Failing(0)
	for _, x := range live {
		got := make([]byte, len(x.want))
		if err := fronts[0].Read(x.b, 0, got); err != nil || !bytes.Equal(got, x.want) {
			t.Errorf("at the end a block of %d bytes has other contents than it should (%v)", len(got), err)
		}
		x.b.Release()
	}
	if n := fronts[0].LiveBlocks(); n != 0 {
		t.Errorf("%d blocks are left", n)
	}
	return full
}

// Figures may be asked for while calls run (the race detector looks).
func TestStatsDuringCalls(t *testing.T) {
	_, fronts := simulate(t, 1, []int{0, 0}, []int64{9000}, Options{})
	done := make(chan bool)
	go func() {
		defer close(done)
		for range 1000 {
			fronts[0].Begin()()
			fronts[0].CountCopied(1)
		}
	}()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
			fronts[0].Stats()
		}
	}
	if n := fronts[0].Stats().CopiedBytes; n != 1000 {
		t.Errorf("%d bytes were copied", n)
	}
}

// A device that only reads a block leaves the others' copies valid: a second launch moves
// After Close there are still figures, and nothing else.
func TestSeveralClosed(t *testing.T) {
	_, fronts := simulate(t, 7, []int{0, 0}, []int64{1000}, Options{})
	b := must.Get(fronts[0].Alloc(100, 0))(t)
	must.Do(t, fronts[0].Write(b, 0, make([]byte, 100)))
	must.Do(t, fronts[1].WriteElem(b, 0, 1, 7))
	fronts[0].Close()
	_, alloc := fronts[1].Alloc(100, 0)
	for what, err := range map[string]error{"Alloc": alloc, "Write": fronts[1].WriteElem(b, 0, 1, 7), "Read": fronts[0].Read(b, 0, make([]byte, 1))} {
		if !errors.Is(err, errClosed) {
			t.Errorf("%s: %v", what, err)
		}
	}
	fronts[1].Trim()
	if s := fronts[1].Stats(); s.Migrated != 100 || fronts[0].Peers(fronts[1]) {
		t.Errorf("%d bytes have moved", s.Migrated)
	}
	b.Release()
}

// A front that is told to divide work as for a GPU, and then not to, is what it was.
func TestSeveralLikeGPU(t *testing.T) {
	_, fronts := simulate(t, 1, []int{0, 1}, []int64{1 << 20}, Options{})
	for _, c := range fronts {
		was := c.Device()
		c.LikeGPU(true)
		if c.Device() == was {
			t.Errorf("%s does not divide its work otherwise", was)
		}
		c.LikeGPU(false)
		if c.Device() != was {
			t.Errorf("%v has become %v", was, c.Device())
		}
	}
}

// More devices than the table has places for are refused.
func TestTooManyDevices(t *testing.T) {
	m := &simulation{Machine: fakecl.New(1)}
	if _, err := m.open(make([]int, 17), []int64{1000}, Options{}); err == nil || err.Error() != "more than 16 devices" || m.Live() != 0 {
		t.Error(err, m.Live())
	}
}

// A full place gives up stale storage first, then what is valid elsewhere, then the least
// Who waits for a command whose mark a lane has forgotten, since it is done, waits for no later one:
