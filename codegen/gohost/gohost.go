package gohost

import (
	"fmt"
	"go/format"
	"go/token"
	"path/filepath"
	"strings"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/ir/diag"
)

// Support is the import path of the package that generated code stands on.
const Support = "github.com/memc-lang/memc/runtime/host"

// Names of the files of a generated package.
const (
	APIFile     = "api.go"
	HostFile    = "host.go"
	TablesFile  = "tables.go"
	KernelsFile = "kernels.cl"
)

// A Package is the text of the generated Go files; the kernels stand beside them as
// they are.
type Package struct{ API, Host, Tables string }

// PackageName returns a package name that stands for a file's base name: that of
// "dir/2d-blur.ir" is "m2dblur".
func PackageName(source string) string {
	base := filepath.Base(strings.ReplaceAll(source, "\\", "/"))
	if i := strings.LastIndexByte(base, '.'); i > 0 {
		base = base[:i]
	}
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return -1
	}, base)
	if name == "" || name[0] <= '9' {
		name = "m" + name
	}
	if checkName(name) != nil {
		name += "prog"
	}
	return name
}

// checkName returns an error for a wrong package name.
func checkName(name string) error {
	switch {
	case !token.IsIdentifier(name) || name == "_":
		return fmt.Errorf("%q is not the name of a Go package", name)
	case name == "main":
		return fmt.Errorf("package %q cannot be imported", name)
	case reserved[name]:
		return fmt.Errorf("%q has a meaning of its own in Go", name)
	}
	return nil
}

// Generate writes a program as a Go package of that name.
func Generate(p *imp.Program, name string) (*Package, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	w := &writer{p: p, pkg: name, funcs: map[*imp.Func]string{}, titles: map[*imp.Func]string{}}
	if p.File != nil {
		w.file = diag.PrintableName(filepath.Base(p.File.Name))
	}
	w.collect()
	api, err := gofmt(APIFile, w.api())
	if err != nil {
		return nil, err
	}
	text, err := w.host()
	if err != nil {
		return nil, err
	}
	host, err := gofmt(HostFile, text)
	if err != nil {
		return nil, err
	}
	tables, err := gofmt(TablesFile, w.tables())
	if err != nil {
		return nil, err
	}
	return &Package{API: api, Host: host, Tables: tables}, nil
}

// gofmt formats a file. Text that is not Go is a mistake of this package.
func gofmt(name, text string) (string, error) {
	out, err := format.Source([]byte(text))
	if err != nil {
		return "", fmt.Errorf("%s, as generated, is not Go: %w", name, err)
	}
	return string(out), nil
}

// A writer writes one package.
type writer struct {
	p       *imp.Program
	pkg     string
	file    string               // the name of the program's text
	funcs   map[*imp.Func]string // names in Go
	titles  map[*imp.Func]string // descriptions, for comments
	entries []entryNames         // of p.Entries
	sites   []site
}

// entryNames are the names of an entry in Go.
type entryNames struct{ method, table string }

// collect names functions and entries.
func (w *writer) collect() {
	used := map[string]bool{}
	for _, e := range w.p.Entries {
		w.funcs[e.Func] = unique("run"+camel(e.Name), used)
		w.titles[e.Func] = "the entry `" + e.Name + "`"
	}
	for _, f := range w.p.Funcs {
		if w.funcs[f] == "" {
			w.funcs[f] = unique("run"+camel(f.Name), used)
			w.titles[f] = "the function `" + f.Name + "`"
		}
	}
	methods := map[string]bool{}
	for _, m := range fixedMethods {
		methods[m] = true
	}
	for _, e := range w.p.Entries {
		name := camel(e.Name)
		if name[0] < 'A' || name[0] > 'Z' || methods[name] {
			name = "Entry" + name
		}
		w.entries = append(w.entries, entryNames{unique(name, methods), unique("entry"+camel(e.Name), used)})
	}
	w.collectSites()
}
