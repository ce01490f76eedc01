package runtime

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/memc-lang/memc/runtime/pool"
	"github.com/memc-lang/memc/runtime/versions"
)

// A shared is what a Block of several devices has in place of a buffer: storage at some
// of the places, made when a command first needs it there.
type shared struct {
	v  versions.Block
	b  *Block
	at []storage // by place
	// private storage belongs to its device, and has no versions: the memory from which
	// kernels allocate.
	private bool
	// uncounted storage is no member's business (AllocUncounted), and never evicted.
	uncounted bool
}

// A storage is a block's memory at one place.
type storage struct {
	block *Block     // of a device
	host  pool.Block // of the host's memory
	track track
}

func (st *storage) hostAt(off int64) unsafe.Pointer {
	return unsafe.Add(st.host.Buffer().(*pinned).at, st.host.Offset()+off)
}

// alloc makes a block without storage.
func (s *several) alloc(c *Context, bytes int64, tag int) (*Block, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errClosed
	}
	if bytes < 0 {
		return nil, fmt.Errorf("a block cannot have %d bytes", bytes)
	}
	for _, m := range c.homes() {
		if err := m.ctx.couldHold(bytes, tag); err != nil {
			return nil, err
		}
	}
	b := s.newBlock(c, bytes, tag)
	s.asked++
	s.blocks++
	s.live += bytes
	s.peak = max(s.peak, s.live)
	return b, nil
}

func (s *several) newBlock(c *Context, bytes int64, tag int) *Block {
	b := &Block{ctx: c, size: bytes, refs: 1, tag: tag}
	b.shared = &shared{b: b, at: make([]storage, len(s.members)+1)}
	b.shared.v = s.table.NewBlock(b.shared)
	return b
}

// allocUncounted makes a block that the memory limit does not know of.
func (s *several) allocUncounted(c *Context, bytes int64) (*Block, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errClosed
	}
	b := s.newBlock(c, bytes, TempTag)
	b.shared.uncounted = true
	b.shared.v.Pin()
	return b, nil
}

// allocHeap makes memory from which kernels allocate, on every device of the front.
func (s *several) allocHeap(c *Context, bytes int64) (*Block, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errClosed
	}
	b := s.newBlock(c, bytes, TempTag)
	b.shared.private, b.shared.uncounted = true, true
	for i, m := range s.members {
		if c.scatter == nil && i != c.home {
			continue
		}
		mb, err := m.ctx.AllocHeap(bytes)
		if err != nil {
			s.free(b)
			return nil, err
		}
		b.shared.at[i].block = mb
	}
	return b, nil
}

// couldHold returns an error if a device can never have room for a block of that size.
func (c *Context) couldHold(bytes int64, tag int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.usable(); err != nil {
		return err
	}
	if bytes > c.limit-c.heap {
		return c.outOfMemory(bytes, tag, nil)
	}
	return nil
}

func (s *several) retain(b *Block) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b.refs++
}

func (s *several) references(b *Block) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return int(b.refs)
}

func (s *several) release(b *Block) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b.refs--; b.refs == 0 && !s.closed {
		s.free(b)
	}
}

func (s *several) free(b *Block) {
	sh := b.shared
	if sh.private {
		for i := range sh.at {
			sh.at[i].block.Release()
			sh.at[i].block = nil
		}
		return
	}
	s.table.Free(sh.v)
	if !sh.uncounted {
		s.blocks--
		s.live -= b.size
	}
}

// The steps of migrations; package versions decides which are needed.

// Make makes storage at a place.
func (s *several) Make(v versions.Block, p versions.Place) error {
	sh := v.Owner().(*shared)
	st := &sh.at[p]
	*st = storage{}
	if int(p) == len(s.members) {
		hb, err := s.host.pool.Get(sh.b.size, sh.b.tag)
		if errors.Is(err, pool.ErrNoMemory) {
			return fmt.Errorf("%w: %w", versions.ErrFull, err)
		}
		if err != nil {
			return err
		}
		st.host = hb
		st.track = s.host.inherit(hb.Buffer())
		return nil
	}
	m := s.members[p]
	var err error
	if sh.uncounted {
		st.block, err = m.ctx.AllocUncounted(sh.b.size)
	} else {
		st.block, err = m.ctx.Alloc(sh.b.size, sh.b.tag)
	}
	if err != nil {
		return err
	}
	st.track = m.inherit(st.block.buf)
	return nil
}

// inherit returns the track of new storage in a buffer: earlier owners may still be at work.
func (m *member) inherit(buf any) track {
	if t := m.tracks[buf]; t != nil {
		return track{uses: append([]stamp(nil), t.uses...)}
	}
	return track{}
}

// leave keeps the track of storage in a buffer, for its next owner.
func (m *member) leave(buf any, old *track) {
	t := m.tracks[buf]
	if t == nil {
		if len(old.uses) == 0 {
			return
		}
		t = &track{}
		m.tracks[buf] = t
	}
	for _, u := range old.uses {
		t.read(u)
	}
}

// Drop gives storage at a place back.
func (s *several) Drop(v versions.Block, p versions.Place) {
	st := &v.Owner().(*shared).at[p]
	if st.host != nil {
		s.host.leave(st.host.Buffer(), &st.track)
		s.host.pool.Put(st.host)
	} else {
		s.members[p].leave(st.block.buf, &st.track)
		st.block.Release()
	}
	*st = storage{}
}

// Move enqueues a migration.
func (s *several) Move(v versions.Block, from, to versions.Place, spill bool) error {
	sh := v.Owner().(*shared)
	src, dst, n := &sh.at[from], &sh.at[to], sh.b.size
	if n == 0 {
		return nil
	}
	host := versions.Place(len(s.members))
	var err error
	switch {
	case to == host:
		err = s.fetch(s.members[from], src, dst, n)
		s.record(s.members[from], "out", "to the host", n)
	case from == host:
		err = s.put(s.members[to], src, dst, n)
		s.record(s.members[to], "in", "from the host", n)
	case s.peers(int(to), int(from)):
		if err = s.peer(s.members[to], src, dst, n); err != nil && s.members[to].ctx.Lost() == nil {
			// A driver may share a context and yet not copy between its devices.
			err = s.stage(s.members[from], s.members[to], src, dst, n)
			break
		}
		s.record(s.members[to], "in", fmt.Sprintf("from device %d", from), n)
	default:
		err = s.stage(s.members[from], s.members[to], src, dst, n)
	}
	if err != nil {
		return fmt.Errorf("moving %d bytes: %w", n, err)
	}
	switch {
	case spill:
		s.moved.Evicted += n
	case from == host:
		s.moved.Restored += n
	default:
		s.moved.Migrated += n
	}
	return nil
}

func (s *several) fetch(m *member, src, dst *storage, n int64) error {
	return m.out.copied(&src.track, &dst.track, func() (event, error) {
		return m.link.fetch(dst.hostAt(0), src.block.buf, src.block.offset, n)
	})
}

func (s *several) put(m *member, src, dst *storage, n int64) error {
	return m.in.copied(&src.track, &dst.track, func() (event, error) {
		return m.link.put(dst.block.buf, dst.block.offset, src.hostAt(0), n)
	})
}

func (s *several) peer(m *member, src, dst *storage, n int64) error {
	return m.in.copied(&src.track, &dst.track, func() (event, error) {
		return m.link.peer(dst.block.buf, dst.block.offset, src.block.buf, src.block.offset, n)
	})
}

// copied enqueues a copy on a lane, after the commands that it has to wait for.
func (l *lane) copied(src, dst *track, enqueue func() (event, error)) error {
	if err := l.await(src.before(false)); err != nil {
		return err
	}
	if err := l.await(dst.before(true)); err != nil {
		return err
	}
	ev, err := enqueue()
	if err != nil {
		return err
	}
	done := l.leave(ev)
	src.read(done)
	dst.write(done)
	return nil
}

// A ring has so many chunks of that many bytes.
const (
	chunks     = 4
	chunkBytes = 4 << 20
)

// A ring is pinned memory that migrations through the host take turns in, a chunk each.
type ring struct {
	link  linker
	mem   pinned
	first int64 // the offset at which the next migration begins
	chunk [chunks]track
}

func (r *ring) close() { r.link.unpin(r.mem) }

func (r *ring) at(off int64) unsafe.Pointer { return unsafe.Add(r.mem.at, off) }

// stage copies from device to device through the host, in chunks: while one goes in, the
// next comes out. The host waits for each chunk.
func (s *several) stage(from, to *member, src, dst *storage, n int64) error {
	r := s.rings[from]
	if r == nil {
		mem, err := from.link.pin(chunks * s.chunk)
		if err != nil {
			return err
		}
		r = &ring{link: from.link, mem: mem}
		s.rings[from] = r
	}
	count := (n + s.chunk - 1) / s.chunk
	first := r.first
	r.first = (first + count) % chunks
	for k := range count + 1 {
		if k < count {
			off := k * s.chunk
			part, at := min(s.chunk, n-off), (first+k)%chunks
			err := from.out.copied(&src.track, &r.chunk[at], func() (event, error) {
				return from.link.fetch(r.at(at*s.chunk), src.block.buf, src.block.offset+off, part)
			})
			if err != nil {
				return err
			}
			s.record(from, "out", fmt.Sprintf("to device %d", to.number), part)
		}
		if k > 0 { // the one before
			off := (k - 1) * s.chunk
			part, at := min(s.chunk, n-off), (first+k-1)%chunks
			err := to.in.copied(&r.chunk[at], &dst.track, func() (event, error) {
				return to.link.put(dst.block.buf, dst.block.offset+off, r.at(at*s.chunk), part)
			})
			if err != nil {
				return err
			}
			s.record(to, "in", fmt.Sprintf("from device %d", from.number), part)
		}
	}
	return nil
}
