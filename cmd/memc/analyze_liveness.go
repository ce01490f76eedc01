package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/ir"
)

type liveFunc struct {
	Function string      `json:"function"`
	Points   []livePoint `json:"points"`
	Blocks   []liveName  `json:"blocks"`
	Arrays   []liveName  `json:"arrays"`
}

// livePoint is a program point with what is used last there.
type livePoint struct {
	Point   int      `json:"point"`
	What    string   `json:"what"`
	Line    int      `json:"line,omitempty"`
	Depth   int      `json:"depth"`
	LastUse []string `json:"last_use,omitempty"`
	Dying   []string `json:"dying,omitempty"`
}

// liveName is a block or an array with its live intervals.
type liveName struct {
	Name string `json:"name"`
	// Existential is set for a block that may be another one.
	Existential bool     `json:"existential,omitempty"`
	Live        [][2]int `json:"live"`
	LastUses    []int    `json:"last_uses,omitempty"`
}

type liveReport []liveFunc

func liveFacts(p *ir.Program, l *liveness.Program) facts {
	var out liveReport
	for _, f := range p.Funcs {
		t := l.Func(f.Name)
		r := liveFunc{Function: f.Name, Points: []livePoint{}, Blocks: []liveName{}, Arrays: []liveName{}}
		depth := 0
		for k, pt := range t.Points {
			if pt.Kind == liveness.End {
				depth--
			}
			lp := livePoint{Point: k, What: describe(pt), Depth: depth, LastUse: t.LastUses(k), Dying: t.Dying(k)}
			if pt.Kind == liveness.At {
				lp.Line = lineOf(p, pt.Stmt.Span)
			}
			if pt.Kind == liveness.Begin {
				depth++
			}
			r.Points = append(r.Points, lp)
		}
		for _, m := range t.Aliases.BlockNames() {
			r.Blocks = append(r.Blocks, liveName{m, t.Aliases.Existential(m), pairs(t.Block(m)), nil})
		}
		for _, n := range t.Aliases.Names() {
			r.Arrays = append(r.Arrays, liveName{n, false, pairs(t.Array(n)), t.LastUsesOf(n)})
		}
		out = append(out, r)
	}
	return out
}

func pairs(is []liveness.Interval) [][2]int {
	out := make([][2]int, len(is))
	for k, i := range is {
		out[k] = [2]int{i.From, i.To}
	}
	return out
}

// describe names a point: the names that a statement binds, or its place in a
// body.
func describe(p liveness.Point) string {
	owner := "the function"
	if p.Stmt != nil {
		owner = binds(p.Stmt)
	}
	switch p.Kind {
	case liveness.Begin:
		return fmt.Sprintf("begin of body %d of %s", p.Part+1, owner)
	case liveness.End:
		return fmt.Sprintf("end of body %d of %s", p.Part+1, owner)
	case liveness.Exit:
		return "exit of " + owner
	}
	return owner
}

func binds(s *ir.Stmt) string {
	if len(s.Pat) == 0 {
		return "assert"
	}
	var names []string
	for _, e := range s.Pat {
		names = append(names, e.Name)
	}
	return "let " + strings.Join(names, ", ")
}

func (p livePoint) facts() string {
	var s string
	if len(p.LastUse) > 0 {
		s += "  last use: " + strings.Join(p.LastUse, ", ")
	}
	if len(p.Dying) > 0 {
		s += "  dying: " + strings.Join(p.Dying, ", ")
	}
	return s
}

func (r liveReport) text(w io.Writer) {
	for k, f := range r {
		if k > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "function %s\n", f.Function)
		for _, p := range f.Points {
			fmt.Fprintf(w, "%6d  %s%s%s\n", p.Point, strings.Repeat("  ", p.Depth), p.What, p.facts())
		}
		for _, b := range f.Blocks {
			what := "block"
			if b.Existential {
				what = "existential block"
			}
			fmt.Fprintf(w, "  %s %s: %s\n", what, b.Name, ranges(b.Live))
		}
		for _, x := range f.Arrays {
			fmt.Fprintf(w, "  array %s: %s\n", x.Name, ranges(x.Live))
		}
	}
}

func ranges(is [][2]int) string {
	if len(is) == 0 {
		return "never"
	}
	var s []string
	for _, i := range is {
		s = append(s, fmt.Sprintf("[%d,%d]", i[0], i[1]))
	}
	return strings.Join(s, " ")
}

// dot draws one row per function: its points in order, and every block with an
// edge from the beginning to the end of each of its intervals.
func (r liveReport) dot(w io.Writer) {
	fmt.Fprintln(w, "digraph liveness {\n  node [shape=plaintext]")
	for k, f := range r {
		fmt.Fprintf(w, "  subgraph cluster_%d {\n    label=%q\n", k, f.Function)
		for i, p := range f.Points {
			fmt.Fprintf(w, "    p%d_%d [label=%q]\n", k, i, fmt.Sprintf("%d %s%s", i, p.What, p.facts()))
			if i > 0 {
				fmt.Fprintf(w, "    p%d_%d -> p%d_%d [arrowhead=none color=grey]\n", k, i-1, k, i)
			}
		}
		for _, b := range f.Blocks {
			for _, i := range b.Live {
				fmt.Fprintf(w, "    p%d_%d -> p%d_%d [label=%q constraint=false]\n", k, i[0], k, i[1], b.Name)
			}
		}
		fmt.Fprintln(w, "  }")
	}
	fmt.Fprintln(w, "}")
}
