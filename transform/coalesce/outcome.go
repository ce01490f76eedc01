package coalesce

import (
	"maps"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/transform"
)

// An alternative is the difference between an attempt and the first one.
type alternative struct {
	without refusals // moves and motions that are not made, and why not
	starts  set      // loop parameters whose initial values are copied
}

type set map[string]bool

// refusals are of moves and motions, by key.
type refusals map[string]refusal

// and returns the refusals of both.
func (r refusals) and(more refusals) refusals {
	out := refusals{}
	maps.Copy(out, r)
	maps.Copy(out, more)
	return out
}

// An attempt is a copy of the function, as it is after the moves that were made.
type attempt struct {
	alternative
	f       *ir.Func
	context *transform.Context
	cost    func() cost // asked for only where there is another attempt
	made    []takenMove
	missed  []missed
	refused []refused
	begins  []string        // see begins
	motions map[string]bool // that were made
	checks  set             // copies, by key, whose checks precede what is made in their places
	idle    refusals        // those that came to nothing, and why the candidates were refused nevertheless
}

func newAttempt(f *ir.Func, c *transform.Context, alt alternative) *attempt {
	return &attempt{
		alternative: alt, f: f, context: c, motions: map[string]bool{},
		checks: set{},
	}
}

// A taken move is one that was made.
type takenMove struct {
	kind    kind
	key     string
	saved   int64
	members []member
}

// A refused candidate, with the bytes that it would have saved.
type refused struct {
	src, dst string
	saved    int64
}

// key names a candidate in all attempts at a function.
func (c *candidate) key() string { return string(c.kind) + " " + c.src + " " + c.dst }

// A missed candidate was refused.
type missed struct {
	*candidate
	refusal
}

// A cost compares attempts.
type cost struct {
	copied, allocated int64 // bytes, under sampleSize
	blocks            int
}

func (c cost) less(d cost) bool {
	switch {
	case c.copied != d.copied:
		return c.copied < d.copied
	case c.allocated != d.allocated:
		return c.allocated < d.allocated
	}
	return c.blocks < d.blocks
}
