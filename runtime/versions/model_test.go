//go:build cgo

package versions

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

// A world is a model of the places: each has so much room, and remembers what every block
// holds there. It knows nothing of versions: contents are numbers that are never used twice.
type world struct {
	t      *testing.T
	rng    *rand.Rand
	room   []int64
	at     []map[Block]int64 // per place, contents by block; 0: nothing
	want   map[Block]int64   // what a reader must see
	size   map[Block]int64
	fail   float64 // how often a step fails
	pinned []Block
	moves  int
	spills int
	failed int
}

var errBroken = errors.New("a step broke down")

func (w *world) breaks() bool {
	if w.rng.Float64() >= w.fail {
		return false
	}
	w.failed++
	return true
}

func (w *world) Make(b Block, p Place) error {
	if _, twice := w.at[p][b]; twice {
		w.t.Fatal("storage is made twice")
	}
	if w.breaks() {
		return errBroken
	}
	if w.room[p] < w.size[b] {
		return fmt.Errorf("place %d: %w", p, ErrFull)
	}
	w.room[p] -= w.size[b]
	w.at[p][b] = 0
	return nil
}

func (w *world) Move(b Block, from, to Place, spill bool) error {
	x, have := w.at[from][b]
	if _, room := w.at[to][b]; !have || !room || from == to {
		w.t.Fatalf("a move from %d to %d, where there is no storage", from, to)
	}
	if w.breaks() {
		w.at[to][b] = -1 // a move that fails may leave anything behind
		return errBroken
	}
	w.at[to][b] = x
	w.moves++
	if spill {
		w.spills++
	}
	return nil
}

func (w *world) Drop(b Block, p Place) {
	if _, have := w.at[p][b]; !have {
		w.t.Fatal("storage that is not there is dropped")
	}
	for _, x := range w.pinned {
		if x == b {
			w.t.Fatal("a pinned block is dropped")
		}
	}
	delete(w.at[p], b)
	w.room[p] += w.size[b]
}

// check tests that nothing is lost, and that the table knows where things are.
func (w *world) check(blocks []Block) {
	w.t.Helper()
	for _, b := range blocks {
		found := w.want[b] == 0
		for p := range w.at {
			x, have := w.at[p][b]
			if have != b.Held(Place(p)) {
				w.t.Fatalf("place %d: storage %v, the table says %v", p, have, b.Held(Place(p)))
			}
			if b.Latest() > 0 && b.Valid(Place(p)) {
				found = true
				if x != w.want[b] {
					w.t.Fatalf("place %d counts as valid, and holds %d instead of %d", p, x, w.want[b])
				}
			}
		}
		if !found {
			w.t.Fatalf("the contents %d are lost", w.want[b])
		}
	}
}

// newTable returns a table of n places.
func newTable(t *testing.T, act Actor, n int) Table {
	var near [][]Place
	for p := range n {
		var others []Place
		for q := range n {
			if q != p {
				others = append(others, Place(q))
			}
		}
		near = append(near, others)
	}
	table := must.Get(New(act, near))(t)
	t.Cleanup(table.Close)
	return table
}

// TestRandom makes 100,000 random steps: commands that read and write several blocks at one
// place, partly or as a whole, evictions, frees, and failures of any step of them.
func TestRandom(t *testing.T) {
	for n := 2; n <= 5; n++ {
		w := &world{t: t, rng: rand.New(rand.NewPCG(7, uint64(n))), want: map[Block]int64{}, size: map[Block]int64{}, fail: 0.05}
		for range n {
			w.room = append(w.room, 40)
			w.at = append(w.at, map[Block]int64{})
		}
		w.room[n-1] = 120
		table := newTable(t, w, n)
		var live []Block
		last, full, reads := int64(0), 0, 0
		for range 25_000 {
			switch k := w.rng.IntN(20); {
			case k == 0 && len(live) > 0: // free
				i := w.rng.IntN(len(live))
				table.Free(live[i])
				delete(w.want, live[i])
				live = append(live[:i], live[i+1:]...)
			case k == 1 && len(live) < 14: // a new block
				b := table.NewBlock(nil)
				w.size[b] = w.rng.Int64N(20)
				live = append(live, b)
			case k == 2:
				if _, err := table.Evict(Place(w.rng.IntN(n))); err != nil && !errors.Is(err, errBroken) {
					t.Fatal(err)
				}
			case len(live) > 0: // a command with up to three blocks
				p := Place(w.rng.IntN(n))
				ok := true
				whole := map[Block]bool{}
				for range 1 + w.rng.IntN(3) {
					b := live[w.rng.IntN(len(live))]
					if _, twice := whole[b]; twice {
						continue
					}
					whole[b] = w.rng.IntN(4) == 0
					if err := table.Bring(b, p, whole[b]); err != nil {
						if !errors.Is(err, errBroken) && !errors.Is(err, ErrFull) {
							t.Fatal(err)
						}
						if errors.Is(err, ErrFull) {
							full++
						}
						ok = false
						break
					}
					b.Pin()
					w.pinned = append(w.pinned, b)
				}
				for _, b := range w.pinned {
					if ok && !whole[b] {
						if w.at[p][b] != w.want[b] {
							t.Fatalf("a stale read: %d instead of %d", w.at[p][b], w.want[b])
						}
						reads++
					}
					if ok && (whole[b] || w.rng.IntN(2) == 0) {
						last++
						w.at[p][b], w.want[b] = last, last
						table.Wrote(b, p)
					}
					b.Unpin()
				}
				w.pinned = nil
			}
			w.check(live)
		}
		if w.moves < 500 || w.spills < 100 || w.failed < 500 || full < 100 || reads < 5000 {
			t.Errorf("%d places: too little happened: %d moves, %d spills, %d failures, %d times full, %d reads", n, w.moves, w.spills, w.failed, full, reads)
		}
		for _, b := range live {
			table.Free(b)
		}
		for p := range w.at {
			if len(w.at[p]) != 0 {
				t.Errorf("place %d: %d blocks are left", p, len(w.at[p]))
			}
		}
	}
}

// A full place gives up stale storage first, then what is valid elsewhere, then the least
// recently used block, to the first shelter with room.
func TestOrderOfEviction(t *testing.T) {
	w := &world{t: t, rng: rand.New(rand.NewPCG(1, 1)), want: map[Block]int64{}, size: map[Block]int64{}, room: []int64{40, 10, 1000}}
	for range 3 {
		w.at = append(w.at, map[Block]int64{})
	}
	table := newTable(t, w, 3)
	write := func(b Block, p Place) {
		t.Helper()
		must.Do(t, table.Bring(b, p, false))
		table.Wrote(b, p)
		w.at[p][b] = 1
	}
	block := func() Block {
		b := table.NewBlock(nil)
		w.size[b] = 10
		return b
	}
	sole, recent, both, stale := block(), block(), block(), block()
	for _, b := range []Block{sole, stale, both, recent} {
		write(b, 0)
	}
	write(stale, 2)
	must.Do(t, table.Bring(both, 2, false))
	var got []string
	names := map[Block]string{sole: "sole", recent: "recent", both: "both", stale: "stale"}
	for range 4 {
		held := map[Block]bool{}
		for b := range names {
			held[b] = b.Held(0)
		}
		if ok, err := table.Evict(0); !ok || err != nil {
			t.Fatal(ok, err)
		}
		for b, name := range names {
			if held[b] && !b.Held(0) {
				got = append(got, name)
			}
		}
	}
	if fmt.Sprint(got) != "[stale both sole recent]" {
		t.Errorf("evicted in the order %v", got)
	}
	if !sole.Valid(1) || !recent.Valid(2) {
		t.Errorf("the only copies did not go to the first place with room: %v, %v", sole.Valid(1), recent.Valid(2))
	}
	if ok, _ := table.Evict(0); ok {
		t.Error("an empty place gave something up")
	}
}

func TestTooManyPlaces(t *testing.T) {
	if _, err := New(&world{}, make([][]Place, 18)); err == nil {
		t.Error("18 places are one more than there can be")
	}
}
