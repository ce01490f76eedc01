package runtime

import (
	"fmt"
	"sync"
)

// A Program is kernels built for a context.
type Program struct {
	ctx     *Context
	mod     module
	mu      sync.Mutex
	kernels map[string]*Kernel
	members []*Program // of several devices: those that it was built for, by number
}

// A Kernel is one kernel of a program.
type Kernel struct {
	ctx  *Context
	name string
	k    kernel

	members []*Kernel // of several devices
}

// An Arg is an argument of a kernel: a block, passed as its buffer and its offset in bytes (two
// arguments, the second a long), or, if Block is nil, the low Size bytes of Bits. Bare omits the
// offset; it is for blocks of AllocUncounted, which have a buffer to themselves.
type Arg struct {
	Block *Block
	Bare  bool
	Bits  uint64
	Size  int
	Local int64 // bytes of local memory, in place of all that
	// ReadOnly tells that the kernel only reads the block. It then stays valid where else
	// it lies.
	ReadOnly bool
}

// BuildError tells that the device's compiler refused a source.
type BuildError struct{ Log string }

func (e *BuildError) Error() string {
	if e.Log == "" {
		return "the device's compiler refused the kernels, without a word"
	}
	return "the device's compiler refused the kernels:\n" + e.Log
}

// Build compiles OpenCL C for the device. Options are added to memc's own:
// OpenCL C 1.2, and correctly rounded f32 division where the device has it.
func (c *Context) Build(source, options string) (*Program, error) {
	if c.several != nil {
		return c.several.build(c, source, options)
	}
	return c.buildFor(c.device, source, options)
}

// buildFor builds with options that d has.
func (c *Context) buildFor(d DeviceInfo, source, options string) (*Program, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.usable(); err != nil {
		return nil, err
	}
	mod, err := c.drv.build(d, source, options)
	if err != nil {
		return nil, fmt.Errorf("building kernels for %s: %w", c.device.Name, err)
	}
	return &Program{ctx: c, mod: mod, kernels: map[string]*Kernel{}}, nil
}

// Kernel returns the kernel of that name; it is made once.
func (p *Program) Kernel(name string) (*Kernel, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if k := p.kernels[name]; k != nil {
		return k, nil
	}
	if p.members != nil {
		k, err := p.memberKernels(name)
		if err == nil {
			p.kernels[name] = k
		}
		return k, err
	}
	h, err := p.mod.kernel(name)
	if err != nil {
		return nil, fmt.Errorf("making kernel %s: %w", name, err)
	}
	k := &Kernel{ctx: p.ctx, name: name, k: h}
	p.kernels[name] = k
	return k, nil
}

// Release gives the program and its kernels back.
func (p *Program) Release() {
	if p == nil {
		return
	}
	for _, m := range p.members {
		m.Release()
	}
	p.ctx.mu.Lock()
	defer p.ctx.mu.Unlock()
	if !p.ctx.closed && p.mod != nil {
		p.mod.release()
		p.mod = nil
	}
}

// Launch runs the kernel with groups work-groups of groupSize work-items each;
// 0 groups run nothing. It does not wait.
func (c *Context) Launch(k *Kernel, groups, groupSize int64, args []Arg) error {
	if groups <= 0 {
		return nil
	}
	if c.several != nil {
		return c.several.launch(c, k, groups, groupSize, args, false)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stats.KernelLaunches++
	return c.launch(k, groups, groupSize, args)
}

// LaunchUncounted is Launch for the executor's own needs (preparing a device
// heap), of which statistics do not know.
func (c *Context) LaunchUncounted(k *Kernel, groups, groupSize int64, args []Arg) error {
	if c.several != nil {
		return c.several.launch(c, k, groups, groupSize, args, true)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.launch(k, groups, groupSize, args)
}

func (c *Context) launch(k *Kernel, groups, groupSize int64, args []Arg) error {
	if err := c.usable(); err != nil {
		return err
	}
	if groupSize > c.device.MaxGroup {
		return fmt.Errorf("launching kernel %s: it needs work-groups of %d, and the device's largest is %d", k.name, groupSize, c.device.MaxGroup)
	}
	if err := c.drv.launch(k.k, groups, c.device.MaxGroups, groupSize, args); err != nil {
		return fmt.Errorf("launching kernel %s with %d work-groups of %d: %w", k.name, groups, groupSize, err)
	}
	return nil
}
