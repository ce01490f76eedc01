package hoist

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/transform"
)

// Lower is the pass that moves allocations down.
var Lower = &transform.Pass{
	Name: "lower",
	Doc:  "Move allocations down to just before the first statement that needs them.",
	After: []transform.Constraint{
		{Pass: "explicit", Reason: "it moves the allocations that `explicit` makes"},
		{Pass: "lift", Reason: "it undoes what `lift` did and nobody made use of"},
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

// lower moves the allocations of a body, from the last to the first: what an
// allocation's block is first needed by is known when it is met.
func lower(b *ir.Body, c *transform.Context) {
	for _, s := range b.Stmts {
		for _, in := range ir.Bodies(s.Op) {
			lower(in, c)
		}
	}
	first := map[string]*ir.Stmt{}
	before := map[*ir.Stmt][]*ir.Stmt{}
	var stay []*ir.Stmt
	for k := len(b.Stmts) - 1; k >= 0; k-- {
		s := b.Stmts[k]
		uses(s, func(n string) { first[n] = s })
		if _, ok := s.Op.(*ir.Alloc); ok {
			// What follows is this allocation's first user, or another allocation
			// that goes there, too.
			user := first[s.Pat[0].Name]
			if user != nil && (k+1 >= len(b.Stmts) || !together(b.Stmts[k+1:], user)) &&
				c.Rewrite(s.Span, "`%s` is moved down", s.Pat[0].Name) {
				before[user] = append(before[user], s)
				continue
			}
		}
		stay = append(stay, s)
	}
	if len(before) == 0 {
		return
	}
	var out []*ir.Stmt
	for k := len(stay) - 1; k >= 0; k-- {
		s := stay[k]
		moved := before[s]
		for j := len(moved) - 1; j >= 0; j-- {
			out = append(out, moved[j])
		}
		out = append(out, s)
	}
	b.Stmts = out
}

// together tells whether only allocations stand before user.
func together(rest []*ir.Stmt, user *ir.Stmt) bool {
	for _, s := range rest {
		if s == user {
			return true
		}
		if _, ok := s.Op.(*ir.Alloc); !ok {
			return false
		}
	}
	return false
}
