//go:build cgo

package runtime

// #include "cl.h"
// #include "native/c/cl/memory.c"
import "C"

import (
	"errors"
	"fmt"
	"time"
	"unsafe"
)

func (d *clDriver) link() (err error) {
	if d.queues[queueIn], err = d.openQueue(d.profile); err == nil {
		d.queues[queueOut], err = d.openQueue(d.profile)
	}
	return err
}

func (d *clDriver) mark(queue int) (event, error) {
	q := d.queues[queue]
	var ev C.cl_event
	if err := code("marking a queue", C.clEnqueueMarkerWithWaitList(q, 0, nil, &ev), false); err != nil {
		return nil, err
	}
	// Another queue that waits for this one must not wait for it to begin.
	if err := code("starting commands", C.clFlush(q), false); err != nil {
		C.clReleaseEvent(ev)
		return nil, err
	}
	return ev, nil
}

func (d *clDriver) await(queue int, list []event) error {
	events := make([]C.cl_event, len(list))
	for i, e := range list {
		events[i] = e.(C.cl_event)
	}
	return code("waiting for another queue", C.clEnqueueBarrierWithWaitList(d.queues[queue], C.cl_uint(len(events)), &events[0], nil), false)
}

func (d *clDriver) drop(ev event) { C.clReleaseEvent(ev.(C.cl_event)) }

func (d *clDriver) done(ev event) bool {
	var status C.cl_int
	c := C.clGetEventInfo(ev.(C.cl_event), C.CL_EVENT_COMMAND_EXECUTION_STATUS, C.size_t(unsafe.Sizeof(status)), unsafe.Pointer(&status), nil)
	return c == C.CL_SUCCESS && status == C.CL_COMPLETE
}

func (d *clDriver) wait(ev event) error {
	e := ev.(C.cl_event)
	return code("waiting for a migration", C.clWaitForEvents(1, &e), true)
}

func (d *clDriver) fetch(to unsafe.Pointer, from handle, off, bytes int64) (event, error) {
	var ev C.cl_event
	c := C.clEnqueueReadBuffer(d.queues[queueOut], from.(C.cl_mem), C.CL_FALSE, C.size_t(off), C.size_t(bytes), to, 0, nil, &ev)
	return d.started("moving to the host", c, queueOut, ev)
}

func (d *clDriver) put(to handle, off int64, from unsafe.Pointer, bytes int64) (event, error) {
	var ev C.cl_event
	c := C.clEnqueueWriteBuffer(d.queues[queueIn], to.(C.cl_mem), C.CL_FALSE, C.size_t(off), C.size_t(bytes), from, 0, nil, &ev)
	return d.started("moving from the host", c, queueIn, ev)
}

func (d *clDriver) peer(to handle, toOff int64, from handle, fromOff, bytes int64) (event, error) {
	var ev C.cl_event
	c := C.clEnqueueCopyBuffer(d.queues[queueIn], from.(C.cl_mem), to.(C.cl_mem), C.size_t(fromOff), C.size_t(toOff), C.size_t(bytes), 0, nil, &ev)
	return d.started("moving from a peer", c, queueIn, ev)
}

// started starts a copy, and keeps its event, too, if somebody wants its times.
func (d *clDriver) started(what string, c C.cl_int, queue int, ev C.cl_event) (event, error) {
	if err := code(what, c, false); err != nil {
		return nil, err
	}
	if err := code("starting commands", C.clFlush(d.queues[queue]), false); err != nil {
		C.clReleaseEvent(ev)
		return nil, errors.Join(err, d.settle(queue)) // nobody can wait for it
	}
	if d.profile {
		C.clRetainEvent(ev)
		d.events = append(d.events, ev)
	}
	return ev, nil
}

func (d *clDriver) taken() []event {
	var list []event
	for _, ev := range d.events {
		list = append(list, ev)
	}
	d.events = d.events[:0]
	return list
}

func (d *clDriver) span(ev event) (start, end time.Duration, err error) {
	e := ev.(C.cl_event)
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
	ev, err := d.mark(queueMain)
	if err != nil {
		return 0, err
	}
	_, end, err := d.span(ev)
	return end, err
}

func (d *clDriver) peers(other linker) bool {
	o, same := other.(*clDriver)
	return same && o != d && o.ctx == d.ctx
}

func (d *clDriver) pin(bytes int64) (pinned, error) {
	var p C.struct_memc_pinned
	if c := C.memc_pin(d.raw, d.side, C.int64_t(bytes), &p); c != C.CL_SUCCESS {
		return pinned{}, fmt.Errorf("pinned memory: %w", noMemory(c))
	}
	return pinned{unsafe.Pointer(p.at), p}, nil
}

func (d *clDriver) unpin(p pinned) {
	of := p.of.(C.struct_memc_pinned)
	C.memc_unpin(d.side, &of)
}
