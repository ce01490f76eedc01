package hoist

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/transform"
)

// Lower is the pass that moves allocations down.
var Lower = &transform.Pass{
	Name: "lower",
	Doc:  "Move allocations down to just before the first statement that needs them.",
	After: []transform.Constraint{
		{Pass: "explicit", Reason: "it moves the allocations that `explicit` makes"},
		{Pass: "lift", Reason: "it undoes the moves of `lift` that no pass used"},
		{Pass: "coalesce", Reason: "coalescing needs blocks above the arrays that move into them"},
	},
	Run: func(p *ir.Program, c *transform.Context) error {
		for _, f := range p.Funcs {
			if ir.IsExplicit(f) {
				lower(f.Body, c)
			}
		}
		return nil
	},
}

// lower moves the allocations of a body, and the other names of blocks, from the last to the first:
// then the first statement that needs a block is already known. It drops unused other names.
// Statements are numbered in their original order; the body's results come after the last.
func lower(b *ir.Body, c *transform.Context) {
	for _, s := range b.Stmts {
		for _, in := range ir.Bodies(s.Op) {
			lower(in, c)
		}
	}
	end := len(b.Stmts)
	first := map[string]int{} // of each block, the first statement that needs it; end for the result, end + 1 for none
	for _, s := range b.Stmts {
		if namesBlock(s) {
			first[s.Pat[0].Name] = end + 1
		}
	}
	needs := func(n string, at int) {
		if f, block := first[n]; block && at < f {
			first[n] = at
		}
	}
	for _, e := range b.Result {
		ir.ExpNames(e, func(n string) { needs(n, end) })
	}
	before := make([][]*ir.Stmt, end+1) // a statement and the ones to put before it, the last first
	stays, moved := end, false          // the next that neither moved nor stands before its user
	for k := end - 1; k >= 0; k-- {
		s, at, stands := b.Stmts[k], k, false
		if namesBlock(s) {
			user := first[s.Pat[0].Name]
			ok := user <= end
			if _, alias := s.Op.(*ir.Alias); alias && !ok && !rules.Off("hoist.dropped") && c.Rewrite(s.Span, "`%s` is dropped: nothing lies there", s.Pat[0].Name) {
				moved = true // and so does not hold the block's alloc up here
				continue
			}
			stands = ok && user <= stays
			if ok && !stands && c.Rewrite(s.Span, "`%s` is moved down", s.Pat[0].Name) {
				at, moved = user, true
			}
		}
		if at == k && !stands {
			stays = k
		}
		before[at] = append(before[at], s)
		ir.StmtUses(s, func(n string) { needs(n, at) })
	}
	if !moved {
		return
	}
	b.Stmts = nil
	for _, all := range before {
		slices.Reverse(all)
		b.Stmts = append(b.Stmts, all...)
	}
}

// namesBlock reports whether a statement allocates a block, or gives one another name.
func namesBlock(s *ir.Stmt) bool {
	switch s.Op.(type) {
	case *ir.Alloc:
		return true
	case *ir.Alias:
		return s.Pat[0].Type.Kind == ir.MemKind
	}
	return false
}
