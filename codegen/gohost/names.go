package gohost

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"github.com/memc-lang/memc/ir"
)

// reserved are the names that a package and the parameters of its API do not have: keywords, predeclared
// names, packages, and what the methods use themselves. Variables of the form end in an underscore
// (imp, Note [Names apart]), so none of these is one.
var reserved = func() map[string]bool {
	r := map[string]bool{"host": true, "math": true, "c": true, "p": true, "err": true, "init": true, "_": true}
	for t := token.Token(0); t < 1<<8; t++ {
		if t.IsKeyword() {
			r[t.String()] = true
		}
	}
	for _, name := range types.Universe.Names() {
		r[name] = true
	}
	return r
}()

// unique returns a name that is not in used, and puts it there.
func unique(name string, used map[string]bool) string {
	try := name
	for i := 1; used[try]; i++ {
		try = fmt.Sprintf("%s%d", strings.TrimSuffix(name, "_"), i)
	}
	used[try] = true
	return try
}

// camel returns a name of the IR in the style of Go's exported names: "blur_step'" is
// "BlurStep". What starts with a digit after that is no name on its own.
func camel(name string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '\'' }) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	if b.Len() == 0 {
		return "X"
	}
	return b.String()
}

// lower returns a name of the IR in the style of Go's local names.
func lower(name string) string {
	name = camel(name)
	if name[0] >= '0' && name[0] <= '9' {
		name = "x" + name
	}
	return strings.ToLower(name[:1]) + name[1:]
}

// param returns a name for a parameter or result of a method.
func param(name string, used map[string]bool) string {
	name = lower(name)
	if reserved[name] {
		name += "_"
	}
	return unique(name, used)
}

// goType returns the Go type of a scalar.
func goType(p ir.Prim) string {
	switch p {
	case ir.F16:
		return "host.Float16"
	case ir.F32:
		return "float32"
	case ir.F64:
		return "float64"
	case ir.Bool:
		return "bool"
	}
	if p.Unsigned() {
		return fmt.Sprintf("uint%d", p.Bits())
	}
	return fmt.Sprintf("int%d", p.Bits())
}

// zero returns the zero of a scalar type.
func zero(p ir.Prim) string {
	if p == ir.Bool {
		return "false"
	}
	return "0"
}
