package driver

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/run/cc"
	"github.com/memc-lang/memc/internal/run/exec"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/host"
)

// A Machine is where programs run: an OpenCL device, or several that work together, with their
// memory; the processors, as C; or an interpreter.
type Machine struct {
	opt RunOptions
	how string           // Processors, Interp or InterpMemory; "": OpenCL
	ctx *runtime.Context // of OpenCL
	tag int              // of new arrays, the first of arrayTags

	use    sync.RWMutex // everybody reads, Close writes
	closed bool
}

// arrayTags is how many arrays are told apart by allocators that keep a block per allocation site
// (runtime/host).
const arrayTags = 16

// Open opens the device that the options name.
func Open(opt RunOptions) (*Machine, error) {
	m := &Machine{opt: opt, how: opt.Device}
	switch opt.Device {
	case Interp, InterpMemory, Processors:
		return m, nil
	}
	m.how = ""
	m.step("opening the device")
	var err error
	m.ctx, err = runtime.Open(opt.Device, opt.context())
	if opt.Device == "" && (errors.Is(err, runtime.ErrNoDevice) || errors.Is(err, runtime.ErrNoOpenCL)) {
		where := "on the built-in interpreter"
		if m.how = Interp; cc.Available() {
			m.how, where = Processors, "as C on the processors (--device=c)"
		}
		if opt.Note != nil {
			opt.Note(fmt.Sprintf("%v; running %s", err, where))
		}
		return m, nil
	}
	if err != nil {
		return nil, err
	}
	m.tag = m.ctx.RegisterTags(slices.Repeat([]runtime.TagInfo{{Name: "an array of the caller's"}}, arrayTags))
	return m, nil
}

// OnProcessors reports whether programs for this device, as Open chooses it, run on processors, not on a GPU.
func OnProcessors(device string) bool {
	switch device {
	case Processors:
		return true
	case Interp, InterpMemory:
		return false
	}
	found, err := runtime.Find(device)
	if err != nil {
		return device == "" && cc.Available()
	}
	return found[0].CPU
}

// OnProcessors is the same for an open machine.
func (m *Machine) OnProcessors() bool {
	if m.ctx != nil {
		return m.ctx.Device().CPU
	}
	return m.how == Processors
}

// begin keeps the machine open until end.
func (m *Machine) begin() (end func(), err error) {
	m.use.RLock()
	if m.closed {
		m.use.RUnlock()
		return nil, &host.Error{Kind: host.Misuse, File: "device", Msg: "it is closed"}
	}
	return m.use.RUnlock, nil
}

// Context returns the context of the devices; nil without OpenCL.
func (m *Machine) Context() *runtime.Context { return m.ctx }

// Name names the device.
func (m *Machine) Name() string {
	if m.ctx != nil {
		return m.ctx.Device().Name
	}
	return m.how
}

// Close waits for running calls and gives the device back, with all arrays. What is used afterwards is
// an error.
func (m *Machine) Close() {
	m.use.Lock()
	defer m.use.Unlock()
	m.closed = true
	if m.ctx != nil {
		m.ctx.Close()
	}
}

func (m *Machine) step(what string) {
	if m.opt.Step != nil {
		m.opt.Step(what)
	}
}

// A Loaded is an explicit program on a machine. What an entry needs is lowered and built when it is
// first called (Note [Units]). Its methods may be called from any goroutine.
type Loaded struct {
	m     *Machine
	p     *ir.Program
	lower imp.Options

	use    sync.RWMutex // calls read, Close writes
	closed bool
	mu     sync.Mutex // guards units
	units  map[string]*unit
}

// Note [Units]
//
// A program may have many entries, of which a user calls a few, and a device's compiler takes 0.1 s
// and more for each kernel. So each entry is a unit: it is lowered by itself, with the functions
// that it calls, and its kernels are an OpenCL program (or its C is a program) of their own. Two
// entries that call one function build that function's kernels twice. The unit "" is the whole
// program, built at once.

// A unit is what an entry needs, lowered and built.
type unit struct {
	mu       sync.Mutex // held while it is built
	prepared *exec.Prepared
	compiled *Compiled
}

// Load puts an explicit program on the machine. It must not be changed any more.
func (m *Machine) Load(p *ir.Program, lower imp.Options) *Loaded {
	return &Loaded{m: m, p: p, lower: lower, units: map[string]*unit{}}
}

// begin keeps the program and its machine open until end.
func (l *Loaded) begin() (end func(), err error) {
	endMachine, err := l.m.begin()
	if err != nil {
		return nil, err
	}
	l.use.RLock()
	end = func() {
		l.use.RUnlock()
		endMachine()
	}
	if l.closed {
		end()
		return nil, &host.Error{Kind: host.Misuse, File: l.p.File.Name, Msg: "the program is closed"}
	}
	return end, nil
}

// Build builds an entry before it is called; "" builds all entries together.
func (l *Loaded) Build(entry string) error {
	end, err := l.begin()
	if err != nil {
		return err
	}
	defer end()
	_, err = l.unit(entry, nil)
	return err
}

// Call runs an entry. The arrays of its results stay on the device.
func (l *Loaded) Call(entry string, args []Arg) ([]Arg, error) {
	out, _, err := l.call(entry, args, true)
	return out, err
}

func (l *Loaded) call(entry string, args []Arg, keep bool) ([]Arg, runtime.Stats, error) {
	end, err := l.begin()
	if err != nil {
		return nil, runtime.Stats{}, err
	}
	defer end()
	if err := l.own(l.p.EntryNamed(entry), args); err != nil {
		return nil, runtime.Stats{}, err
	}
	if l.m.ctx == nil {
		return l.onHost(entry, args)
	}
	given := make([]exec.Arg, len(args))
	for i, a := range args {
		given[i].Value = a.Value
		if a.Array != nil {
			given[i].Array = a.Array.raw
		}
	}
	u, err := l.unit(entry, given)
	if err != nil {
		return nil, runtime.Stats{}, err
	}
	l.m.step("running")
	results, err := u.prepared.CallArrays(entry, given, keep)
	out := make([]Arg, len(results))
	for i, r := range results {
		out[i].Value = r.Value
		if r.Array != nil {
			out[i].Array = &Array{m: l.m, raw: r.Array}
		}
	}
	return out, l.m.ctx.Stats(), err
}

// onHost runs an entry without OpenCL.
func (l *Loaded) onHost(entry string, args []Arg) ([]Arg, runtime.Stats, error) {
	given, consumed, err := l.values(l.p.EntryNamed(entry), args)
	if err != nil {
		return nil, runtime.Stats{}, err
	}
	var results []value.Value
	var st runtime.Stats
	if l.m.interprets() {
		l.m.step("running on the interpreter")
		results, st, err = interpret(l.p, entry, given, l.m.how, l.m.opt.MemoryLimit)
	} else {
		u, failed := l.unit(entry, nil)
		if failed != nil {
			return nil, st, failed
		}
		results, st, err = u.compiled.Run(entry, given, l.m.opt)
	}
	if err == nil {
		for _, a := range consumed {
			a.leave("was consumed by a call")
		}
	}
	out := make([]Arg, len(results))
	for i, v := range results {
		if out[i].Value = v; v.Shape != nil {
			out[i].Array = &Array{m: l.m, value: v}
		}
	}
	return out, st, err
}

func (m *Machine) interprets() bool { return m.how == Interp || m.how == InterpMemory }

// unit returns the unit that has an entry, which is built if it is not yet. Before that the
// arguments are checked, unless they are nil: a wrong call needs no kernels.
func (l *Loaded) unit(entry string, args []exec.Arg) (*unit, error) {
	if l.m.interprets() {
		return nil, nil
	}
	u := l.find(entry)
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.prepared != nil || u.compiled != nil {
		return u, nil
	}
	lower := l.lower
	lower.Entry = entry
	if l.m.how == Processors {
		l.m.step("compiling and running on the processors")
		var err error
		u.compiled, err = Compile(l.p, lower)
		return u, err
	}
	low, err := Lower(l.p, lower)
	if err != nil {
		return nil, err
	}
	if args != nil {
		if err := exec.CheckArguments(l.m.ctx, low.Imp, entry, args); err != nil {
			return nil, err
		}
	}
	l.m.step("building the kernels")
	u.prepared, err = exec.Prepare(l.m.ctx, low.Imp, low.Kernels, exec.Options{Profile: l.m.opt.Profile})
	return u, err
}

// find returns the unit of an entry, which may have to be built: the whole program if that was built.
func (l *Loaded) find(entry string) *unit {
	l.mu.Lock()
	defer l.mu.Unlock()
	if u := l.units[""]; u != nil {
		entry = ""
	}
	u := l.units[entry]
	if u == nil {
		u = &unit{}
		l.units[entry] = u
	}
	return u
}

// Close waits for running calls, and gives back what was built. Arrays stay.
func (l *Loaded) Close() {
	end, err := l.m.begin()
	if err != nil {
		return // the device has taken all along
	}
	defer end()
	l.use.Lock()
	defer l.use.Unlock()
	l.closed = true
	for _, u := range l.units {
		if u.prepared != nil {
			u.prepared.Close()
		}
	}
	l.units = nil
}
