package plan

import "github.com/memc-lang/memc/analysis/peak/held"

// The terms of the account that all passes share.
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
	// Handed, if it is not 0, is the first point at which a parameter of a loop holds it, up to
	// Last: in the first iteration only.
	Handed int
	// Known is the earliest point at which its size can be computed.
	Known int
	// Within is the outermost region in which it may be allocated. A block that outlives an
	// iteration of a loop must be allocated anew in each one.
	Within int
	Size   Vec
	Sample []int64 // the size under sampled values, not negative
	// Fixed blocks come from elsewhere, at Alloc. They cannot grow; they may take blocks that fit
	// and are allocated later.
	Fixed bool
	// Rigid blocks are handed out, and must not become larger. They take other blocks that fit.
	// They share with a fixed block only if that is lent and has their size.
	Rigid bool
	Lent  bool // of a fixed block: a rigid one may take it
	// Work, if it is not 0, numbers the kernel that alone uses the block, each thread a part of it
	// (analysis/workers). By itself the block only needs Size bytes, for the threads that run at once, but
	// among blocks of other kinds it needs room for all threads, as Fits compares it. So it shares with
	// blocks of the same kernel, or lies in one that has this room. Tied: only with the former.
	Work int
	Tied bool
	// Carried blocks are allocated in a loop, and a later iteration may hold an instance: two
	// holders that keep the block may keep two instances.
	Carried bool
	// Pinned blocks share with nobody, and count in sums only.
	Pinned bool
}

// A Problem is the input of the planner.
type Problem struct {
	Regions   []Region
	Blocks    []Block
	Holders   []Holder
	Conflicts [][]int // per block those that it may not share with; symmetric
	// Lives, if set, replaces Conflicts: blocks conflict if these overlap. It is for problems with
	// too many conflicts to list.
	Lives []Span
	// AtMost, if set, proves more cases of a <= b than coefficients do.
	AtMost func(a, b Vec) bool
	// Fits, if set, reports whether the contents of block a have room in block b. Otherwise
	// coefficients and AtMost decide.
	Fits func(a, b int) bool
	// Alike allows only sharing that is safe without sums of sizes: blocks of one size, without a
	// gap between them.
	Alike bool
}

// A Group is a set of blocks that share one.
type Group struct {
	Members []int // ascending
	// Leader is the member whose block stays: the fixed one, or else the one that is allocated
	// first.
	Leader int
	// At is the point before which the block is allocated: the leader's own, or that of the
	// statement around it in the innermost region around all members, or a point before a loop.
	At int
	// Sizes are the members whose greatest size is the group's.
	Sizes []int
}

// A Cost is the cost of a plan, under all samples together.
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
