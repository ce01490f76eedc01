//go:build cgo

package versions

/*
#include <stdint.h>
#include <stdlib.h>
#define MEMC_UNUSED __attribute__((unused))
#include "../native/c/cl/versions.c"

int memc_go_make(uintptr_t table, struct memc_versioned *b, int at);
int memc_go_move(uintptr_t table, struct memc_versioned *b, int from, int to, int spill);
void memc_go_drop(uintptr_t table, struct memc_versioned *b, int at);

static int act_make(void *self, struct memc_versioned *b, int at) { return memc_go_make((uintptr_t)self, b, at); }
static void act_drop(void *self, struct memc_versioned *b, int at) { memc_go_drop((uintptr_t)self, b, at); }

static int act_move(void *self, struct memc_versioned *b, int from, int to, int spill)
{
  return memc_go_move((uintptr_t)self, b, from, to, spill);
}

static void act(struct memc_versions *t, uintptr_t self)
{
  const struct memc_actor act = {(void *)self, act_make, act_move, act_drop};
  t->act = act;
}
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/cgo"
	"unsafe"

	_ "github.com/memc-lang/memc/runtime/native" // holds versions.c
)

// A cTable is a Table in C's memory.
type cTable struct {
	c      *C.struct_memc_versions
	act    Actor
	self   cgo.Handle // by which C knows it
	blocks map[*C.struct_memc_versioned]*cBlock
	err    error // of a step, in the call that runs
	want   *cBlock
	at     Place // where Bring makes storage of want,
	full   error // and why there is no room
}

// A cBlock is a Block in C's memory.
type cBlock struct {
	c     *C.struct_memc_versioned
	owner any
}

func (b *cBlock) Owner() any         { return b.owner }
func (b *cBlock) Latest() int64      { return int64(b.c.latest) }
func (b *cBlock) Held(p Place) bool  { return b.c.at[p].held != 0 }
func (b *cBlock) Valid(p Place) bool { return C.memc_v_valid(b.c, C.int(p)) != 0 }
func (b *cBlock) Pin()               { b.c.pins++ }
func (b *cBlock) Unpin()             { b.c.pins-- }

// New makes a table without blocks, to be closed. near lists for each place the others, the best
// source first; what a full device evicts goes to the first of them that has room. The error tells
// that there are too many places, or that this memc was built without cgo.
func New(act Actor, near [][]Place) (Table, error) {
	if len(near) > C.MEMC_PLACES {
		return nil, fmt.Errorf("more than %d devices", C.MEMC_PLACES-1)
	}
	t := &cTable{c: (*C.struct_memc_versions)(C.calloc(1, C.sizeof_struct_memc_versions)), act: act, blocks: map[*C.struct_memc_versioned]*cBlock{}}
	t.self = cgo.NewHandle(t)
	C.act(t.c, C.uintptr_t(t.self))
	t.c.places = C.int(len(near))
	for p, list := range near {
		for i, q := range list {
			t.c.nearby[p][i] = C.int(q)
		}
	}
	return t, nil
}

// Close frees nothing yet: a command that waits may still have a block pinned.
func (t *cTable) Close() {
	for c, b := range t.blocks {
		runtime.AddCleanup(b, func(c *C.struct_memc_versioned) { C.free(unsafe.Pointer(c)) }, c)
	}
	runtime.AddCleanup(t, func(c *C.struct_memc_versions) { C.free(unsafe.Pointer(c)) }, t.c)
	t.self.Delete()
}

func (t *cTable) NewBlock(owner any) Block {
	b := &cBlock{(*C.struct_memc_versioned)(C.calloc(1, C.sizeof_struct_memc_versioned)), owner}
	t.blocks[b.c] = b
	return b
}

func (t *cTable) Bring(b Block, p Place, overwritten bool) error {
	t.want, t.at = b.(*cBlock), p
	over := C.int(0)
	if overwritten {
		over = 1
	}
	return t.error(C.memc_v_bring(t.c, t.want.c, C.int(p), over))
}

func (t *cTable) Wrote(b Block, p Place) {
	if !b.Held(p) {
		panic("versions: a place without storage is written")
	}
	C.memc_v_wrote(b.(*cBlock).c, C.int(p))
}

func (t *cTable) Nearest(b Block, p Place) (Place, bool) {
	q := C.memc_v_nearest(t.c, b.(*cBlock).c, C.int(p))
	return Place(q), q >= 0
}

func (t *cTable) Evict(p Place) (bool, error) {
	code := C.memc_v_evict(t.c, C.int(p))
	if code == C.MEMC_STEP_FULL {
		return false, nil
	}
	return code == C.MEMC_STEP_OK, t.error(code)
}

func (t *cTable) Free(b Block) {
	k := b.(*cBlock)
	C.memc_v_forget(t.c, k.c)
	delete(t.blocks, k.c)
	C.free(unsafe.Pointer(k.c))
	k.c = nil
}

// error returns what a code of C stands for.
func (t *cTable) error(code C.int) error {
	switch code {
	case C.MEMC_STEP_OK:
		return nil
	case C.MEMC_STEP_FULL:
		return t.full
	}
	return t.err
}

// step tells C how a step went.
func (t *cTable) step(err error) C.int {
	switch {
	case err == nil:
		return C.MEMC_STEP_OK
	case errors.Is(err, ErrFull):
		return C.MEMC_STEP_FULL
	}
	t.err = err
	return 1
}

//export memc_go_make
func memc_go_make(table C.uintptr_t, block *C.struct_memc_versioned, at C.int) C.int {
	t := cgo.Handle(table).Value().(*cTable)
	b := t.blocks[block]
	err := t.act.Make(b, Place(at))
	if b == t.want && Place(at) == t.at {
		t.full = err
	}
	return t.step(err)
}

//export memc_go_move
func memc_go_move(table C.uintptr_t, block *C.struct_memc_versioned, from, to, spill C.int) C.int {
	t := cgo.Handle(table).Value().(*cTable)
	return t.step(t.act.Move(t.blocks[block], Place(from), Place(to), spill != 0))
}

//export memc_go_drop
func memc_go_drop(table C.uintptr_t, block *C.struct_memc_versioned, at C.int) {
	t := cgo.Handle(table).Value().(*cTable)
	t.act.Drop(t.blocks[block], Place(at))
}
