package inline

import (
	"fmt"
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/inline"
	"github.com/memc-lang/memc/transform"
)

// The bounds of what inlining may cost, in statements.
const (
	// small: a function of so many statements is inlined even if only scalars cross its calls. Its body
	// costs about as much text as its call, its parameters and the checks of its sizes.
	small = 12
	// A program may become so many times as long, ..
	growth = 4
	// .. and a short one may in any case grow by so many statements.
	allowance = 2_000
)

// A census describes the functions of a program.
type census struct {
	order []*tally // callees first
	of    map[string]*tally
	size  int // statements of the program as it will be
	bound int // that size must not exceed
}

// A tally describes a function.
type tally struct {
	f        *ir.Func
	explicit bool
	size     int     // statements, and values that cross a call
	sites    []*site // the calls in it
	stays    bool    // an entry, or a call that stays, needs it, or none did before
	idle     bool    // entries call other functions only
	calls    int     // of it, in the program as it will be: those that could be inlined
	copies   int     // how often its body will occur
	chosen   bool    // its calls are inlined
	carries  bool    // a loop of its host part, or of a function that it calls, carries arrays
	looped   bool    // it is called in a loop
}

// A site is a call in the text.
type site struct {
	s      *ir.Stmt
	callee *tally
}

// take counts.
func take(p *ir.Program) *census {
	n := &census{of: map[string]*tally{}}
	reached := inline.FromEntries(p)
	for _, f := range transform.CalleesFirst(p) {
		t := &tally{f: f, explicit: ir.IsExplicit(f), stays: f.Entry || !reached[f], idle: len(reached) > 0 && !reached[f]}
		t.size = len(f.Params) + len(f.Results)
		n.body(t, f.Body, false)
		n.of[f.Name] = t
		n.order = append(n.order, t)
		n.size += t.size
	}
	n.bound = max(growth*n.size, n.size+allowance)
	return n
}

// body counts the statements of a body.
func (n *census) body(t *tally, b *ir.Body, looped bool) {
	for _, s := range b.Stmts {
		t.size++
		inner := looped
		switch op := s.Op.(type) {
		case *ir.Call:
			g := n.of[op.Fn]
			g.looped, t.carries = g.looped || looped, t.carries || g.carries
			t.sites = append(t.sites, &site{s, g})
		case *ir.Loop:
			inner = true
			t.carries = t.carries || slices.ContainsFunc(s.Pat, func(e *ir.Elem) bool { return e.Type.Kind == ir.ArrayKind })
		}
		kernel := ir.IsKernel(s.Op)
		for _, in := range ir.Bodies(s.Op) {
			carries := t.carries
			n.body(t, in, inner)
			t.carries = carries || t.carries && !kernel
		}
	}
}

// decide chooses the functions whose calls are inlined, and tells why not the others.
func (n *census) decide(c *transform.Context) {
	for _, t := range slices.Backward(n.order) {
		n.choose(t)
		for _, s := range t.sites {
			if why := refusal(t, s.callee); why != "" {
				s.callee.stays = true
				c.Remark(s.s.Span, "%s", why)
			} else {
				s.callee.calls += t.copies
				s.callee.looped = s.callee.looped || t.chosen && t.looped
			}
		}
	}
	for _, t := range n.order {
		for _, s := range t.sites {
			if !s.callee.chosen && refusal(t, s.callee) == "" {
				c.Remark(s.s.Span, "%s", n.reason(s.callee))
			}
		}
	}
}

// choose decides upon a function whose callers have been decided upon.
func (n *census) choose(t *tally) {
	copies := t.calls
	if t.stays {
		copies++
	}
	size := n.size + (copies-1)*t.size
	t.chosen = t.calls > 0 && (copies == 1 || cheap(t) && size <= n.bound)
	// The blocks of a loop that carries arrays take turns. Where a call ends, they are free; within
	// another loop, or beside each other, they find less to share.
	if t.carries && (copies > 1 || t.looped) {
		t.chosen = false
	}
	t.copies = 1
	if t.chosen {
		t.copies, n.size = copies, size
	}
}

// cheap reports whether inlining a function is worth more text.
func cheap(t *tally) bool { return t.size <= small || arraysCross(t.f) }

// arraysCross reports whether a call of the function takes or returns arrays.
func arraysCross(f *ir.Func) bool {
	return slices.ContainsFunc(f.Params, func(e *ir.Elem) bool { return e.Type.Kind == ir.ArrayKind }) ||
		slices.ContainsFunc(f.Results, func(r ir.Result) bool { return r.Type.Kind == ir.ArrayKind })
}

// reason tells why a function that could be inlined is not.
func (n *census) reason(t *tally) string {
	switch {
	case t.carries:
		return fmt.Sprintf("[loop] a loop in `%s` carries arrays, whose blocks are free after the call", t.f.Name)
	case !cheap(t):
		return fmt.Sprintf("[size] `%s` has %d statements, and only scalars cross its calls", t.f.Name, t.size)
	}
	return fmt.Sprintf("[size] `%s` has %d statements, and the program would become too long", t.f.Name, t.size)
}

// refusal tells why calls of g cannot be inlined in f, or "".
func refusal(f, g *tally) string {
	switch {
	case g.explicit:
		return "[explicit] `" + g.f.Name + "` says where its arrays live"
	case f.explicit:
		return "[explicit] `" + f.f.Name + "`, which calls `" + g.f.Name + "`, says where its arrays live"
	case f.idle:
		return "[size] `" + g.f.Name + "` would only make `" + f.f.Name + "` longer, which no entry needs"
	case f.f.Contract != g.f.Contract:
		return "[rounding] only one of `" + f.f.Name + "` and `" + g.f.Name + "` may round x * y + z once"
	}
	return ""
}
