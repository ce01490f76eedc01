package pool

// getTagged is the seed's free list, which hands back what does not fit, with
// one step more before the driver is asked: another tag's block.
func (p *Pool) getTagged(size int64, tag int) (*Block, error) {
	b, kind := p.site(tag).free, HitTag
	if b != nil && !fitsTagged(b, size) {
		p.drop(b.buf)
		b = nil
	}
	if b == nil {
		b, kind = p.whole.find(size), HitOther
	}
	if b == nil || !fitsTagged(b, size) {
		return p.make(size, size)
	}
	b.kind = kind
	p.unlink(b)
	return b, nil
}

// fitsTagged reports whether a block is large enough, and not too large.
func fitsTagged(b *Block, size int64) bool { return b.size >= size && b.size/2 <= size }

func (p *Pool) putTagged(b *Block) {
	if old := p.site(b.tag).free; old != nil {
		p.drop(old.buf)
	}
	p.keep(b, b.tag)
}
