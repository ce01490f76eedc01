package imp

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/memc-lang/memc/ir"
)

// Schedule writes how a program's work is divided: the launches and copies of each host function, under the
// conditions on which the host decides, and what each kernel is made of. Names are those of the source, where they
// have one. Nothing reads the text back.
//
//	main
//	  if n * m >= 2 * device_items
//	    launch main_c_reduce_staged: reduces `c`, several points at once, from local memory
//	      work-items  256 in each of across * down groups
//	      local       a_near: 8192 bytes
//	      barriers    2
//
// What is printed follows from the statements of the host and of the kernels. So no strategy can say that it does
// something, and not do it.
func Schedule(w io.Writer, p *Program) error {
	s := &schedule{dumper: dumper{w: bufio.NewWriter(w)}}
	for _, f := range p.Funcs {
		s.words = &spoken{source: p.source(), defined: map[string]ir.Exp{}}
		Each(f.Body, func(q *Query) { s.words.defined[q.Dst] = ir.Var("device_" + string(q.What)) })
		s.decides = deciding(f.Body)
		if runs(f.Body) {
			s.line("%s", f.Name)
			s.list(f.Body)
		}
	}
	return s.w.Flush()
}

type schedule struct {
	dumper
	words   *spoken
	decides map[string]bool
}

// deciding returns the names on which it depends what is launched, and by how many work-items.
func deciding(body []Stmt) map[string]bool {
	names := map[string]bool{}
	need := func(list ...ir.Exp) {
		for _, e := range list {
			if e != nil {
				ir.ExpNames(e, func(n string) { names[n] = true })
			}
		}
	}
	Each(body, func(i *If) {
		if runs([]Stmt{i}) {
			need(i.Cond)
		}
	})
	Each(body, func(f *For) {
		if runs(f.Body) {
			need(f.Bound)
		}
	})
	Each(body, func(l *Launch) { need(l.Groups, l.Size) })
	var sets []*Set
	Each(body, func(t *Set) { sets = append(sets, t) })
	for before := -1; before < len(names); {
		before = len(names)
		for _, t := range slices.Backward(sets) {
			if names[t.Dst] {
				need(t.E)
			}
		}
	}
	return names
}

// runs reports whether statements of the host launch or copy something, or call what may.
func runs(list []Stmt) bool {
	found := false
	Each(list, func(*Launch) { found = true })
	Each(list, func(*Copy) { found = true })
	Each(list, func(*Call) { found = true })
	return found
}

// temporary matches the end that makes a name of the lowering differ from those of the source.
var temporary = regexp.MustCompile(`([a-z])_(\d+_)?\b`)

// say returns an expression in the source's words.
func (s *schedule) say(e ir.Exp) string { return temporary.ReplaceAllString(s.words.text(e), "$1") }

func (s *schedule) list(list []Stmt) {
	s.depth++
	defer func() { s.depth-- }()
	for _, st := range list {
		switch st := st.(type) {
		case *Set:
			s.set(st)
			continue
		}
		if !runs([]Stmt{st}) {
			continue
		}
		switch st := st.(type) {
		case *If:
			s.choice(st)
		case *For:
			s.line("for %s < %s", s.say(ir.Var(st.Var)), s.say(st.Bound))
			s.list(st.Body)
		case *While:
			s.line("while %s", s.say(st.Cond))
			s.list(st.Body)
		case *Call:
			s.line("call %s", st.Func.Name)
		case *Copy:
			s.line("copy %d bytes each of %s", st.Prim.Size(), s.product(st.Shape))
		case *Launch:
			s.launch(st)
		}
	}
}

// set writes the value of a name that decides, unless the source says it.
func (s *schedule) set(t *Set) {
	_, literal := t.E.(*ir.Lit)
	if s.decides[t.Dst] && s.words.source[t.Dst] == "" && !literal {
		s.line("%s = %s", s.say(ir.Var(t.Dst)), s.say(t.E))
	}
}

// choice writes an if, and a chain of them on one level.
func (s *schedule) choice(i *If) {
	if !runs(i.Then) {
		s.line("if not %s", s.say(i.Cond))
		s.list(i.Else)
		return
	}
	s.line("if %s", s.say(i.Cond))
	s.list(i.Then)
	if runs(i.Else) {
		s.line("else")
		s.list(i.Else)
	}
}

func (s *schedule) product(shape []ir.Exp) string {
	if len(shape) == 0 {
		return "1"
	}
	out := make([]string, len(shape))
	for k, e := range shape {
		out[k] = s.say(e)
	}
	return strings.Join(out, " by ")
}

func (s *schedule) launch(l *Launch) {
	k := l.Kernel
	s.line("launch %s: %s", k.Name, k.Doc)
	s.depth++
	defer func() { s.depth-- }()
	size := fmt.Sprint(GroupSize)
	if l.Size != nil {
		size = s.say(l.Size)
	}
	s.line("work-items  %s in each of %s groups", size, s.say(l.Groups))
	for _, x := range k.Locals {
		s.line("local       %s: %d bytes", temporary.ReplaceAllString(x.Name, "$1"), int64(x.Len)*x.Prim.Size())
	}
	for n, x := range k.Params {
		if x.Local {
			s.line("local       the group's arrays: %s bytes", s.say(l.Args[n].E))
		}
	}
	for _, r := range k.Rooms {
		s.line("private     %s: %d bytes", temporary.ReplaceAllString(r.Name, "$1"), r.Bytes)
	}
	s.parts(k.Body)
}

// parts writes what the body of a kernel is made of, as far as it is there.
func (s *schedule) parts(body []Stmt) {
	moves := map[string]int{}
	Each(body, func(m *Move) {
		who := "a work-item"
		if m.Group {
			who = "the group"
		}
		what := "reads"
		if m.Store {
			what = "writes"
		}
		moves[fmt.Sprintf("%s %s %d neighbours of %d bytes at once", who, what, m.Len, m.Prim.Size())]++
	})
	for _, text := range slices.Sorted(maps.Keys(moves)) {
		s.count("moves       "+text+", in %s", moves[text])
	}
	var turns, unrolled, barriers, follows, atomics, locks, checks int
	Each(body, func(f *For) {
		if f.Each > 0 {
			turns++
		} else if f.Whole || f.Unroll || f.Waves {
			unrolled++
		}
	})
	Each(body, func(*Barrier) { barriers++ })
	Each(body, func(*Await) { follows++ })
	Each(body, func(a *Atomic) {
		atomics++
		if a.Lock != "" {
			locks++
		}
	})
	Each(body, func(*Check) { checks++ })
	s.count("turns       several of a loop for each work-item, in %s", turns)
	s.count("unrolled    loops in %s", unrolled)
	s.count("barriers    in %s", barriers)
	s.count("waits       for groups that began before, in %s", follows)
	s.count("atomics     in %s", atomics)
	s.count("locks       in %s, on devices that need them", locks)
	s.count("checks      in %s", checks)
}

// count writes in how many places of the text something is, if in any.
func (s *schedule) count(format string, n int) {
	switch n {
	case 0:
	case 1:
		s.line(format, "one place")
	default:
		s.line(format, fmt.Sprintf("%d places", n))
	}
}
