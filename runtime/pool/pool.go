package pool

import (
	"errors"
	"fmt"
)

// A Policy says how blocks are placed in buffers.
type Policy int

// The policies; see the package comment.
const (
	Driver Policy = iota
	Tagged
	Region
)

// Policies lists the names of all policies, in their order.
var Policies = []string{"driver", "tagged", "region"}

func (p Policy) String() string { return Policies[p] }

// ParsePolicy finds a policy by its name.
func ParsePolicy(name string) (Policy, error) {
	for i, n := range Policies {
		if n == name {
			return Policy(i), nil
		}
	}
	return 0, fmt.Errorf("unknown allocator %q: expected driver, tagged or region", name)
}

// ErrNoMemory is how a Source says that there is no memory for a buffer, and how
// a Pool says it of a block.
var ErrNoMemory = errors.New("no memory left")

// ErrTooLarge is how a Source says that there is no memory for a buffer, however little is in use.
var ErrTooLarge = fmt.Errorf("%w: no buffer can be so large", ErrNoMemory)

// errLimit is a buffer that the limit forbids.
var errLimit = fmt.Errorf("%w under the limit", ErrNoMemory)

// A Source makes and takes back buffers. Create gives an error that wraps
// ErrNoMemory where there is no room. Finish waits until released buffers are
// really gone.
type Source interface {
	Create(bytes int64) (any, error)
	Release(buf any)
	Finish() error
}

// Options of a pool. Zero values mean: no limit, any size, DefaultIdleFor.
type Options struct {
	Policy   Policy
	Limit    int64 // bytes held at most, to within Slack
	MaxAlloc int64 // bytes of the largest buffer that the pool asks for with room for growth
	IdleFor  int64 // requests after which an idle buffer goes; region only
}

const (
	// Grain is the alignment of blocks of regions: one coalesced access of a GPU's
	// warp at 8 bytes a thread.
	Grain = 256
	// smallGrain is the alignment where blocks have buffers to themselves: the
	// strictest of any element.
	smallGrain = 16
	// Slack is by how much rounding may exceed the limit, and the smallest buffer
	// of policy region.
	Slack = 16 << 10
	// DefaultIdleFor is IdleFor where it is not given.
	DefaultIdleFor = 1 << 16
	// unlimited bounds limits, so that sums of sizes, and patience times a size, do not overflow.
	unlimited = 1 << 56
	// share is the part of what is held that growth may add, as 1/share.
	share = 16
	// patience is how often most bytes may be given up before idle buffers are broken instead.
	patience = 32
)

// A Kind says how a request was served.
type Kind int

// The kinds.
const (
	Miss     Kind = iota // a new buffer
	HitTag               // the block that this tag freed last
	HitOther             // another free block, whole
	HitSplit             // a part of a free block
	numKinds
)

func (k Kind) String() string { return [...]string{"miss", "tag", "other", "split"}[k] }

// A buffer is the driver's. It is idle while no block of it is in use.
type buffer struct {
	handle     any
	id         int64 // order of creation
	size       int64
	used       int64 // blocks in use
	life       life  // of the blocks that it is for
	first      *Block
	stamp      int64 // the request after which it became idle
	prev, next *buffer
}

// A Block is a range of a buffer. It belongs to whoever got it until it is put
// back.
type Block struct {
	buf         *buffer
	off, size   int64
	asked       int64
	tag         int
	kind        Kind
	used        bool
	life        life  // of its site, when it was got
	turn        int64 // in which it was got
	bin         int
	left, right *Block // neighbours
	prev, next  *Block // in its bin
}

// Buffer returns the Source's buffer.
func (b *Block) Buffer() any { return b.buf.handle }

// BufferID numbers the buffer, in the order of creation.
func (b *Block) BufferID() int64 { return b.buf.id }

// Offset returns the block's offset in its buffer, in bytes.
func (b *Block) Offset() int64 { return b.off }

// Size returns the block's size after rounding.
func (b *Block) Size() int64 { return b.size }

// Kind says how the request was served.
func (b *Block) Kind() Kind { return b.kind }

// A Pool places blocks.
type Pool struct {
	src     Source
	opt     Options
	grain   int64
	sites   []site     // by tag
	brief   bins       // free blocks beside blocks in use, in buffers for brief blocks
	lasting bins       // the same in buffers for lasting ones
	whole   bins       // free blocks that are buffers
	idle    bufferList // with no block in use
	busy    bufferList // the others
	most    int64      // bytes of blocks in use, at most at any time
	bytes   [3]int64   // of blocks in use, by their life
	refused int64      // bytes of the buffer that was refused last,
	refusal error      // and why
	churn   int64      // bytes given up since most last grew
	turn    int64
	old     *Block // recycled Blocks, by next
	clock   int64  // requests so far
	created int64  // buffers so far
	stats   Stats
}

// New makes an empty pool; it asks the source for nothing.
func New(src Source, opt Options) *Pool {
	if opt.Limit <= 0 || opt.Limit > unlimited {
		opt.Limit = unlimited
	}
	if opt.MaxAlloc <= 0 || opt.MaxAlloc > unlimited {
		opt.MaxAlloc = unlimited
	}
	if opt.IdleFor <= 0 {
		opt.IdleFor = DefaultIdleFor
	}
	p := &Pool{src: src, opt: opt, grain: smallGrain}
	if opt.Policy == Region {
		p.grain = Grain
	}
	return p
}

// Policy returns the pool's policy.
func (p *Pool) Policy() Policy { return p.opt.Policy }

// Get returns a block of at least asked bytes (0 is allowed). The tag says which
// allocation site asks. An error wraps ErrNoMemory where there is no room.
func (p *Pool) Get(asked int64, tag int) (*Block, error) {
	p.clock++
	p.stats.Requests++
	b, err := p.place(asked, tag)
	if err != nil {
		p.stats.Failures++
		return nil, err
	}
	b.asked, b.tag, b.used = asked, tag, true
	b.turn, b.life = p.turn, p.began(b)
	p.bytes[b.life] += b.size
	if b.buf.used++; b.buf.used == 1 {
		p.idle.remove(b.buf)
		p.busy.add(b.buf)
	}
	p.stats.got(b)
	if p.stats.Rounded > p.most {
		p.most, p.churn = p.stats.Rounded, 0
	}
	return b, nil
}

func (p *Pool) place(asked int64, tag int) (*Block, error) {
	if asked < 0 || asked > unlimited {
		return nil, ErrTooLarge
	}
	size := max(p.grain, (asked+p.grain-1)/p.grain*p.grain)
	switch p.opt.Policy {
	case Tagged:
		return p.getTagged(size, tag)
	case Region:
		return p.getRegion(size, tag)
	}
	return p.make(size, size)
}

// Put takes a block back. It must not be used any more.
func (p *Pool) Put(b *Block) {
	p.stats.put(b)
	p.bytes[b.life] -= b.size
	p.ended(b)
	b.used = false
	buf := b.buf
	if buf.used--; buf.used == 0 {
		buf.stamp = p.clock
		p.busy.remove(buf)
		p.idle.add(buf)
	}
	switch p.opt.Policy {
	case Tagged:
		p.putTagged(b)
	case Region:
		p.putRegion(b)
	default:
		p.drop(buf)
	}
}

// Trim hands all idle buffers back.
func (p *Pool) Trim() {
	for p.idle.oldest != nil {
		p.drop(p.idle.oldest)
	}
}

// Reserve takes bytes off the limit, for memory that others have; a negative
// number gives them back.
func (p *Pool) Reserve(bytes int64) { p.opt.Limit -= bytes }

// Close hands all buffers back, those with blocks in use too.
func (p *Pool) Close() {
	p.Trim()
	for buf := p.busy.oldest; buf != nil; buf = buf.next {
		p.src.Release(buf.handle)
	}
	*p = *New(p.src, p.opt)
}

// Turn tells that a call of a program begins.
func (p *Pool) Turn() { p.turn++ }

// newBlock takes a recycled Block, or makes one.
func (p *Pool) newBlock() *Block {
	b := p.old
	if b == nil {
		return &Block{}
	}
	p.old = b.next
	*b = Block{}
	return b
}

func (p *Pool) recycle(b *Block) {
	b.buf = nil
	b.next = p.old
	p.old = b
}
