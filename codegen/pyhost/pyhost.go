package pyhost

import (
	_ "embed"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/codegen/opencl"
	"github.com/memc-lang/memc/internal/base/release"
	"github.com/memc-lang/memc/ir/diag"
)

//go:embed py/_memc.py
var support string

// Options tell how a package is to be named and built.
type Options struct {
	Name string
	// Flags are sets of flags for the C compiler, the most wanted first: the first that it
	// takes builds the library.
	Flags [][]string
}

// A File is a file of a package.
type File struct{ Name, Text string }

// Generate writes a program as a Python package.
func Generate(p *imp.Program, kernels string, opt Options) ([]File, error) {
	if err := checkName(opt.Name); err != nil {
		return nil, err
	}
	source := opt.Name + ".c"
	prefix := opencl.Prefix(source)
	library, _, err := opencl.Host(p, kernels, opencl.HostOptions{Prefix: prefix, Library: true})
	if err != nil {
		return nil, err
	}
	w := &writer{p: p, opt: opt, prefix: prefix}
	w.collect()
	return []File{{"__init__.py", w.module()}, {"__init__.pyi", w.stub()}, {"_memc.py", support}, {"py.typed", ""}, {source, library}}, nil
}

// PackageName returns a package name that stands for a file's base name: that of
// "dir/2d-blur.ir" is "m2d_blur".
func PackageName(source string) string {
	name := opencl.Prefix(source)
	if keywords[name] {
		name += "_"
	}
	return name
}

// checkName returns an error for a wrong package name.
func checkName(name string) error {
	if name != identifier(name) || keywords[name] {
		return fmt.Errorf("%q is not the name of a Python package", name)
	}
	return nil
}

// A writer writes one package.
type writer struct {
	p       *imp.Program
	opt     Options
	prefix  string
	methods []method // of p.Entries
}

// A method is an entry as Python has it.
type method struct {
	*imp.Entry
	name   string   // of the method
	symbol string   // of the C function, after the prefix
	params []string // names of the parameters
}

// collect names methods and their parameters.
func (w *writer) collect() {
	symbols := opencl.EntryNames(w.p)
	used := map[string]bool{}
	for i, e := range w.p.Entries {
		name := e.Name
		if e.Alias != "" {
			name = e.Alias
		}
		name = identifier(name)
		if fixed[name] || strings.HasPrefix(name, "_") {
			name = "entry_" + name
		}
		m := method{Entry: e, name: unique(name, used), symbol: "entry_" + symbols[i]}
		params := map[string]bool{"self": true, "keep": true}
		for _, q := range e.Params {
			m.params = append(m.params, unique(identifier(imp.SourceName(w.p.File, q.Name)), params))
		}
		w.methods = append(w.methods, m)
	}
}

// module returns the text of the package itself.
func (w *writer) module() string {
	var b strings.Builder
	file := "a program"
	if w.p.File != nil {
		file = diag.PrintableName(filepath.Base(w.p.File.Name))
	}
	fmt.Fprintf(&b, "# Made by %s from %s.\n\"\"\"Runs %s. Program opens it on a device; its entries are methods:\n\n", release.Name, oneLine(file), docText(file))
	for _, m := range w.methods {
		fmt.Fprintf(&b, "    %s: %s\n", m.name, docText(m.Signature()))
	}
	b.WriteString(`
Arguments and results are NumPy arrays. With keep=True array results stay on the device:
they are then of class Array, and may be arguments without being copied.
"""

from pathlib import Path

from . import _memc
from ._memc import Array, BuildError, DeviceLost, Error, Fault, Misuse, OutOfMemory, Stats

__all__ = ["Array", "BuildError", "DeviceLost", "Error", "Fault", "Misuse", "OutOfMemory", "Program", "Stats"]

`)
	libs := []string{"-lm"}
	if !w.p.Tasks {
		libs = []string{"-lOpenCL", "-lm"}
	}
	fmt.Fprintf(&b, "_library = _memc.Library(\n    Path(__file__).with_name(%s),\n    %s,\n    [\n", quote(w.opt.Name+".c"), quote(w.prefix))
	for _, set := range w.opt.Flags {
		fmt.Fprintf(&b, "        %s,\n", quotes(set))
	}
	fmt.Fprintf(&b, "    ],\n    %s,\n)\n", quotes(libs))
	for _, m := range w.methods {
		w.table(&b, m)
	}
	fmt.Fprintf(&b, "\n\nclass Program(_memc.Program):\n    __doc__ = _memc.Program.__doc__\n    _library = _library\n")
	for _, m := range w.methods {
		w.method(&b, m)
	}
	return b.String()
}

// table writes an entry's table for the support module.
func (w *writer) table(b *strings.Builder, m method) {
	fmt.Fprintf(b, "_entry_%s = _memc.Entry(\n    %s,\n    %s,\n    [\n", m.name, quote(m.name), quote(m.symbol))
	for _, q := range m.Params {
		fmt.Fprintf(b, "        _memc.Param(%s, %s, %d),\n", quote(q.Name), quote(q.Prim.String()), len(q.Shape))
	}
	b.WriteString("    ],\n    [\n")
	for _, r := range m.Results {
		rank, size := 0, ""
		if r.Array {
			rank = r.Rank
		}
		if r.Size {
			size = ", True"
		}
		fmt.Fprintf(b, "        _memc.Param(%s, %s, %d%s),\n", quote(r.Name), quote(r.Prim.String()), rank, size)
	}
	b.WriteString("    ],\n)\n")
}

// method writes an entry's method.
func (w *writer) method(b *strings.Builder, m method) {
	params := "self"
	for _, n := range m.params {
		params += ", " + n
	}
	fmt.Fprintf(b, "\n    def %s(%s, *, keep=False):\n        \"\"\"%s", m.name, params, docText(m.Signature()))
	var consumed []string
	for k, q := range m.Params {
		if q.Array && q.Unique {
			consumed = append(consumed, m.params[k])
		}
	}
	if len(consumed) > 0 {
		fmt.Fprintf(b, "\n\n        It consumes %s: an Array given for it cannot be used afterwards.\n        ", strings.Join(consumed, " and "))
	}
	fmt.Fprintf(b, "\"\"\"\n        return self._call(_entry_%s, [%s], keep)\n", m.name, strings.Join(m.params, ", "))
}
