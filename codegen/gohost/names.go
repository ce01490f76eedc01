package gohost

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/ir"
)

// reserved are the names that variables of generated functions do not have:
// keywords, predeclared names, packages, and what the functions use themselves.
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

// locals names the variables of a function: as in the imperative form, but for
// what means something else in Go.
func (w *writer) locals(f *imp.Func) map[string]string {
	used := map[string]bool{}
	for _, name := range w.funcs {
		used[name] = true
	}
	names := map[string]string{}
	add := func(name string) {
		if _, ok := names[name]; ok {
			return
		}
		want := name
		for reserved[want] || resultTemp(want) {
			want += "_"
		}
		names[name] = unique(want, used)
	}
	for _, s := range f.Params {
		add(s.Name)
	}
	for _, m := range f.Mems {
		add(m)
	}
	for _, v := range f.Vars {
		add(v.Name)
	}
	return names
}

// resultTemp reports whether a name is of the form ret7, in which the results of a
// call are received.
func resultTemp(name string) bool {
	digits, ok := strings.CutPrefix(name, "ret")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
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
