package plan

import "github.com/memc-lang/memc/analysis/peak/held"

// Who holds what is said in the terms of the account that all passes share.
type (
	Span   = held.Span
	Term   = held.Term
	Vec    = held.Vec
	Region = held.Region
	Holder = held.Holder
)

// A Block is something that takes storage.
type Block struct {
	Alloc int // the point at which it is allocated
	Last  int // the last point at which it is held, Alloc at least
	// Handed, where it is not 0, is the point from which on, up to Last, it is held by a
	// parameter of a loop: in the first iteration, and not in others.
	Handed int
	// Known is the earliest point at which its size can be computed.
	Known int
	// Within is the outermost region that it may be allocated in: a block that
	// outlives an iteration of a loop must be allocated anew in each.
	Within int
	Size   Vec
	Sample []int64 // the size under sampled values, not negative
	// Fixed blocks come from elsewhere, at Alloc: they may take others that fit and are
	// allocated later, and cannot grow.
	Fixed bool
	// Rigid blocks are handed out, and must not become larger by that: they take
	// others that fit, and share with no fixed one but a lent one of their size.
	Rigid bool
	Lent  bool // of a fixed block: a rigid one may take it
	// Carried blocks are allocated in a loop, and an instance may be held in a later
	// iteration: two holders that keep the block may keep two instances.
	Carried bool
	// Pinned blocks share with nobody, and count in sums only.
	Pinned bool
}

// A Problem is what is to be solved.
type Problem struct {
	Regions   []Region
	Blocks    []Block
	Holders   []Holder
	Conflicts [][]int // per block those that it may not share with; symmetric
	// Lives, where it is set, stands for Conflicts: blocks conflict where these
	// overlap. It is for problems with too many conflicts to list them.
	Lives []Span
	// AtMost, where it is set, tells more sums to be in order than their
	// coefficients do: that a <= b is proven.
	AtMost func(a, b Vec) bool
	// Fits, where it is set, tells whether the contents of block a have room in
	// block b; else their coefficients and AtMost tell.
	Fits func(a, b int) bool
	// Alike allows only what is certain without any sum of sizes: blocks of one
	// size share where no time lies between them.
	Alike bool
}

// A Group is a set of blocks that share one.
type Group struct {
	Members []int // ascending
	// Leader is the member whose block stays: the fixed one, else that which is
	// allocated first.
	Leader int
	// At is the point before which the block is allocated: the leader's own, or
	// that of the statement around it in the region that all members have in
	// common, or in front of a loop.
	At int
	// Sizes are the members whose greatest size is the group's.
	Sizes []int
}

// A Cost is what a plan costs, under all samples together.
type Cost struct {
	Peak, Bytes int64
	Blocks      int
}

// Less orders costs: peak, bytes, blocks.
func (c Cost) Less(d Cost) bool {
	if c.Peak != d.Peak {
		return c.Peak < d.Peak
	}
	if c.Bytes != d.Bytes {
		return c.Bytes < d.Bytes
	}
	return c.Blocks < d.Blocks
}

// A Result is a plan.
type Result struct {
	Groups []Group // by leader's point, then number
	Before Cost    // each block alone
	After  Cost
	Exact  bool // no plan that is proven not to raise the peak costs less
}
