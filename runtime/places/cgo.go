//go:build cgo

package places

// #cgo linux pkg-config: OpenCL
// #cgo darwin LDFLAGS: -framework OpenCL
// #cgo windows LDFLAGS: -lOpenCL
// #include "preamble.h"
import "C"

import (
	"errors"
	"fmt"
	"runtime/cgo"
	"sync"
	"unsafe"

	"github.com/memc-lang/memc/internal/base/hostmem"
	_ "github.com/memc-lang/memc/runtime/native" // holds the files that preamble.h includes
)

// Go and C agree on these.
var (
	_ = [1]bool{}[Reads-C.MEMC_READS]
	_ = [1]bool{}[Writes-C.MEMC_WRITES]
	_ = [1]bool{}[Fills-C.MEMC_FILLS]
)

var errHost = errors.New("out of host memory")

// A cTable is a Table in C's memory.
type cTable struct {
	c       *C.struct_memc_several
	memory  Memory
	self    cgo.Handle   // by which C knows it
	running sync.RWMutex // held by whoever uses c, commands included; then by Close
	last    Moved        // when it was closed
	mu      sync.Mutex
	idle    []*cCommand // ended, to be used again
}

type cBlock C.struct_memc_shared

func (b *cBlock) Held(p int) bool  { return b.v.at[p].held != 0 }
func (b *cBlock) Valid(p int) bool { return C.memc_v_valid(&b.v, C.int(p)) != 0 }

// New makes a table without blocks, to be closed. The error tells that there are too many devices, or
// that this memc was built without cgo.
func New(devices []Device, memory Memory, opt Options) (Table, error) {
	t := &cTable{memory: memory}
	t.self = cgo.NewHandle(t)
	timed := C.int(0)
	if opt.Timed {
		timed = 1
	}
	t.c = C.places_new(C.uintptr_t(t.self), timed)
	if opt.Chunk > 0 {
		t.c.chunk = C.int64_t(opt.Chunk)
	}
	for _, d := range devices {
		if C.places_add(t.c, C.cl_context(d.Context), C.cl_command_queue(d.Main), C.cl_command_queue(d.In), C.cl_command_queue(d.Out), C.cl_command_queue(d.Side)) == 0 {
			t.Close()
			return nil, fmt.Errorf("more than %d devices", C.MEMC_PLACES-1)
		}
	}
	C.memc_distances(t.c)
	return t, nil
}

func (t *cTable) Close() {
	t.running.Lock()
	defer t.running.Unlock()
	if t.c != nil {
		for _, k := range t.idle {
			k.self.Delete()
			C.places_command_free(k.c)
		}
		t.last = moved(C.places_sum(t.c, 0))
		C.places_free(t.c)
		t.self.Delete()
		t.c = nil
	}
}

func (t *cTable) NewBlock(bytes int64, tag int) (Block, error) {
	b := C.memc_shared_new(t.c.member[0], C.int64_t(bytes), C.int(tag), nil, nil)
	if b == nil {
		return nil, errHost
	}
	return (*cBlock)(b), nil
}

func (t *cTable) Free(b Block) { C.memc_shared_release(&b.(*cBlock).block) }

func (t *cTable) Hold(b Block, device int, s Storage) error {
	mem := (*C.struct_memc_block)(C.calloc(1, C.sizeof_struct_memc_block))
	fill(mem, s)
	if C.places_hold(t.c, (*C.struct_memc_shared)(b.(*cBlock)), C.int(device), mem) != C.MEMC_POOL_OK {
		cgo.Handle(mem._go).Delete()
		C.free(unsafe.Pointer(mem))
		return errHost
	}
	return nil
}

// fill writes down where storage is.
func fill(b *C.struct_memc_block, s Storage) {
	b.buffer, b.offset, b._range = C.cl_mem(s.Buffer), C.int64_t(s.Offset), (*C.struct_memc_range)(s.Range)
	b._go = C.uintptr_t(cgo.NewHandle(s.Owner))
}

// use calls do, unless the table is closed.
func (t *cTable) use(do func()) {
	t.running.RLock()
	defer t.running.RUnlock()
	if t.c != nil {
		do()
	}
}

func (t *cTable) Peers(to, from int) (yes bool) {
	t.use(func() { yes = to != from && C.memc_peers(t.c, C.int(to), C.int(from)) != 0 })
	return yes
}

func (t *cTable) Moved() Moved {
	t.running.RLock()
	defer t.running.RUnlock()
	if t.c == nil {
		return t.last
	}
	return moved(C.places_sum(t.c, 0))
}

func moved(sum C.struct_places_sum) Moved {
	return Moved{int64(sum.migrated_bytes), int64(sum.evicted_bytes), int64(sum.restored_bytes)}
}

func (t *cTable) ResetMoved() { t.use(func() { C.places_sum(t.c, 1) }) }
func (t *cTable) Trim()       { t.use(func() { C.places_trim(t.c) }) }

// A cCommand is a Command in C's memory.
type cCommand struct {
	t    *cTable
	c    *C.struct_memc_context
	self cgo.Handle    // by which C knows it
	err  error         // of a step that Go made
	full map[int]error // why a device had no room, the last time
}

func (t *cTable) Begin(device int) Command {
	t.running.RLock()
	if t.c == nil {
		t.running.RUnlock()
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := len(t.idle); n > 0 {
		k := t.idle[n-1]
		t.idle = t.idle[:n-1]
		k.c.number = C.int(device)
		return k
	}
	k := &cCommand{t: t, full: map[int]error{}}
	k.self = cgo.NewHandle(k)
	k.c = C.places_command(t.c, C.int(device), C.uintptr_t(k.self))
	return k
}

func (k *cCommand) Lend(b Block, how Use) (any, error) {
	var owner C.uintptr_t
	if err := k.result(C.places_lend(k.c, (*C.struct_memc_shared)(b.(*cBlock)), C.int(how), &owner)); err != nil {
		return nil, err
	}
	return cgo.Handle(owner).Value(), nil
}

func (k *cCommand) Read(b Block, off int64, data []byte) (bool, error) {
	var done C.int
	err := k.result(C.memc_shared_values(k.c, &b.(*cBlock).block, C.size_t(off), C.size_t(len(data)), unsafe.Pointer(&data[0]), &done))
	return done != 0, err
}

func (k *cCommand) End(err error) error {
	failed := C.int(C.MEMC_OK)
	if err != nil {
		failed = C.MEMC_ERROR
	}
	if code := C.places_end(k.c, failed); err == nil {
		err = k.result(code)
	}
	k.c.code, k.c.full, k.err = C.CL_SUCCESS, 0, nil
	clear(k.full)
	k.t.mu.Lock()
	k.t.idle = append(k.t.idle, k)
	k.t.mu.Unlock()
	k.t.running.RUnlock()
	return err
}

// result returns what a code of C stands for.
func (k *cCommand) result(code C.int) error {
	switch {
	case code == C.MEMC_OK:
		return nil
	case k.c.code != C.CL_SUCCESS:
		return &Error{int(k.c.device), C.GoString(k.c.what), int(k.c.code), k.c.waits != 0}
	case k.c.full != 0:
		return k.full[int(k.c.device)]
	case k.err != nil:
		return k.err
	}
	return errHost
}

// made tells C how making storage went.
func (k *cCommand) made(device int, err error) C.int {
	switch {
	case err == nil:
		return C.MEMC_POOL_OK
	case errors.Is(err, ErrFull):
		k.full[device] = err
		return C.MEMC_POOL_REFUSED
	}
	k.err = err
	return C.MEMC_POOL_BROKEN
}

//export memc_go_make
func memc_go_make(command C.uintptr_t, b *C.struct_memc_block, device C.int, bytes C.int64_t, tag C.int) C.int {
	k := cgo.Handle(command).Value().(*cCommand)
	s, err := k.t.memory.Make(int(device), int64(bytes), int(tag))
	if err == nil {
		fill(b, s)
	}
	return k.made(int(device), err)
}

//export memc_go_drop
func memc_go_drop(table C.uintptr_t, device C.int, owner C.uintptr_t) {
	h := cgo.Handle(owner)
	cgo.Handle(table).Value().(*cTable).memory.Drop(int(device), h.Value())
	h.Delete()
}

//export memc_go_host
func memc_go_host() C.int64_t { return C.int64_t(hostmem.Budget()) }

//export memc_go_moved
func memc_go_moved(table C.uintptr_t, device, out, other C.int, bytes C.int64_t, done C.cl_event) {
	cgo.Handle(table).Value().(*cTable).memory.Moved(int(device), out != 0, int(other), int64(bytes), unsafe.Pointer(done))
}
