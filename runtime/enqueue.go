//go:build cgo

package runtime

/*
#include "cl.h"

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
	"unsafe"
)

// An argument is laid out as memc_argument.
type argument struct{ bits, size, local uint64 }

func (d *clDriver) launch(k kernel, first, groups, groupSize int64, args []Arg) error {
	d.args = d.args[:0]
	for i := range args {
		a := &args[i]
		if a.Block == nil {
			d.args = append(d.args, argument{a.Bits, uint64(a.Size), uint64(a.Local)})
			continue
		}
		d.args = append(d.args, argument{bits: uint64(uintptr(unsafe.Pointer(a.Block.buf.(C.cl_mem))))})
		if !a.Bare {
			d.args = append(d.args, argument{bits: uint64(a.Block.offset), size: 8})
		}
	}
	var at C.cl_uint
	var ev C.cl_event
	var given *C.memc_argument
	if len(d.args) > 0 {
		given = (*C.memc_argument)(unsafe.Pointer(&d.args[0]))
	}
	c := C.memc_enqueue(d.queues[queueMain], k.(C.cl_kernel), given, C.cl_uint(len(d.args)),
		C.size_t(first*groupSize), C.size_t(groups*groupSize), C.size_t(groupSize), &at, d.leaves(&ev))
	what := "enqueueing"
	if c != C.CL_SUCCESS && int(at) < len(d.args) {
		what = fmt.Sprintf("argument %d (%d bytes; 0: a block)", int(at), d.args[at].size)
	}
	return d.begin(what, c, ev)
}
