// Package annotate writes the facts of the analyses into a program as trailing comments.
// Its output parses to the same program.
//
//	let ys: [n]i32 @ m_ys = map (i < n) { in xs[i] }  -- last use: xs; live: m_ys
//
// The facts of a statement stand at its end, those of the end and the beginning of a body
// on the line of its values, and the interference of a block at its alloc. The package
// knows the analyses and no transformation.
package annotate

import (
	"fmt"
	"strings"

	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/interference"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/ir"
)

// Kinds are the facts that can be asked for.
var Kinds = []string{"alias", "lastuse", "live", "interference"}

// shown bounds the names of one list.
const shown = 8

// Program returns a copy of an elaborated program with the facts of some kinds.
func Program(p *ir.Program, kinds []string) *ir.Program {
	p = ir.CloneProgram(p)
	a := aliases.Analyze(p)
	l := liveness.Analyze(p, a)
	want := map[string]bool{}
	for _, k := range kinds {
		want[k] = true
	}
	var i *interference.Program
	if want["interference"] {
		i = interference.Analyze(p, a, l)
	}
	for _, f := range p.Funcs {
		w := &writer{a: a.Func(f.Name), l: l.Func(f.Name), want: want}
		if i != nil {
			w.i = i.Func(f.Name)
		}
		if want["live"] {
			w.live = make([]string, len(w.l.Points))
			w.l.Sweep(func(p int, live []string) { w.live[p] = list(live, len(live) > shown) })
		}
		w.body(f.Body)
	}
	return p
}

type writer struct {
	a    *aliases.Table
	l    *liveness.Table
	want map[string]bool
	live []string // at each point
	i    *interference.Table
}

func (w *writer) body(b *ir.Body) {
	for _, s := range b.Stmts {
		for _, inner := range ir.Bodies(s.Op) {
			w.body(inner)
		}
		span := w.l.Stmt(s)
		var facts []string
		if w.want["alias"] {
			facts = append(facts, w.aliases(s)...)
		}
		if w.want["lastuse"] {
			facts = append(facts, w.last("last use", "dying", span.From)...)
			if span.To != span.From {
				facts = append(facts, w.last("last use within", "dying", span.To)...)
			}
		}
		if w.want["live"] && w.live[span.To+1] != "" {
			facts = append(facts, "live: "+w.live[span.To+1])
		}
		if _, alloc := s.Op.(*ir.Alloc); alloc && w.i != nil {
			if names := w.i.Neighbours(s.Pat[0].Name); len(names) > 0 {
				facts = append(facts, "interferes: "+list(names, len(names) > shown))
			}
		}
		s.Trail = trail(s.Trail, facts)
	}
	span := w.l.Body(b)
	var facts []string
	if w.want["lastuse"] {
		facts = append(facts, w.last("dead on entry", "blocks dead on entry", span.From)...)
		facts = append(facts, w.last("last use", "dying", span.To)...)
	}
	b.Trail = trail(b.Trail, facts)
}

// last tells of the arrays used last at a point, and of the blocks that die.
func (w *writer) last(arrays, blocks string, p int) []string {
	var out []string
	if names := w.l.LastUses(p); len(names) > 0 {
		out = append(out, arrays+": "+list(names, len(names) > shown))
	}
	if names := w.l.Dying(p); len(names) > 0 {
		out = append(out, blocks+": "+list(names, len(names) > shown))
	}
	return out
}

// aliases tells of the names that a statement binds and that stand for others.
func (w *writer) aliases(s *ir.Stmt) []string {
	elems := s.Pat
	if loop, ok := s.Op.(*ir.Loop); ok {
		elems = nil
		for _, p := range loop.Params {
			elems = append(elems, p.Elem)
		}
		elems = append(elems, s.Pat...)
	}
	var out []string
	for _, e := range elems {
		switch e.Type.Kind {
		case ir.ArrayKind:
			if names, more := w.a.OriginsUpTo(e.Name, shown); len(names) != 1 || names[0] != e.Name {
				out = append(out, e.Name+" of "+list(names, more))
			}
			if p := e.Type.Place; p != nil && p.Exist && w.a.Existential(p.Mem) {
				out = append(out, w.block(p.Mem))
			}
		case ir.MemKind:
			if w.a.Existential(e.Name) {
				out = append(out, w.block(e.Name))
			}
		}
	}
	return out
}

func (w *writer) block(m string) string {
	names, more := w.a.BlocksUpTo(m, shown)
	return m + " is " + list(names, more)
}

// list joins names, at most shown of them.
func list(names []string, more bool) string {
	if more {
		names = names[:min(shown, len(names))]
	}
	s := strings.Join(names, ", ")
	if more {
		s += ", ..."
	}
	return s
}

func trail(old string, facts []string) string {
	if len(facts) == 0 {
		return old
	}
	if old = strings.TrimRight(old, " "); old != "" {
		old += " |"
	}
	return fmt.Sprintf("%s %s", old, strings.Join(facts, "; "))
}
