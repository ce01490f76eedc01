package pyhost

import (
	"fmt"
	"strings"
)

// keywords are the names that Python refuses. __debug__ is one too, and a name that begins with two
// underscores means another one in a class (identifier).
var keywords = set(`False None True and as assert async await break class continue def del elif else except
finally for from global if import in is lambda nonlocal not or pass raise return try while with yield`)

// fixed are the methods of every Program.
var fixed = set("array close reset_stats stats trim")

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// identifier returns a name of the IR as Python can have it: "x'2" is "x_2".
func identifier(name string) string {
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '_'
	}, name)
	if name == "" || name[0] <= '9' || keywords[name] {
		name += "_"
	}
	if name[0] <= '9' {
		name = "_" + name
	}
	if strings.HasPrefix(name, "__") {
		name = "x" + name
	}
	return name
}

// unique returns a name that is not in used, and puts it there.
func unique(name string, used map[string]bool) string {
	try := name
	for i := 1; used[try]; i++ {
		try = fmt.Sprintf("%s_%d", name, i)
	}
	used[try] = true
	return try
}

// quote returns s as a Python string; in names of the IR only quotes need escapes.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

// quotes returns a list of strings.
func quotes(list []string) string {
	parts := make([]string, len(list))
	for i, s := range list {
		parts[i] = quote(s)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// oneLine makes text safe in a comment.
func oneLine(s string) string { return strings.NewReplacer("\n", " ", "\r", " ").Replace(s) }

// docText makes text safe in a docstring.
func docText(s string) string { return strings.NewReplacer(`\`, `\\`, `"`, `'`).Replace(oneLine(s)) }
