package interference

import (
	"fmt"
	"slices"

	"github.com/memc-lang/memc/analysis/liveness"
)

// Why is the kind of reason for which two blocks interfere.
type Why uint8

// The reasons.
const (
	// Live: at the point, the contents of both are needed.
	Live Why = iota
	// Caller: one of them belongs to the caller, which keeps its contents.
	Caller
	// Statement: they meet only in one statement or loop, but memc cannot prove that it reads every
	// byte of the one before it writes that byte for the other.
	Statement
	// Threads: one thread of a kernel may keep contents in one of them where another thread, at
	// another point of the kernel, works in the other.
	Threads
	// Iterations: two instances of one block, of different iterations of the loop that allocates
	// it, are needed at one time.
	Iterations
	// SameBlock: both are existential names that may stand for one block.
	SameBlock
)

func (w Why) String() string {
	return [...]string{"live", "caller", "statement", "threads", "iterations", "same-block"}[w]
}

// A Witness shows that two blocks interfere: a point, numbered as in package liveness, and an array
// of each block that is needed there. If no array of a block has a name there, A or B is the
// block's name.
type Witness struct {
	Point int
	A, B  string
	Why   Why
}

func (w Witness) String() string {
	switch w.Why {
	case Caller:
		return fmt.Sprintf("%s and %s meet at point %d, and the caller keeps the block of one", w.A, w.B, w.Point)
	case Statement:
		return fmt.Sprintf("%s and %s meet at point %d, where one may be written before the other is read for the last time", w.A, w.B, w.Point)
	case Threads:
		return fmt.Sprintf("different threads may use the same bytes for %s and %s at point %d", w.A, w.B, w.Point)
	case Iterations:
		return fmt.Sprintf("%s and %s meet at point %d, from different iterations", w.A, w.B, w.Point)
	case SameBlock:
		return fmt.Sprintf("both may be the block %s", w.A)
	}
	return fmt.Sprintf("%s and %s are both needed at point %d", w.A, w.B, w.Point)
}

// An Excuse says why a meeting of two blocks is harmless.
type Excuse struct {
	First, Second string // arrays: First is read before Second is written in the same place
	Reason        Reason
}

// Reason is the kind of proof.
type Reason uint8

// The reasons for excuses.
const (
	// InPlace: a copy from one to the other moves nothing if both are one block.
	InPlace Reason = iota
	// OwnElements: no thread or iteration writes elements that another still reads.
	OwnElements
)

func (r Reason) String() string { return [...]string{"in place", "own elements"}[r] }

func (e Excuse) String() string {
	if e.Reason == InPlace {
		return fmt.Sprintf("%s is used last where it is copied to %s, at the same place", e.First, e.Second)
	}
	return fmt.Sprintf("no element of %s is read after it is written as one of %s", e.First, e.Second)
}

// arrayAt returns an array of a holder that is live at a point, or else the holder's own name.
func (t *Table) arrayAt(h *holder, point int) string {
	for _, x := range h.arrays {
		if slices.ContainsFunc(t.live.Array(x), func(i liveness.Interval) bool { return i.From <= point && point <= i.To }) {
			return x
		}
	}
	if len(h.arrays) == 1 {
		return h.arrays[0] // a result that is not used
	}
	return h.name
}

// liveInto reports whether contents from before p are needed at p or later.
func liveInto(is []liveness.Interval, p int) bool {
	for _, i := range is {
		if i.From <= p && p <= i.To {
			return i.From < p || !i.Born
		}
	}
	return false
}
