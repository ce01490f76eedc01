package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/bench/benchdoc"
)

func (a *app) benchReportCommand() *cobra.Command {
	var out, figures string
	c := &cobra.Command{
		Use:   "report REPORT.json...",
		Short: "write reports as a document, beside published figures",
		Long: `report writes reports of memc bench as one Markdown document with charts: memory and time
before and after merging, beside the figures of thesis.csv and futhark.csv, with the
explanations from notes.md. It reads these files from the folder of the first report, or from
--figures, and works without them. Charts go next to the document, as NAME-REPORT-peak.svg
and so on.`,
		Example: "  memc bench report bench/programs/*.json -o bench/programs/report.md",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef(c, "expected a report")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if figures == "" {
				figures = filepath.Dir(args[0])
			}
			d, err := benchdoc.Read(args, figures)
			if err != nil {
				return err
			}
			d.Command(args, out)
			var charts []result
			if out != "-" {
				for _, s := range d.Sections() {
					charts = append(charts, result{path: d.Chart(s, "peak"), write: s.WritePeaks}, result{path: d.Chart(s, "time"), write: s.WriteTimes})
				}
			}
			for _, c := range d.Unexplained() {
				fmt.Fprintf(a.stderr, "memc: no note on %s, %s (%s): %s\n", c.Program, c.Kind, c.Device, c.What)
			}
			return a.writeOutputs(append(charts, result{path: out, write: d.Write})...)
		},
	}
	c.Flags().StringVar(&figures, "figures", "", "the folder of thesis.csv, futhark.csv and notes.md (default: the first report's)")
	c.Flags().StringVarP(&out, "output", "o", "-", "where to write the document")
	return c
}
