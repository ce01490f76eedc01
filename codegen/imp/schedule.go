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

// Schedule writes how a program's work is divided: the launches and copies of each host function, the conditions and
// numbers on which they depend, and what each kernel is made of. Names are those of the source, where they have one.
// Nothing reads the text back.
//
//	main
//	  if n * m >= 2 * device_items
//	    launch main_c_reduce_staged: reduces `c`, several points at once, from local memory
//	      work-items  256 in each of across * down groups
//	      local       a_near: 8192 bytes
//	      barriers    in 2 places
//
// What is printed follows from the statements of the host and of the kernels. So no strategy can say that it does
// something, and not do it.
func Schedule(w io.Writer, p *Program) error {
	s := &schedule{dumper: dumper{w: bufio.NewWriter(w)}, tasks: p.Tasks, written: map[string]bool{}}
	for _, name := range p.source() {
		s.written[name] = true
	}
	for _, f := range p.Funcs {
		s.speak(p, f)
		s.shown, s.decides = map[Stmt]bool{}, map[string]bool{}
		for before := -1; before < len(s.decides); { // more than twice if iterations depend on earlier ones
			before = len(s.decides)
			s.show(f.Body)
		}
		if slices.ContainsFunc(f.Body, func(st Stmt) bool { return s.shown[st] }) {
			s.line("%s", f.Name)
			s.list(f.Body)
		}
	}
	return s.w.Flush()
}

type schedule struct {
	dumper
	words   *spoken
	tasks   bool            // the kernels are for tasks, not for work-items
	written map[string]bool // names of the source
	shown   map[Stmt]bool   // statements that launch or copy something, or on which that depends
	decides map[string]bool // the names in them
}

// temporary matches the end of a name that tells it from other names of the lowering.
var temporary = regexp.MustCompile(`_(\d+_)?$`)

// plain returns the name of a temporary without that end, unless the source has that name.
func (s *schedule) plain(name string) string {
	if short := temporary.ReplaceAllString(name, ""); !s.written[short] {
		return short
	}
	return name
}

// speak finds words for the scalars of a host function.
func (s *schedule) speak(p *Program, f *Func) {
	s.words = &spoken{source: p.source(), defined: map[string]ir.Exp{}}
	for _, v := range f.Vars {
		if s.words.source[v.Name] == "" {
			s.words.defined[v.Name] = &ir.Ref{Name: s.plain(v.Name), T: v.Prim}
		}
	}
	Each(f.Body, func(q *Query) { s.words.defined[q.Dst] = ir.Var("device_" + string(q.What)) })
}

// show finds the statements to be shown, the last one first, and reports whether there are any.
func (s *schedule) show(list []Stmt) bool {
	found := false
	for _, st := range slices.Backward(list) {
		shown := false
		switch st := st.(type) {
		case *Launch:
			shown = true
			s.need(st.Groups, st.Size)
		case *Copy, *Call:
			shown = true
		case *Set:
			if shown = s.decides[st.Dst] && s.words.source[st.Dst] == ""; shown {
				s.need(st.E)
			}
		case *If:
			then, els := s.show(st.Then), s.show(st.Else)
			if shown = then || els; shown {
				s.need(st.Cond)
			}
		case *For:
			if shown = s.show(st.Body); shown {
				s.need(st.Bound)
			}
		case *While:
			if shown = s.show(st.Body); shown {
				s.need(st.Cond)
			}
		}
		s.shown[st] = shown
		found = found || shown
	}
	return found
}

// need records the names in expressions; nil is none.
func (s *schedule) need(list ...ir.Exp) {
	for _, e := range list {
		if e != nil {
			ir.ExpNames(e, func(n string) { s.decides[n] = true })
		}
	}
}

func (s *schedule) list(list []Stmt) {
	s.depth++
	defer func() { s.depth-- }()
	for _, st := range list {
		if !s.shown[st] {
			continue
		}
		switch st := st.(type) {
		case *Set:
			s.line("%s = %s", s.words.text(ir.Var(st.Dst)), s.words.text(st.E))
		case *If:
			s.choice(st)
		case *For:
			s.line("for %s < %s", s.words.text(ir.Var(st.Var)), s.words.text(st.Bound))
			s.list(st.Body)
		case *While:
			s.line("while %s", s.words.text(st.Cond))
			s.list(st.Body)
		case *Call:
			s.line("call %s", st.Func.Name)
		case *Copy:
			s.line("copy %s elements of %s", s.product(st.Shape), counted(int(st.Prim.Size()), "byte"))
		case *Launch:
			s.launch(st)
		}
	}
}

// choice writes an if without the side that has nothing to show.
func (s *schedule) choice(i *If) {
	shown := func(list []Stmt) bool {
		return slices.ContainsFunc(list, func(st Stmt) bool { return s.shown[st] })
	}
	if !shown(i.Then) {
		s.line("if not (%s)", s.words.text(i.Cond))
		s.list(i.Else)
		return
	}
	s.line("if %s", s.words.text(i.Cond))
	s.list(i.Then)
	if shown(i.Else) {
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
		out[k] = s.words.text(e)
	}
	return strings.Join(out, " by ")
}

func (s *schedule) launch(l *Launch) {
	k := l.Kernel
	s.line("launch %s: %s", k.Name, k.Doc)
	s.depth++
	defer func() { s.depth-- }()
	switch groups := s.words.text(l.Groups); {
	case s.tasks:
		s.line("tasks       %s", groups)
	case l.Size != nil:
		s.line("work-items  %s in each of %s groups", s.words.text(l.Size), groups)
	default:
		s.line("work-items  %d in each of %s groups", GroupSize, groups)
	}
	for _, x := range k.Locals {
		s.line("local       %s: %d bytes", s.plain(x.Name), int64(x.Len)*x.Prim.Size())
	}
	for n, x := range k.Params {
		if x.Local {
			s.line("local       the group's arrays: %s bytes", s.words.text(l.Args[n].E))
		}
	}
	for _, r := range k.Rooms {
		s.line("private     %s: %d bytes", s.plain(r.Name), r.Bytes)
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
	if n > 0 {
		s.line(format, counted(n, "place"))
	}
}

// counted returns a number of things.
func counted(n int, thing string) string {
	if n == 1 {
		return "one " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
