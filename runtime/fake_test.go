//go:build cgo

package runtime

import (
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/runtime/pool"
)

// fakeDriver is a driver of bytes on the host. It can be told to fail, and
// writes down what it is asked.
type fakeDriver struct {
	driver         // nil: what no test calls
	room     int64 // bytes that can be live; 0: any number
	pending  int64 // bytes released that finish gives back
	live     int64
	buffers  map[*[]byte]bool
	failCopy error
	lost     error // what every command answers; nil: it works
	log      []string
	launched []Arg // of the last launch
}

func newFake(t testing.TB, opt Options, room int64) (*Context, *fakeDriver) {
	t.Helper()
	f := &fakeDriver{room: room, buffers: map[*[]byte]bool{}}
	info := DeviceInfo{Name: "fake", Memory: 1 << 40, MaxAlloc: 1 << 30, MaxGroup: 256}
	return must.Get(newContext(info, f, opt))(t), f
}

func (f *fakeDriver) create(bytes int64) (handle, error) {
	f.log = append(f.log, "create")
	if f.lost != nil {
		return nil, f.lost
	}
	if bytes > 1<<30 {
		return nil, pool.ErrTooLarge
	}
	if f.room > 0 && f.live+bytes > f.room {
		return nil, errNoMemory
	}
	f.live += bytes
	b := make([]byte, bytes)
	f.buffers[&b] = true
	return &b, nil
}

func (f *fakeDriver) release(h handle) {
	b := h.(*[]byte)
	if !f.buffers[b] {
		panic("a buffer is released twice")
	}
	delete(f.buffers, b)
	f.pending += int64(len(*b))
}

func (f *fakeDriver) finish() error {
	f.log = append(f.log, "finish")
	f.live -= f.pending
	f.pending = 0
	return f.lost
}

func (f *fakeDriver) set(h handle, off int64, data []byte) error { return f.write(h, off, data) }

func (f *fakeDriver) write(h handle, off int64, data []byte) error {
	f.log = append(f.log, "write")
	copy((*h.(*[]byte))[off:], data)
	return f.lost
}

func (f *fakeDriver) read(h handle, off int64, data []byte) error {
	f.log = append(f.log, "read")
	copy(data, (*h.(*[]byte))[off:])
	return f.lost
}

func (f *fakeDriver) copy(dst handle, dstOff int64, src handle, srcOff, bytes int64) error {
	f.log = append(f.log, "copy")
	if f.failCopy != nil {
		return f.failCopy
	}
	copy((*dst.(*[]byte))[dstOff:dstOff+bytes], (*src.(*[]byte))[srcOff:])
	return nil
}

func (f *fakeDriver) build(DeviceInfo, string, string) (module, error) {
	return nil, &BuildError{"no compiler"}
}
func (f *fakeDriver) launch(_ kernel, _, _, _ int64, args []Arg) error {
	f.launched = args
	return f.lost
}
func (f *fakeDriver) close() { f.log = append(f.log, "close") }
