package explain

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/memc-lang/memc/analysis/arena"
	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/ir"
)

// WriteGroups tells of every kernel of groups what its blocks take, which of them share a
// place in the arena and why, and where its threads meet.
func (x *Explanation) WriteGroups(w io.Writer) {
	var out strings.Builder
	arenas, some := arena.New(x.final), false
	for _, f := range x.final.Funcs {
		ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
			if op, ok := s.Op.(*ir.Map); ok && ir.IsGroups(op) {
				some = true
				g := &grouped{x, &out, f, arenas.Barriers()}
				if i := slices.IndexFunc(x.lone, func(l imp.Lone) bool { return l.Span == s.Span }); i >= 0 {
					fmt.Fprintf(&out, "%s: groups of `%s`, %s\n  %s\n", f.Name, s.Pat[0].Name, g.at(s), x.lone[i].Why())
					return true
				}
				g.arena(s, arenas.Of(f, op))
				g.meetings(s, op.Body)
			}
			return true
		})
	}
	if !some {
		fmt.Fprintln(&out, "no kernel of groups")
	}
	io.WriteString(w, x.shown(out.String()))
}

type grouped struct {
	*Explanation
	w        io.Writer
	f        *ir.Func
	barriers *arena.Barriers
}

// at returns the source line of a statement.
func (g *grouped) at(s *ir.Stmt) string {
	line := 0
	if len(s.Pat) > 0 {
		line = g.lines[g.f.Name][s.Pat[0].Name]
	}
	if line == 0 && s.Span.Known() && g.final.File != nil {
		line, _ = g.final.File.Position(s.Span.Start)
	}
	return fmt.Sprintf("line %d", line)
}

func (g *grouped) arena(s *ir.Stmt, l *arena.Layout) {
	name := s.Pat[0].Name
	fmt.Fprintf(g.w, "%s: groups of `%s`, %s\n", g.f.Name, name, g.at(s))
	for _, r := range g.Functions {
		for _, k := range r.Groups {
			if r.Name == g.f.Name && k.Kernel == name && len(l.Blocks) > 0 {
				fmt.Fprintf(g.w, "  %s bytes as allocated, %s in the arena, plan bound %s%s\n", k.Before, k.After, k.Lower, k.Fits())
			}
		}
	}
	for i := range l.Blocks {
		b := &l.Blocks[i]
		place := fmt.Sprintf("slot %d", b.Slot)
		if l.Fixed {
			place = fmt.Sprintf("byte %d", b.Offset)
		}
		fmt.Fprintf(g.w, "  %s: `%s`, %s bytes, for %s; %s\n", place, b.Name, ir.ExpString(b.Size), g.arrays(s, b.Name), g.needed(s, b))
		for j := range i {
			o := &l.Blocks[j]
			switch common := l.Common(i, j); {
			case l.Overlap(i, j) && b.Turns == o.Name || o.Turns == b.Name:
				fmt.Fprintf(g.w, "    lies where `%s` lies: a loop's array takes turns in them\n", o.Name)
			case l.Overlap(i, j):
				fmt.Fprintf(g.w, "    lies where `%s` lies: they are never needed at the same time\n", o.Name)
			case common != nil:
				fmt.Fprintf(g.w, "    lies apart from `%s`: both are needed at %s\n", o.Name, g.at(common))
			}
		}
	}
}

// arrays lists the arrays in a block.
func (g *grouped) arrays(kernel *ir.Stmt, block string) string {
	var names []string
	ir.WalkStmts(ir.KernelBody(kernel.Op), func(s *ir.Stmt) bool {
		for _, e := range s.Pat {
			if e.Type.Place != nil && e.Type.Place.Mem == block {
				names = append(names, "`"+e.Name+"`")
			}
		}
		return true
	})
	if len(names) == 0 {
		return "arrays that are there in turns"
	}
	return strings.Join(slices.Compact(names), ", ")
}

func (g *grouped) needed(kernel *ir.Stmt, b *arena.Block) string {
	if b.First == nil {
		return "never needed"
	}
	switch first, last := g.at(b.First), g.at(b.Last); {
	case b.Last == kernel:
		return "needed from " + first + " to the end"
	case first == last:
		return "needed at " + first
	default:
		return "needed from " + first + " to " + last
	}
}

// meetings lists the barriers of a kernel of groups.
func (g *grouped) meetings(kernel *ir.Stmt, body *ir.Body) {
	var lines []string
	spared := 0
	tell := func(where string, m *arena.Meeting) {
		if m == nil {
			return
		}
		why := string(m.Why)
		switch {
		case m.Why == arena.Elements && m.First == m.Second:
			why = fmt.Sprintf("a thread writes an element of `%s` that another one touches", m.First)
		case m.Why == arena.Elements:
			why = fmt.Sprintf("a thread has elements of `%s` where another one has elements of `%s`", m.Second, m.First)
		case m.Why == arena.Overlap:
			why = fmt.Sprintf("`%s` lies where `%s` lies in the arena", m.Second, m.First)
		}
		lines = append(lines, "    "+where+": "+why)
	}
	var within func(b *ir.Body)
	within = func(b *ir.Body) {
		for _, s := range b.Stmts {
			what := g.at(s)
			if len(s.Pat) > 0 {
				what += ", `" + s.Pat[0].Name + "`"
			}
			tell("before "+what, g.barriers.Before(s))
			tell("within "+what, g.barriers.Within(s))
			if slices.Contains(g.barriers.Spared, s) {
				spared++
			}
			for _, in := range ir.Bodies(s.Op) {
				if _, kernel := ir.KernelSpace(s.Op); !kernel {
					within(in)
					tell("at the end of the body of "+what, g.barriers.AtEnd(in))
				}
			}
		}
	}
	within(body)
	tell("before the results are copied", g.barriers.AtEnd(body))
	tell("behind what the results read", g.barriers.Within(kernel))
	fmt.Fprintf(g.w, "  threads meet at %d places, and not at %d more where they touch other elements\n", len(lines), spared)
	for _, l := range lines {
		fmt.Fprintln(g.w, l)
	}
}
