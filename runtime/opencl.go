//go:build cgo

package runtime

// #include "cl.h"
// #include "native/c/base.c"
// #include "native/c/cl/properties.c"
// #include "native/c/cl/pick.c"
// #include "native/c/cl/build.c"
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
//   - Getters of platforms and devices panic: recovered in listDevices.
//   - If no platform is installed, the loader returns -1001, which the binding does not know. It
//     means "no device".
//   - A build log above 1 MiB is an error of its own: we ask for it ourselves.
//   - PoCL 3.1 crashes if two threads ask for its devices for the first time at once: discovery
//     takes turns.

// handleIn reads the handle in an object of the binding.
func handleIn(object any, field string) unsafe.Pointer {
	return reflect.ValueOf(object).Elem().FieldByName(field).UnsafePointer()
}

func deviceHandle(d *cl.Device) C.cl_device_id { return C.cl_device_id(handleIn(d, "id")) }
func contextHandle(c *cl.Context) C.cl_context { return C.cl_context(handleIn(c, "clContext")) }
func programHandle(p *cl.Program) C.cl_program { return C.cl_program(handleIn(p, "clProgram")) }

// discovery is held while platforms and devices are listed.
var discovery sync.Mutex

// platformNotFound is CL_PLATFORM_NOT_FOUND_KHR.
const platformNotFound = cl.ErrOther(-1001)

// loaded tells that the drivers are in the process (under discovery).
var loaded bool

// listDevices lists the devices of all platforms, in the loader's order.
func listDevices() (all []DeviceInfo, err error) {
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
			all = append(all, describe(len(all), strings.TrimSpace(p.Name()), d))
		}
	}
	return all, nil
}

// handles returns the devices' handles.
func handles(infos []DeviceInfo) []C.cl_device_id {
	list := make([]C.cl_device_id, len(infos))
	for i, d := range infos {
		list[i] = deviceHandle(d.dev.(*cl.Device))
	}
	return list
}

// choose returns the devices that a selector of Open names.
func choose(all []DeviceInfo, selector string) (chosen []DeviceInfo, err error) {
	if len(all) == 0 {
		return nil, ErrNoDevice
	}
	text := C.CString(selector)
	defer C.free(unsafe.Pointer(text))
	at := make([]C.int, len(all)+1) // two at least, so that the text is read as a list
	var why *C.char
	n := C.memc_pick_list(&handles(all)[0], C.cl_uint(len(all)), text, C.int(len(at)), &at[0], &why)
	if n < 0 {
		defer C.free(unsafe.Pointer(why))
		return nil, errors.New(C.GoString(why))
	}
	for _, i := range at[:n] {
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

// A clContext is a context that drivers share.
type clContext struct {
	*cl.Context
	users int // drivers that are open
}

// openContext makes the context of the first of the devices, and of others that share it, and returns their
// indices, too.
func openContext(infos []DeviceInfo, first int, opt Options) (*clContext, []C.int, error) {
	group := make([]C.int, len(infos))
	apart := C.int(one(opt.Apart))
	group = group[:C.memc_sharing(&handles(infos)[0], C.int(len(infos)), C.int(first), apart, &group[0])]
	devices := make([]*cl.Device, len(group))
	for k, i := range group {
		devices[k] = infos[i].dev.(*cl.Device)
	}
	ctx, err := cl.CreateContext(devices)
	if err != nil && len(group) > 1 { // the platform refuses
		group = group[:1]
		ctx, err = cl.CreateContext(devices[:1])
	}
	return &clContext{Context: ctx}, group, err
}

func openDrivers(infos []DeviceInfo, opt Options) (out []driver, err error) {
	defer func() {
		if err != nil {
			for _, d := range out {
				d.close()
			}
			out = nil
		}
	}()
	contexts := make([]*clContext, len(infos))
	for i, info := range infos {
		if contexts[i] == nil {
			ctx, group, err := openContext(infos, i, opt)
			if err != nil {
				return out, err
			}
			for _, k := range group {
				contexts[k] = ctx
			}
		}
		d := &clDriver{dev: info.dev.(*cl.Device), ctx: contexts[i], profile: opt.Profile}
		d.ctx.users++
		out = append(out, d)
		if err := d.openQueues(); err != nil {
			return out, err
		}
	}
	return out, nil
}

// leave gives the context back with its last driver.
func (d *clDriver) leave() {
	if d.ctx.users--; d.ctx.users == 0 {
		d.ctx.Release()
	}
}

func (d *clDriver) build(as DeviceInfo, source, more string) (module, error) {
	text := C.CString(more)
	options := C.memc_build_options(C.int64_t(as.Local), C.int(one(as.Several)), C.int(one(as.ExactDivide)), text)
	C.free(unsafe.Pointer(text))
	defer C.free(unsafe.Pointer(options))
	p, err := d.ctx.CreateProgramWithSource([]string{source})
	if err != nil {
		return nil, err
	}
	m := &clModule{program: p, dev: deviceHandle(d.dev)}
	if err := p.BuildProgram([]*cl.Device{d.dev}, C.GoString(options)); err != nil {
		defer p.Release()
		return nil, &BuildError{m.log()}
	}
	return m, nil
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

// log is the build log; the binding gives it only where a build has failed, and no long one.
func (m *clModule) log() string {
	text := C.memc_build_log(programHandle(m.program), m.dev)
	defer C.free(unsafe.Pointer(text))
	return strings.TrimSpace(C.GoString(text))
}

func (m *clModule) release() {
	for _, k := range m.kernels {
		C.clReleaseKernel(k)
	}
	m.program.Release()
}
