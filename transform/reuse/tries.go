package reuse

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/reuse/plan"
)

// Note [Rewrites on trial]
//
// A loop that takes the block of another value, or one that waits behind a loop, allocates fewer blocks. But the planner may
// have found more for these blocks: arrays before the loop, or blocks of other loops. So memc plans without and with such
// rewrites, and keeps them if the plan is better.

// tries makes rewrites on trial, and returns the state of the function after those that it keeps.
func (s *state) tries(open func(*transform.Context) *state) *state {
	var saved *ir.Func
	var before plan.Cost
	trial := s.trial()
	first := func() {
		if saved == nil {
			before, saved = plan.Solve(s.problem()).After, ir.SnapshotFunc(s.f)
		}
	}
	last := s.rewrites(open, trial, first)
	if saved == nil {
		return s
	}
	better := plan.Solve(last.problem()).After.Less(before)
	if better && s.context.Limit == transform.Unlimited {
		s.context.Take(trial)
		last.context = s.context
		return last
	}
	*s.f = *saved
	s.known.restored(s.f)
	if better { // the choice must not depend on the limit
		return open(s.context).rewrites(open, s.context, func() {})
	}
	return open(s.context)
}

// trial returns a context for rewrites that are perhaps not kept.
func (s *state) trial() *transform.Context {
	c := transform.NewContext(s.context.Pass, nil, transform.Unlimited)
	if s.context.Remarks != nil {
		c.Remarks = &diag.List{File: s.prog.File}
	}
	return c
}

// rewrites makes all rewrites, those on trial among them; it calls first before each of these.
func (s *state) rewrites(open func(*transform.Context) *state, c *transform.Context, first func()) *state {
	next := s
	for {
		at := *next
		at.context, at.trying = c, first
		if !at.takeBlocks() && !at.passBlocks() && !(next != s && at.fillWaiting()) {
			return next
		}
		s.known.changed(s.f)
		next = open(c)
	}
}
