package driver

import (
	"github.com/memc-lang/memc/codegen/pyhost"
	"github.com/memc-lang/memc/internal/run/cc"
)

// PythonPackageName returns the name of a Python package that belongs to the name of a file.
func PythonPackageName(file string) string { return pyhost.PackageName(file) }

// Python writes a lowered program as a Python package of that name: the texts of its files
// by their names, in order.
func Python(low *Lowered, name string) ([]NamedText, error) {
	flags := [][]string{{"-O2"}}
	if low.Imp.Tasks {
		flags = cc.FlagSets
	}
	files, err := pyhost.Generate(low.Imp, low.Kernels, pyhost.Options{Name: name, Flags: flags})
	if err != nil {
		return nil, err
	}
	texts := make([]NamedText, len(files))
	for i, f := range files {
		texts[i] = NamedText(f)
	}
	return texts, nil
}
