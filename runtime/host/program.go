package host

import (
	"fmt"
	"strings"

	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/memtrace"
)

// A Source is a compiled program, as a generated package holds it.
type Source struct {
	File        string   // the name of the program's text
	Kernels     string   // in OpenCL C
	KernelNames []string // those that are launched by name
	GroupSize   int64    // work-items in a work-group, for every kernel
	FP64        bool     // kernels compute with f64
	Apart       bool     // the kernels of an entry can be built by themselves, with MEMC_ENTRY
	Checks      bool     // kernels report failing checks
	Slots       int      // scalars that kernels leave
	Faults      []Check  // by number; 0 is no check
	Sites       []Site   // by number
	// Heap names the allocator that serves kernels which allocate, from HeapBytes
	// bytes, and HeapKernels names those kernels.
	Heap        string
	HeapBytes   int64
	HeapKernels []string
	// Reads lists, per kernel, the arguments by number that are blocks which it only reads.
	Reads map[string][]int
}

// A Check is what is told where a check fails: Format has one %d per argument,
// and no other verb.
type Check struct {
	Code   diag.Code
	Pos    Pos
	Format string
	Args   int
	Heap   bool // the device heap was too small: its size is the last argument
}

// A Site is where the program allocates a block.
type Site struct {
	Pos  Pos
	Name string // "block `m`"
}

// Options tell where and how a program runs.
type Options struct {
	// Device is a device's number, or a part of its name or its platform's, in any
	// case; "" is the first GPU, or the first device where there is none.
	Device string
	// MemoryLimit bounds the bytes in use on the device; 0: what the device has.
	MemoryLimit int64
	// Allocator names how blocks are placed in the driver's buffers: "region" (also
	// ""), "tagged" or "driver" (docs/runtime.md).
	Allocator string
	// DeviceHeap is the size in bytes of the memory from which kernels allocate, where
	// a program has such kernels; 0: what it was compiled for.
	DeviceHeap int64
	// BuildAll builds all kernels when the program is opened. Else those of an entry are built when it is
	// first called, if the program has several entries.
	BuildAll bool
	// BuildOptions are passed to the device's compiler, after memc's own.
	BuildOptions string
	// Trace is told of every block that is allocated or freed; nil: nobody is.
	Trace memtrace.Sink
	// Context is an open context to run on. Other programs may use it, too, and their arrays can
	// then be arguments of this one's entries. The same holds for programs on another of several
	// devices that work together (runtime.Context.Devices). Of the other options only BuildAll,
	// BuildOptions and DeviceHeap then count. nil: the program opens a context of its own.
	Context *runtime.Context
}

// arrayTags is how many arrays are told apart by allocators that keep a block
// per allocation site.
const arrayTags = 16

// A Program is a compiled program on a device. Its methods may be called from any
// goroutine; calls of entries on one context take turns.
type Program struct {
	src     *Source
	ctx     *runtime.Context
	own     bool                     // ctx is closed with the program
	options string                   // of the device's compiler
	apart   bool                     // each entry has a unit of its own; else the first has all kernels
	units   map[int]*runtime.Program // by the entry's number; guarded by the context's turns
	faults  *runtime.FaultBuffer     // nil where no kernel holds a check
	heap    *DeviceHeap              // nil where no kernel allocates
	tagBase int                      // of the sites, then of arrays
	closed  bool                     // guarded by the context's turns
}

// Open opens a program on a device.
func Open(src *Source, opt Options) (_ *Program, err error) {
	p := &Program{src: src, ctx: opt.Context, options: opt.BuildOptions, apart: src.Apart && !opt.BuildAll, units: map[int]*runtime.Program{}}
	if p.ctx == nil {
		p.own = true
		p.ctx, err = runtime.Open(opt.Device, runtime.Options{MemoryLimit: opt.MemoryLimit, Allocator: opt.Allocator, Trace: opt.Trace})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", src.File, err)
		}
	}
	p.tags()
	defer func() {
		if err != nil {
			p.Close()
		}
	}()
	if src.FP64 {
		if err := p.ctx.Device().NeedFP64(); err != nil {
			return nil, fmt.Errorf("%s: %w", src.File, err)
		}
	}
	if !p.apart {
		built, err := p.unit(0)
		for _, name := range src.KernelNames {
			if err == nil {
				_, err = built.Kernel(name)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", src.File, err)
		}
	}
	if p.faults, err = runtime.NewFaultBuffer(p.ctx, src.Checks, src.Slots); err != nil {
		return nil, fmt.Errorf("%s: %w", src.File, err)
	}
	if src.Heap != "" {
		bytes := src.HeapBytes
		if opt.DeviceHeap > 0 {
			bytes = opt.DeviceHeap
		}
		if p.heap, err = NewDeviceHeap(p.ctx, p.units[0], src.Heap, bytes); err != nil {
			return nil, fmt.Errorf("%s: %w", src.File, err)
		}
	}
	return p, nil
}

// unit returns the kernels that an entry needs. They are built when they are first asked for.
func (p *Program) unit(entry int) (*runtime.Program, error) {
	options := p.options
	if !p.apart {
		entry = 0
	} else {
		options = strings.TrimSpace(fmt.Sprintf("-DMEMC_ENTRY=%d %s", entry, options))
	}
	if built := p.units[entry]; built != nil {
		return built, nil
	}
	built, err := p.ctx.Build(p.src.Kernels, options)
	if err == nil {
		p.units[entry] = built
	}
	return built, err
}

// CopyKernels returns the kernels that copy between strided places; every program's
// kernels have them.
func CopyKernels(p *runtime.Program) runtime.CopyKernels {
	return runtime.CopyKernels{Program: p, Name: "memc_copy", Box: "memc_box"}
}

// tags registers the program's allocation sites.
func (p *Program) tags() {
	info := make([]runtime.TagInfo, 0, len(p.src.Sites)+arrayTags)
	for _, s := range p.src.Sites {
		t := runtime.TagInfo{Name: s.Name}
		if s.Pos.Line > 0 {
			t.Line = fmt.Sprintf("%s:%d", p.src.File, s.Pos.Line)
		}
		info = append(info, t)
	}
	for range arrayTags {
		info = append(info, runtime.TagInfo{Name: "an array of the caller's"})
	}
	p.tagBase = p.ctx.RegisterTags(info)
}

// arrayTag returns the tag of a new array: by the number of blocks that are live,
// so that a loop which makes and frees arrays has the same ones each time.
func (p *Program) arrayTag() int {
	return p.tagBase + len(p.src.Sites) + p.ctx.LiveBlocks()%arrayTags
}

// Close waits for running calls, and gives the program back, and the device if the program opened
// it. The program's arrays must not be used any more, unless the device is another program's.
func (p *Program) Close() {
	end := p.ctx.Begin()
	if p.closed {
		end()
		return
	}
	p.closed = true
	p.heap.Release()
	p.faults.Release()
	for _, built := range p.units {
		built.Release()
	}
	p.ctx.ForgetTags(p.tagBase, len(p.src.Sites)+arrayTags)
	end()
	if p.own {
		p.ctx.Close()
	}
}

// Context returns the context that the program runs on: its device, statistics,
// and Trim.
func (p *Program) Context() *runtime.Context { return p.ctx }
