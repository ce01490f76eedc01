//go:build cgo

package runtime

import (
	"errors"
	"fmt"
	goruntime "runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/jgillich/go-opencl/cl"

	"github.com/memc-lang/memc/internal/base/hostmem"
	"github.com/memc-lang/memc/runtime/pool"
)

// Note [Traps of the binding]. The pinned go-opencl is of 2018. Only this file calls it, and avoids
// these traps:
//
//   - Flush is clFinish. Ours is in query.go.
//   - Every object has a finalizer, and no method keeps its object alive across the call. Here all
//     objects are reachable from the Context (blocks from its table), and KeepAlive follows calls
//     that take an object from elsewhere.
//   - Every command returns an event. It is released at once instead of waiting for the garbage
//     collector.
//   - A transfer that does not block keeps a Go pointer, which cgo forbids. All transfers here
//     block.
//   - A transfer takes an unsafe.Pointer, so cgo checks all the memory that it points into, and
//     panics if data is part of a struct with Go pointers. Transfers are our own, in query.go.
//   - SetArg supports no float64, bool or 16-bit types and needs a call per argument, and a launch
//     makes an event. Launches are our own, in enqueue.go.
//   - CreateBuffer and the typed transfers index data[0] and panic on empty slices; an empty
//     non-nil list of sizes or events panics, too. Only the Unsafe forms are used, and never with
//     empty lists.
//   - Getters of platforms and devices panic: recovered in listDevices.
//   - If no platform is installed, the loader returns -1001, which the binding does not know. It
//     means "no device".
//   - A build log ends in NUL, and one above 1 MiB is an error of its own.
//   - PoCL 3.1 crashes if two threads ask for its devices for the first time at once: discovery
//     takes turns.

// discovery is held while platforms and devices are listed.
var discovery sync.Mutex

// platformNotFound is CL_PLATFORM_NOT_FOUND_KHR.
const platformNotFound = cl.ErrOther(-1001)

type foundDevice struct {
	dev  *cl.Device
	info DeviceInfo
}

// loaded tells that the drivers are in the process (under discovery).
var loaded bool

// findDevices lists the devices of all platforms, in the loader's order.
func findDevices() (all []foundDevice, err error) {
	discovery.Lock()
	defer discovery.Unlock()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("listing OpenCL devices: %v", r)
		}
	}()
	if left, limited := hostmem.Left(); !loaded && limited && left < driverSpace {
		return nil, noSpace(left)
	}
	loaded = true
	platforms, err := cl.GetPlatforms()
	if err == platformNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing OpenCL platforms: %w", err)
	}
	for _, p := range platforms {
		devices, err := p.GetDevices(cl.DeviceTypeAll)
		if err != nil {
			continue // a platform without a usable device does not make the others fail
		}
		for _, d := range devices {
			all = append(all, foundDevice{d, describe(len(all), strings.TrimSpace(p.Name()), d)})
		}
	}
	return all, nil
}

func listDevices() ([]DeviceInfo, error) {
	found, err := findDevices()
	infos := make([]DeviceInfo, len(found))
	for i, f := range found {
		infos[i] = f.info
	}
	return infos, err
}

type clDriver struct {
	dev   *cl.Device
	ctx   *cl.Context
	users *int // drivers of the same context that are open
	queue *cl.CommandQueue
	raw   unsafe.Pointer // the handle of queue
	// side is for touching fresh buffers: there, that does not wait for the
	// kernels that still run.
	side *cl.CommandQueue
	// args are those of a launch, kept for the next one; queued counts commands since
	// somebody waited for all.
	args   []argument
	queued int
	// staging is memory to read to, and staged where it is; nil until it is used.
	staging, staged unsafe.Pointer
	// profile tells that commands leave events, which tell how long they took.
	profile bool
	events  []unsafe.Pointer
	linked  linkedQueues // if several devices work together
}

// takesTurns reports whether a platform lets only one device of a context work at a time. NVIDIA's
// does, whatever the devices do: on two H100s calls in one context took as long on both as on one.
func takesTurns(platform string) bool { return strings.Contains(strings.ToLower(platform), "nvidia") }

// openDrivers opens devices. Those of one platform share a context, so that their queues can wait
// for each other's events. If they would then take turns, or the platform refuses, each has its own
// context.
func openDrivers(indices []int, opt Options) (out []driver, err error) {
	found, err := findDevices()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			for _, d := range out {
				d.close()
			}
			out = nil
		}
	}()
	type shared struct {
		ctx   *cl.Context
		users *int
	}
	platforms := map[string][]*cl.Device{}
	contexts := map[string]shared{}
	for _, i := range indices {
		if i >= len(found) {
			return nil, ErrNoDevice
		}
		p := found[i].info.Platform
		platforms[p] = append(platforms[p], found[i].dev)
	}
	for _, i := range indices {
		p := found[i].info.Platform
		s, ok := contexts[p]
		if !ok {
			s.users, err = new(int), cl.ErrUnknown
			if !opt.Apart && !takesTurns(p) {
				s.ctx, err = cl.CreateContext(platforms[p])
			}
			if err == nil {
				contexts[p] = s
			} else if s.ctx, err = cl.CreateContext([]*cl.Device{found[i].dev}); err != nil {
				return out, err
			}
		}
		*s.users++
		d, err := openQueues(&clDriver{dev: found[i].dev, ctx: s.ctx, users: s.users}, opt.Profile)
		if err != nil {
			return out, err
		}
		out = append(out, d)
	}
	return out, nil
}

func openQueues(d *clDriver, profile bool) (_ *clDriver, err error) {
	properties := cl.CommandQueueProperty(0)
	if d.profile = profile; profile {
		properties = cl.CommandQueueProfilingEnable
	}
	if d.queue, err = d.ctx.CreateCommandQueue(d.dev, properties); err != nil {
		d.leave()
		return nil, err
	}
	if d.side, err = d.ctx.CreateCommandQueue(d.dev, 0); err != nil {
		d.queue.Release()
		d.leave()
		return nil, err
	}
	d.raw = queueHandle(d.queue)
	return d, nil
}

// leave gives the context back with its last driver.
func (d *clDriver) leave() {
	if *d.users--; *d.users == 0 {
		d.ctx.Release()
	}
}

func (d *clDriver) close() {
	releaseStaging(d.raw, d.staging, d.staged)
	d.linked.close()
	d.side.Release()
	d.queue.Release()
	d.leave()
}

func (d *clDriver) finish() error {
	d.queued = 0
	if err := d.linked.finish(); err != nil {
		return err
	}
	return gone(d.queue.Finish(), true)
}

// nvidiaFault is the error of NVIDIA's driver after a kernel has touched memory that is
// not its own.
const nvidiaFault = cl.ErrOther(-9999)

// gone wraps errors that mean that the device is lost: the queue and the context are valid only as
// long as the device exists. In a call that waits for the device, "out of resources" means this,
// too: drivers report so that a kernel broke down.
func gone(err error, waits bool) error {
	switch err {
	case cl.ErrDeviceNotAvailable, cl.ErrInvalidContext, cl.ErrInvalidCommandQueue, cl.ErrExecStatusErrorForEventsInWaitList, nvidiaFault:
		return fmt.Errorf("%w (%w)", errLost, err)
	case cl.ErrOutOfResources:
		if waits {
			return fmt.Errorf("%w (%w)", errLost, err)
		}
	}
	return err
}

// clErrors are the codes that gone looks for, for calls that go past the binding.
var clErrors = map[int]error{-2: cl.ErrDeviceNotAvailable, -5: cl.ErrOutOfResources, -14: cl.ErrExecStatusErrorForEventsInWaitList,
	-34: cl.ErrInvalidContext, -36: cl.ErrInvalidCommandQueue}

// clError is the error of a code, CL_SUCCESS excluded.
func clError(code int, waits bool) error {
	if err := clErrors[code]; err != nil {
		return gone(err, waits)
	}
	return gone(cl.ErrOther(code), waits)
}

// noMemory wraps the errors of drivers that cannot make a buffer; NVIDIA's
// says "out of resources" when a lazily made one does not fit.
func noMemory(err error) error {
	switch err {
	case cl.ErrInvalidBufferSize:
		return fmt.Errorf("%w (%w)", pool.ErrTooLarge, err)
	case cl.ErrMemObjectAllocationFailure, cl.ErrOutOfResources, cl.ErrOutOfHostMemory:
		return fmt.Errorf("%w (%w)", errNoMemory, err)
	}
	return gone(err, true)
}

// create asks the driver whatever the size: drivers may make buffers above the size that they
// promise (MaxAlloc).
func (d *clDriver) create(bytes int64) (handle, error) {
	m, err := d.ctx.CreateEmptyBuffer(cl.MemReadWrite, int(bytes))
	if err != nil {
		return nil, noMemory(err)
	}
	// Drivers allocate when a buffer is first used: use it now.
	var touch [4]byte
	ev, err := d.side.EnqueueWriteBuffer(m, true, 0, len(touch), unsafe.Pointer(&touch[0]), nil)
	ev.Release()
	if err != nil {
		m.Release()
		return nil, noMemory(err)
	}
	return &clBuffer{m, bufferHandle(m)}, nil
}

func (d *clDriver) release(h handle) { h.(*clBuffer).obj.Release() }

func (d *clDriver) write(h handle, off int64, data []byte) error {
	return d.transfer(h, true, off, data)
}

func (d *clDriver) read(h handle, off int64, data []byte) error {
	return d.transfer(h, false, off, data)
}

func (d *clDriver) transfer(h handle, write bool, off int64, data []byte) error {
	d.queued = 0
	err := transferBuffer(d.raw, h.(*clBuffer).raw, write, off, data)
	goruntime.KeepAlive(h)
	return err
}

func (d *clDriver) set(h handle, off int64, data []byte) error {
	if err := fillBuffer(d.raw, h.(*clBuffer).raw, off, data); err != nil {
		return err
	}
	goruntime.KeepAlive(h)
	return d.begin(nil)
}

func (d *clDriver) readAll(list []piece) error {
	d.queued = 0
	total := 0
	for _, p := range list {
		total += len(p.data)
	}
	if len(list) == 1 || total > stagingBytes {
		for _, p := range list {
			if err := d.read(p.from, p.off, p.data); err != nil {
				return err
			}
		}
		return nil
	}
	if d.staging == nil {
		var err error
		if d.staging, d.staged, err = newStaging(d.raw); err != nil {
			return err
		}
	}
	at := 0
	for k, p := range list {
		err := readStaged(d.raw, p.from.(*clBuffer).raw, k == len(list)-1, p.off, int64(len(p.data)), unsafe.Add(d.staged, at))
		goruntime.KeepAlive(p.from)
		if err != nil {
			return err
		}
		at += len(p.data)
	}
	all := unsafe.Slice((*byte)(d.staged), total)
	for _, p := range list {
		all = all[copy(p.data, all):]
	}
	return nil
}

func (d *clDriver) copy(dst handle, dstOff int64, src handle, srcOff, bytes int64) error {
	ev, err := copyBuffer(d.raw, src.(*clBuffer).raw, dst.(*clBuffer).raw, srcOff, dstOff, bytes, d.profile)
	goruntime.KeepAlive(dst)
	goruntime.KeepAlive(src)
	if err != nil {
		return err
	}
	return d.begin(ev)
}

type clModule struct {
	program *cl.Program
	kernels []*cl.Kernel
}

func (d *clDriver) build(source, options string) (module, error) {
	p, err := d.ctx.CreateProgramWithSource([]string{source})
	if err != nil {
		return nil, err
	}
	if err := p.BuildProgram([]*cl.Device{d.dev}, options); err != nil {
		p.Release()
		var log cl.BuildError
		if errors.As(err, &log) {
			return nil, &BuildError{strings.TrimSpace(strings.TrimRight(string(log), "\x00"))}
		}
		return nil, fmt.Errorf("the device's compiler failed, and its log cannot be read: %w", err)
	}
	return &clModule{program: p}, nil
}

func (m *clModule) kernel(name string) (kernel, error) {
	k, err := m.program.CreateKernel(name)
	if err != nil {
		return nil, err
	}
	m.kernels = append(m.kernels, k)
	return &clKernel{k, kernelHandle(k)}, nil
}

func (m *clModule) release() {
	for _, k := range m.kernels {
		k.Release()
	}
	m.program.Release()
}
