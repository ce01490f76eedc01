package pool

// A site is an allocation site of a program, known by its tag.
type site struct {
	free   *Block // the last that it freed, if it is still free
	newest *Block // the last that it got, if it is still in use
	life   life
}

// A life tells how long the blocks of a site live. Every program begins with sites that are new. A
// site is lasting from the first time that a block of it outlives the call that made it.
type life uint8

const (
	fresh life = iota
	brief
	lasting
)

// site returns what is known of a tag. Tags far from 0 share one.
func (p *Pool) site(tag int) *site {
	i := tag << 1
	if tag < 0 {
		i = ^i
	}
	i &= maxSites - 1
	if i >= len(p.sites) {
		grown := make([]site, min(max(64, 2*i), maxSites))
		copy(grown, p.sites)
		p.sites = grown
	}
	return &p.sites[i]
}

// maxSites bounds the number of sites; it is a power of two.
const maxSites = 1 << 16

// lifeOf tells how long the next block of a site will live.
func (p *Pool) lifeOf(s *site) life {
	if s.newest != nil && s.newest.turn < p.turn {
		s.life = lasting
	}
	return s.life
}

// began notes a block that its site got.
func (p *Pool) began(b *Block) life {
	s := p.site(b.tag)
	s.newest = b
	return s.life
}

// ended notes that a block is put back.
func (p *Pool) ended(b *Block) {
	s := p.site(b.tag)
	switch {
	case b.turn < p.turn:
		s.life = lasting
	case s.life == fresh:
		s.life = brief
	}
	if s.newest == b {
		s.newest = nil
	}
}

// Forget tells that no request will come with this tag any more.
func (p *Pool) Forget(tag int) {
	s := p.site(tag)
	if s.free != nil && p.opt.Policy == Tagged {
		p.drop(s.free.buf)
	}
	*s = site{}
}
