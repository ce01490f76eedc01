//go:build cgo

package runtime

// #cgo linux pkg-config: OpenCL
// #cgo darwin LDFLAGS: -framework OpenCL
// #cgo windows LDFLAGS: -lOpenCL
// #define CL_TARGET_OPENCL_VERSION 120
// #ifdef __APPLE__
// #include <OpenCL/cl.h>
// #else
// #include <CL/cl.h>
// #endif
// #include <ctype.h>
// #include <stdint.h>
// #include <stdlib.h>
// #include <string.h>
// #include "native/c/cl/properties.c"
import "C"

import (
	"fmt"
	"reflect"
	"strings"
	"time"
	"unsafe"

	"github.com/jgillich/go-opencl/cl"
)

// What the binding lacks. Its handles are unexported fields, which reflection
// may read; TestBindingHandles checks that they are where this looks.

func deviceHandle(d *cl.Device) C.cl_device_id {
	return C.cl_device_id(reflect.ValueOf(d).Elem().FieldByName("id").UnsafePointer())
}

func queueHandle(q *cl.CommandQueue) unsafe.Pointer {
	return reflect.ValueOf(q).Elem().FieldByName("clQueue").UnsafePointer()
}

func bufferHandle(m *cl.MemObject) unsafe.Pointer {
	return reflect.ValueOf(m).Elem().FieldByName("clMem").UnsafePointer()
}

// transferBuffer writes data to a buffer, or reads it from there, and waits. It takes the address
// in the call itself: for a pointer that is passed on, cgo checks all the memory around it, and
// panics if that holds Go pointers, as it does when data is part of a larger struct.
func transferBuffer(queue, mem unsafe.Pointer, write bool, off int64, data []byte) error {
	code := C.cl_int(0)
	if write {
		code = C.clEnqueueWriteBuffer(C.cl_command_queue(queue), C.cl_mem(mem), C.CL_TRUE, C.size_t(off), C.size_t(len(data)), unsafe.Pointer(&data[0]), 0, nil, nil)
	} else {
		code = C.clEnqueueReadBuffer(C.cl_command_queue(queue), C.cl_mem(mem), C.CL_TRUE, C.size_t(off), C.size_t(len(data)), unsafe.Pointer(&data[0]), 0, nil, nil)
	}
	if code != C.CL_SUCCESS {
		return fmt.Errorf("transferring %d bytes: %w", len(data), clError(int(code), true))
	}
	return nil
}

// fillBuffer enqueues the write of one element. The driver takes a copy of it.
func fillBuffer(queue, mem unsafe.Pointer, off int64, data []byte) error {
	size := C.size_t(len(data))
	if code := C.clEnqueueFillBuffer(C.cl_command_queue(queue), C.cl_mem(mem), unsafe.Pointer(&data[0]), size, C.size_t(off), size, 0, nil, nil); code != C.CL_SUCCESS {
		return clError(int(code), false)
	}
	return nil
}

// stagingBytes is the room for one read.
const stagingBytes = 4096

// newStaging makes memory of the host's that the device reaches by itself: what is read
// to other memory without waiting costs NVIDIA's driver more than a wait.
func newStaging(queue unsafe.Pointer) (mem, at unsafe.Pointer, err error) {
	q := C.cl_command_queue(queue)
	var ctx C.cl_context
	code := C.clGetCommandQueueInfo(q, C.CL_QUEUE_CONTEXT, C.size_t(unsafe.Sizeof(ctx)), unsafe.Pointer(&ctx), nil)
	var m C.cl_mem
	if code == C.CL_SUCCESS {
		m = C.clCreateBuffer(ctx, C.CL_MEM_READ_WRITE|C.CL_MEM_ALLOC_HOST_PTR, stagingBytes, nil, &code)
	}
	if code == C.CL_SUCCESS {
		at = C.clEnqueueMapBuffer(q, m, C.CL_TRUE, C.CL_MAP_READ|C.CL_MAP_WRITE, 0, stagingBytes, 0, nil, nil, &code)
	}
	if code != C.CL_SUCCESS {
		return nil, nil, fmt.Errorf("making memory to read to: %w", clError(int(code), true))
	}
	return unsafe.Pointer(m), at, nil
}

func releaseStaging(queue, mem, at unsafe.Pointer) {
	if mem != nil {
		C.clEnqueueUnmapMemObject(C.cl_command_queue(queue), C.cl_mem(mem), at, 0, nil, nil)
		C.clReleaseMemObject(C.cl_mem(mem))
	}
}

// readStaged enqueues a read to memory of newStaging's, and waits if requested.
func readStaged(queue, mem unsafe.Pointer, wait bool, off, n int64, to unsafe.Pointer) error {
	blocking := C.cl_bool(C.CL_FALSE)
	if wait {
		blocking = C.CL_TRUE
	}
	if code := C.clEnqueueReadBuffer(C.cl_command_queue(queue), C.cl_mem(mem), blocking, C.size_t(off), C.size_t(n), to, 0, nil, nil); code != C.CL_SUCCESS {
		return fmt.Errorf("transferring %d bytes: %w", n, clError(int(code), true))
	}
	return nil
}

// copyBuffer enqueues a copy, with an event if requested.
func copyBuffer(queue, src, dst unsafe.Pointer, srcOff, dstOff, bytes int64, withEvent bool) (unsafe.Pointer, error) {
	var ev C.cl_event
	at := &ev
	if !withEvent {
		at = nil
	}
	if code := C.clEnqueueCopyBuffer(C.cl_command_queue(queue), C.cl_mem(src), C.cl_mem(dst), C.size_t(srcOff), C.size_t(dstOff), C.size_t(bytes), 0, nil, at); code != C.CL_SUCCESS {
		return nil, clError(int(code), false)
	}
	return unsafe.Pointer(ev), nil
}

// eventTook waits for a command, gives its time on the device, and releases the event.
func eventTook(ev unsafe.Pointer) (time.Duration, error) {
	e := C.cl_event(ev)
	defer C.clReleaseEvent(e)
	var start, end C.cl_ulong
	code := C.clWaitForEvents(1, &e)
	if code == C.CL_SUCCESS {
		code = C.clGetEventProfilingInfo(e, C.CL_PROFILING_COMMAND_START, 8, unsafe.Pointer(&start), nil)
	}
	if code == C.CL_SUCCESS {
		code = C.clGetEventProfilingInfo(e, C.CL_PROFILING_COMMAND_END, 8, unsafe.Pointer(&end), nil)
	}
	if code != C.CL_SUCCESS {
		return 0, clError(int(code), true)
	}
	return time.Duration(end - start), nil
}

// flushQueue starts the queued commands without waiting for them.
func flushQueue(queue unsafe.Pointer) error {
	if code := C.clFlush(C.cl_command_queue(queue)); code != C.CL_SUCCESS {
		return fmt.Errorf("starting commands: %w", clError(int(code), false))
	}
	return nil
}

// infoText returns a property of a device, or "" if the device does not know it. The binding's
// own query fails from 1,024 bytes on.
func infoText(id C.cl_device_id, what C.cl_device_info) string {
	text := C.memc_device_text(id, what)
	defer C.free(unsafe.Pointer(text))
	return strings.TrimRight(C.GoString(text), " ")
}

// describe asks a device for all that DeviceInfo holds.
func describe(index int, platform string, dev *cl.Device) DeviceInfo {
	id := deviceHandle(dev)
	var p C.struct_memc_properties
	C.memc_properties_of(id, &p)
	return DeviceInfo{
		Index: index, Platform: platform,
		Name: infoText(id, C.CL_DEVICE_NAME), Version: infoText(id, C.CL_DEVICE_VERSION), Driver: infoText(id, C.CL_DRIVER_VERSION),
		GPU: p.gpu != 0, CPU: p.cpu != 0,
		Memory: int64(p.memory), MaxAlloc: int64(p.alloc), MaxGroup: int64(p.group), Local: int64(p.local),
		Items: int64(p.items), Wave: int64(p.wave), Several: p.several != 0, Waits: p.waits != 0,
		FP64: p.f64 != 0, Int64Atomics: p.wide != 0, ExactDivide: p.exact != 0,
	}
}
