package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/driver"
)

// hostFlags choose the language of the host code.
type hostFlags struct{ language, pkg string }

func (h *hostFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&h.language, "host", "c", "the language of the host code: c or go (docs/go-host.md)")
	c.Flags().StringVar(&h.pkg, "package", "", "with --host=go: the package's name (default: that of -o, or the file's name)")
}

func (h *hostFlags) check(c *cobra.Command) error {
	switch {
	case h.language != "c" && h.language != "go":
		return usagef(c, "--host=%s: expected c or go", h.language)
	case h.language == "c" && h.pkg != "":
		return usagef(c, "--package is for --host=go")
	case h.language == "go" && c.Flags().Changed("emit"):
		return usagef(c, "--emit is for --host=c; the Go package holds the kernels in a file of their own")
	case h.language == "go" && c.Flags().Changed("prefix"):
		return usagef(c, "--prefix is for --host=c; use --package")
	}
	return nil
}

// writeGo writes a Go package to a directory, which is made where it is missing.
func (a *app) writeGo(c *cobra.Command, low *driver.Lowered, name, dir, source string) error {
	if dir == "-" {
		return usagef(c, "-o -: --host=go writes a directory")
	}
	if name == "" {
		if source == "-" {
			source = "out"
		}
		name = driver.GoPackageName(source)
		if dir != "" {
			name = driver.GoPackageName(filepath.Clean(dir))
		}
	}
	if dir == "" {
		dir = name
	}
	files, err := driver.Go(low, name)
	if err != nil {
		if c.Flags().Changed("package") {
			return usagef(c, "--package=%s: %v", name, err)
		}
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return cannotWrite(dir, err)
	}
	var results []result
	for _, f := range files {
		results = append(results, text(filepath.Join(dir, f.Name), f.Text))
	}
	return a.writeOutputs(results...)
}
