//go:build cgo

package runtime

import (
	"bytes"
	goruntime "runtime"
	"runtime/debug"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

// One test per trap of Note [Traps of the binding] that a program could fall
// into; those of arguments and build logs are in opencl_test.go.

// What a write took may change as soon as it is back, and what a read gave is
// all there.
func TestTransfersBlock(t *testing.T) {
	c := open(t, Options{})
	const n = 1 << 20
	b := mustAlloc(t, c, n, 0)
	defer b.Release()
	for round := range byte(10) {
		data := bytes.Repeat([]byte{round + 1}, n)
		must.Do(t, c.Write(b, 0, data))
		clear(data)
		got := make([]byte, n)
		must.Do(t, c.Read(b, 0, got))
		if i := bytes.IndexFunc(got, func(r rune) bool { return r != rune(round+1) }); i >= 0 {
			t.Fatalf("round %d: byte %d is %d", round, i, got[i])
		}
	}
}

// Finalizers free nothing that is in use: all objects of a context are reachable
// from it, or from the block or kernel that the caller holds.
func TestFinalizers(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	for _, policy := range []string{"driver", "region"} {
		c := open(t, Options{Allocator: policy})
		p := must.Get(c.Build(addSource, ""))(t)
		k := must.Get(p.Kernel("add"))(t)
		for i := range 60 {
			b := mustAlloc(t, c, 80, i%3)
			must.Do(t, c.Write(b, 0, make([]byte, 80)))
			goruntime.GC()
			args := []Arg{{Block: b}, {Bits: 10, Size: 4}, {Size: 1}, {Size: 8}, {Bits: uint64(i), Size: 8}}
			must.Do(t, c.Launch(k, 1, 64, args))
			b.Release() // the kernel may still run
			goruntime.GC()
		}
		if err := c.Finish(); err != nil {
			t.Error(err)
		}
		p.Release()
	}
}

// Nothing empty reaches the binding, which would panic.
func TestNothingEmpty(t *testing.T) {
	c := open(t, Options{})
	b := mustAlloc(t, c, 0, 0)
	defer b.Release()
	if err := c.Write(b, 0, nil); err != nil {
		t.Error(err)
	}
	if err := c.Read(b, 0, []byte{}); err != nil {
		t.Error(err)
	}
	if err := c.CopyStrided(CopyKernels{}, 4, []int64{0}, Region{b, 0, []int64{1}}, Region{b, 0, []int64{1}}); err != nil {
		t.Error(err)
	}
	if _, err := c.Build("", ""); err != nil {
		t.Logf("an empty program is refused: %v", err) // the driver's choice; it must not panic
	}
}
