//go:build cgo

package runtime

/*
#include "cl.h"
#include "native/c/cl/queue.c"

// launch sets a kernel's arguments and enqueues it. *at is the argument that was refused, or count.
static cl_int launch(cl_command_queue queue, int *queued, cl_kernel k, const argument *args, int count, int64_t groups,
                     int64_t most, size_t local, int *at, cl_event *events) {
  cl_uint to = 0;
  for (*at = 0; *at < count; ++*at) {
    const argument *a = &args[*at];
    // Scalars lie at the low end of the 8 bytes: every machine with a driver that
    // memc has met is little-endian.
    cl_int e = a->local  ? clSetKernelArg(k, to++, a->local, NULL)
               : a->size ? clSetKernelArg(k, to++, a->size, &a->bits)
               : a->bare ? clSetKernelArg(k, to++, sizeof(cl_mem), &a->block)
                         : memc_pass_block(k, &to, (cl_mem)a->block, a->bits);
    if (e != CL_SUCCESS)
      return e;
  }
  return memc_begun(queue, queued, memc_turns(queue, k, groups, most, local, events));
}
*/
import "C"

import (
	"fmt"
	"unsafe"
)

func (d *clDriver) launch(k kernel, groups, most, groupSize int64, args []Arg) error {
	d.args = d.args[:0]
	for i := range args {
		a := &args[i]
		if a.Block == nil {
			d.args = append(d.args, C.argument{bits: C.int64_t(a.Bits), size: C.size_t(a.Size), local: C.size_t(a.Local)})
			continue
		}
		given := C.argument{block: C.uintptr_t(uintptr(unsafe.Pointer(a.Block.buf.(C.cl_mem)))), bits: C.int64_t(a.Block.offset)}
		if a.Bare {
			given.bare = 1
		}
		d.args = append(d.args, given)
	}
	var events []C.cl_event
	if d.profile {
		events = make([]C.cl_event, (groups+most-1)/most)
	}
	var at C.int
	c := C.launch(d.queues[queueMain], &d.queued, k.(C.cl_kernel), unsafe.SliceData(d.args), C.int(len(d.args)),
		C.int64_t(groups), C.int64_t(most), C.size_t(groupSize), &at, unsafe.SliceData(events))
	for _, ev := range events {
		d.keep(ev)
	}
	what := "enqueueing"
	if c != C.CL_SUCCESS && int(at) < len(args) {
		what = fmt.Sprintf("argument %d (%d bytes; 0: a block)", int(at), args[at].Size)
	}
	return code(what, c, false)
}
