package main

import (
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/internal/bench/ledger"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/fuzz/difftest"
	"github.com/memc-lang/memc/internal/fuzz/progen"
	"github.com/memc-lang/memc/ir/diag"
)

func (a *app) benchLedgerCommand() *cobra.Command {
	var out string
	var only []string
	var random int
	c := &cobra.Command{
		Use:   "ledger [NAME=DIR[,DIR]...]...",
		Short: "measure what each special rule is worth",
		Long: `ledger switches off one special rule of the passes and analyses after the other, and compares
what the default passes leave of each function: allocations, copies, the peak, and checks at run
time. The table has the functions that are worse without the rule, and those that are better,
for each set of programs. Of a rule of the static checker it has the programs that the checker
proves only with the rule. It runs at the root of memc's repository, whose code it counts.`,
		Example: `  memc bench ledger programs=examples,benchmarks tests=testdata -o ledger.md
  memc bench ledger programs=benchmarks --rules=coalesce.start --random=0`,
		RunE: func(c *cobra.Command, args []string) error {
			var corpora []ledger.Corpus
			for _, arg := range args {
				name, dirs, ok := strings.Cut(arg, "=")
				if !ok {
					return usagef(c, "expected NAME=DIR, not %q", arg)
				}
				x := ledger.Corpus{Name: name, From: strings.ReplaceAll(dirs, ",", ", ")}
				for _, dir := range strings.Split(dirs, ",") {
					if err := programsBelow(dir, &x); err != nil {
						return err
					}
				}
				corpora = append(corpora, x)
			}
			if random > 0 {
				corpora = append(corpora, randomPrograms(random))
			}
			list := rules.List
			if len(only) > 0 {
				list = slices.DeleteFunc(slices.Clone(list), func(r rules.Rule) bool { return !slices.Contains(only, r.Name) })
				if len(list) < len(only) {
					return usagef(c, "not all of %s are rules", strings.Join(only, ", "))
				}
			}
			rows, err := ledger.Rows(".", list)
			if err != nil { // known now, and not after an hour
				return fmt.Errorf("not at the root of memc's repository? %w", err)
			}
			ledger.Measure(corpora, rows, func(what string) { fmt.Fprintf(a.stderr, "memc: %s\n", what) })
			return a.writeOutputs(result{path: out, write: func(w io.Writer) error { return ledger.Write(w, corpora, rows) }})
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "-", "where to write the table, in Markdown")
	c.Flags().StringSliceVar(&only, "rules", nil, "measure these rules only")
	c.Flags().IntVar(&random, "random", 240, "how many random programs to measure, too")
	return c
}

func programsBelow(dir string, x *ledger.Corpus) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && (strings.HasSuffix(path, ".ir") || strings.HasSuffix(path, "_mem")) {
			x.Programs = append(x.Programs, func() (*diag.File, error) { return driver.ReadSource(path) })
		}
		return err
	})
}

func randomPrograms(n int) ledger.Corpus {
	x := ledger.Corpus{Name: "random", From: "memc fuzz"}
	for seed := range int64(n) {
		x.Programs = append(x.Programs, func() (*diag.File, error) {
			s := difftest.SubjectOf(seed, progen.Options{})
			return diag.NewFile(s.Name, s.Text), nil
		})
	}
	return x
}
