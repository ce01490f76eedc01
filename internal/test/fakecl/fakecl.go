//go:build cgo && !darwin

// Package fakecl simulates OpenCL devices whose queues run on their own: commands of one queue in their order, those of
// different queues in any order that events allow. Whoever forgets to wait for something reads or writes too early, or
// too late, sooner or later.
//
// OpenCL's loader finds each function in the table that an object's first word points to (CL/cl_icd.h), so code that is
// given a Device of this package runs unchanged. What the host runtime does not call is missing in the table. macOS has
// no such loader. Kernels, whatever their name, do what is said in commands.c.
//
// The package imports nothing of this module.
package fakecl

// #include "fake.h"
import "C"

import "unsafe"

// The codes of calls that fail on purpose, and of waits for what never comes.
const (
	Fails = C.FAKE_FAILS
	Never = C.FAKE_NEVER
)

// A Machine is devices, with one source of random numbers.
type Machine struct{ c *C.struct_fake_machine }

// New returns a machine without devices.
func New(seed uint64) *Machine { return &Machine{C.fake_new(C.uint64_t(seed))} }

// Failing sets how often markers, barriers, and copies that leave an event fail.
func (m *Machine) Failing(rate float64) { m.c.failing = C.double(rate) }

// Fails returns how many did.
func (m *Machine) Fails() int64 { return int64(m.c.fails) }

// Jumps returns how many commands ran before an earlier one of another queue.
func (m *Machine) Jumps() int64 { return int64(m.c.jumps) }

// Live returns how many of OpenCL's objects are not released.
func (m *Machine) Live() int64 { return int64(m.c.live) }

// A Device is one of a machine's.
type Device struct{ c C.cl_device_id }

// Device makes a device of a platform, which devices that name it share.
func (m *Machine) Device(platform, name string, gpu bool) Device {
	kind := C.cl_device_type(C.CL_DEVICE_TYPE_CPU)
	if gpu {
		kind = C.CL_DEVICE_TYPE_GPU
	}
	text := [2]*C.char{C.CString(platform), C.CString(name)}
	defer C.free(unsafe.Pointer(text[0]))
	defer C.free(unsafe.Pointer(text[1]))
	return Device{C.fake_device(m.c, text[0], text[1], kind)}
}

// ID returns the cl_device_id.
func (d Device) ID() unsafe.Pointer { return unsafe.Pointer(d.c) }

// Lose has every command fail from now on, as if the device were gone, or end that.
func (d Device) Lose(yes bool) { d.c.lost = truth(yes) }

// RefusePeers has it not copy from other devices' buffers.
func (d Device) RefusePeers() { d.c.no_peers = 1 }

// Hold has the n-th queue made for the device run nothing, or end that.
func (d Device) Hold(n int, yes bool) {
	for q := d.c.m.queues; q != nil; q = q.next {
		if q.device == d.c && int(q.number) == n {
			q.held = truth(yes)
		}
	}
}

func truth(yes bool) C.int {
	if yes {
		return 1
	}
	return 0
}
