//go:build cgo

package runtime

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/memc-lang/memc/internal/test/must"
)

// A promptDriver does everything at once, on whichever goroutine asks: what two calls at one
// time may get in each other's way with is then the runtime's own.
type promptDriver struct {
	*fakeDriver
	mu sync.Mutex // guards the list of buffers only
}

func (d *promptDriver) create(n int64) (handle, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.fakeDriver.create(n)
}

func (d *promptDriver) release(h handle) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fakeDriver.release(h)
}

func (d *promptDriver) write(h handle, off int64, data []byte) error {
	copy((*h.(*[]byte))[off:], data)
	return nil
}

func (d *promptDriver) read(h handle, off int64, data []byte) error {
	copy(data, (*h.(*[]byte))[off:])
	return nil
}

func (d *promptDriver) set(h handle, off int64, data []byte) error { return d.write(h, off, data) }

func (d *promptDriver) finish() error { return nil }

func (d *promptDriver) build(string, string) (module, error) { return simModule{}, nil }

func (d *promptDriver) launch(_ kernel, _, _, _ int64, args []Arg) error {
	at := func(b *Block) []byte { return bytesAt(b.buf, b.offset, b.size) }
	simKernel(at(args[1].Block), at(args[0].Block), byte(args[2].Bits))
	return nil
}

func (d *promptDriver) close()                                           {}
func (d *promptDriver) link() error                                      { return nil }
func (d *promptDriver) mark(int) (event, error)                          { return 0, nil }
func (d *promptDriver) await(int, []event) error                         { return nil }
func (d *promptDriver) drop(event)                                       {}
func (d *promptDriver) done(event) bool                                  { return true }
func (d *promptDriver) wait(event) error                                 { return nil }
func (d *promptDriver) taken() []event                                   { return nil }
func (d *promptDriver) span(event) (start, end time.Duration, err error) { return 0, 0, nil }
func (d *promptDriver) settle(int) error                                 { return nil }
func (d *promptDriver) clock() (time.Duration, error)                    { return 0, nil }
func (d *promptDriver) peers(linker) bool                                { return false }
func (d *promptDriver) unpin(pinned)                                     {}
func (d *promptDriver) pin(n int64) (pinned, error) {
	return pinned{unsafe.Pointer(&make([]byte, n)[0]), nil}, nil
}
func (d *promptDriver) fetch(to unsafe.Pointer, h handle, off, n int64) (event, error) {
	copy(unsafe.Slice((*byte)(to), n), bytesAt(h, off, n))
	return d.mark(queueOut)
}

func (d *promptDriver) put(h handle, off int64, from unsafe.Pointer, n int64) (event, error) {
	copy(bytesAt(h, off, n), unsafe.Slice((*byte)(from), n))
	return d.mark(queueIn)
}

func (d *promptDriver) peer(handle, int64, handle, int64, int64) (event, error) {
	return d.mark(queueIn)
}

// Calls on three devices run at the same time. They read one block and write blocks of their
// own, with so little memory that things move all the time.
func TestCallsAtOnce(t *testing.T) {
	var infos []DeviceInfo
	var drivers []driver
	for i := range 3 {
		infos = append(infos, DeviceInfo{Index: i, Name: "prompt", Memory: 5000, MaxAlloc: 5000, MaxGroup: 256})
		drivers = append(drivers, &promptDriver{fakeDriver: &fakeDriver{buffers: map[*[]byte]bool{}}})
	}
	ctx := must.Get(newSeveral(infos, drivers, Options{}))(t)
	defer ctx.Close()
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
			if err := c.Launch(k, 1, 1, []Arg{{Block: common, ReadOnly: true}, {Block: mine[x]}, {Bits: 7, Size: 1}}); err != nil {
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
