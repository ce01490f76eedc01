package pool

// getTagged is the seed's free list, which hands back what does not fit, with
// one step more before the driver is asked: another tag's block.
func (p *Pool) getTagged(size int64, tag int) (*Block, error) {
	if b := *p.slot(tag); b != nil {
		if fitsTagged(b, size) {
			b.kind = HitTag
			p.unlink(b)
			return b, nil
		}
		p.drop(b.buf)
	}
	var best *Block
	for buf := p.idle.oldest; buf != nil; buf = buf.next {
		if b := buf.first; fitsTagged(b, size) && (best == nil || b.size < best.size) {
			best = b
		}
	}
	if best != nil {
		best.kind = HitOther
		p.unlink(best)
		return best, nil
	}
	return p.fresh(size, size)
}

// fitsTagged reports whether a block is large enough, and not too large.
func fitsTagged(b *Block, size int64) bool { return b.size >= size && b.size/2 <= size }

func (p *Pool) putTagged(b *Block) {
	s := p.slot(b.tag)
	if *s != nil {
		p.drop((*s).buf)
	}
	*s = b
}
