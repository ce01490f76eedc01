//go:build cgo

package runtime

// #include "cl.h"
import "C"

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"unsafe"

	"github.com/jgillich/go-opencl/cl"

	"github.com/memc-lang/memc/internal/base/hostmem"
)

// Note [Traps of the binding]. The pinned go-opencl is of 2018. Only this file calls it, for devices,
// contexts and programs, and avoids these traps:
//
//   - Its handles are unexported fields, which reflection may read; TestBindingHandles checks that they
//     are where this looks. Queues, buffers, kernels and events are our own (queue.go, link.go).
//   - Every object has a finalizer, and no method keeps its object alive across the call. Here all
//     objects are reachable from the Context, or from the program that the caller holds.
//   - Getters of platforms and devices panic: recovered in findDevices.
//   - If no platform is installed, the loader returns -1001, which the binding does not know. It
//     means "no device".
//   - A build log ends in NUL, and one above 1 MiB is an error of its own.
//   - PoCL 3.1 crashes if two threads ask for its devices for the first time at once: discovery
//     takes turns.

func deviceHandle(d *cl.Device) C.cl_device_id {
	return C.cl_device_id(reflect.ValueOf(d).Elem().FieldByName("id").UnsafePointer())
}

func contextHandle(c *cl.Context) C.cl_context {
	return C.cl_context(reflect.ValueOf(c).Elem().FieldByName("clContext").UnsafePointer())
}

func programHandle(p *cl.Program) C.cl_program {
	return C.cl_program(reflect.ValueOf(p).Elem().FieldByName("clProgram").UnsafePointer())
}

// discovery is held while platforms and devices are listed.
var discovery sync.Mutex

// platformNotFound is CL_PLATFORM_NOT_FOUND_KHR.
const platformNotFound = cl.ErrOther(-1001)

type foundDevice struct {
	dev  *cl.Device
	info DeviceInfo
}

// loaded tells that the drivers are in the process (under discovery).
var loaded bool

// findDevices lists the devices of all platforms, in the loader's order.
func findDevices() (all []foundDevice, err error) {
	discovery.Lock()
	defer discovery.Unlock()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("listing OpenCL devices: %v", r)
		}
	}()
	if left, limited := hostmem.Left(); !loaded && limited && left < driverSpace {
		return nil, noSpace(left)
	}
	loaded = true
	platforms, err := cl.GetPlatforms()
	if err == platformNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing OpenCL platforms: %w", err)
	}
	for _, p := range platforms {
		devices, err := p.GetDevices(cl.DeviceTypeAll)
		if err != nil {
			continue // a platform without a usable device does not make the others fail
		}
		for _, d := range devices {
			all = append(all, foundDevice{d, describe(len(all), strings.TrimSpace(p.Name()), d)})
		}
	}
	return all, nil
}

func listDevices() ([]DeviceInfo, error) {
	found, err := findDevices()
	infos := make([]DeviceInfo, len(found))
	for i, f := range found {
		infos[i] = f.info
	}
	return infos, err
}

// takesTurns reports whether a platform lets only one device of a context work at a time. NVIDIA's
// does, whatever the devices do: on two H100s calls in one context took as long on both as on one.
func takesTurns(platform string) bool { return strings.Contains(strings.ToLower(platform), "nvidia") }

func openDrivers(indices []int, opt Options) (out []driver, err error) {
	found, err := findDevices()
	if err != nil {
		return nil, err
	}
	return openFound(found, indices, opt)
}

// openFound opens devices. Those of one platform share a context, so that their queues can wait
// for each other's events. If they would then take turns, or the platform refuses, each has its own
// context.
func openFound(found []foundDevice, indices []int, opt Options) (out []driver, err error) {
	defer func() {
		if err != nil {
			for _, d := range out {
				d.close()
			}
			out = nil
		}
	}()
	type shared struct {
		ctx   *cl.Context
		users *int
	}
	platforms := map[string][]*cl.Device{}
	contexts := map[string]shared{}
	for _, i := range indices {
		if i >= len(found) {
			return nil, ErrNoDevice
		}
		p := found[i].info.Platform
		platforms[p] = append(platforms[p], found[i].dev)
	}
	for _, i := range indices {
		p := found[i].info.Platform
		s, ok := contexts[p]
		if !ok {
			s.users, err = new(int), cl.ErrUnknown
			if !opt.Apart && !takesTurns(p) {
				s.ctx, err = cl.CreateContext(platforms[p])
			}
			if err == nil {
				contexts[p] = s
			} else if s.ctx, err = cl.CreateContext([]*cl.Device{found[i].dev}); err != nil {
				return out, err
			}
		}
		*s.users++
		d := &clDriver{dev: found[i].dev, ctx: s.ctx, users: s.users, profile: opt.Profile}
		out = append(out, d)
		if err := d.openQueues(); err != nil {
			return out, err
		}
	}
	return out, nil
}

// leave gives the context back with its last driver.
func (d *clDriver) leave() {
	if *d.users--; *d.users == 0 {
		d.ctx.Release()
	}
}

func (d *clDriver) build(source, options string) (module, error) {
	p, err := d.ctx.CreateProgramWithSource([]string{source})
	if err != nil {
		return nil, err
	}
	if err := p.BuildProgram([]*cl.Device{d.dev}, options); err != nil {
		p.Release()
		var log cl.BuildError
		if errors.As(err, &log) {
			return nil, &BuildError{strings.TrimSpace(strings.TrimRight(string(log), "\x00"))}
		}
		return nil, fmt.Errorf("the device's compiler failed, and its log cannot be read: %w", err)
	}
	return &clModule{program: p, dev: deviceHandle(d.dev)}, nil
}

type clModule struct {
	program *cl.Program
	dev     C.cl_device_id
	kernels []C.cl_kernel
}

func (m *clModule) kernel(name string) (kernel, error) {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	var code C.cl_int
	k := C.clCreateKernel(programHandle(m.program), text, &code)
	if code != C.CL_SUCCESS {
		return nil, clError(code)
	}
	m.kernels = append(m.kernels, k)
	return k, nil
}

// log is the build log; the binding gives it only where a build has failed.
func (m *clModule) log() string {
	program, n := programHandle(m.program), C.size_t(0)
	if C.clGetProgramBuildInfo(program, m.dev, C.CL_PROGRAM_BUILD_LOG, 0, nil, &n) != C.CL_SUCCESS || n == 0 {
		return ""
	}
	buf := make([]byte, n)
	if C.clGetProgramBuildInfo(program, m.dev, C.CL_PROGRAM_BUILD_LOG, n, unsafe.Pointer(&buf[0]), nil) != C.CL_SUCCESS {
		return ""
	}
	return strings.TrimSpace(strings.TrimRight(string(buf), "\x00"))
}

func (m *clModule) release() {
	for _, k := range m.kernels {
		C.clReleaseKernel(k)
	}
	m.program.Release()
}
