//go:build cgo

package runtime

/*
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "native/c/base.c"

// What copy.c and cl/copy.c stand on: here, what Go does for them.
enum { MEMC_OK, MEMC_ERROR, MEMC_READS, MEMC_WRITES };
enum { MEMC_MAX_RANK = 64, MEMC_GROUP_SIZE = 256, MEMC_PROGRAM_KERNELS = 0, MEMC_TEMP_TAG = -1 };

struct memc_block { int64_t offset, bytes; int number; }; // number: 0 the target, 1 the source, 2 the temporary one

struct memc_context {
  uintptr_t copy; // Go's handle
  int code;
  char *error; // from malloc; NULL: Go has it
  int rehearsing;
  struct { int64_t copied_bytes; } stats;
  struct memc_block temp;
};

struct memc_arg;
int memc_go_copy_temp(uintptr_t copy, struct memc_block *b);
int memc_go_copy_bytes(uintptr_t copy, int dst, int64_t dst_off, int src, int64_t src_off, int64_t bytes);
int memc_go_copy_launch(uintptr_t copy, int kernel, int64_t groups, int64_t items, int count, struct memc_arg *args);

static int memc_fail(struct memc_context *ctx, int code, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  ctx->error = memc_vformat(format, args);
  va_end(args);
  return code;
}

static int memc_alloc(struct memc_context *ctx, struct memc_block **var, int64_t bytes, int tag, const char *where, const char *what)
{
  (void)tag, (void)where, (void)what;
  ctx->temp.bytes = bytes;
  ctx->temp.number = 2;
  *var = &ctx->temp;
  return memc_go_copy_temp(ctx->copy, &ctx->temp);
}

static void memc_release(struct memc_context *ctx, struct memc_block **var) { (void)ctx, *var = NULL; } // Go does

static int memc_block_copy(struct memc_context *ctx, struct memc_block *dst, size_t dst_off, struct memc_block *src,
                           size_t src_off, size_t bytes)
{
  return memc_go_copy_bytes(ctx->copy, dst->number, dst_off, src->number, src_off, bytes);
}

#include "native/c/bounds.c"
#include "native/c/cl/args.c"

static int memc_enqueue(struct memc_context *ctx, int kernel, int64_t groups, size_t items, int checks, int count,
                        struct memc_arg *args)
{
  (void)checks;
  return memc_go_copy_launch(ctx->copy, kernel, groups, items, count, args);
}

#include "native/c/copy.c"
#include "native/c/cl/copy.c"

static struct memc_context copy(uintptr_t copy, struct memc_block dst, int64_t dst_off, int64_t *dst_strides,
                                struct memc_block src, int64_t src_off, int64_t *src_strides, int rank, int64_t *shape, int size)
{
  struct memc_context ctx = {0};
  ctx.copy = copy;
  ctx.code = memc_copy(&ctx, &dst, dst_off, dst_strides, src.number == dst.number ? &dst : &src, src_off, src_strides,
                       rank, shape, size);
  return ctx;
}
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime/cgo"
	"strings"
	"unsafe"

	_ "github.com/memc-lang/memc/runtime/native" // holds the files included above
)

// A stridedCopy is what C asks for while it plans a copy.
type stridedCopy struct {
	c       *Context
	kernels CopyKernels
	elem    int64
	blocks  [3]*Block // by the number that C gives them
	err     error     // of a step
}

// copyThrough is CopyStrided. If it needs a temporary block, the caller gets it, to release it.
func (c *Context) copyThrough(tmp **Block, kernels CopyKernels, elem int64, shape []int64, dst, src Region) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.several == nil {
		if err := c.usable(); err != nil {
			return err
		}
	}
	if len(shape) > C.MEMC_MAX_RANK {
		return fmt.Errorf("copying an array of %d dimensions: at most %d are possible", len(shape), C.MEMC_MAX_RANK)
	}
	p := &stridedCopy{c: c, kernels: kernels, blocks: [3]*Block{dst.Block, src.Block}}
	self := cgo.NewHandle(p)
	defer self.Delete()
	place := func(b *Block, number C.int) C.struct_memc_block {
		return C.struct_memc_block{offset: C.int64_t(b.offset), bytes: C.int64_t(b.size), number: number}
	}
	from := place(src.Block, 1)
	if src.Block == dst.Block {
		from.number = 0
	}
	did := C.copy(C.uintptr_t(self), place(dst.Block, 0), C.int64_t(dst.Offset), longs(dst.Strides),
		from, C.int64_t(src.Offset), longs(src.Strides), C.int(len(shape)), longs(shape), C.int(elem))
	*tmp = p.blocks[2]
	if did.code == C.MEMC_OK {
		c.stats.CopiedBytes += int64(did.stats.copied_bytes)
		return nil
	}
	if did.error != nil {
		p.err = errors.New(strings.TrimPrefix(C.GoString(did.error), "error: "))
		C.free(unsafe.Pointer(did.error))
	}
	return fmt.Errorf("copying %v elements of %d bytes: %w", shape, elem, p.err)
}

func longs(list []int64) *C.int64_t { return (*C.int64_t)(unsafe.SliceData(list)) }

// copying returns the copy that C asks for.
func copying(copy C.uintptr_t) *stridedCopy { return cgo.Handle(copy).Value().(*stridedCopy) }

// step tells C how a step went.
func (p *stridedCopy) step(err error) C.int {
	if p.err = err; err != nil {
		return C.MEMC_ERROR
	}
	return C.MEMC_OK
}

// temp makes a temporary block.
func (p *stridedCopy) temp(bytes int64) (*Block, error) {
	if s := p.c.several; s != nil {
		return s.alloc(p.c, bytes, TempTag)
	}
	return p.c.allocate(bytes, TempTag)
}

//export memc_go_copy_temp
func memc_go_copy_temp(copy C.uintptr_t, b *C.struct_memc_block) C.int {
	p := copying(copy)
	tmp, err := p.temp(int64(b.bytes))
	if err == nil {
		p.blocks[b.number], b.offset = tmp, C.int64_t(tmp.offset)
	}
	return p.step(err)
}

//export memc_go_copy_bytes
func memc_go_copy_bytes(copy C.uintptr_t, dst C.int, dstOff C.int64_t, src C.int, srcOff, bytes C.int64_t) C.int {
	p := copying(copy)
	return p.step(p.c.copyBytes(p.blocks[dst], int64(dstOff), p.blocks[src], int64(srcOff), int64(bytes)))
}

//export memc_go_copy_launch
func memc_go_copy_launch(copy C.uintptr_t, kernel C.int, groups, items C.int64_t, count C.int, args *C.struct_memc_arg) C.int {
	p := copying(copy)
	if p.kernels.Program == nil {
		return p.step(errors.New("a strided copy needs the copy kernels"))
	}
	name := p.kernels.Name
	if kernel >= 4 {
		name = p.kernels.Box
	}
	k, err := p.kernels.Program.Kernel(fmt.Sprintf("%s_%d", name, 1<<(kernel%4)))
	if err != nil {
		return p.step(err)
	}
	given := make([]Arg, count)
	for i, a := range unsafe.Slice(args, count) {
		if given[i] = (Arg{Bits: *(*uint64)(unsafe.Pointer(&a.scalar)), Size: int(a.size)}); a.size == 0 {
			given[i] = Arg{Block: p.blocks[a.block.number], ReadOnly: a.how == C.MEMC_READS}
		}
	}
	if s := p.c.several; s != nil {
		return p.step(s.launchOn(s.place(p.c), k, int64(groups), int64(items), given, false))
	}
	return p.step(p.c.launch(k, int64(groups), int64(items), given))
}
