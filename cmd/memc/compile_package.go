package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/compiler/driver"
)

// A packageHost is a language whose host code is a package: a directory of files.
type packageHost struct {
	name  func(file string) string // the package's name for a file or directory
	write func(low *driver.Lowered, name string) ([]driver.NamedText, error)
	// byDirectory: programs name the package by its directory.
	byDirectory bool
}

var packageHosts = map[string]packageHost{
	"go":     {driver.GoPackageName, driver.Go, false},
	"python": {driver.PythonPackageName, driver.Python, true},
}

// hostFlags choose the language of the host code.
type hostFlags struct{ language, pkg string }

func (h *hostFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&h.language, "host", "c", "the language of the host code: c, go (docs/go-host.md) or python (docs/python.md)")
	c.Flags().StringVar(&h.pkg, "package", "", "with --host=go or python: the package's name (default: the name of -o, or of the file)")
}

func (h *hostFlags) check(c *cobra.Command) error {
	_, pkg := packageHosts[h.language]
	switch {
	case h.language != "c" && !pkg:
		return usagef(c, "--host=%s: expected c, go or python%s", h.language, didYouMean(h.language, []string{"c", "go", "python"}))
	case h.language == "c" && h.pkg != "":
		return usagef(c, "--package is for --host=go and --host=python")
	case pkg && c.Flags().Changed("emit"):
		return usagef(c, "--emit is for --host=c; the package holds the kernels in a file of their own")
	case pkg && c.Flags().Changed("prefix"):
		return usagef(c, "--prefix is for --host=c; use --package")
	}
	return nil
}

// writePackage writes a package to a directory, which is made where it is missing.
func (a *app) writePackage(c *cobra.Command, h *hostFlags, low *driver.Lowered, dir, source string) error {
	if dir == "-" {
		return usagef(c, "-o -: --host=%s writes a directory", h.language)
	}
	host, name := packageHosts[h.language], h.pkg
	if name == "" {
		if source == "-" {
			source = "out"
		}
		name = host.name(source)
		if dir != "" {
			name = host.name(filepath.Clean(dir))
			base := filepath.Base(dir)
			if host.byDirectory && name != base && base != "." && base != ".." {
				return usagef(c, "-o %s: %q is not the name of a Python package, so it could not be imported; name the directory %q, or the package with --package", dir, base, name)
			}
		}
	}
	if dir == "" {
		dir = name
	}
	files, err := host.write(low, name)
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
