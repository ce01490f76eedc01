package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/compiler/schema"
)

func (a *app) schemaCommand() *cobra.Command {
	var names []string
	for _, d := range schema.Docs {
		names = append(names, d.Name)
	}
	return &cobra.Command{
		Use:   "schema [NAME]",
		Short: "print the JSON Schema of an output",
		Long: `schema prints the JSON Schema (draft 2020-12) of a program in JSON, or of what a verb writes as
JSON. Without a name it lists the schemas.`,
		Example: `  memc schema
  memc schema program > program.schema.json`,
		ValidArgs: names,
		Args:      cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				for _, d := range schema.Docs {
					fmt.Fprintf(a.stdout, "%-15s %s\n", d.Name, d.Doc)
				}
				return nil
			}
			s, err := schema.Text(args[0])
			if err != nil {
				return usagef(c, "%v%s", err, didYouMean(args[0], names))
			}
			return a.writeOutputs(text("-", s))
		},
	}
}
