//go:build cgo

package runtime

/*
#define CL_TARGET_OPENCL_VERSION 120
#ifdef __APPLE__
#include <OpenCL/cl.h>
#else
#include <CL/cl.h>
#endif
*/
import "C"

import (
	"errors"
	"fmt"
	"reflect"
	goruntime "runtime"
	"time"
	"unsafe"

	"github.com/jgillich/go-opencl/cl"
)

// LinkedQueues are the queues of migrations, nil in a driver that works alone.
type linkedQueues struct {
	in, out *cl.CommandQueue
	raw     [3]C.cl_command_queue // by number
	ctx     C.cl_context          // for pinned memory
}

func contextHandle(c *cl.Context) unsafe.Pointer {
	return reflect.ValueOf(c).Elem().FieldByName("clContext").UnsafePointer()
}

func (l *linkedQueues) close() {
	if l.in != nil {
		l.in.Release()
	}
	if l.out != nil {
		l.out.Release()
	}
}

func (l *linkedQueues) finish() error {
	if l.out == nil {
		return nil
	}
	if err := gone(l.in.Finish(), true); err != nil {
		return err
	}
	return gone(l.out.Finish(), true)
}

func (d *clDriver) link() (err error) {
	l := &d.linked
	properties := cl.CommandQueueProperty(0)
	if d.profile {
		properties = cl.CommandQueueProfilingEnable
	}
	if l.in, err = d.ctx.CreateCommandQueue(d.dev, properties); err != nil {
		return err
	}
	if l.out, err = d.ctx.CreateCommandQueue(d.dev, properties); err != nil {
		return err
	}
	l.ctx = C.cl_context(contextHandle(d.ctx))
	l.raw = [3]C.cl_command_queue{queueMain: C.cl_command_queue(d.raw), queueIn: C.cl_command_queue(queueHandle(l.in)), queueOut: C.cl_command_queue(queueHandle(l.out))}
	return nil
}

// code is the error of a call that does not wait.
func code(what string, c C.cl_int) error {
	if c == C.CL_SUCCESS {
		return nil
	}
	return fmt.Errorf("%s: %w", what, clError(int(c), false))
}

func (d *clDriver) mark(queue int) (event, error) {
	q := d.linked.raw[queue]
	var ev C.cl_event
	if err := code("marking a queue", C.clEnqueueMarkerWithWaitList(q, 0, nil, &ev)); err != nil {
		return nil, err
	}
	// Another queue that waits for this one must not wait for it to begin.
	if err := code("starting commands", C.clFlush(q)); err != nil {
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
	return code("waiting for another queue", C.clEnqueueBarrierWithWaitList(d.linked.raw[queue], C.cl_uint(len(events)), &events[0], nil))
}

func (d *clDriver) drop(ev event) { C.clReleaseEvent(ev.(C.cl_event)) }

func (d *clDriver) done(ev event) bool {
	var status C.cl_int
	c := C.clGetEventInfo(ev.(C.cl_event), C.CL_EVENT_COMMAND_EXECUTION_STATUS, C.size_t(unsafe.Sizeof(status)), unsafe.Pointer(&status), nil)
	return c == C.CL_SUCCESS && status == C.CL_COMPLETE
}

func (d *clDriver) wait(ev event) error {
	e := ev.(C.cl_event)
	if c := C.clWaitForEvents(1, &e); c != C.CL_SUCCESS {
		return fmt.Errorf("waiting for a migration: %w", clError(int(c), true))
	}
	return nil
}

func (d *clDriver) settle(queue int) error {
	if c := C.clFinish(d.linked.raw[queue]); c != C.CL_SUCCESS {
		return fmt.Errorf("waiting for a queue: %w", clError(int(c), true))
	}
	return nil
}

func (d *clDriver) fetch(to unsafe.Pointer, from handle, off, bytes int64) (event, error) {
	b := from.(*clBuffer)
	defer goruntime.KeepAlive(b)
	var ev C.cl_event
	c := C.clEnqueueReadBuffer(d.linked.raw[queueOut], C.cl_mem(b.raw), C.CL_FALSE, C.size_t(off), C.size_t(bytes), to, 0, nil, &ev)
	return d.started("moving to the host", c, queueOut, ev)
}

func (d *clDriver) put(to handle, off int64, from unsafe.Pointer, bytes int64) (event, error) {
	b := to.(*clBuffer)
	defer goruntime.KeepAlive(b)
	var ev C.cl_event
	c := C.clEnqueueWriteBuffer(d.linked.raw[queueIn], C.cl_mem(b.raw), C.CL_FALSE, C.size_t(off), C.size_t(bytes), from, 0, nil, &ev)
	return d.started("moving from the host", c, queueIn, ev)
}

func (d *clDriver) peer(to handle, toOff int64, from handle, fromOff, bytes int64) (event, error) {
	dst, src := to.(*clBuffer), from.(*clBuffer)
	defer goruntime.KeepAlive(dst)
	defer goruntime.KeepAlive(src)
	var ev C.cl_event
	c := C.clEnqueueCopyBuffer(d.linked.raw[queueIn], C.cl_mem(src.raw), C.cl_mem(dst.raw), C.size_t(fromOff), C.size_t(toOff), C.size_t(bytes), 0, nil, &ev)
	return d.started("moving from a peer", c, queueIn, ev)
}

// started starts a copy, and keeps its event, too, if somebody wants its times.
func (d *clDriver) started(what string, c C.cl_int, queue int, ev C.cl_event) (event, error) {
	if err := code(what, c); err != nil {
		return nil, err
	}
	if err := code("starting commands", C.clFlush(d.linked.raw[queue])); err != nil {
		C.clReleaseEvent(ev)
		return nil, errors.Join(err, d.settle(queue)) // nobody can wait for it
	}
	if d.profile {
		C.clRetainEvent(ev)
		d.events = append(d.events, unsafe.Pointer(ev))
	}
	return ev, nil
}

func (d *clDriver) taken() []event {
	var list []event
	for _, ev := range d.events {
		list = append(list, C.cl_event(ev))
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
	return time.Duration(at[0]), time.Duration(at[1]), code("reading a command's times", c)
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

// pin maps a buffer of the kind that drivers keep in pages which devices reach directly.
func (d *clDriver) pin(bytes int64) (pinned, error) {
	var c C.cl_int
	m := C.clCreateBuffer(d.linked.ctx, C.CL_MEM_READ_WRITE|C.CL_MEM_ALLOC_HOST_PTR, C.size_t(bytes), nil, &c)
	if c != C.CL_SUCCESS {
		return pinned{}, fmt.Errorf("%w (pinned memory: %w)", errNoMemory, clError(int(c), false))
	}
	at := C.clEnqueueMapBuffer(C.cl_command_queue(queueHandle(d.side)), m, C.CL_TRUE, C.CL_MAP_READ|C.CL_MAP_WRITE, 0, C.size_t(bytes), 0, nil, nil, &c)
	if c != C.CL_SUCCESS {
		C.clReleaseMemObject(m)
		return pinned{}, fmt.Errorf("%w (pinned memory: %w)", errNoMemory, clError(int(c), true))
	}
	return pinned{at, m}, nil
}

func (d *clDriver) unpin(p pinned) {
	m := p.of.(C.cl_mem)
	C.clEnqueueUnmapMemObject(C.cl_command_queue(queueHandle(d.side)), m, p.at, 0, nil, nil)
	C.clReleaseMemObject(m)
}
