//go:build cgo && !darwin

package runtime

import (
	"fmt"
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
	for i, p := range platforms {
		limit := limits[min(i, len(limits)-1)]
		d, info := simDevice(m.Machine, DeviceInfo{Index: i, Platform: fmt.Sprint("sim", p), Name: fmt.Sprint("sim", i), Memory: limit, MaxAlloc: limit, MaxGroup: 256})
		infos, m.devices = append(infos, info), append(m.devices, d)
	}
	drivers, err := openDrivers(infos, opt)
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

// simDevice makes a device that is described so.
func simDevice(m *fakecl.Machine, info DeviceInfo) (fakecl.Device, DeviceInfo) {
	d, dev := m.Device(info.Platform, info.Name, info.GPU), &cl.Device{}
	*(*unsafe.Pointer)(reflect.ValueOf(dev).Elem().FieldByName("id").Addr().UnsafePointer()) = d.ID()
	info.dev = dev
	return d, info
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
