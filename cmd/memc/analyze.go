package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/interference"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// analyses are what analyze knows. Each gives the facts of a program in a form
// that marshals, and knows how to print them.
var analyses = map[string]func(p *ir.Program) facts{
	"aliases":  func(p *ir.Program) facts { return aliasFacts(p, aliases.Analyze(p)) },
	"liveness": func(p *ir.Program) facts { return liveFacts(p, liveness.Analyze(p, aliases.Analyze(p))) },
	"interference": func(p *ir.Program) facts {
		a := aliases.Analyze(p)
		l := liveness.Analyze(p, a)
		return interfereFacts(p, l, interference.Analyze(p, a, l))
	},
}

var analysisNames = []string{"aliases", "liveness", "interference"}

type facts interface {
	text(w io.Writer)
	dot(w io.Writer)
}

func (a *app) analyzeCommand() *cobra.Command {
	var flags pipelineFlags
	var format, out string
	c := &cobra.Command{
		Use:   "analyze aliases|liveness|interference [flags] FILE|-",
		Short: "print facts about a program: aliases, live ranges, interference",
		Long: `analyze runs passes that bring a program into explicit form, and prints facts about
the result:

  aliases        which arrays share elements, and which blocks an existential
                 block may stand for
  liveness       where contents are needed, and where they are used last
  interference   which blocks may not share storage, and why

docs/analyses.md explains the facts and the numbers of points.`,
		Example: `  memc analyze interference prog.ir
  memc analyze aliases --passes= --format=dot prog.ir | dot -Tsvg >aliases.svg`,
		ValidArgs: analysisNames,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef(c, "expected an analysis (%s) and a file", strings.Join(analysisNames, ", "))
			}
			if analyses[args[0]] == nil {
				return usagef(c, "unknown analysis %q%s", args[0], didYouMean(args[0], analysisNames))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			switch format {
			case "text", "json", "dot":
			default:
				return usagef(c, "--format=%s: expected text, json or dot%s", format, nearestFormat(format))
			}
			p, _, err := flags.run(a, c, args[1])
			if err != nil {
				return err
			}
			f := analyses[args[0]](p)
			return a.writeOutput(out, func(w io.Writer) error {
				switch format {
				case "json":
					return json.NewEncoder(w).Encode(f)
				case "dot":
					f.dot(w)
				default:
					f.text(w)
				}
				return nil
			})
		},
	}
	flags.add(c)
	c.Flags().StringVar(&format, "format", "text", "text, json or dot")
	c.Flags().StringVarP(&out, "output", "o", "-", "where to write the facts")
	return c
}

func nearestFormat(format string) string {
	if near := diag.Nearest(format, []string{"text", "json", "dot"}); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}

// setShown bounds the sets that are printed: the sets of a chain of loops grow
// with its length, all of them together with its square.
const setShown = 100

// A set is names of which there may be more.
type set struct {
	Names []string `json:"names"`
	More  bool     `json:"more,omitempty"`
}

func (s set) String() string {
	t := strings.Join(s.Names, ", ")
	if s.More {
		t += ", ..."
	}
	return "{" + t + "}"
}

// lineOf returns the line of a place in the source, 0 where it has none: what
// passes made.
func lineOf(p *ir.Program, at diag.Span) int {
	if p.File == nil || !at.Known() {
		return 0
	}
	line, _ := p.File.Position(at.Start)
	return line
}
