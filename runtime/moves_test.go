//go:build cgo && !darwin

package runtime

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

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
