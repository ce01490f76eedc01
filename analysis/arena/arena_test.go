package arena

import (
	"math/rand"
	"testing"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Layouts of random blocks and random pairs that may overlap: no other two blocks overlap. A layout
// of constants is checked by offsets, a layout of names by slots, which must be as large as their
// blocks.
func TestLayouts(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	shared := 0
	for range 2000 {
		n := 1 + r.Intn(8)
		l := &Layout{}
		for range n {
			size := int64(r.Intn(70) - 3)
			l.Blocks = append(l.Blocks, Block{Poly: sym.Const(size), Size: ir.IntLit(size)})
		}
		may := make([]bool, n*n)
		for i := range n {
			for j := range i {
				may[i*n+j] = r.Intn(2) == 0
				may[j*n+i] = may[i*n+j]
			}
		}
		apart := func(i, j int) bool { return may[i*n+j] }
		l.fit(apart)
		l.colour(apart)
		offset, at := make([]int64, len(l.Slots)), int64(0)
		for s, members := range l.Slots {
			offset[s] = at
			size := int64(0)
			for _, i := range members {
				size = max(size, l.Blocks[i].bytes())
			}
			at += size
		}
		sum := int64(0)
		for i := range l.Blocks {
			b := &l.Blocks[i]
			sum += b.bytes()
			if b.Offset%Align != 0 || b.Offset < 0 || b.Offset+b.bytes() > l.Bytes {
				t.Fatalf("block %d of %d bytes lies at %d of an arena of %d", i, b.bytes(), b.Offset, l.Bytes)
			}
			for j := range i {
				o := &l.Blocks[j]
				if apart(i, j) {
					continue
				}
				if b.Offset < o.Offset+o.bytes() && o.Offset < b.Offset+b.bytes() {
					t.Fatalf("blocks %d and %d overlap at %d and %d", i, j, b.Offset, o.Offset)
				}
				x, y := offset[b.Slot], offset[o.Slot]
				if x < y+o.bytes() && y < x+b.bytes() {
					t.Fatalf("blocks %d and %d overlap in slots %d and %d", i, j, b.Slot, o.Slot)
				}
			}
		}
		if l.Bytes > sum || at > sum {
			t.Fatalf("arenas of %d and %d bytes for blocks of %d", l.Bytes, at, sum)
		}
		if l.Bytes < sum && at < sum {
			shared++
		}
	}
	if shared < 1000 {
		t.Errorf("only %d layouts shared anything", shared)
	}
}
