package opencl

import (
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
)

// Note [Helpers]
//
// scalar.h defines an operation once for all types, by macros. So it is short, but has some 1,300
// functions; and prelude.cl contains helpers that only some kernels need. A program's kernels begin
// with the functions that they use, in a readable form. For this, the code here expands scalar.h's
// macros as a preprocessor would, except those that scalar.h does not define, such as MEMC_FN.

// A helper is a function, or some lines of prelude.cl between empty ones.
type helper struct {
	text    string
	defines []string // functions and macros; none: always there
}

var scalarHelpers = sync.OnceValue(func() []helper { return functions(expanded(scalarSource)) })

var clHelpers = sync.OnceValue(func() (out []helper) {
	for _, text := range strings.Split(clSource, "\n\n") {
		h := helper{text: text}
		for _, m := range definition.FindAllStringSubmatch(text, -1) {
			h.defines = append(h.defines, m[1]+m[2])
		}
		if declares.MatchString(text) {
			h.defines = nil
		}
		out = append(out, h)
	}
	return out
})

var (
	definition  = regexp.MustCompile(`(?m)^#define (\w+)|^MEMC_FN [^(]*?(memc_\w+)\(`)
	declares    = regexp.MustCompile(`(?m)^(typedef|MEMC_ELEMENT|#pragma)`)
	identifiers = regexp.MustCompile(`\b[A-Za-z_]\w*`)
	macro       = regexp.MustCompile(`(?m)^#define (MEMC_\w+)\(([^)]*)\) *((?:.*\\\n)*.*)$`)
	comment     = regexp.MustCompile(`(?s)/\*.*?\*/`)
	directive   = regexp.MustCompile(`(?m)^#.*\n?`)
	empty       = regexp.MustCompile(`(?m)[ \t\\]+$`)
	named       = regexp.MustCompile(`(memc_\w+)\(`)
)

// A usage tells which functions and macros of the helpers texts use. Several texts may be noted at
// once. It has no other words, of which a text may have millions.
type usage map[string]*atomic.Bool

func newUsage() usage {
	u := usage{}
	for _, list := range [][]helper{scalarHelpers(), clHelpers()} {
		for _, h := range list {
			for _, d := range h.defines {
				u[d] = new(atomic.Bool)
			}
		}
	}
	return u
}

// note records what a text uses.
func (u usage) note(text string) {
	eachWord(text, func(w string) {
		if used := u[w]; used != nil && !used.Load() {
			used.Store(true)
		}
	})
}

// prelude returns the text that must stand before kernels that use these helpers.
func (u usage) prelude() string {
	keep := func(list []helper) string { // from the last, since a helper uses only earlier ones
		var out []string
		for i := len(list) - 1; i >= 0; i-- {
			h := list[i]
			needed := len(h.defines) == 0
			for _, d := range h.defines {
				needed = needed || u[d].Load()
			}
			if needed {
				u.note(h.text)
				out = append([]string{h.text}, out...)
			}
		}
		return strings.Join(out, "\n\n") + "\n\n"
	}
	scalar := keep(scalarHelpers())
	return keep(clHelpers()) + scalar
}

// eachWord visits the identifiers of a text, which may be millions, and keywords and numbers.
func eachWord(text string, visit func(string)) {
	from := -1
	for i := 0; i < len(text); i++ {
		c := text[i]
		word := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		switch {
		case word && from < 0:
			from = i
		case !word && from >= 0:
			visit(text[from:i])
			from = -1
		}
	}
	if from >= 0 {
		visit(text[from:])
	}
}

// expanded returns scalar.h's functions with its macros expanded, and without the rest.
func expanded(text string) string {
	text = comment.ReplaceAllString(text, "")
	macros := map[string][2]string{}
	for _, m := range macro.FindAllStringSubmatch(text, -1) {
		macros[m[1]] = [2]string{m[2], m[3]}
	}
	text = directive.ReplaceAllString(macro.ReplaceAllString(text, ""), "")
	var out strings.Builder
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if name, _, call := strings.Cut(line[indent:], "("); call && macros[name][1] != "" {
			args, end := arguments(text, indent+len(name))
			out.WriteString(line[:indent])
			text = substituted(macros[name], args) + text[end:]
			continue
		}
		out.WriteString(text[:len(text)-len(rest)])
		text = rest
	}
	return empty.ReplaceAllString(out.String(), "")
}

// arguments splits the text in the parentheses at open, and returns their end.
func arguments(text string, open int) (args []string, end int) {
	depth, from := 0, open+1
	for i := open; ; i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return append(args, strings.TrimSpace(text[from:i])), i + 1
			}
		case ',':
			if depth == 1 {
				args, from = append(args, strings.TrimSpace(text[from:i])), i+1
			}
		}
	}
}

// substituted returns the body of a macro with arguments for its parameters.
func substituted(m [2]string, args []string) string {
	value := map[string]string{}
	for i, name := range strings.Split(m[0], ",") {
		value[strings.TrimSpace(name)] = strings.ReplaceAll(args[i], "\\\n", "\n")
	}
	body := identifiers.ReplaceAllStringFunc(empty.ReplaceAllString(strings.ReplaceAll(m[1], "\\\n", "\n"), ""), func(w string) string {
		// "_" joins in names such as memc_##fn##_##t, where it begins a word of its own.
		if v, ok := value[w]; ok {
			return v
		}
		return w
	})
	return strings.ReplaceAll(body, "##", "")
}

// functions cuts a text into functions.
func functions(text string) (out []helper) {
	parts := strings.Split(text, "MEMC_FN ")
	for _, p := range parts[1:] {
		var lines []string
		for _, l := range strings.Split(strings.TrimSpace(p), "\n") {
			if strings.TrimSpace(l) != "" {
				lines = append(lines, l)
			}
		}
		text := "MEMC_FN " + strings.Join(lines, "\n")
		if strings.HasSuffix(text, "\n  }") { // it stood in a macro
			text = strings.ReplaceAll(text, "\n  ", "\n")
		}
		name := named.FindStringSubmatch(text)
		out = append(out, helper{text, name[1:]})
	}
	return out
}
