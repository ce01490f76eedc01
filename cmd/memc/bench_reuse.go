package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/reusebench"
)

func (a *app) benchReuseCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "reuse DIR|FILE.csv...",
		Short: "compare the planner of reuse with linear scan and best fit on lists of intervals",
		Long: `reuse reads allocation problems (CSV files with the columns lower, upper and size:
when a block is live, and its bytes) and lets their blocks share storage in several
ways: as the pass reuse plans it (plan), the same where nothing is freed before the
end (static), linear scan, best fit. The table holds the blocks, their bytes and the
peak of each way beside what none can beat (lower).`,
		Example: `  memc bench reuse internal/reusebench/testdata
  memc bench reuse problem.csv -o table.txt`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef(c, "expected a directory or CSV files")
			}
			var rows []reusebench.Row
			for _, arg := range args {
				files, err := reusebench.Files(arg)
				if err != nil {
					return err
				}
				for _, f := range files {
					r, err := reusebench.Measure(f)
					if err != nil {
						return err
					}
					rows = append(rows, r)
					fmt.Fprintf(a.stderr, "memc: %s: %d blocks\n", r.Name, r.Count)
				}
			}
			return a.writeOutputs(result{out, func(w io.Writer) error { return reusebench.Write(w, rows) }})
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "-", "where to write the table")
	return c
}
