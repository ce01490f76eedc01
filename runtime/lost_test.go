//go:build cgo

package runtime

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

// A device that is lost stays lost, and is asked nothing any more.
func TestLostDevice(t *testing.T) {
	c, f := newFake(t, Options{}, 0)
	b := must.Get(c.Alloc(64, 0))(t)
	if err := c.Lost(); err != nil {
		t.Fatalf("lost from the start: %v", err)
	}
	f.lost = errLost
	var lost *DeviceLost
	if err := c.Finish(); !errors.As(err, &lost) || lost.Device.Name != "fake" || !strings.Contains(err.Error(), "the device fake is lost") {
		t.Fatalf("Finish: %v", err)
	}
	f.lost = nil // the driver may forget, the context does not
	before := slices.Clone(f.log)
	_, build := c.Build("", "")
	_, alloc := c.Alloc(8, 0)
	_, uncounted := c.AllocUncounted(8)
	for what, err := range map[string]error{
		"Lost": c.Lost(), "Build": build, "Alloc": alloc, "AllocUncounted": uncounted, "Finish": c.Finish(),
		"Write": c.Write(b, 0, make([]byte, 8)), "Read": c.Read(b, 0, make([]byte, 8)), "Launch": c.Launch(&Kernel{ctx: c}, 1, 1, nil),
		"CopyStrided": c.CopyStrided(CopyKernels{}, 8, []int64{2}, Region{b, 0, []int64{1}}, Region{b, 4, []int64{1}}),
	} {
		if !errors.As(err, &lost) {
			t.Errorf("%s on a lost device: %v", what, err)
		}
	}
	if !slices.Equal(f.log, before) {
		t.Errorf("the driver was asked %v after the device was lost", f.log[len(before):])
	}
	b.Release()
	c.Close()
	if len(f.buffers) != 0 {
		t.Error("Close left buffers")
	}
}

func TestNeedFP64(t *testing.T) {
	d := DeviceInfo{Index: 1, Name: "small", Platform: "p"}
	if err := d.NeedFP64(); err == nil || !strings.Contains(err.Error(), "f64, which the device #1 small (p) does not have") {
		t.Errorf("without f64: %v", err)
	}
	if d.FP64 = true; d.NeedFP64() != nil {
		t.Error("with f64: refused")
	}
}
