package driver

import (
	"strings"

	"github.com/memc-lang/memc/codegen/opencl"
)

// C writes a lowered program as C source and header. Names in the C API begin
// with prefix; header is the name under which the source includes it.
func C(low *Lowered, prefix, header string) (source, headerText string, err error) {
	return opencl.Host(low.Imp, low.Kernels, opencl.HostOptions{Prefix: prefix, Header: header})
}

// Identifier makes a C identifier from a file's name.
func Identifier(name string) string {
	id := strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
	if id == "" || id[0] >= '0' && id[0] <= '9' {
		id = "p" + id
	}
	return id
}
