package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/base/hostmem"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
)

func (a *app) valueCommand() *cobra.Command {
	var out string
	var binary bool
	c := &cobra.Command{
		Use:   "value [flags] FILE|-",
		Short: "convert a value between text, binary, .npy and .png",
		Long: `value converts one value. It recognises the input's format by the content. The name of the
output chooses the output's format: .npy, .png, or else text, or binary with --binary.
Compiled programs read text and binary.`,
		Example: `  memc value photo.png --binary | ./canny -b > edges.bin
  memc value edges.bin -o edges.png`,
		Args: oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			var v value.Value
			var err error
			if args[0] == "-" {
				var data []byte
				if data, err = hostmem.ReadAll(a.stdin); err == nil {
					v, err = decode("<stdin>", data, ir.Unknown)
				}
			} else {
				v, err = readValueFile(args[0], ir.Unknown)
			}
			if err != nil {
				return err
			}
			return a.writeOutput(out, func(w io.Writer) error { return encode(w, out, v, binary) })
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "-", "where to write the value")
	c.Flags().BoolVarP(&binary, "binary", "b", false, "write Futhark's binary format")
	return c
}
