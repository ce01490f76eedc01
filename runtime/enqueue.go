//go:build cgo

package runtime

/*
#define CL_TARGET_OPENCL_VERSION 120
#ifdef __APPLE__
#include <OpenCL/cl.h>
#else
#include <CL/cl.h>
#endif
#include <stdint.h>

typedef struct {
  uint64_t bits;  // a scalar, or a cl_mem
  uint64_t size;  // of the scalar in bytes; 0: a buffer
  uint64_t local; // bytes of local memory, in place of both; 0: none
} memc_argument;

// memc_enqueue sets a kernel's arguments and enqueues it. It leaves an event where
// one is asked for: an event costs NVIDIA's driver more than the command. *at is the argument that
// was refused, or count.
static cl_int memc_enqueue(cl_command_queue queue, cl_kernel kernel, memc_argument *args,
                           cl_uint count, size_t first, size_t global, size_t local, cl_uint *at, cl_event *event) {
  for (*at = 0; *at < count; ++*at) {
    memc_argument *a = &args[*at];
    cl_mem mem = (cl_mem)(uintptr_t)a->bits;
    // Scalars lie at the low end of the 8 bytes: every machine with a driver that
    // memc has met is little-endian.
    cl_int e = a->local  ? clSetKernelArg(kernel, *at, (size_t)a->local, NULL)
               : a->size ? clSetKernelArg(kernel, *at, (size_t)a->size, &a->bits)
                         : clSetKernelArg(kernel, *at, sizeof mem, &mem);
    if (e != CL_SUCCESS)
      return e;
  }
  return clEnqueueNDRangeKernel(queue, kernel, 1, first ? &first : NULL, &global, &local, 0, NULL, event);
}
*/
import "C"

import (
	"fmt"
	"reflect"
	goruntime "runtime"
	"time"
	"unsafe"

	"github.com/jgillich/go-opencl/cl"
)

// A clBuffer and a clKernel are objects of the binding with their handles.
type clBuffer struct {
	obj *cl.MemObject
	raw unsafe.Pointer
}

type clKernel struct {
	obj *cl.Kernel
	raw unsafe.Pointer
}

// An argument is laid out as memc_argument.
type argument struct{ bits, size, local uint64 }

func kernelHandle(k *cl.Kernel) unsafe.Pointer {
	return reflect.ValueOf(k).Elem().FieldByName("clKernel").UnsafePointer()
}

// flushEvery is after how many launches the device is told to begin, where nobody
// waits: the first of them at once, so that it has something to do.
const flushEvery = 16

func (d *clDriver) launch(kn kernel, first, groups, groupSize int64, args []Arg) error {
	k := kn.(*clKernel)
	d.args = d.args[:0]
	for i := range args {
		a := &args[i]
		if a.Block == nil {
			d.args = append(d.args, argument{a.Bits, uint64(a.Size), uint64(a.Local)})
			continue
		}
		d.args = append(d.args, argument{bits: uint64(uintptr(a.Block.buf.(*clBuffer).raw))})
		if !a.Bare {
			d.args = append(d.args, argument{bits: uint64(a.Block.offset), size: 8})
		}
	}
	var at C.cl_uint
	var ev C.cl_event
	leave := &ev
	if !d.profile {
		leave = nil
	}
	var given *C.memc_argument
	if len(d.args) > 0 {
		given = (*C.memc_argument)(unsafe.Pointer(&d.args[0]))
	}
	code := C.memc_enqueue(C.cl_command_queue(d.raw), C.cl_kernel(k.raw), given, C.cl_uint(len(d.args)),
		C.size_t(first*groupSize), C.size_t(groups*groupSize), C.size_t(groupSize), &at, leave)
	goruntime.KeepAlive(k)
	goruntime.KeepAlive(args)
	if code != C.CL_SUCCESS {
		if int(at) < len(d.args) {
			return fmt.Errorf("argument %d (%d bytes; 0: a block): %w", int(at), d.args[at].size, clError(int(code), false))
		}
		return clError(int(code), false)
	}
	return d.begin(unsafe.Pointer(ev))
}

// begin has the device begin with what is queued, now and then, and keeps the event of
// a command, if it has one.
func (d *clDriver) begin(ev unsafe.Pointer) error {
	if ev != nil {
		d.events = append(d.events, ev)
	}
	if d.queued++; d.queued%flushEvery != 1 {
		return nil
	}
	return flushQueue(d.raw)
}

func (d *clDriver) took() (total time.Duration, err error) {
	for _, ev := range d.events {
		one, e := eventTook(ev)
		if total += one; e != nil {
			err = e
		}
	}
	d.events = d.events[:0]
	return total, err
}
