package pool

// getRegion takes the site's own last block where it fits exactly, else the best fit among the blocks
// that may serve the site, else a new buffer; what is left over is split off.
func (p *Pool) getRegion(size int64, tag int) (*Block, error) {
	if old := p.idle.oldest; old != nil && p.clock-old.stamp > p.opt.IdleFor {
		p.drop(old)
	}
	s := p.site(tag)
	how := p.lifeOf(s)
	b := s.free
	if b != nil && b.size == size && b.tag == tag && p.suits(b, size, how) {
		b.kind = HitTag
		p.unlink(b)
	} else {
		var err error
		if b, err = p.bestFor(size, how); err != nil {
			return nil, err
		}
	}
	if b.buf.used == 0 {
		b.buf.life = brief
		if how == lasting {
			b.buf.life = lasting
		}
	}
	if b.size > size {
		if b.kind == HitOther {
			b.kind = HitSplit
		}
		p.split(b, size)
	}
	return b, nil
}

// bestFor returns the best fit for a request, or a new buffer; it is in no bin.
func (p *Pool) bestFor(size int64, how life) (*Block, error) {
	b := p.lasting.find(size)
	if c := p.brief.find(size); c != nil && p.suits(c, size, how) {
		b = smaller(b, c)
	}
	// A new site has no idle buffer given up for it.
	idle, crowded := p.whole.find(size), how == fresh && p.batch(size, how) > p.room(size, how)
	if idle != nil && (p.mayBreak(idle, size, how) || b == nil && crowded) {
		b = smaller(b, idle)
	}
	if b == nil {
		made, err := p.grow(size, how)
		if err == nil {
			return made, nil
		}
		if b = p.anyFor(size); b == nil {
			p.churn = 0
			return nil, err
		}
	}
	p.unlink(b)
	return b, nil
}

// smaller returns the smaller of two blocks, either of which may be nil.
func smaller(a, b *Block) *Block {
	if a == nil || b != nil && b.size < a.size {
		return b
	}
	return a
}

// suits reports whether a block lies where those of such a life belong: Note [Lives].
func (p *Pool) suits(b *Block, size int64, how life) bool {
	return how != lasting || b.buf.life == lasting || b.buf.size/2 <= p.batch(size, how)
}

// anyFor returns any free block of at least that size.
func (p *Pool) anyFor(size int64) *Block {
	var b *Block
	for _, f := range []*bins{&p.lasting, &p.brief, &p.whole} {
		for i := binOf(size); i >= 0; i = f.next(i + 1) {
			if c := f.best(i, size, all); c != nil {
				b = smaller(b, c)
				break
			}
		}
	}
	return b
}

// mayBreak reports whether a request may have an idle buffer, and leave the rest of it to others:
// Note [Whole buffers].
func (p *Pool) mayBreak(idle *Block, size int64, how life) bool {
	if p.tired() {
		return true
	}
	if idle.size+size > p.opt.Limit-p.stats.Held {
		return idle.size-idle.size/share <= max(size, Slack)
	}
	return how == brief || idle.size/2 <= p.batch(size, how)
}

// tired reports whether so much was given up that idle buffers are broken instead.
func (p *Pool) tired() bool { return p.churn > patience*p.most }

// giveUp hands an idle buffer back to make room for another.
func (p *Pool) giveUp(buf *buffer) {
	if !p.tired() {
		p.churn += max(buf.size, p.most/share)
	}
	p.drop(buf)
}

// grow makes a buffer for a request that fits nowhere. Idle buffers are given up for it as far as the
// budget asks.
func (p *Pool) grow(size int64, how life) (*Block, error) {
	want := p.batch(size, how)
	for p.idle.oldest != nil && want > p.room(size, how) {
		p.giveUp(p.idle.oldest)
	}
	return p.make(want, size)
}

// batch returns the size of a new buffer: for as many blocks as fit in Slack, or in 1/16 of what is
// held; of what such blocks hold, if they may be in use for long.
func (p *Pool) batch(size int64, how life) int64 {
	have := p.bytes[how]
	if how == brief {
		have = p.stats.Held
	}
	return max(1, min(max(have/share, Slack), p.opt.MaxAlloc)/size) * size
}

// room returns how much more may be held by the budget, with a block of that size: 1/16 more than was
// ever in use at one time, 1/4 more for blocks that may be in use for long.
func (p *Pool) room(size int64, how life) int64 {
	most := max(p.most, p.stats.Rounded+size)
	more := most / 4
	if how == brief {
		more = most / share
	}
	return most + more + Slack - p.stats.Held
}

// split makes the end of a block, which is in no bin, a free block of its own.
func (p *Pool) split(b *Block, size int64) {
	rest := p.newBlock()
	rest.buf, rest.off, rest.size = b.buf, b.off+size, b.size-size
	rest.left, rest.right = b, b.right
	if b.right != nil {
		b.right.left = rest
	}
	b.right = rest
	b.size = size
	p.keep(rest, noTag)
}

// putRegion joins a block with its free neighbours.
func (p *Pool) putRegion(b *Block) {
	tag := b.tag
	if r := b.right; r != nil && !r.used {
		p.unlink(r)
		p.absorb(b, r)
		tag = noTag
	}
	if l := b.left; l != nil && !l.used {
		p.unlink(l)
		p.absorb(l, b)
		b, tag = l, noTag
	}
	p.keep(b, tag)
}

// absorb joins a block with its right neighbour, which disappears.
func (p *Pool) absorb(b, right *Block) {
	b.size += right.size
	b.right = right.right
	if b.right != nil {
		b.right.left = b
	}
	p.recycle(right)
}
