package gohost

import (
	"fmt"
	"strings"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// A funcWriter writes one host function.
type funcWriter struct {
	*writer
	strings.Builder
	fn        *imp.Func
	types     map[string]ir.Prim
	needed    map[string]bool // variables that matter
	scopes    *imp.Scopes
	failure   string // the return statement for an error: "return nil, 0, "
	needsMath bool
}

// function returns the text of a host function, and whether it needs package math.
func (w *writer) function(f *imp.Func) (text string, needsMath bool, err error) {
	fw := &funcWriter{writer: w, fn: f, types: map[string]ir.Prim{}, needed: imp.Needed(f)}
	var after []string
	for _, r := range f.Results {
		after = append(after, r.Name)
	}
	fw.scopes = imp.PlaceVars(f.Vars, f.Body, after...)
	for _, v := range f.Vars {
		fw.types[v.Name] = v.Prim
	}
	fw.head()
	fw.declare()
	if err := fw.body(f.Body); err != nil {
		return "", false, fmt.Errorf("function %s: %w", f.Name, err)
	}
	fw.results()
	fw.line("}\n")
	return fw.String(), fw.needsMath, nil
}

func (fw *funcWriter) line(format string, args ...any) {
	fmt.Fprintf(fw, format, args...)
	fw.WriteByte('\n')
}

// slotType returns the Go type of a parameter or result.
func slotType(s imp.Slot) string {
	if s.Mem {
		return "*host.Block"
	}
	return goType(s.Prim)
}

func (fw *funcWriter) head() {
	names, types := []string{"c"}, []string{"*host.Call"}
	for _, s := range fw.fn.Params {
		names, types = append(names, s.Name), append(types, slotType(s))
	}
	var results, zeros []string
	for _, s := range fw.fn.Results {
		results = append(results, slotType(s))
		if s.Mem {
			zeros = append(zeros, "nil, ")
		} else {
			zeros = append(zeros, zero(s.Prim)+", ")
		}
	}
	fw.failure = "return " + strings.Join(zeros, "")
	text := "error"
	if len(results) > 0 {
		text = "(" + strings.Join(append(results, "error"), ", ") + ")"
	}
	fw.line("// %s is %s, after memc's passes.", fw.funcs[fw.fn], fw.titles[fw.fn])
	fw.line("func %s(%s) %s {", fw.funcs[fw.fn], declared(names, types), text)
}

// perLine is how many memory variables stand in a line.
const perLine = 7

// declare declares the memory variables, which are dropped when the function ends,
// and the scalars that are not declared where they are first assigned.
func (fw *funcWriter) declare() {
	own := map[string]bool{}
	for _, s := range fw.fn.Params {
		own[s.Name] = true
	}
	var names, addresses []string
	for _, m := range fw.fn.Mems {
		if !own[m] {
			own[m] = true
			names = append(names, m)
			addresses = append(addresses, "&"+m)
		}
	}
	for list := names; len(list) > 0; {
		k := min(len(list), perLine)
		fw.line("var %s *host.Block", strings.Join(list[:k], ", "))
		list = list[k:]
	}
	if len(names) > perLine {
		fw.line("defer host.Drop(")
		for list := addresses; len(list) > 0; {
			k := min(len(list), perLine)
			fw.line("%s,", strings.Join(list[:k], ", "))
			list = list[k:]
		}
		fw.line(")")
	} else if len(names) > 0 {
		fw.line("defer host.Drop(%s)", strings.Join(addresses, ", "))
	}
	for _, v := range fw.fn.Vars {
		if !own[v.Name] && fw.scopes.Top[v.Name] && fw.needed[v.Name] {
			own[v.Name] = true
			fw.line("var %s %s", v.Name, goType(v.Prim))
		}
	}
}

func (fw *funcWriter) results() {
	var parts []string
	for _, r := range fw.fn.Results {
		switch {
		case r.Mem:
			parts = append(parts, "host.Keep("+r.Name+")")
		case !fw.scopes.Used[r.Name]: // never assigned
			parts = append(parts, zero(r.Prim))
		default:
			parts = append(parts, r.Name)
		}
	}
	fw.line("return %s", strings.Join(append(parts, "nil"), ", "))
}

// try writes a call that can fail.
func (fw *funcWriter) try(format string, args ...any) {
	fw.line("if err := %s; err != nil {", fmt.Sprintf(format, args...))
	fw.line("%serr", fw.failure)
	fw.line("}")
}

// at returns "file:line" of a place in the program, for a comment.
func (w *writer) at(span diag.Span) string {
	if w.p.File == nil || !span.Known() {
		return ""
	}
	line, _ := w.p.File.Position(span.Start)
	return fmt.Sprintf("%s:%d", w.file, line)
}
