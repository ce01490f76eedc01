package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/test/annotate"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
)

func (a *app) optCommand() *cobra.Command {
	var flags pipelineFlags
	var stats statsFlag
	var out string
	var compare string
	var facts, sizes []string
	c := &cobra.Command{
		Use:   "opt [flags] FILE|- | --stats FILE|DIR...",
		Short: "run passes and print the program",
		Long: `opt runs passes on a program and prints the result, which is again a program. With
--passes= it runs no passes.

With --stats and several files or a directory, opt prints no program, but a line for each function
of all programs: allocations, copies and peak, before and after. --stats=json prints lines of JSON.
--compare=A.json reads such lines, of other passes or another memc, and prints which functions got
better or worse.`,
		Example: `  memc opt --passes=explicit --print-changed=diff prog.ir
  memc opt --stats --size=n=1000 prog.ir -o opt.ir
  memc opt --stats=json --size=1000 --passes=explicit examples -o a.json
  memc opt --stats --size=1000 --compare=a.json examples`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := stats.check(c); err != nil {
				return err
			}
			for _, f := range facts {
				if !slices.Contains(annotate.Kinds, f) {
					return usagef(c, "--annotate=%s: expected %s%s", f, strings.Join(annotate.Kinds, ", "), didYouMean(f, annotate.Kinds))
				}
			}
			if isCorpus(args, compare) {
				if stats.formatFlag == "" {
					return usagef(c, "several programs need --stats")
				}
				flags.footprints = true
				k := corpus{flags: &flags, sizes: sizes, json: stats.formatFlag == "json", compare: compare}
				if err := a.writeOutput(out, func(w io.Writer) error { return k.write(a, c, args, w) }); err != nil {
					return err
				}
				return k.failed
			}
			values, err := sizeValues(c, sizes)
			if err != nil {
				return err
			}
			flags.footprints = stats.formatFlag != ""
			var printed bytes.Buffer
			var failed error
			flags.next.name, flags.next.do = "print", func(p *ir.Program, _ func() *check.ObligationTable) {
				if len(facts) > 0 {
					p = annotate.Program(p, facts)
				}
				failed = ir.Print(&printed, p)
			}
			p, report, err := flags.run(a, c, args[0])
			if err == nil {
				err = failed
			}
			if err == nil {
				err = knownSizes(c, values, p)
			}
			if err != nil {
				return err
			}
			if err := a.writeOutput(out, func(w io.Writer) error { _, err := printed.WriteTo(w); return err }); err != nil {
				return err
			}
			a.watch.done("write")
			switch stats.formatFlag {
			case "json":
				if len(values) > 0 {
					report.At(sizesOf(p, values))
				}
				fmt.Fprintln(a.stderr, report.JSON())
			case "text":
				report.WriteStats(a.stderr)
				report.WriteSummary(a.stderr, sizesOf(p, values))
			}
			return nil
		},
	}
	flags.add(c)
	stats.add(c)
	c.Flags().StringSliceVar(&facts, "annotate", nil, "write facts as trailing comments: "+strings.Join(annotate.Kinds, ", "))
	c.Flags().StringSliceVar(&sizes, "size", nil, "NAME=N: with --stats, show the peaks for this value of a size; N, of several programs: of all other sizes")
	c.Flags().StringVar(&compare, "compare", "", "with --stats, compare with these lines of an earlier --stats=json")
	c.Flags().StringVarP(&out, "output", "o", "-", "where to write the program")
	return c
}

// sizeValues reads values of sizes, NAME=N each.
func sizeValues(c *cobra.Command, texts []string) (map[string]int64, error) {
	out := map[string]int64{}
	for _, t := range texts {
		name, n, ok := strings.Cut(t, "=")
		v, err := strconv.ParseInt(n, 10, 64)
		if !ok || err != nil || v < 0 {
			return nil, usagef(c, "--size=%s: expected NAME=N", t)
		}
		out[name] = v
	}
	return out, nil
}

// sizesOf returns values of sizes under the names that a program has for them: m stands for every m, and
// m:7 for that of line 7.
func sizesOf(p *ir.Program, values map[string]int64) map[string]int64 {
	out := maps.Clone(values)
	shown := p.Shown()
	for name, user := range p.Renamed {
		for _, spelling := range []string{user, shown(name)} {
			if v, ok := values[spelling]; ok {
				out[name] = v
			}
		}
	}
	return out
}

// knownSizes refuses values of names that are no size or scalar parameter of programs, or that they
// compute from those.
func knownSizes(c *cobra.Command, values map[string]int64, programs ...*ir.Program) error {
	var known []string
	derived := map[string][]string{}
	for _, p := range programs {
		shown := p.Shown()
		for _, f := range p.Funcs {
			from := peak.Derived(f)
			add := func(name string, t ir.Type) {
				if t.Kind != ir.ScalarKind || t.Prim != ir.I64 {
					return
				}
				for _, spelling := range []string{p.Speak(name), shown(name)} {
					if d, ok := from[name]; ok {
						derived[spelling] = d.Names()
					} else {
						known = append(known, spelling)
					}
				}
			}
			known = append(known, f.Sizes...)
			for _, e := range f.Params {
				add(e.Name, e.Type)
			}
			ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
				for _, e := range s.Pat {
					add(e.Name, e.Type)
				}
				return true
			})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if slices.Contains(known, name) {
			continue
		}
		if from := derived[name]; len(from) > 0 {
			return usagef(c, "--size: %q is computed from %s: give values to those", name, strings.Join(from, ", "))
		}
		return usagef(c, "--size: %q is no size of the program%s", name, didYouMean(name, known))
	}
	return nil
}

func (a *app) passesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "passes",
		Short: "list the passes and the reasons for their order",
		Long: `passes lists the passes of the default pipeline in order, then the passes that only run if
--passes names them. For each pass it prints which passes must come before it, and why. The last
lines list the groups: --passes also takes their names. The default pipeline is all groups.`,
		Example: `  memc passes
  memc opt --passes=$(memc passes | awk 'NR==1 {print $1}') prog.ir`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			for _, p := range pipeline.All() {
				fmt.Fprintf(a.stdout, "%-13s %s\n", p.Name, p.Doc)
				if !slices.Contains(pipeline.DefaultPasses(), p) {
					fmt.Fprintf(a.stdout, "%-13s only if --passes names it\n", "")
				}
				for _, k := range p.After {
					fmt.Fprintf(a.stdout, "%-13s after %s: %s\n", "", k.Pass, k.Reason)
				}
			}
			for _, g := range pipeline.Groups {
				fmt.Fprintf(a.stdout, "%-13s %s\n%-13s = %s\n", g.Name, "Group: "+g.Doc+".", "", pipeline.String(g.Passes))
			}
			fmt.Fprintf(a.stdout, "%-13s Group: as memory, for programs that run on processors (docs/passes.md).\n%-13s = %s\n",
				pipeline.Processors, "", pipeline.String(pipeline.ForProcessors(pipeline.MemoryPasses())))
			return nil
		},
	}
}
