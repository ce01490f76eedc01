//go:build cgo && !darwin

package runtime

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

// Calls on three devices run at the same time. They read one block and write blocks of their
// own, with so little memory that things move all the time.
func TestCallsAtOnce(t *testing.T) {
	_, fronts := simulate(t, 2, []int{0, 1, 2}, []int64{5000}, Options{})
	ctx := fronts[0]
	common := must.Get(ctx.Alloc(1000, 0))(t)
	data := bytes.Repeat([]byte{1, 2, 3, 4, 5}, 200)
	must.Do(t, ctx.Write(common, 0, data))
	var all sync.WaitGroup
	for i, c := range ctx.Devices() {
		all.Add(1)
		go func() {
			defer all.Done()
			if err := callsOn(c, common, data, uint64(i)); err != nil {
				t.Error(err)
			}
		}()
	}
	all.Wait()
	common.Release()
	if n := ctx.LiveBlocks(); n != 0 {
		t.Errorf("%d blocks are left", n)
	}
	// What was evicted to the host comes back from there, or from another device.
	if s := ctx.Stats(); s.Migrated+s.Restored == 0 || s.Evicted == 0 {
		t.Errorf("too little happened: %+v", *s.Moved)
	}
}

func callsOn(c *Context, common *Block, data []byte, seed uint64) error {
	rng := rand.New(rand.NewPCG(seed, 3))
	p, err := c.Build("", "")
	if err != nil {
		return err
	}
	defer p.Release()
	k, err := p.Kernel("sim")
	if err != nil {
		return err
	}
	for range 100 {
		end := c.Begin()
		var mine []*Block
		var want [][]byte
		for range 6 {
			b, err := c.Alloc(500+rng.Int64N(1000), rng.IntN(4))
			if err != nil {
				return err
			}
			w := bytes.Repeat([]byte{byte(rng.Uint32())}, int(b.Size()))
			if err := c.Write(b, 0, w); err != nil {
				return err
			}
			mine, want = append(mine, b), append(want, w)
		}
		for range 20 {
			x := rng.IntN(len(mine))
			if err := c.Launch(k, 1, 1, simArgs(common, mine[x], 7)); err != nil {
				return err
			}
			simKernel(want[x], data, 7)
		}
		for i, b := range mine {
			got := make([]byte, b.Size())
			if err := c.Read(b, 0, got); err != nil {
				return err
			}
			if !bytes.Equal(got, want[i]) {
				return fmt.Errorf("a block of %d bytes has other contents than it should", len(got))
			}
			b.Release()
		}
		end()
	}
	return nil
}
