package main

import (
	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/base/release"
	"github.com/memc-lang/memc/internal/lsp"
	"github.com/memc-lang/memc/ir"
)

func (a *app) lspCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "lsp",
		Short: "answer an editor (Language Server Protocol)",
		Long: `lsp is a language server: an editor starts it, and speaks to it over standard input and output.
It shows errors while you type, formats, finds and renames names, and tells on hovering where an array lies
and what it shares storage with. When a document is opened or saved, it also shows what the passes refused.`,
		Example: `  memc lsp`,
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return lsp.Serve(c.Context(), a.stdin, a.stdout, lsp.Options{Version: release.Line(ir.Version), Columns: maxColumns, Log: a.stderr})
		},
	}
}
