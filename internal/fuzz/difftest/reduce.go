package difftest

import (
	"time"

	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// ReduceOptions bound a reduction. The zero Options are good.
type ReduceOptions struct {
	Tries int           // programs to try; 0: DefaultTries
	Time  time.Duration // 0: no bound
	// Progress is called after each success with the number of statements left.
	Progress func(tries, statements int)
	// Smaller is told the program after each success, from which on nothing changes it.
	Smaller func(*Subject)
}

// DefaultTries is enough for programs of some hundred statements.
const DefaultTries = 6000

// Reduce returns a smaller subject that still fails. fails is called only with valid programs. Each
// step makes the program's weight less, so it ends.
//
// Note [Reduction by edits]. An edit is a function that changes a copy of the program and reports
// whether there was anything to change. Edits need not keep the program valid: it is printed,
// parsed and checked again, and dropped if that fails. So an edit may leave a name without a
// binding, and the next kind of edit is one that binds the name to something simple. Large cuts
// come first. When no edit of any kind helps, the program is as small as single edits can make it.
func Reduce(s *Subject, fails func(*Subject) bool, opt ReduceOptions) *Subject {
	r := &reducer{best: s, fails: fails, opt: opt, end: time.Now().Add(24 * time.Hour)}
	if r.opt.Tries == 0 {
		r.opt.Tries = DefaultTries
	}
	if opt.Time > 0 {
		r.end = time.Now().Add(opt.Time)
	}
	if r.prog = accept(s); r.prog == nil {
		return s // a program that is refused is given back as it is
	}
	r.weight = weigh(r.prog)
	for r.inputs(); r.round(); {
	}
	r.inputs()
	return r.best
}

// accept parses and checks; nil where the program is refused.
func accept(s *Subject) *ir.Program {
	p, list := driver.Check(diag.NewFile(s.Name, s.Text))
	if list.Failed() {
		return nil
	}
	return p
}

type reducer struct {
	best   *Subject
	prog   *ir.Program // best, checked
	weight int
	fails  func(*Subject) bool
	opt    ReduceOptions
	tries  int
	end    time.Time
}

func (r *reducer) spent() bool { return r.tries >= r.opt.Tries || time.Now().After(r.end) }

// An edit changes a program, and perhaps the inputs of its entry; false where
// there is nothing to change.
type edit func(p *ir.Program, s *Subject) bool

// try applies an edit to a copy and keeps it where the program still fails and
// became lighter.
func (r *reducer) try(e edit) bool {
	if r.spent() {
		return false
	}
	p := ir.CloneProgram(r.prog)
	s := &Subject{Name: r.best.Name, Entry: r.best.Entry, Inputs: r.best.Inputs}
	if !e(p, s) {
		return false
	}
	s.Text = p.String()
	if s.Text == r.best.Text {
		return false
	}
	r.tries++
	q := accept(s)
	if q == nil {
		return false
	}
	w := weigh(q)
	if w >= r.weight || !r.fails(s) {
		return false
	}
	r.keep(s)
	r.prog, r.weight = q, w
	if r.opt.Progress != nil {
		r.opt.Progress(r.tries, statements(q))
	}
	return true
}

// keep makes s the best program.
func (r *reducer) keep(s *Subject) {
	if r.best = s; r.opt.Smaller != nil {
		r.opt.Smaller(s)
	}
}

// round tries all edits once, and tells whether one helped.
func (r *reducer) round() bool {
	helped := false
	for _, kind := range []func() bool{r.functions, r.statements, r.bodies, r.parts, r.operations, r.expressions, r.constants} {
		for kind() {
			helped = true
			if r.spent() {
				return false
			}
		}
	}
	return helped
}

// statements cuts runs of statements, long ones first.
func (r *reducer) statements() bool {
	helped := false
	for b := 0; b < len(allBodies(r.prog)); b++ {
		n := len(allBodies(r.prog)[b].Stmts)
		for size := n; size > 0; size /= 2 {
			for at := n - size; at > -size; at -= size {
				ok := r.try(cut(b, max(at, 0), min(size, size+at)))
				helped = helped || ok
				if bodies := allBodies(r.prog); ok && b >= len(bodies) {
					return true
				}
			}
			n = len(allBodies(r.prog)[b].Stmts)
		}
	}
	return helped
}

// each tries edits 0, 1, .. until one says that there are no more: an edit that
// succeeds may shift those behind it, so its number is tried again.
func (r *reducer) each(count func(p *ir.Program) int, at func(k int) []edit) bool {
	helped := false
	for k := count(r.prog) - 1; k >= 0; k-- {
		for _, e := range at(k) {
			if k >= count(r.prog) {
				break
			}
			if r.try(e) {
				helped = true
				k = min(k+1, count(r.prog))
				break
			}
		}
		if r.spent() {
			break
		}
	}
	return helped
}

// allBodies lists the bodies of a program, outer ones first.
func allBodies(p *ir.Program) []*ir.Body {
	var all []*ir.Body
	var add func(b *ir.Body)
	add = func(b *ir.Body) {
		all = append(all, b)
		for _, s := range b.Stmts {
			for _, inner := range ir.Bodies(s.Op) {
				add(inner)
			}
		}
	}
	for _, f := range p.Funcs {
		add(f.Body)
	}
	return all
}

// A slot is a statement with where it stands.
type slot struct {
	f    *ir.Func
	body *ir.Body
	at   int
}

func (s slot) stmt() *ir.Stmt { return s.body.Stmts[s.at] }

func allStmts(p *ir.Program) []slot {
	var all []slot
	for _, f := range p.Funcs {
		one := &ir.Program{Funcs: []*ir.Func{f}}
		for _, b := range allBodies(one) {
			for k := range b.Stmts {
				all = append(all, slot{f, b, k})
			}
		}
	}
	return all
}

func statements(p *ir.Program) int { return len(allStmts(p)) }

// weigh says how large a program is: what it computes counts more than its
// text.
func weigh(p *ir.Program) int {
	n := 0
	for _, f := range p.Funcs {
		n += 200 + 20*len(f.Params) + 20*len(f.Results)
		one := &ir.Program{Funcs: []*ir.Func{f}}
		for _, b := range allBodies(one) {
			n += 5 * len(b.Result)
			for _, e := range b.Result {
				n += weighExp(e)
			}
		}
	}
	for _, s := range allStmts(p) {
		st := s.stmt()
		n += 40 + 8*len(st.Pat)
		for _, e := range st.Pat {
			if e.Written {
				n += 1 + e.Type.Rank()
			}
		}
		switch op := st.Op.(type) {
		case *ir.Compute:
		case *ir.Replicate:
			n += 10
		case *ir.Alias:
			n += 5
		case *ir.If, *ir.Loop:
			n += 60
		case *ir.Map:
			n += 70 + 10*len(op.Space)
		case *ir.Reduce, *ir.Scan, *ir.Scatter, *ir.Hist, *ir.Into:
			space, _ := ir.KernelSpace(op)
			n += 90 + 10*len(space)
		case *ir.Call:
			n += 80
		default:
			n += 20
		}
		ir.Exps(st.Op, func(e ir.Exp) { n += weighExp(e) })
		for _, e := range st.Pat {
			for _, d := range e.Type.Shape {
				n += int(min(d.Const, 30))
			}
		}
	}
	return n
}

func weighExp(e ir.Exp) int {
	n := 0
	ir.WalkExp(e, func(e ir.Exp) bool {
		n += 3
		if l, ok := e.(*ir.Lit); ok {
			v, isInt := l.Int()
			switch {
			case isInt && v < 0:
				n += 12
			case isInt:
				n += int(min(v, 10))
			case l.T != ir.Bool && l.Float() != 0:
				n += 2
			}
		}
		return true
	})
	return n
}
