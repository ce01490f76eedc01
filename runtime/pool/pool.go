package pool

import (
	"errors"
	"fmt"
	"unsafe"
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

// A Source makes and takes back buffers. Create gives an error that wraps
// ErrNoMemory where there is no room. Finish waits until released buffers are
// really gone.
type Source interface {
	Create(bytes int64) (any, error)
	Release(buf any)
	Finish() error
}

// Options of a pool. Zero values mean: no limit, any size, 65,536 requests.
type Options struct {
	Policy   Policy
	Limit    int64 // bytes in blocks at most, as asked; and held, to within Slack
	MaxAlloc int64 // bytes of the largest buffer that the pool asks for with room for growth
	IdleFor  int64 // requests after which an idle buffer goes; region only
}

const (
	// Grain is the alignment of blocks of regions: one coalesced access of a GPU's
	// warp at 8 bytes a thread.
	Grain = 256
	// Slack is by how much rounding may exceed the limit, and the smallest buffer
	// of policy region.
	Slack = 16 << 10
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

// A Block is a range of a buffer. It belongs to whoever got it until it is put
// back.
type Block interface {
	Buffer() any           // the Source's buffer
	BufferID() int64       // numbers the buffers, in the order of creation
	Offset() int64         // of the block in its buffer, in bytes
	Size() int64           // after rounding
	Kind() Kind            // how the request was served
	Range() unsafe.Pointer // the struct memc_range of C
}

// A Pool places blocks. New makes one.
type Pool interface {
	Policy() Policy
	// Get returns a block of at least asked bytes (0 is allowed). The tag says which
	// allocation site asks. An error wraps ErrNoMemory where there is no room.
	Get(asked int64, tag int) (Block, error)
	// Put takes a block back. It must not be used any more.
	Put(b Block)
	// Turn tells that a call of a program begins.
	Turn()
	// Forget tells that no request will come with this tag any more.
	Forget(tag int)
	// Trim hands all idle buffers back.
	Trim()
	// Reserve takes bytes off the limit, for memory that others have; a negative
	// number gives them back.
	Reserve(bytes int64)
	// Close hands all buffers back, those with blocks in use too. The pool gives no block any more.
	Close()
	// Stats returns the statistics so far, and Counts all but LargestFree, in no time.
	Stats() Stats
	Counts() Stats
	// ResetPeaks lets the peaks start anew at what there is now. It changes no
	// decision.
	ResetPeaks()
	// Live lists the blocks in use, the largest first, and the oldest first among equals.
	Live() []Live
	// Why tells why a block of that size, the last that was asked for, found no room; holes is what is
	// held and free, and why that does not help, or "" if no byte is free or no hole could help.
	Why(bytes int64) (why, holes string)
}

// A Live is a block in use.
type Live struct {
	Bytes int64 // as asked
	Tag   int
	born  int64 // by which request
}
