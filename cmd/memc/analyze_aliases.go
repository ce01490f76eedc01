package main

import (
	"fmt"
	"io"

	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/ir"
)

type aliasFunc struct {
	Function string       `json:"function"`
	Blocks   []aliasBlock `json:"blocks"`
	Arrays   []aliasArray `json:"arrays"`
	table    *aliases.Table
}

// aliasBlock is a block's name; Is holds the real blocks that it may stand for.
type aliasBlock struct {
	Name        string `json:"name"`
	Existential bool   `json:"existential"`
	Is          set    `json:"is"`
}

// aliasArray is an array; two arrays may share elements where their origins meet.
type aliasArray struct {
	Name    string `json:"name"`
	Block   string `json:"block,omitempty"`
	Origins set    `json:"origins"`
}

type aliasReport []aliasFunc

func aliasFacts(p *ir.Program, a *aliases.Program) facts {
	var out aliasReport
	for _, f := range p.Funcs {
		t := a.Func(f.Name)
		r := aliasFunc{Function: f.Name, Blocks: []aliasBlock{}, Arrays: []aliasArray{}, table: t}
		for _, m := range t.BlockNames() {
			names, more := t.BlocksUpTo(m, setShown)
			r.Blocks = append(r.Blocks, aliasBlock{m, t.Existential(m), set{names, more}})
		}
		for _, n := range t.Names() {
			names, more := t.OriginsUpTo(n, setShown)
			r.Arrays = append(r.Arrays, aliasArray{n, t.BlockOf(n), set{names, more}})
		}
		out = append(out, r)
	}
	return out
}

func (r aliasReport) text(w io.Writer) {
	for k, f := range r {
		if k > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "function %s\n", f.Function)
		for _, b := range f.Blocks {
			if b.Existential {
				fmt.Fprintf(w, "  block %s may be %v\n", b.Name, b.Is)
			} else {
				fmt.Fprintf(w, "  block %s\n", b.Name)
			}
		}
		for _, x := range f.Arrays {
			fmt.Fprintf(w, "  array %s", x.Name)
			if x.Block != "" {
				fmt.Fprintf(w, " @ %s", x.Block)
			}
			if o := x.Origins; o.More || len(o.Names) != 1 || o.Names[0] != x.Name {
				fmt.Fprintf(w, " of %v", o)
			}
			fmt.Fprintln(w)
		}
	}
}

// dot draws what each name chooses among directly: blocks as boxes, arrays as
// ellipses.
func (r aliasReport) dot(w io.Writer) {
	fmt.Fprintln(w, "digraph aliases {\n  rankdir=RL")
	for k, f := range r {
		fmt.Fprintf(w, "  subgraph cluster_%d {\n    label=%q\n", k, f.Function)
		id := func(kind, name string) string {
			return fmt.Sprintf("%q", fmt.Sprintf("%s %s %s", f.Function, kind, name))
		}
		for _, b := range f.Blocks {
			fmt.Fprintf(w, "    %s [shape=box label=%q]\n", id("block", b.Name), b.Name)
			for _, m := range f.table.BlockGraph().Direct(b.Name) {
				fmt.Fprintf(w, "    %s -> %s\n", id("block", b.Name), id("block", m))
			}
		}
		for _, x := range f.Arrays {
			fmt.Fprintf(w, "    %s [label=%q]\n", id("array", x.Name), x.Name)
			for _, y := range f.table.ArrayGraph().Direct(x.Name) {
				fmt.Fprintf(w, "    %s -> %s\n", id("array", x.Name), id("array", y))
			}
		}
		fmt.Fprintln(w, "  }")
	}
	fmt.Fprintln(w, "}")
}
