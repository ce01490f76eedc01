package main

import (
	"fmt"
	"io"

	"github.com/memc-lang/memc/analysis/interference"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/ir"
)

type interfereFunc struct {
	Function string            `json:"function"`
	Blocks   []string          `json:"blocks"`
	Pairs    []interferePair   `json:"interfere"`
	Excused  []interfereExcuse `json:"excused"`
	More     bool              `json:"more,omitempty"` // pairs were left out
}

// interferePair is two blocks that may not share storage, with a witness. One
// block twice are two instances of it.
type interferePair struct {
	Blocks [2]string `json:"blocks"`
	Why    string    `json:"why"`
	Point  int       `json:"point"`
	At     string    `json:"at"`
	Line   int       `json:"line,omitempty"`
	Arrays [2]string `json:"arrays"`
	Text   string    `json:"text"`
}

// interfereExcuse is two blocks that meet and may share storage all the same.
type interfereExcuse struct {
	Blocks  [2]string `json:"blocks"`
	Reasons []string  `json:"reasons"`
}

type interfereReport []interfereFunc

// pairsShown bounds what is printed: pairs grow with the square of a program.
const pairsShown = 100_000

func interfereFacts(p *ir.Program, l *liveness.Program, i *interference.Program) facts {
	var out interfereReport
	for _, f := range p.Funcs {
		t, live := i.Func(f.Name), l.Func(f.Name)
		r := interfereFunc{Function: f.Name, Blocks: []string{}, Pairs: []interferePair{}, Excused: []interfereExcuse{}}
		for _, m := range live.Aliases.BlockNames() {
			if !live.Aliases.Existential(m) {
				r.Blocks = append(r.Blocks, m)
			}
		}
		t.Each(func(m1, m2 string, w interference.Witness) {
			if len(r.Pairs) == pairsShown {
				r.More = true
				return
			}
			pt := live.Points[w.Point]
			pair := interferePair{
				Blocks: [2]string{m1, m2}, Why: w.Why.String(), Point: w.Point, At: describe(pt),
				Arrays: [2]string{w.A, w.B}, Text: w.String(),
			}
			if pt.Stmt != nil {
				pair.Line = lineOf(p, pt.Stmt.Span)
			}
			r.Pairs = append(r.Pairs, pair)
		})
		for _, e := range t.Excused() {
			x := interfereExcuse{Blocks: [2]string{e.M1, e.M2}}
			for _, reason := range e.Excuses {
				x.Reasons = append(x.Reasons, reason.String())
			}
			r.Excused = append(r.Excused, x)
		}
		out = append(out, r)
	}
	return out
}

func (r interfereReport) text(w io.Writer) {
	for k, f := range r {
		if k > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "function %s\n", f.Function)
		for _, p := range f.Pairs {
			fmt.Fprintf(w, "  %s and %s interfere [%s]: %s (%s", p.Blocks[0], p.Blocks[1], p.Why, p.Text, p.At)
			if p.Line > 0 {
				fmt.Fprintf(w, ", line %d", p.Line)
			}
			fmt.Fprintln(w, ")")
		}
		if f.More {
			fmt.Fprintln(w, "  ...")
		}
		for _, e := range f.Excused {
			fmt.Fprintf(w, "  %s and %s may share", e.Blocks[0], e.Blocks[1])
			for i, reason := range e.Reasons {
				fmt.Fprintf(w, "%s %s", [...]string{":", ";"}[min(i, 1)], reason)
			}
			fmt.Fprintln(w)
		}
	}
}

// dot draws the graph: an edge where two blocks interfere, dotted where they meet
// and may share.
func (r interfereReport) dot(w io.Writer) {
	fmt.Fprintln(w, "graph interference {\n  node [shape=box]")
	for k, f := range r {
		fmt.Fprintf(w, "  subgraph cluster_%d {\n    label=%q\n", k, f.Function)
		id := func(name string) string { return fmt.Sprintf("%q", f.Function+" "+name) }
		for _, m := range f.Blocks {
			fmt.Fprintf(w, "    %s [label=%q]\n", id(m), m)
		}
		for _, p := range f.Pairs {
			fmt.Fprintf(w, "    %s -- %s [label=%q]\n", id(p.Blocks[0]), id(p.Blocks[1]), fmt.Sprintf("%s %d", p.Why, p.Point))
		}
		for _, e := range f.Excused {
			fmt.Fprintf(w, "    %s -- %s [style=dotted]\n", id(e.Blocks[0]), id(e.Blocks[1]))
		}
		fmt.Fprintln(w, "  }")
	}
	fmt.Fprintln(w, "}")
}
