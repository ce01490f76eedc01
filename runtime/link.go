//go:build cgo

package runtime

// #include "cl.h"
import "C"

import (
	"time"
	"unsafe"

	"github.com/memc-lang/memc/runtime/places"
)

func (d *clDriver) link() (p places.Device, err error) {
	if d.queues[queueIn], err = d.openQueue(d.profile); err == nil {
		d.queues[queueOut], err = d.openQueue(d.profile)
	}
	return places.Device{
		Context: unsafe.Pointer(d.raw), Main: unsafe.Pointer(d.queues[queueMain]), In: unsafe.Pointer(d.queues[queueIn]),
		Out: unsafe.Pointer(d.queues[queueOut]), Side: unsafe.Pointer(d.side),
	}, err
}

func (d *clDriver) memory(h handle) unsafe.Pointer { return unsafe.Pointer(h.(C.cl_mem)) }

func (d *clDriver) failure(e *places.Error) error { return code(e.What, C.cl_int(e.Code), e.Waits) }

func (d *clDriver) taken() []unsafe.Pointer {
	var list []unsafe.Pointer
	for _, ev := range d.events {
		list = append(list, unsafe.Pointer(ev))
	}
	d.events = d.events[:0]
	return list
}

func (d *clDriver) span(ev unsafe.Pointer) (start, end time.Duration, err error) {
	e := C.cl_event(ev)
	defer C.clReleaseEvent(e)
	var at [2]C.cl_ulong
	c := C.clWaitForEvents(1, &e)
	for i, what := range []C.cl_profiling_info{C.CL_PROFILING_COMMAND_START, C.CL_PROFILING_COMMAND_END} {
		if c == C.CL_SUCCESS {
			c = C.clGetEventProfilingInfo(e, what, 8, unsafe.Pointer(&at[i]), nil)
		}
	}
	return time.Duration(at[0]), time.Duration(at[1]), code("reading a command's times", c, true)
}

func (d *clDriver) clock() (time.Duration, error) {
	var ev C.cl_event
	if err := code("marking a queue", C.clEnqueueMarkerWithWaitList(d.queues[queueMain], 0, nil, &ev), false); err != nil {
		return 0, err
	}
	_, end, err := d.span(unsafe.Pointer(ev))
	return end, err
}
