//go:build cgo

package runtime

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand"
	"sync"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/runtime/pool"
)

// TestSoakOnDevice lets threads make blocks of random sizes on two contexts at
// once, and looks after canaries at both ends of each: in real memory of the
// device, through the real driver.
func TestSoakOnDevice(t *testing.T) {
	for _, policy := range pool.Policies {
		var wg sync.WaitGroup
		for range 2 {
			c := open(t, Options{Allocator: policy})
			for g := range 2 {
				wg.Add(1)
				go func() {
					defer wg.Done()
					soak(t, c, rand.New(rand.NewSource(int64(g))), 400)
				}()
			}
		}
		wg.Wait()
	}
}

type canary struct {
	b    *Block
	mark [8]byte
}

func soak(t *testing.T, c *Context, rng *rand.Rand, requests int) {
	var live []canary
	free := func(i int) {
		k := live[i]
		live[i] = live[len(live)-1]
		live = live[:len(live)-1]
		for _, at := range []int64{0, k.b.size - 8} {
			var got [8]byte
			if err := c.Read(k.b, at, got[:]); err != nil {
				t.Error(err)
			} else if !bytes.Equal(got[:], k.mark[:]) {
				t.Errorf("the canary at byte %d of a block of %d bytes is dead", at, k.b.size)
			}
		}
		k.b.Release()
	}
	for range requests {
		if n := len(live); n > 20 || n > 0 && rng.Intn(3) == 0 {
			free(rng.Intn(n))
			continue
		}
		b, err := c.Alloc(8+rng.Int63n(1<<uint(4+rng.Intn(15))), rng.Intn(8))
		if err != nil {
			t.Error(err)
			return
		}
		k := canary{b: b}
		binary.LittleEndian.PutUint64(k.mark[:], rng.Uint64())
		for _, at := range []int64{0, b.size - 8} {
			if b.size < 16 && at > 0 {
				at = 0
			}
			if err := c.Write(b, at, k.mark[:]); err != nil {
				t.Error(err)
			}
		}
		if b.size < 16 {
			b.Release()
			continue
		}
		live = append(live, k)
	}
	for len(live) > 0 {
		free(len(live) - 1)
	}
}

// Sizes at the rims, on the device: nothing, one byte, more than 32 bits, more
// than the device has; and blocks whose offset needs more than 31 bits.
func TestSizesOnDevice(t *testing.T) {
	for _, policy := range pool.Policies {
		c := open(t, Options{Allocator: policy, MemoryLimit: 1 << 60})
		device := c.Device().MaxAlloc
		largest := min(device, c.Limit()) // a machine of 4 GB has less room than its device's largest block
		for _, n := range []int64{0, 1, 1<<32 + 1, largest, largest + 1, 1 << 50} {
			b, err := c.Alloc(n, 0)
			var oom *OutOfMemory
			switch {
			case err != nil && n <= largest || err != nil && !errors.As(err, &oom) || err == nil && n > c.Limit():
				t.Errorf("%s: %d bytes on a device with blocks up to %d: %v", policy, n, largest, err)
			case err == nil: // the driver may make more than it promises
				if n > 0 {
					if err := c.WriteElem(b, n-1, 1, 77); err != nil {
						t.Errorf("%s: the last of %d bytes: %v", policy, n, err)
					}
				}
				b.Release()
			}
		}
		if policy == "region" && largest >= 1<<32 {
			farOffset(t, c)
		}
		c.Trim()
	}
}

// farOffset runs a kernel on a block that lies beyond the first 2 GiB of its
// buffer.
func farOffset(t *testing.T, c *Context) {
	whole := mustAlloc(t, c, 1<<31+512+80<<20, 1)
	defer whole.Release()
	b := &Block{ctx: c, buf: whole.buf, offset: whole.offset + 1<<31 + 512, size: 80 << 20, refs: 1}
	p := must.Get(c.Build(addSource, ""))(t)
	defer p.Release()
	k := must.Get(p.Kernel("add"))(t)
	must.Do(t, c.Write(b, 0, make([]byte, 80)))
	args := []Arg{{Block: b}, {Bits: 10, Size: 4}, {Size: 1}, {Size: 8}, {Bits: 5, Size: 8}}
	must.Do(t, c.Launch(k, 1, 64, args))
	if got, err := c.ReadElem(b, 9, 8); err != nil || math.Float64frombits(got) != 5 {
		t.Errorf("element 9 is %v, %v", math.Float64frombits(got), err)
	}
}
