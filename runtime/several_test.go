//go:build cgo && !darwin

package runtime

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"unsafe"

	"github.com/jgillich/go-opencl/cl"

	"github.com/memc-lang/memc/internal/test/fakecl"
	"github.com/memc-lang/memc/internal/test/must"
)

// A simulation is devices of package fakecl.
type simulation struct {
	*fakecl.Machine
	devices []fakecl.Device
}

// simulate returns the fronts of simulated devices on numbered platforms, with so much memory each. Devices of one
// platform have an OpenCL context together.
func simulate(t *testing.T, seed uint64, platforms []int, limits []int64, opt Options) (*simulation, []*Context) {
	t.Helper()
	m := &simulation{Machine: fakecl.New(seed)}
	c, err := m.open(platforms, limits, opt)
	must.Do(t, err)
	t.Cleanup(func() {
		c.Close()
		if n := m.Live(); n != 0 {
			t.Errorf("%d objects of OpenCL are left", n)
		}
	})
	return m, append(c.Devices(), c)
}

// open opens the devices; limits holds the memory of each, or one number for all.
func (m *simulation) open(platforms []int, limits []int64, opt Options) (*Context, error) {
	var infos []DeviceInfo
	var found []foundDevice
	var indices []int
	for i, p := range platforms {
		limit := limits[min(i, len(limits)-1)]
		infos = append(infos, DeviceInfo{Index: i, Platform: fmt.Sprint("sim", p), Name: fmt.Sprint("sim", i), Memory: limit, MaxAlloc: limit, MaxGroup: 256})
		d, dev := m.Device(), &cl.Device{}
		*(*unsafe.Pointer)(reflect.ValueOf(dev).Elem().FieldByName("id").Addr().UnsafePointer()) = d.ID()
		m.devices = append(m.devices, d)
		found, indices = append(found, foundDevice{dev, infos[i]}), append(indices, i)
	}
	drivers, err := openFound(found, indices, opt)
	if err != nil {
		return nil, err
	}
	c, err := newSeveral(infos, drivers, opt)
	if err != nil {
		for _, d := range drivers {
			d.close()
		}
	}
	return c, err
}

// simArgs are the arguments of the one kernel of package fakecl, which simKernel is in Go.
func simArgs(src, dst *Block, k byte) []Arg {
	return []Arg{{Block: src, ReadOnly: true}, {Block: dst}, {Bits: uint64(k), Size: 1}, {Bits: uint64(src.size), Size: 8}, {Bits: uint64(dst.size), Size: 8}}
}

// simBuild builds it.
func simBuild(t *testing.T, c *Context) *Kernel {
	t.Helper()
	p := must.Get(c.Build("", ""))(t)
	t.Cleanup(p.Release)
	return must.Get(p.Kernel("sim"))(t)
}

func simKernel(dst, src []byte, k byte) {
	for i := range dst {
		dst[i] += k
		if len(src) > 0 {
			dst[i] += 3 * src[i%len(src)]
		}
	}
}

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
// nothing. One that writes makes them stale.
func TestReadersShare(t *testing.T) {
	_, fronts := simulate(t, 3, []int{0, 0, 1}, []int64{1 << 20}, Options{})
	b := must.Get(fronts[0].Alloc(100, 0))(t)
	out := must.Get(fronts[0].Alloc(10, 1))(t)
	must.Do(t, fronts[0].Write(b, 0, make([]byte, 100)))
	launch := func(i int, reads, writes *Block) {
		t.Helper()
		must.Do(t, fronts[i].Launch(simBuild(t, fronts[i]), 1, 1, simArgs(reads, writes, 1)))
	}
	moved := func(want int64, when string) {
		t.Helper()
		if got := fronts[0].Stats().Migrated; got != want {
			t.Errorf("%s: %d bytes have moved, expected %d", when, got, want)
		}
	}
	launch(1, b, out)
	moved(100, "the first reader")
	for range 3 {
		launch(1, b, out)
		launch(0, b, b2(t, fronts[0]))
	}
	moved(100, "readers on both devices")
	launch(2, b, b2(t, fronts[2]))
	moved(200, "a reader on a third")
	launch(1, out, b)
	moved(200, "a writer where the block is valid")
	launch(0, b, b2(t, fronts[0]))
	moved(300, "a reader after it")
}

// b2 returns a block that lives to the end of the test.
func b2(t *testing.T, c *Context) *Block {
	t.Helper()
	b := must.Get(c.Alloc(10, 2))(t)
	t.Cleanup(b.Release)
	return b
}

// A driver that refuses to copy from another device's buffer gets the block through the host.
func TestRefusedPeer(t *testing.T) {
	m, fronts := simulate(t, 6, []int{0, 0}, []int64{1 << 20}, Options{})
	b := must.Get(fronts[0].Alloc(100, 0))(t)
	defer b.Release()
	data := bytes.Repeat([]byte{5}, 100)
	must.Do(t, fronts[0].Write(b, 0, data))
	m.devices[1].RefusePeers()
	must.Do(t, fronts[1].WriteElem(b, 0, 1, 7))
	data[0] = 7
	got := make([]byte, 100)
	must.Do(t, fronts[1].Read(b, 0, got))
	if s := fronts[1].Stats(); !bytes.Equal(got, data) || s.Migrated != 100 {
		t.Errorf("the block holds %v after %d bytes moved", got, s.Migrated)
	}
}

// A device that goes down in a migration is lost for good; the others work on.
func TestLostInMigration(t *testing.T) {
	m, fronts := simulate(t, 4, []int{0, 1}, []int64{1 << 20}, Options{})
	b := must.Get(fronts[0].Alloc(100, 0))(t)
	defer b.Release()
	must.Do(t, fronts[0].Write(b, 0, make([]byte, 100)))
	m.devices[1].Lose(true)
	var lost *DeviceLost
	if err := fronts[1].WriteElem(b, 0, 1, 7); !errors.As(err, &lost) || lost.Device.Name != "sim1" {
		t.Errorf("a migration to a device that is gone: %v", err)
	}
	m.devices[1].Lose(false) // the driver may forget, the context does not
	if err := fronts[1].WriteElem(b, 0, 1, 7); !errors.As(err, &lost) {
		t.Errorf("after that: %v", err)
	}
	if fronts[0].Lost() == nil {
		t.Error("the contexts do not tell that a device is lost")
	}
	if err := fronts[0].WriteElem(b, 0, 1, 9); err != nil {
		t.Errorf("the other device: %v", err)
	}
	var got [1]byte
	if err := fronts[0].Read(b, 0, got[:]); err != nil || got[0] != 9 {
		t.Errorf("the other device reads %v (%v)", got, err)
	}
}

// If a device is lost from which another one takes a block, that is no fault of the other one.
func TestLostSource(t *testing.T) {
	m, fronts := simulate(t, 4, []int{0, 1}, []int64{1 << 20}, Options{})
	b, own := b2(t, fronts[0]), b2(t, fronts[1])
	must.Do(t, fronts[0].Write(b, 0, make([]byte, 10)))
	m.devices[0].Lose(true)
	var lost *DeviceLost
	if err := fronts[1].WriteElem(b, 0, 1, 7); !errors.As(err, &lost) || lost.Device.Name != "sim0" {
		t.Errorf("a migration from a device that is gone: %v", err)
	}
	must.Do(t, fronts[1].WriteElem(own, 0, 1, 7))
}

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
// recently used block, to the first shelter with room.
func TestOrderOfEviction(t *testing.T) {
	_, fronts := simulate(t, 5, []int{0, 0, 0}, []int64{4000, 1000, 2000}, Options{})
	c := fronts[0]
	block := func() *Block {
		b := must.Get(c.Alloc(1000, 0))(t)
		t.Cleanup(b.Release)
		must.Do(t, c.Write(b, 0, make([]byte, 1000)))
		return b
	}
	sole, stale, both, recent := block(), block(), block(), block()
	whole := func(b *Block) Region { return Region{b, 0, []int64{1}} }
	must.Do(t, fronts[2].CopyStrided(CopyKernels{}, 1, []int64{1000}, whole(stale), whole(both)))
	var got []string
	names := map[*Block]string{sole: "sole", recent: "recent", both: "both", stale: "stale"}
	for range 4 {
		held := map[*Block]bool{}
		for b := range names {
			held[b] = b.shared.v.Held(0)
		}
		block()
		for b, name := range names {
			if held[b] && !b.shared.v.Held(0) {
				got = append(got, name)
			}
		}
	}
	if fmt.Sprint(got) != "[stale both sole recent]" {
		t.Errorf("evicted in the order %v", got)
	}
	if host := 3; !sole.shared.v.Valid(1) || !recent.shared.v.Valid(host) {
		t.Errorf("the only copies did not go to the first place with room: %v, %v", sole.shared.v.Valid(1), recent.shared.v.Valid(host))
	}
}

// Who waits for a command whose mark a lane has forgotten, since it is done, waits for no later one:
// its mark is none of its business.
func TestForgottenMarks(t *testing.T) {
	m, fronts := simulate(t, 8, []int{0}, []int64{100}, Options{})
	c := fronts[0]
	var blocks []*Block
	block := func() *Block { // moves the one before it to the host
		b := must.Get(c.Alloc(100, 0))(t)
		t.Cleanup(b.Release)
		must.Do(t, c.WriteElem(b, 0, 1, uint64(len(blocks)+1)))
		blocks = append(blocks, b)
		return b
	}
	for range 18 {
		block()
		must.Do(t, c.Finish())
	}
	const out = 3 // the queue's number: after those for kernels, for touching buffers, and for transfers in
	m.devices[0].Hold(out, true)
	block() // so the 17 marks before are forgotten, and the one after them is not done
	var got [1]byte
	if err := c.Read(blocks[0], 0, got[:]); err != nil || got[0] != 1 {
		t.Errorf("the first block holds %d (%v)", got[0], err)
	}
	m.devices[0].Hold(out, false)
}
