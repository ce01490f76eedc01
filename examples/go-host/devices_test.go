//go:build cgo

package main

import (
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/memc-lang/memc/examples/go-host/canny"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/host"
)

// TestTwoDevices runs the package on two devices that work together. PoCL has two where
// a variable says so before the library is loaded, so the test runs itself again.
func TestTwoDevices(t *testing.T) {
	if os.Getenv("POCL_DEVICES") == "" {
		again := exec.Command(os.Args[0], "-test.run=^TestTwoDevices$", "-test.v")
		again.Env = append(os.Environ(), "POCL_DEVICES=pthread pthread")
		out, err := again.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	ctx, err := runtime.Open("0,1", runtime.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer ctx.Close()
	var programs []*canny.Program
	for _, device := range ctx.Devices() {
		p, err := canny.Open(canny.Options{Context: device})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		programs = append(programs, p)
	}
	pixels, h, w, err := readGrey("../data/shapes.png")
	if err != nil {
		t.Fatal(err)
	}
	// One array, made on the first device, is an argument on both at once.
	img, err := canny.NewArray(programs[0], pixels, h, w)
	if err != nil {
		t.Fatal(err)
	}
	type edges = *canny.Array[uint8]
	var calls []*host.Future[edges]
	for _, p := range programs {
		calls = append(calls, host.Start(func() (edges, error) { return p.Main(img) }))
	}
	var all [][]uint8
	for i, c := range calls {
		e, err := c.Wait()
		if err != nil {
			t.Fatal(err)
		}
		// A result of one device is an argument on the other.
		again, err := programs[1-i].Main(e)
		if err != nil {
			t.Fatal(err)
		}
		data, err := again.Data()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, data)
		e.Free()
		again.Free()
	}
	img.Free()
	if !slices.Equal(all[0], all[1]) {
		t.Error("the devices give different results")
	}
	s := ctx.Stats()
	if len(s.Devices) != 2 || s.Devices[0].KernelLaunches == 0 || s.Devices[1].KernelLaunches == 0 || s.Migrated == 0 {
		t.Errorf("statistics %+v", s)
	}
	if n := ctx.LiveBlocks(); n != 0 {
		t.Errorf("%d blocks are left", n)
	}
}
