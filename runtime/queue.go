//go:build cgo

package runtime

// #cgo linux pkg-config: OpenCL
// #cgo darwin LDFLAGS: -framework OpenCL
// #cgo windows LDFLAGS: -lOpenCL
// #include "cl.h"
// #include "native/c/cl/errors.c"
// #include "native/c/cl/memory.c"
// #include "native/c/cl/queue.c"
// #include "native/c/cl/reads.c"
// #include "native/c/words.c"
import "C"

import (
	"fmt"
	"runtime"
	"time"
	"unsafe"

	"github.com/jgillich/go-opencl/cl"

	"github.com/memc-lang/memc/runtime/pool"
)

// Queues of a driver.
const (
	queueMain = iota // kernels, and all that one device alone does
	queueIn          // transfers from the host or another device
	queueOut         // transfers to the host
)

// A clDriver is an OpenCL device with its queues.
type clDriver struct {
	dev *cl.Device
	ctx *clContext
	raw C.cl_context // its handle
	// queues are by number: queueIn and queueOut are nil in a driver that works alone.
	queues [3]C.cl_command_queue
	// side is for touching fresh buffers: there, that does not wait for the
	// kernels that still run.
	side C.cl_command_queue
	// args are those of a launch, kept for the next one; queued counts commands since
	// somebody waited for all.
	args   []C.argument
	queued C.int
	// staging is memory to read to; nil until it is used.
	staging C.struct_memc_pinned
	// profile tells that commands leave events, which tell how long they took.
	profile bool
	events  []C.cl_event
}

func (d *clDriver) openQueues() (err error) {
	d.raw = contextHandle(d.ctx.Context)
	if d.queues[queueMain], err = d.openQueue(d.profile); err == nil {
		d.side, err = d.openQueue(false)
	}
	return err
}

func (d *clDriver) openQueue(profile bool) (C.cl_command_queue, error) {
	properties := C.cl_command_queue_properties(0)
	if profile {
		properties = C.CL_QUEUE_PROFILING_ENABLE
	}
	var code C.cl_int
	q := C.clCreateCommandQueue(d.raw, deviceHandle(d.dev), properties, &code)
	if code != C.CL_SUCCESS {
		return nil, fmt.Errorf("opening a queue: %w", clError(code))
	}
	return q, nil
}

func (d *clDriver) close() {
	C.memc_unpin(d.queues[queueMain], &d.staging)
	for _, q := range append(d.queues[:], d.side) {
		if q != nil {
			C.clReleaseCommandQueue(q)
		}
	}
	d.leave()
}

func (d *clDriver) finish() error {
	d.queued = 0
	for _, queue := range []int{queueIn, queueOut, queueMain} {
		if d.queues[queue] != nil {
			if err := code("waiting for a queue", C.clFinish(d.queues[queue]), true); err != nil {
				return err
			}
		}
	}
	return nil
}

// A clError is a code of the driver.
type clError C.cl_int

func (e clError) Error() string {
	return fmt.Sprintf("%s (OpenCL code %d)", C.GoString(C.memc_cl_error(C.cl_int(e))), int(e))
}

// code is the error of a call; waits tells that it waits for the device. Some errors mean that the
// device is lost: the queue and the context are valid only as long as it exists. In a call that waits,
// "out of resources" means this, too: drivers report so that a kernel broke down.
func code(what string, c C.cl_int, waits bool) error {
	switch {
	case c == C.CL_SUCCESS:
		return nil
	case C.memc_cl_lost(c) != 0 || waits && c == C.CL_OUT_OF_RESOURCES:
		return fmt.Errorf("%s: %w (%w)", what, errLost, clError(c))
	}
	return fmt.Errorf("%s: %w", what, clError(c))
}

// noMemory is the error of a call that makes a buffer; NVIDIA's driver
// says "out of resources" when a lazily made one does not fit.
func noMemory(c C.cl_int) error {
	switch c {
	case C.CL_INVALID_BUFFER_SIZE:
		return fmt.Errorf("%w (%w)", pool.ErrTooLarge, clError(c))
	case C.CL_MEM_OBJECT_ALLOCATION_FAILURE, C.CL_OUT_OF_RESOURCES, C.CL_OUT_OF_HOST_MEMORY:
		return fmt.Errorf("%w (%w)", errNoMemory, clError(c))
	}
	return code("making a buffer", c, true)
}

// create asks the driver whatever the size.
func (d *clDriver) create(bytes int64) (handle, error) {
	var m C.cl_mem
	if c := C.memc_make_buffer(d.raw, d.side, C.int64_t(bytes), &m); c != C.CL_SUCCESS {
		return nil, noMemory(c)
	}
	return m, nil
}

func (d *clDriver) release(h handle) { C.clReleaseMemObject(h.(C.cl_mem)) }

// write and read wait. They take the address in the call itself: for a pointer that is passed on, cgo
// checks all the memory around it, and panics if that holds Go pointers, as it does when data is part
// of a larger struct.
func (d *clDriver) write(h handle, off int64, data []byte) error {
	d.queued = 0
	c := C.clEnqueueWriteBuffer(d.queues[queueMain], h.(C.cl_mem), C.CL_TRUE, C.size_t(off), C.size_t(len(data)), unsafe.Pointer(&data[0]), 0, nil, nil)
	return transferred(len(data), c)
}

func (d *clDriver) read(h handle, off int64, data []byte) error {
	d.queued = 0
	c := C.clEnqueueReadBuffer(d.queues[queueMain], h.(C.cl_mem), C.CL_TRUE, C.size_t(off), C.size_t(len(data)), unsafe.Pointer(&data[0]), 0, nil, nil)
	return transferred(len(data), c)
}

func transferred(bytes int, c C.cl_int) error {
	if c == C.CL_SUCCESS {
		return nil
	}
	return code(fmt.Sprintf("transferring %d bytes", bytes), c, true)
}

// set enqueues the write of one element. The driver takes a copy of it.
func (d *clDriver) set(h handle, off int64, data []byte) error {
	size := C.size_t(len(data))
	c := C.clEnqueueFillBuffer(d.queues[queueMain], h.(C.cl_mem), unsafe.Pointer(&data[0]), size, C.size_t(off), size, 0, nil, nil)
	return code("writing an element", C.memc_begun(d.queues[queueMain], &d.queued, c), false)
}

// stagingBytes is the room for what one fetch reads.
const stagingBytes = 4096

// Go and C agree on these.
var (
	_ = [1]bool{}[faultWords-C.MEMC_FAULT_WORDS]
	_ = [1]bool{}[lookEvery-C.MEMC_LOOK_EVERY]
)

func (d *clDriver) fetch(faults handle, launched int, list []piece) ([]int64, error) {
	d.queued = 0
	if d.staging.mem == nil {
		if err := code("making memory to read to", C.memc_pin(d.raw, d.queues[queueMain], stagingBytes, &d.staging), true); err != nil {
			return nil, err
		}
	}
	words := make([]int64, faultWords)
	own, _ := faults.(C.cl_mem)
	wants := make([]C.struct_memc_want, len(list))
	var pin runtime.Pinner
	defer pin.Unpin()
	for i, p := range list {
		pin.Pin(p.bits)
		*p.bits = 0 // an element is its low end: every machine with a driver that memc has met is little-endian
		wants[i] = C.struct_memc_want{from: p.from.(C.cl_mem), at: C.size_t(p.off), bytes: C.size_t(p.size), dst: unsafe.Pointer(p.bits)}
	}
	c := C.memc_read_wants(d.queues[queueMain], &d.staging, own, C.int(launched), (*C.int64_t)(&words[0]), C.int(len(list)), unsafe.SliceData(wants))
	return words, code("reading elements", c, true)
}

func (d *clDriver) copy(dst handle, dstOff int64, src handle, srcOff, bytes int64) error {
	var ev C.cl_event
	leaves := &ev
	if !d.profile {
		leaves = nil
	}
	c := C.clEnqueueCopyBuffer(d.queues[queueMain], src.(C.cl_mem), dst.(C.cl_mem), C.size_t(srcOff), C.size_t(dstOff), C.size_t(bytes), 0, nil, leaves)
	d.keep(ev)
	return code("copying", C.memc_begun(d.queues[queueMain], &d.queued, c), false)
}

// keep keeps the event of a command, if it has one.
func (d *clDriver) keep(ev C.cl_event) {
	if ev != nil {
		d.events = append(d.events, ev)
	}
}

func (d *clDriver) took() (total time.Duration, err error) {
	for _, ev := range d.taken() {
		start, end, e := d.span(ev)
		if total += end - start; e != nil {
			err = e
		}
	}
	return total, err
}

// CheckWords returns what a failing check says: its format has one %d per argument, and no other verb. heap is -1,
// or the size of a device heap, which the check tells in place of its last argument.
func CheckWords(format string, args []int64, heap int64) string {
	text := C.CString(format)
	defer C.free(unsafe.Pointer(text))
	words := C.memc_check_words(text, C.int(len(args)), (*C.int64_t)(unsafe.SliceData(args)), C.int64_t(heap))
	defer C.free(unsafe.Pointer(words))
	return C.GoString(words)
}
