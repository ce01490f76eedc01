//go:build cgo

package pool

/*
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define MEMC_UNUSED __attribute__((unused))
#include "../native/c/pool.c"
#include "../native/c/shortage.c"

int memc_go_create(uintptr_t source, int64_t bytes, uintptr_t *buffer);
void memc_go_release(uintptr_t source, uintptr_t buffer);
int memc_go_finish(uintptr_t source);

static int pool_create(void *self, int64_t bytes, void **buffer)
{
  uintptr_t handle = 0;
  const int err = memc_go_create((uintptr_t)self, bytes, &handle);
  *buffer = (void *)handle;
  return err;
}

static void pool_release(void *self, void *buffer) { memc_go_release((uintptr_t)self, (uintptr_t)buffer); }
static int pool_finish(void *self) { return memc_go_finish((uintptr_t)self); }

static void pool_up(struct memc_pool *p, uintptr_t source, int policy, int64_t limit, int64_t max_alloc, int64_t idle_for)
{
  const struct memc_pool_source src = {(void *)source, pool_create, pool_release, pool_finish};
  memc_pool_up(p, &src, policy, limit, max_alloc, idle_for);
}

struct pool_answer { struct memc_range *block; int err; };

static struct pool_answer pool_get(struct memc_pool *p, int64_t asked, int tag)
{
  struct pool_answer a = {NULL, 0};
  a.err = memc_pool_get(p, asked, tag, &a.block);
  return a;
}
*/
import "C"

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"runtime/cgo"
	"slices"
	"unsafe"

	_ "github.com/memc-lang/memc/runtime/native" // holds the files included above
)

// Go and C agree on these.
var (
	_ = [1]bool{}[Slack-C.MEMC_POOL_SLACK]
	_ = [1]bool{}[Grain-C.MEMC_POOL_GRAIN]
	_ = [1]bool{}[Region-C.MEMC_POOL_REGION]
	_ = [1]bool{}[numKinds-C.MEMC_POOL_KINDS]
)

// errLimit is a buffer that the limit forbids, and errHost a lack of memory for the pool itself.
var (
	errLimit = fmt.Errorf("%w under the limit", ErrNoMemory)
	errHost  = errors.New("out of host memory")
)

// A cPool is a Pool in C's memory.
type cPool struct {
	c    *C.struct_memc_pool
	src  Source
	self cgo.Handle // by which C knows it
	err  error      // of the source, in the call that runs
}

// cBlock is a Block in C's memory.
type cBlock C.struct_memc_range

func (b *cBlock) Buffer() any           { return cgo.Handle(uintptr(b.buf.handle)).Value() }
func (b *cBlock) BufferID() int64       { return int64(b.buf.id) }
func (b *cBlock) Offset() int64         { return int64(b.off) }
func (b *cBlock) Size() int64           { return int64(b.size) }
func (b *cBlock) Kind() Kind            { return Kind(b.kind) }
func (b *cBlock) Range() unsafe.Pointer { return unsafe.Pointer(b) }

// New makes an empty pool, to be closed; it asks the source for nothing. The error tells that this
// memc was built without cgo.
func New(src Source, opt Options) (Pool, error) {
	p := &cPool{c: (*C.struct_memc_pool)(C.malloc(C.sizeof_struct_memc_pool)), src: src}
	runtime.AddCleanup(p, func(c *C.struct_memc_pool) { C.free(unsafe.Pointer(c)) }, p.c)
	p.self = cgo.NewHandle(p)
	C.pool_up(p.c, C.uintptr_t(p.self), C.int(opt.Policy), C.int64_t(opt.Limit), C.int64_t(opt.MaxAlloc), C.int64_t(opt.IdleFor))
	return p, nil
}

func (p *cPool) Close() {
	C.memc_pool_down(p.c) // which leaves one with no block and no source
	p.self.Delete()
	p.self = 0
}

func (p *cPool) Policy() Policy { return Policy(p.c.policy) }

func (p *cPool) Get(asked int64, tag int) (Block, error) {
	p.err = nil
	a := C.pool_get(p.c, C.int64_t(asked), C.int(tag))
	switch {
	case a.err == C.MEMC_POOL_OK:
		return (*cBlock)(a.block), nil
	case a.err == C.MEMC_POOL_LIMIT:
		return nil, errLimit
	case a.err == C.MEMC_POOL_NO_HOST:
		return nil, errHost
	case p.err != nil:
		return nil, p.err
	}
	return nil, ErrTooLarge // a negative size
}

func (p *cPool) Put(b Block)         { C.memc_pool_put(p.c, (*C.struct_memc_range)(b.(*cBlock))) }
func (p *cPool) Turn()               { C.memc_pool_turn(p.c) }
func (p *cPool) Forget(tag int)      { C.memc_pool_forget(p.c, C.int(tag)) }
func (p *cPool) Trim()               { C.memc_pool_trim(p.c) }
func (p *cPool) Reserve(bytes int64) { C.memc_pool_reserve(p.c, C.int64_t(bytes)) }
func (p *cPool) ResetPeaks()         { C.memc_pool_reset_peaks(p.c) }

func (p *cPool) Live() (list []Live) {
	for buf := p.c.busy.oldest; buf != nil; buf = buf.next {
		for b := buf.first; b != nil; b = b.right {
			if b.used != 0 {
				list = append(list, Live{int64(b.asked), int(b.tag), int64(b.born)})
			}
		}
	}
	slices.SortFunc(list, func(x, y Live) int { return cmp.Or(cmp.Compare(y.Bytes, x.Bytes), cmp.Compare(x.born, y.born)) })
	return list
}

func (p *cPool) Why(bytes int64) (why, holes string) {
	var text [2][400]C.char
	C.memc_pool_why(p.c, C.int64_t(bytes), &text[0][0], C.size_t(len(text[0])))
	C.memc_pool_holes(p.c, C.int64_t(bytes), &text[1][0], C.size_t(len(text[1])))
	return C.GoString(&text[0][0]), C.GoString(&text[1][0])
}

func (p *cPool) Counts() Stats {
	c := &p.c.stats
	s := Stats{
		Requests: int64(c.requests), Failures: int64(c.failures),
		Creates: int64(c.creates), Releases: int64(c.releases), Refusals: int64(c.refusals), Ladders: int64(c.ladders),
		Blocks: int64(c.blocks), Buffers: int64(c.buffers),
		Asked: int64(c.asked), Rounded: int64(c.rounded), Held: int64(c.held),
		PeakAsked: int64(c.peak_asked), PeakRounded: int64(c.peak_rounded), PeakHeld: int64(c.peak_held),
		Limit: int64(p.c.limit), Reserved: int64(p.c.reserved),
	}
	for k := range s.Hits {
		s.Hits[k] = int64(c.hits[k])
	}
	return s
}

func (p *cPool) Stats() Stats {
	s := p.Counts()
	s.LargestFree = int64(C.memc_pool_hole(p.c))
	return s
}

// result tells C how a step of the source went.
func (p *cPool) result(err error) C.int {
	p.err = err
	switch {
	case err == nil:
		return C.MEMC_POOL_OK
	case errors.Is(err, ErrTooLarge):
		return C.MEMC_POOL_TOO_LARGE
	case errors.Is(err, ErrNoMemory):
		return C.MEMC_POOL_REFUSED
	}
	return C.MEMC_POOL_BROKEN
}

//export memc_go_create
func memc_go_create(source C.uintptr_t, bytes C.int64_t, buffer *C.uintptr_t) C.int {
	p := cgo.Handle(source).Value().(*cPool)
	buf, err := p.src.Create(int64(bytes))
	if err == nil {
		*buffer = C.uintptr_t(cgo.NewHandle(buf))
	}
	return p.result(err)
}

//export memc_go_release
func memc_go_release(source, buffer C.uintptr_t) {
	h := cgo.Handle(buffer)
	cgo.Handle(source).Value().(*cPool).src.Release(h.Value())
	h.Delete()
}

//export memc_go_finish
func memc_go_finish(source C.uintptr_t) C.int {
	p := cgo.Handle(source).Value().(*cPool)
	return p.result(p.src.Finish())
}
