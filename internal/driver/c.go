package driver

import "github.com/memc-lang/memc/codegen/opencl"

// Prefix gives the prefix of C names that belongs to the name of a C file.
func Prefix(file string) string { return opencl.Prefix(file) }

// C writes a lowered program as C source and header. Names in the C API begin
// with prefix; header is the name under which the source includes it.
func C(low *Lowered, prefix, header string) (source, headerText string, err error) {
	return opencl.Host(low.Imp, low.Kernels, opencl.HostOptions{Prefix: prefix, Header: header})
}
