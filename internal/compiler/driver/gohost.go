package driver

import "github.com/memc-lang/memc/codegen/gohost"

// GoPackageName returns the name of a Go package that belongs to the name of a file.
func GoPackageName(file string) string { return gohost.PackageName(file) }

// Go writes a lowered program as a Go package of that name: the texts of its files by
// their names, in order.
func Go(low *Lowered, name string) ([]NamedText, error) {
	p, err := gohost.Generate(low.Imp, name)
	if err != nil {
		return nil, err
	}
	return []NamedText{{gohost.APIFile, p.API}, {gohost.HostFile, p.Host}, {gohost.TablesFile, p.Tables}, {gohost.KernelsFile, low.Kernels}}, nil
}

// A NamedText is a file to be written.
type NamedText struct{ Name, Text string }
