package coalesce

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// insert puts the guards into the program.
func (s *state) insert() {
	var checks []*guarded
	for _, c := range s.candidates() {
		if k := s.checks[c.key()]; k != nil && !k.given && s.inPlace(c) {
			k.candidate = c
			checks = append(checks, k)
		}
	}
	if len(checks) == 0 || s.opt.skip["guard"] {
		return
	}
	slices.SortStableFunc(checks, func(a, b *guarded) int { return s.firstOf(a) - s.firstOf(b) })
	s.used = nil // guards that were only asked for took no names
	made := s.checksMade()
	before := map[*ir.Stmt][]*ir.Stmt{}
	bodies := map[*ir.Body]bool{}
	for _, c := range checks {
		at := s.firstOf(c)
		guards, r := s.guards(c.candidate, at)
		if r.refused() {
			panic("coalesce: the checks of `" + c.dst + "` cannot be made before its parts: " + r.Why)
		}
		for _, g := range guards {
			isMade := func(by checkMade) bool { return by.at < at && by.body.From <= at && at <= by.body.To }
			if slices.ContainsFunc(made[g.key], isMade) && !rules.Off("coalesce.checksMade") {
				continue
			}
			made[g.key] = append(made[g.key], checkMade{s.lv.Body(c.body), at - 1})
			next := s.outermost(c.body, at)
			before[next] = append(before[next], g.stmts...)
			bodies[c.body] = true
		}
	}
	for b := range bodies {
		var out []*ir.Stmt
		for _, st := range b.Stmts {
			out = append(append(out, before[st]...), st)
		}
		b.Stmts = out
	}
}

// A checkMade is made at a point, so behind it in the body.
type checkMade struct {
	body liveSpan
	at   int
}

// checksMade returns the checks that statements make, by the keys of guards.
func (s *state) checksMade() map[string][]checkMade {
	out := map[string][]checkMade{}
	var walk func(b *ir.Body)
	walk = func(b *ir.Body) {
		for _, st := range b.Stmts {
			key := ""
			switch op := st.Op.(type) {
			case *ir.Slice:
				key = s.sliceKey(op.X, op.Items, s.place(st.Pat[0].Name).Shape())
			case *ir.Update:
				if r, ok := op.Value.(*ir.Ref); ok && s.array(r.Name) {
					key = s.sliceKey(op.X, op.Items, s.place(r.Name).Shape())
				}
			case *ir.Assert:
				if sizes, ok := op.Sized(); ok && op.Size {
					key = s.sizeKey(sym.Of(sizes[0]))
				}
			}
			if key != "" {
				out[key] = append(out[key], checkMade{s.lv.Body(b), s.lv.Stmt(st).From})
			}
			for _, in := range ir.Bodies(st.Op) {
				walk(in)
			}
		}
	}
	walk(s.f.Body)
	return out
}

// sliceKey names the check of a slice of an array, or of an update, with an array of these sizes.
func (s *state) sliceKey(x string, items []ir.Item, sizes []sym.Poly) string {
	var out strings.Builder
	note := func(p sym.Poly) { fmt.Fprint(&out, s.closed.Of(p), ", ") }
	for k, n := range s.place(x).Shape() {
		note(n)
		it := items[k]
		if it.Fixed {
			note(sym.Of(it.Index))
			out.WriteString("; ")
			continue
		}
		note(sym.Of(it.Start))
		note(sym.Of(it.Len))
		note(sizes[0])
		sizes = sizes[1:]
		if it.Stride != nil {
			note(sym.Of(it.Stride))
		}
		out.WriteString("; ")
	}
	return out.String()
}

// sizeKey names the check that a size is not negative.
func (s *state) sizeKey(n sym.Poly) string { return fmt.Sprint("size ", s.closed.Of(n)) }
