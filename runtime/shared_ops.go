package runtime

import (
	"errors"
	"fmt"

	"github.com/memc-lang/memc/runtime/places"
)

// A work is a command of a front on a device, while it is enqueued.
type work struct {
	s *several
	m *member
	c places.Command
}

// start begins a command.
func (s *several) start(i int) (*work, error) {
	w := &work{s, s.members[i], nil}
	w.m.ctx.mu.Lock()
	err := w.m.ctx.usable()
	w.m.ctx.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if w.c = s.table.Begin(i); w.c == nil {
		return nil, errClosed
	}
	return w, nil
}

// take brings a block to the device, with its contents unless they are overwritten, and returns the member's.
func (w *work) take(b *Block, how places.Use) (*Block, error) {
	sh := b.shared
	switch {
	case sh == nil || b.ctx.several != w.s:
		return nil, errors.New("a block of another context")
	case sh.private != nil:
		return sh.private[w.m.number], nil
	}
	owner, err := w.c.Lend(sh.v, how)
	if err != nil {
		return nil, w.cause(err)
	}
	return owner.(*Block), nil
}

// end ends the command.
func (w *work) end(err error) error { return w.cause(w.c.End(err)) }

// cause makes an error of OpenCL one of the device's.
func (w *work) cause(err error) error {
	failed, ok := err.(*places.Error)
	if !ok {
		return err
	}
	m := w.s.members[failed.Device]
	return m.ctx.drv.try(func() error { return m.link.failure(failed) })
}

// place chooses the device of a launch, or of another command.
func (s *several) place(c *Context) int {
	if c.scatter == nil {
		return c.home
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return c.scatter.IntN(len(s.members))
}

// launch runs a kernel on one device, or (every) on all of a front, as the kernels that
// prepare private memory need it.
func (s *several) launch(c *Context, k *Kernel, groups, groupSize int64, args []Arg, every bool) error {
	if !every || c.scatter == nil {
		return s.launchOn(s.place(c), k, groups, groupSize, args, !every)
	}
	for i := range s.members {
		if err := s.launchOn(i, k, groups, groupSize, args, false); err != nil {
			return err
		}
	}
	return nil
}

func (s *several) launchOn(i int, k *Kernel, groups, groupSize int64, args []Arg, counted bool) error {
	return s.enqueue(i, k.name, func(w *work) (err error) {
		given := make([]Arg, len(args))
		for n, a := range args {
			if given[n] = a; a.Block == nil {
				continue
			}
			how := places.Writes
			if a.ReadOnly {
				how = places.Reads
			}
			if given[n].Block, err = w.take(a.Block, how); err != nil {
				return err
			}
		}
		mk := k.members[i]
		if mk == nil {
			return fmt.Errorf("kernel %s was not built for the device %s", k.name, w.m.ctx.device)
		}
		if !counted {
			return w.m.ctx.LaunchUncounted(mk, groups, groupSize, given)
		}
		return w.m.ctx.Launch(mk, groups, groupSize, given)
	})
}

// enqueue makes a command that does not wait.
func (s *several) enqueue(i int, name string, do func(w *work) error) error {
	s.enqueuing.Lock()
	defer s.enqueuing.Unlock()
	w, err := s.start(i)
	if err != nil {
		return err
	}
	if err = do(w); err == nil {
		s.times.kernels(w.m, name)
	}
	return w.end(err)
}

// copyBytes copies on one device, between places that do not overlap.
func (s *several) copyBytes(c *Context, dst *Block, dstOff int64, src *Block, srcOff, bytes int64) error {
	return s.enqueue(s.place(c), "copy", func(w *work) error {
		from, err := w.take(src, places.Reads)
		if err != nil {
			return err
		}
		to, err := w.take(dst, writes(dst, dstOff, bytes))
		if err != nil {
			return err
		}
		w.m.ctx.mu.Lock()
		defer w.m.ctx.mu.Unlock()
		return w.m.ctx.copyBytes(to, dstOff, from, srcOff, bytes)
	})
}

// writes is how a command uses a block that writes so many bytes from an offset on.
func writes(b *Block, off, bytes int64) places.Use {
	if off == 0 && bytes == b.size {
		return places.Fills
	}
	return places.Writes
}

// write has a member write to a block.
func (s *several) write(c *Context, b *Block, how places.Use, write func(m *Context, b *Block) error) error {
	w, err := s.start(s.place(c))
	if err != nil {
		return err
	}
	mb, err := w.take(b, how)
	if err == nil {
		err = write(w.m.ctx, mb)
	}
	return w.end(err)
}

// read reads from the nearest valid place.
func (s *several) read(c *Context, b *Block, off int64, data []byte) error {
	if err := b.within(off, int64(len(data))); err != nil {
		return fmt.Errorf("reading %d bytes: %w", len(data), err)
	}
	if len(data) == 0 {
		return nil
	}
	w, err := s.start(c.home)
	if err != nil {
		return err
	}
	return w.end(w.read(b, off, data))
}

func (w *work) read(b *Block, off int64, data []byte) error {
	if b.shared.private == nil {
		if done, err := w.c.Read(b.shared.v, off, data); done || err != nil {
			return w.cause(err)
		}
	}
	mb, err := w.take(b, places.Reads)
	if err != nil {
		return err
	}
	return w.m.ctx.Read(mb, off, data)
}

// build builds a program for every device of a front.
func (s *several) build(c *Context, source, options string) (*Program, error) {
	p := &Program{ctx: c, kernels: map[string]*Kernel{}, members: make([]*Program, len(s.members))}
	for _, m := range c.homes() {
		var err error
		if p.members[m.number], err = m.ctx.buildFor(c.device, source, options); err != nil {
			p.Release()
			return nil, err
		}
	}
	return p, nil
}

// memberKernels returns the kernel of that name on every device that it was built for.
func (p *Program) memberKernels(name string) (*Kernel, error) {
	k := &Kernel{ctx: p.ctx, name: name, members: make([]*Kernel, len(p.members))}
	for i, m := range p.members {
		if m == nil {
			continue
		}
		var err error
		if k.members[i], err = m.Kernel(name); err != nil {
			return nil, err
		}
	}
	return k, nil
}
