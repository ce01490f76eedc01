package main

import (
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

func (a *app) importCommand() *cobra.Command {
	var out string
	var remarks bool
	c := &cobra.Command{
		Use:   "import [flags] FILE|-",
		Short: "translate Futhark's memory IR (.fut_gpu_mem, .fut_seq_mem) to memc's IR",
		Long: `import reads the memory IR that "futhark dev" prints (release 0.25.37) and prints
the program in memc's IR, with the blocks and places of the dump. The other commands
read such files directly (docs/futhark.md). memc refuses an unsupported construct with
its name and position (exit code 3).`,
		Example: `  memc import kmeans.fut_gpu_mem -o kmeans.ir
  memc run kmeans.fut_gpu_mem <kmeans.in`,
		Args: oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			f, err := driver.ReadSource(args[0])
			if err != nil {
				return err
			}
			p, list := driver.Import(f)
			if err := list.Err(); err != nil {
				return err
			}
			if !remarks {
				list.All = slices.DeleteFunc(list.All, func(d *diag.Diagnostic) bool { return d.Severity == diag.Remark })
			}
			a.show(list)
			return a.writeOutput(out, func(w io.Writer) error { return ir.Print(w, p) })
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "-", "where to write the program")
	c.Flags().BoolVar(&remarks, "remarks", false, "print which versions of code import chose, and which places it dropped (stderr)")
	return c
}
