package exec

import (
	"errors"
	"fmt"
	"time"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/host"
)

// Options of a run.
type Options struct {
	// Ran, where it is set, is told after each run of a called function how long it
	// took, without the transfer of arguments and results.
	Ran func(time.Duration)
	// Before is how often a call runs the function on its arguments, before the run whose
	// results it returns. A function that consumes an argument changes what the next run sees.
	Before int
	// Profile, where it is set, is told after each launch and copy how long the device
	// worked on it; the context must have been opened for that (runtime.Options). Every
	// launch then waits for its end, so the program as a whole is slower.
	Profile func(Timing)
}

// A Prepared is a program whose kernels are built and whose host functions are
// compiled. It can be called many times, from any goroutine.
type Prepared struct {
	ctx     *runtime.Context
	prog    *imp.Program
	built   *runtime.Program // nil where there is no kernel source
	funs    map[*imp.Func]*fun
	kernels map[*imp.Kernel]*runtime.Kernel
	copies  runtime.CopyKernels
	faults  *runtime.FaultBuffer  // nil where no kernel holds a check or uses a slot
	heap    *host.DeviceHeap      // nil where no kernel allocates
	tags    []runtime.TagInfo     // of the program's sites, then of arguments by position
	tagBase int                   // tags[i] is the tag tagBase+i of ctx
	argTag  int                   // the tag of the first argument
	entries map[string]*imp.Entry // by name
	ran     func(time.Duration)   // nil: nobody asks
	profile func(Timing)          // nil: nobody asks
	before  int                   // runs of a called function before the one that counts
	watch   func(Step)            // nil: nobody watches
}

// Run prepares a program, calls one entry, and releases everything.
func Run(ctx *runtime.Context, prog *imp.Program, kernelSource, entry string, args []value.Value, opt Options) ([]value.Value, error) {
	if err := CheckArguments(ctx, prog, entry, Values(args)); err != nil {
		return nil, err
	}
	p, err := Prepare(ctx, prog, kernelSource, opt)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	return p.Call(entry, args)
}

// CheckArguments tells whether an entry takes these arguments: their number, types and
// sizes. It does nothing on the device, so it comes before kernels are built.
func CheckArguments(ctx *runtime.Context, prog *imp.Program, entry string, args []Arg) error {
	p := &Prepared{ctx: ctx, prog: prog, entries: map[string]*imp.Entry{}}
	for _, e := range prog.Entries {
		p.entries[e.Name] = e
	}
	e := p.entries[entry]
	if e == nil {
		return p.noEntry(entry)
	}
	_, err := p.bind(e, args)
	return err
}

// Prepare builds the kernels and compiles the host functions. The source holds
// the program's kernels and the copy kernels.
func Prepare(ctx *runtime.Context, prog *imp.Program, kernelSource string, opt Options) (_ *Prepared, err error) {
	p := &Prepared{
		ctx: ctx, prog: prog,
		funs:    map[*imp.Func]*fun{},
		kernels: map[*imp.Kernel]*runtime.Kernel{},
		entries: map[string]*imp.Entry{},
		ran:     opt.Ran,
		profile: opt.Profile,
		before:  opt.Before,
	}
	defer func() {
		if err != nil {
			p.Close()
		}
	}()
	if prog.F64() {
		if err := ctx.Device().NeedFP64(); err != nil {
			return nil, p.fail("", noSpan, "%v", err)
		}
	}
	if kernelSource != "" {
		if p.built, err = ctx.Build(kernelSource, ""); err != nil {
			return nil, err
		}
		p.copies = host.CopyKernels(p.built)
	}
	for _, k := range prog.Kernels {
		if p.built == nil {
			return nil, p.bug(diag.Span{}, "kernel %s has no source", k.Name)
		}
		if p.kernels[k], err = p.built.Kernel(k.Name); err != nil {
			return nil, err
		}
	}
	p.tagBlocks()
	for _, f := range prog.Funcs { // callees first
		if p.funs[f], err = p.compileFunc(f); err != nil {
			return nil, p.bug(diag.Span{}, "function `%s`: %v", f.Name, err)
		}
	}
	for _, e := range prog.Entries {
		p.entries[e.Name] = e
	}
	if p.faults, err = runtime.NewFaultBuffer(ctx, prog.KernelChecks, prog.Slots); err != nil {
		return nil, err
	}
	if prog.DeviceAllocator != "" {
		if p.heap, err = host.NewDeviceHeap(ctx, p.built, prog.DeviceAllocator, prog.DeviceHeap); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Close releases the resources of Prepare.
func (p *Prepared) Close() {
	p.faults.Release()
	p.heap.Release()
	p.built.Release()
	p.ctx.ForgetTags(p.tagBase, len(p.tags))
	p.faults, p.heap, p.built, p.tags = nil, nil, nil, nil
}

// Call runs an entry.
func (p *Prepared) Call(entry string, args []value.Value) ([]value.Value, error) {
	out, err := p.CallArrays(entry, Values(args), false)
	if err != nil {
		return nil, err
	}
	results := make([]value.Value, len(out))
	for i, a := range out {
		results[i] = a.Value
	}
	return results, nil
}

// CallArrays runs an entry whose arguments may be arrays on the device. A parameter of a unique type
// consumes its array. With keep, the arrays of the results stay on the device.
func (p *Prepared) CallArrays(entry string, args []Arg, keep bool) (results []Arg, err error) {
	e := p.entries[entry]
	if e == nil {
		return nil, p.noEntry(entry)
	}
	b, err := p.bind(e, args)
	if err != nil {
		return nil, err
	}
	defer p.ctx.Begin()()
	r := &run{p: p, ctx: p.ctx}
	defer func() {
		if x := recover(); x != nil {
			err = p.panicked(x)
		}
		// A kernel's fault comes before errors that the host found in its results.
		if err != nil {
			results = nil
			if earlier := r.pending(); earlier != nil {
				err = earlier
			}
		}
	}()
	return r.entry(e, b, keep)
}

// panicked turns a panic into an error: a failing scalar operation is the
// program's fault, anything else memc's.
func (p *Prepared) panicked(x any) error {
	if f, ok := x.(*scalar.Fault); ok {
		return &diag.Diagnostic{Severity: diag.Error, Code: f.Code, File: p.prog.File, Span: f.Span, Msg: f.Msg}
	}
	return p.bug(diag.Span{}, "the executor broke down: %v", x)
}

func (p *Prepared) bug(span diag.Span, format string, args ...any) error {
	return &diag.Diagnostic{Severity: diag.Bug, File: p.prog.File, Span: span, Msg: fmt.Sprintf(format, args...)}
}

func (p *Prepared) fail(code diag.Code, span diag.Span, format string, args ...any) *diag.Diagnostic {
	return &diag.Diagnostic{Severity: diag.Error, Code: code, File: p.prog.File, Span: span, Msg: fmt.Sprintf(format, args...)}
}

// misuse is a wrong use of the entry, which no program can help.
func (p *Prepared) misuse(code diag.Code, span diag.Span, format string, args ...any) error {
	d := p.fail(code, span, format, args...)
	d.Cause = &host.Error{Kind: host.Misuse, Msg: d.Msg}
	return d
}

// noMemory words a failed allocation with the program's own names.
func (p *Prepared) noMemory(what string, span diag.Span, err error) error {
	var oom *runtime.OutOfMemory
	if !errors.As(err, &oom) {
		return fmt.Errorf("%s: %w", what, err)
	}
	d := p.fail(diag.OutOfMemory, span, "%s: %s", what, oom.Summary())
	d.Cause = oom
	for _, n := range host.MemoryNotes(oom) {
		d.With(diag.Span{}, "%s", n)
	}
	more := p.more(oom)
	if p.ctx.MovesBlocks() || oom.Larger() {
		return d.Hinted("%s, or smaller input", more)
	}
	return d.Hinted("%s, smaller input, or memory elsewhere: --evict", more)
}

// noRoom words the failed launch of a kernel whose blocks do not fit on the device together,
// where the device makes blocks when they are first used (several devices, or --evict).
func (p *Prepared) noRoom(kernel string, err error) error {
	var oom *runtime.OutOfMemory
	if !errors.As(err, &oom) {
		return err
	}
	d := p.fail(diag.OutOfMemory, noSpan, "kernel %s: %s, %s: %s", kernel, oom.Where.Name, oom.Where.Line, oom.Summary())
	d.Cause = oom
	for _, n := range host.MemoryNotes(oom) {
		d.With(diag.Span{}, "%s", n)
	}
	return d.Hinted("%s: all blocks of a kernel must be on its device at once; without merging (--passes=explicit) they may be smaller", p.more(oom))
}

// more names what has more memory.
func (p *Prepared) more(oom *runtime.OutOfMemory) string {
	if oom.MaxAlloc == 0 && p.ctx.Limit() < p.ctx.Device().Memory {
		return "a larger device or --memory-limit"
	}
	return "a larger device"
}
