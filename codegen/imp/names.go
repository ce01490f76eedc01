package imp

import (
	"strconv"
	"strings"
)

// Names that every kernel has besides its variables.
const gtid = "gtid" // the work-item's number in the grid

// Note [Names apart]
//
// A variable of the text that memc writes, made from a name of the program or by memc, ends in one
// underscore: `n` is n_, `x'2` is x_p2_, the third temporary `count` is count_2_. Nothing else that the text
// can mention does: no keyword, built-in function, type or macro of OpenCL C, C, Go and their headers,
// and no name of the preludes and runtimes (TestNamesApart looks at them). What begins with an underscore
// belongs to compilers, so names that do get a letter before it. So a name of a program never means
// anything else, whatever a compiler knows. Public names are another matter: docs/c-api.md, go-host.md and
// python.md say how they are spelled.

// identifier makes the beginning of a C identifier of a name.
func identifier(name string) string {
	name = strings.TrimRight(strings.ReplaceAll(name, "'", "_p"), "_")
	if name == "" || name[0] == '_' {
		return "v" + name
	}
	return name
}

// nameAll chooses a variable for every name that the function binds.
func (f *fn) nameAll() {
	for _, n := range f.facts.bound {
		f.names[n] = f.temp(n)
	}
	f.l.named = append(f.l.named, f.names)
}

// source returns the source's names of variables.
func (l *lowerer) source() map[string]string {
	out := map[string]string{}
	for _, names := range l.named {
		for n, id := range names {
			out[id] = l.p.Speak(n)
		}
	}
	return out
}

// name returns the identifier of an IR name; temporaries stand for themselves.
func (f *fn) name(irName string) string {
	if n, ok := f.names[irName]; ok {
		return n
	}
	return irName
}

// temp makes a name that is used nowhere else in the function.
func (f *fn) temp(base string) string {
	base = identifier(base)
	name := base + "_"
	for f.used[name] {
		f.counts[base]++
		name = base + "_" + strconv.Itoa(f.counts[base]) + "_"
	}
	f.used[name] = true
	return name
}

// mem returns the memory variable of an IR name of a block.
func (f *fn) mem(irName string) string {
	if a, ok := f.memAlias[irName]; ok {
		return a
	}
	return f.name(irName)
}
