package pool

// getRegion takes the tag's own last block where it fits exactly, else the best
// fit, else a new buffer; what is left over is split off.
func (p *Pool) getRegion(size int64, tag int) (*Block, error) {
	if old := p.idle.oldest; old != nil && p.clock-old.stamp > p.opt.IdleFor {
		p.drop(old)
	}
	if b := *p.slot(tag); b != nil && b.size == size && b.tag == tag {
		b.kind = HitTag
		p.unlink(b)
		return b, nil
	}
	b := p.bins.find(size)
	switch {
	case b == nil:
		var err error
		if b, err = p.grow(size); err != nil {
			return nil, err
		}
	case b.size == b.buf.size && b.size/share > p.apart(size):
		b = p.spare(b, p.apart(size))
	}
	if b.kind != Miss {
		p.unlink(b)
	}
	if b.size > size {
		if b.kind != Miss {
			b.kind = HitSplit
		}
		p.split(b, size)
	}
	return b, nil
}

// grow makes a buffer for a request that fits nowhere, with room for more of the
// same size where that is 1/16 of what is held, or Slack. Idle buffers are given
// up for it as far as the budget asks.
func (p *Pool) grow(size int64) (*Block, error) {
	want := min(max(p.stats.Held/share, Slack), p.opt.MaxAlloc)
	want = max(1, want/size) * size
	for p.idle.oldest != nil && want > p.room(size) {
		p.drop(p.idle.oldest)
	}
	return p.fresh(want, size)
}

// room returns how much more may be held by the budget, with a block of that size.
func (p *Pool) room(size int64) int64 {
	most := max(p.most, p.stats.Rounded+size)
	return most + most/share + Slack - p.stats.Held
}

// apart returns the size of the buffer that keeps a request out of a much larger
// idle one.
func (p *Pool) apart(size int64) int64 {
	return max(size, Slack, p.stats.Rounded/share/Grain*Grain)
}

// spare makes a buffer instead of breaking up the idle one that b is; where the
// budget or the driver does not allow it, b it is.
func (p *Pool) spare(b *Block, want int64) *Block {
	if want > p.room(want) {
		return b
	}
	buf, err := p.create(want)
	if err != nil {
		return b
	}
	return buf.first
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
	p.free(rest, noTag)
}

// noTag is the tag of free blocks that no tag's slot holds.
const noTag = -1 << 31

// free puts a block into its bin.
func (p *Pool) free(b *Block, tag int) {
	b.tag, b.kind = tag, HitOther
	p.bins.add(b)
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
	p.free(b, tag)
	if tag != noTag {
		*p.slot(tag) = b
	}
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
