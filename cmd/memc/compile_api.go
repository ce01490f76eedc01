package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/ir/diag"
)

// apiFlags choose the interface of the C code.
type apiFlags struct {
	api, prefix string
	library     bool
	server      bool
}

func (f *apiFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.api, "api", "memc", "the C API: memc, or futhark (the API of Futhark's output, with NAME.json)")
	c.Flags().BoolVar(&f.library, "library", false, "leave main out of the C file")
	c.Flags().BoolVar(&f.server, "server", false, "with --api=futhark: a server executable, for futhark test and bench")
	c.Flags().StringVar(&f.prefix, "prefix", "", "prefix of the C names (default: the file's name)")
}

func (f *apiFlags) check(c *cobra.Command, language string) error {
	switch {
	case f.api != "memc" && f.api != "futhark":
		return usagef(c, "--api=%s: expected memc or futhark%s", f.api, didYouMean(f.api, []string{"memc", "futhark"}))
	case f.api == "futhark" && f.prefix != "":
		return usagef(c, "--prefix is for --api=memc; the names of Futhark's API begin with futhark_")
	case f.server && (f.api != "futhark" || f.library):
		return usagef(c, "--server is for --api=futhark without --library")
	case language != "c" && (f.library || c.Flags().Changed("api")):
		return usagef(c, "--api and --library are for --host=c")
	}
	return nil
}

// writeC writes the C file out, the header and what else the API has beside it.
func (a *app) writeC(c *cobra.Command, f *apiFlags, low *driver.Lowered, source *diag.File, out string) error {
	base := strings.TrimSuffix(out, ".c")
	opt := driver.COptions{Prefix: f.prefix, Header: filepath.Base(base) + ".h", Library: f.library, Server: f.server}
	if f.api == "futhark" {
		code, header, manifest, err := driver.FutharkC(low, source, opt)
		if err != nil {
			return err
		}
		return a.writeOutputs(text(out, code), text(base+".h", header), text(base+".json", manifest))
	}
	if opt.Prefix == "" {
		opt.Prefix = driver.Prefix(out)
	}
	code, header, err := driver.C(low, opt)
	if err != nil {
		if c.Flags().Changed("prefix") {
			return usagef(c, "--prefix=%s: %v", f.prefix, err)
		}
		return err
	}
	return a.writeOutputs(text(out, code), text(base+".h", header))
}
