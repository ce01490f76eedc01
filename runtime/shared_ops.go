package runtime

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/memc-lang/memc/runtime/versions"
)

// What a front does: it brings the blocks of a command to the device, has the device's
// queue wait for what is under way, and hands the command to the member.

// A borrowing is the blocks of a command while it is enqueued. They keep their storage.
type borrowing struct {
	s    *several
	m    *member
	at   versions.Place
	held []loan
}

type loan struct {
	sh     *shared
	writes bool
}

func (s *several) borrow(i int) *borrowing {
	return &borrowing{s: s, m: s.members[i], at: versions.Place(i)}
}

// take brings a block to the device, with its contents unless they are overwritten.
func (o *borrowing) take(b *Block, writes, overwritten bool) error {
	sh := b.shared
	if sh == nil || b.ctx.several != o.s {
		return fmt.Errorf("a block of another context")
	}
	if sh.private {
		return nil
	}
	if err := o.s.table.Bring(sh.v, o.at, overwritten); err != nil {
		return err
	}
	sh.v.Pin()
	o.held = append(o.held, loan{sh, writes})
	return o.m.main.await(sh.at[o.at].track.before(writes))
}

// block returns the member's block.
func (o *borrowing) block(b *Block) *Block { return b.shared.at[o.at].block }

// done records the enqueued commands.
func (o *borrowing) done() error {
	at, err := o.m.main.stamp()
	if err != nil {
		return err
	}
	for _, l := range o.held {
		t := &l.sh.at[o.at].track
		if !l.writes {
			t.read(at)
			continue
		}
		t.write(at)
		o.s.table.Wrote(l.sh.v, o.at)
	}
	return nil
}

func (o *borrowing) end() {
	for _, l := range o.held {
		l.sh.v.Unpin()
	}
	o.held = nil
}

// launch runs a kernel on one device, or (every) on all of a front, as the kernels that
// prepare private memory need it.
func (s *several) launch(c *Context, k *Kernel, groups, groupSize int64, args []Arg, every bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	if !every || c.scatter == nil {
		return s.launchOn(c.place(), k, groups, groupSize, args, every)
	}
	for i := range s.members {
		if err := s.launchOn(i, k, groups, groupSize, args, every); err != nil {
			return err
		}
	}
	return nil
}

func (s *several) launchOn(i int, k *Kernel, groups, groupSize int64, args []Arg, every bool) error {
	o := s.borrow(i)
	defer o.end()
	given := make([]Arg, len(args))
	for n, a := range args {
		if given[n] = a; a.Block == nil {
			continue
		}
		if err := o.take(a.Block, !a.ReadOnly, false); err != nil {
			return err
		}
	}
	for n, a := range args {
		if a.Block != nil {
			given[n].Block = o.block(a.Block)
		}
	}
	mk := k.members[i]
	if mk == nil {
		return fmt.Errorf("kernel %s was not built for the device %s", k.name, o.m.ctx.device)
	}
	run := o.m.ctx.Launch
	if every {
		run = o.m.ctx.LaunchUncounted
	}
	if err := run(mk, groups, groupSize, given); err != nil {
		return err
	}
	s.record(o.m, "kernels", k.name, 0)
	return o.done()
}

// copyStrided copies on one device.
func (s *several) copyStrided(c *Context, kernels CopyKernels, elem int64, shape []int64, dst, src Region) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	i := c.place()
	o := s.borrow(i)
	defer o.end()
	if err := o.take(src.Block, false, false); err != nil {
		return err
	}
	if err := o.take(dst.Block, true, false); err != nil {
		return err
	}
	if kernels.Program != nil {
		kernels.Program = kernels.Program.members[i]
	}
	// The member may copy through a temporary block of its own, where others may be at work
	// before and after.
	through := dst.Block == src.Block
	dst.Block, src.Block = o.block(dst.Block), o.block(src.Block)
	for {
		if through {
			for _, t := range o.m.tracks {
				if err := o.m.main.await(t.before(true)); err != nil {
					return err
				}
			}
		}
		var tmp *Block
		err := o.m.ctx.copyThrough(&tmp, kernels, elem, shape, dst, src)
		if err == nil {
			s.record(o.m, "kernels", "copy", 0)
			err = o.done()
		}
		if tmp != nil {
			at, e := o.m.main.stamp()
			err = errors.Join(err, e)
			o.m.leave(tmp.buf, &track{uses: []stamp{at}})
			tmp.Release()
		}
		if !isFull(err) {
			return err
		}
		// There was no room for it, and nothing was copied.
		gone, failed := s.table.Evict(o.at)
		if failed != nil {
			return failed
		}
		if !gone {
			return err
		}
	}
}

// write has a member write to a block; overwritten tells that nothing else is left of it.
func (s *several) write(c *Context, b *Block, overwritten bool, write func(m *Context, b *Block) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	o := s.borrow(c.place())
	defer o.end()
	if err := o.take(b, true, overwritten); err != nil {
		return err
	}
	// Others go on while this waits. The block is pinned.
	mb := o.block(b)
	s.mu.Unlock()
	err := write(o.m.ctx, mb)
	s.mu.Lock()
	if err != nil {
		return err
	}
	return o.done()
}

// read reads from the nearest valid place.
func (s *several) read(c *Context, b *Block, off int64, data []byte) error {
	if err := b.within(off, int64(len(data))); err != nil {
		return fmt.Errorf("reading %d bytes: %w", len(data), err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	sh, host := b.shared, versions.Place(len(s.members))
	if !sh.private && sh.v.Valid(host) && sh.v.Latest() > 0 && len(data) > 0 {
		if err := sh.at[host].track.wrote.wait(); err != nil {
			return fmt.Errorf("reading %d bytes: %w", len(data), err)
		}
		copy(data, unsafe.Slice((*byte)(sh.at[host].hostAt(off)), len(data)))
		return nil
	}
	i := c.home
	if p, ok := s.table.Nearest(sh.v, versions.Place(i)); ok && p != host {
		i = int(p)
	}
	o := s.borrow(i)
	defer o.end()
	if err := o.take(b, false, false); err != nil {
		return err
	}
	mb := o.block(b)
	s.mu.Unlock()
	defer s.mu.Lock()
	return o.m.ctx.Read(mb, off, data)
}

// build builds a program for every device of a front.
func (s *several) build(c *Context, source, options string) (*Program, error) {
	p := &Program{ctx: c, kernels: map[string]*Kernel{}, members: make([]*Program, len(s.members))}
	for i, m := range s.members {
		if c.scatter == nil && i != c.home {
			continue
		}
		var err error
		if p.members[i], err = m.ctx.buildFor(c.device, source, options); err != nil {
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
