package pool

import "errors"

// make returns a block at the start of a new buffer of want bytes, or of need
// bytes where that is refused; need <= want. It goes down the ladder of the
// package comment. The block is as large as its buffer.
func (p *Pool) make(want, need int64) (*Block, error) {
	buf, err := p.create(want)
	if want > need && errors.Is(err, ErrNoMemory) {
		buf, err = p.create(need)
	}
	if errors.Is(err, ErrNoMemory) && !errors.Is(err, ErrTooLarge) {
		p.stats.Ladders++
		buf, err = p.ladder(need, err)
	}
	if err != nil {
		return nil, err
	}
	return buf.first, nil
}

// ladder tries again after a refusal: after a wait, and after handing back each
// idle buffer.
func (p *Pool) ladder(need int64, err error) (*buffer, error) {
	var buf *buffer
	if err != errLimit {
		if ferr := p.src.Finish(); ferr != nil {
			return nil, ferr
		}
		buf, err = p.create(need)
	}
	for errors.Is(err, ErrNoMemory) {
		victim := p.whole.largest(binSearch)
		if victim == nil {
			return nil, err
		}
		p.giveUp(victim.buf)
		if err != errLimit {
			if ferr := p.src.Finish(); ferr != nil {
				return nil, ferr
			}
		}
		buf, err = p.create(need)
	}
	return buf, err
}

// create asks the source for a buffer. It has one free block, and is idle; the
// block is in no bin.
func (p *Pool) create(size int64) (*buffer, error) {
	p.refused, p.refusal = size, errLimit
	if size > p.opt.Limit+Slack-p.stats.Held {
		return nil, errLimit
	}
	h, err := p.src.Create(size)
	if err != nil {
		p.stats.Refusals++
		p.refusal = err
		return nil, err
	}
	buf := &buffer{handle: h, id: p.created, size: size, life: brief}
	p.created++
	b := p.newBlock()
	b.buf, b.size, b.kind, b.tag = buf, size, Miss, noTag
	buf.first = b
	buf.stamp = p.clock
	p.idle.add(buf)
	p.stats.Creates++
	p.stats.Buffers++
	p.stats.Held += size
	p.stats.PeakHeld = max(p.stats.PeakHeld, p.stats.Held)
	return buf, nil
}

// drop hands an idle buffer back.
func (p *Pool) drop(buf *buffer) {
	b := buf.first // its only block, and free
	p.unlink(b)
	p.idle.remove(buf)
	p.src.Release(buf.handle)
	p.recycle(b)
	p.stats.Releases++
	p.stats.Buffers--
	p.stats.Held -= buf.size
}

// keep puts a free block into the bins.
func (p *Pool) keep(b *Block, tag int) {
	b.tag, b.kind = tag, HitOther
	p.binsOf(b).add(b)
	if tag != noTag {
		p.site(tag).free = b
	}
}

// noTag is the tag of free blocks that no site noted.
const noTag = -1 << 31

// unlink takes a free block out of the bins, and its site's note away.
func (p *Pool) unlink(b *Block) {
	if b.tag != noTag {
		if s := p.site(b.tag); s.free == b {
			s.free = nil
		}
	}
	p.binsOf(b).remove(b)
}

func (p *Pool) binsOf(b *Block) *bins {
	if b.size == b.buf.size {
		return &p.whole
	}
	if b.buf.life == lasting {
		return &p.lasting
	}
	return &p.brief
}

// A bufferList holds buffers in the order in which they were added: idle ones
// the longest idle first.
type bufferList struct{ oldest, newest *buffer }

func (l *bufferList) add(buf *buffer) {
	buf.prev, buf.next = l.newest, nil
	if l.newest != nil {
		l.newest.next = buf
	} else {
		l.oldest = buf
	}
	l.newest = buf
}

func (l *bufferList) remove(buf *buffer) {
	if buf.prev != nil {
		buf.prev.next = buf.next
	} else {
		l.oldest = buf.next
	}
	if buf.next != nil {
		buf.next.prev = buf.prev
	} else {
		l.newest = buf.prev
	}
	buf.prev, buf.next = nil, nil
}
