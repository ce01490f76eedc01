package futhark

import (
	"strings"

	"github.com/memc-lang/memc/ir/diag"
)

// Suffixes of the files that this package reads.
var Suffixes = []string{".fut_gpu_mem", ".fut_seq_mem", ".fut_mc_mem"}

// Is reports whether a file of that name holds Futhark's memory IR.
func Is(name string) bool {
	for _, s := range Suffixes {
		if strings.HasSuffix(name, s) {
			return true
		}
	}
	return false
}

// Recognises reports whether a file holds IR of Futhark's, by its name, or, for
// standard input and other names, by how it begins; also a source file, which
// Import refuses with a hint.
func Recognises(f *diag.File) bool {
	if Is(f.Name) || isSource(f.Name) {
		return true
	}
	text := f.Text
	for {
		text = strings.TrimLeft(text, " \t\r\n")
		if !strings.HasPrefix(text, "--") {
			break
		}
		_, text, _ = strings.Cut(text, "\n")
	}
	for _, head := range []string{"name_source {", "types {", `entry("`} {
		if strings.HasPrefix(text, head) {
			return true
		}
	}
	return false
}

func isSource(name string) bool { return strings.HasSuffix(name, ".fut") }
