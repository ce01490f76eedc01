package explain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

func itoa(n int) string { return strconv.Itoa(n) }

// named returns the name that a user spells so.
func (x *Explanation) named(spelling string) string {
	for _, of := range x.lines {
		for name := range of {
			if name != spelling && x.shown(name) == spelling {
				return name
			}
		}
	}
	return spelling
}

// functionsOf finds the functions that know all names; in, if it is not empty, is the one to look at.
func (x *Explanation) functionsOf(in string, names ...string) (found []string, err error) {
	known := []string{}
	for _, f := range x.final.Funcs {
		if in != "" && f.Name != in {
			continue
		}
		all := true
		for _, n := range names {
			all = all && slices.ContainsFunc(x.Stages, func(s *Stage) bool { return s.function(f.Name).blockOf(n) != "" })
		}
		if all {
			found = append(found, f.Name)
		}
		for _, s := range x.Stages {
			known = slices.AppendSeq(known, keys(s.function(f.Name).Arrays))
			known = slices.AppendSeq(known, keys(s.function(f.Name).Blocks))
		}
	}
	if len(found) > 0 {
		return found, nil
	}
	if in != "" && x.final.Func(in) == nil {
		return nil, fmt.Errorf("%s has no function `%s`", x.File, in)
	}
	for _, n := range names {
		if slices.Contains(known, n) {
			continue
		}
		if line, pass := x.computedAway(n); line > 0 {
			return nil, fmt.Errorf("%s: %s (line %d) has no storage after the pass `%s`, which came before the passes that decide where arrays lie (--passes=memory runs those alone)", x.File, quote(n), line, pass)
		}
		hint := ""
		if near := x.shown(diag.Nearest(n, known)); near != "" {
			hint = fmt.Sprintf(" (did you mean %q?)", near)
		}
		return nil, fmt.Errorf("%s has no array or block `%s`%s", x.File, n, hint)
	}
	return nil, fmt.Errorf("`%s` are in different functions", strings.Join(names, "` and `"))
}

// computedAway returns the line of a name that the source binds, and the pass that removed it while the
// program had no memory; the line is 0 if there is no such name.
func (x *Explanation) computedAway(name string) (line int, pass string) {
	had := false
	for k, s := range x.Stages {
		binds := false
		for _, f := range s.prog.Funcs {
			ir.WalkStmts(f.Body, func(st *ir.Stmt) bool {
				binds = binds || slices.ContainsFunc(st.Pat, func(e *ir.Elem) bool { return e.Name == name && e.Type.Kind == ir.ArrayKind })
				return !binds
			})
			if k == 0 && binds && line == 0 {
				line = x.lines[f.Name][name]
			}
		}
		if had && !binds {
			return line, s.Pass
		}
		had = binds
	}
	return 0, ""
}

func keys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// blockOf returns the block that a name stands for: a block's own name, or that of the
// block that an array lies in.
func (f *Facts) blockOf(name string) string {
	if f == nil {
		return ""
	}
	if a := f.Arrays[name]; a != nil {
		return a.Block
	}
	if f.Blocks[name] != nil {
		return name
	}
	return ""
}

// life tells where an array or a block is made and needed for the last time.
func (x *Explanation) life(fn, name string) string {
	s := x.beforeReuse()
	f := s.function(fn)
	if f.blockOf(name) == "" {
		s = x.last()
		f = s.function(fn)
	}
	if a := f.Arrays[name]; a != nil {
		text := fmt.Sprintf("%s is %s, %s bytes, made at %s", quote(name), a.Type, a.Bytes, x.atName(fn, name))
		var last []string
		for _, p := range f.live.LastUsesOf(name) {
			if at := x.place(f, p); !slices.Contains(last, at) {
				last = append(last, at)
			}
		}
		switch {
		case len(last) > 3:
			text += fmt.Sprintf(" and used last at %s and %d more places", strings.Join(last[:3], ", "), len(last)-3)
		case len(last) > 0:
			text += " and used last at " + strings.Join(last, " and ")
		}
		return text + "."
	}
	b := f.Blocks[name]
	if b == nil {
		return quote(name) + " has no storage of its own any more."
	}
	size := ""
	if b.Size != nil {
		size = ", " + b.Size.String() + " bytes"
	}
	return fmt.Sprintf("%s is a block%s, %s (%s); it holds %s.", quote(name), size, b.Origin, x.atName(fn, name), b.holds())
}

// holds lists the arrays of a block, in words.
func (b *Block) holds() string {
	if len(b.Arrays) == 0 && len(b.Turns) > 0 {
		return "in turns " + list(b.Turns)
	}
	return list(b.Arrays)
}

func list(names []string) string {
	if len(names) == 0 {
		return "no array"
	}
	var quoted []string
	for _, n := range names[:min(len(names), 6)] {
		quoted = append(quoted, quote(n))
	}
	s := strings.Join(quoted, ", ")
	if len(names) > 6 {
		s += fmt.Sprintf(" and %d more", len(names)-6)
	}
	return s
}

// atName returns the source line that binds a name, or for which a pass made it, in words.
func (x *Explanation) atName(fn, name string) string {
	if b := x.beforeReuse().function(fn).Blocks[name]; b != nil && len(b.Arrays) > 0 && x.lines[fn][name] == 0 {
		name = b.Arrays[0]
	}
	if l := x.lines[fn][name]; l > 0 {
		return "line " + itoa(l)
	}
	return "a place that a pass made"
}

// place returns the source line of a point, in words.
func (x *Explanation) place(f *Facts, point int) string {
	pt := f.live.Points[point]
	name := ""
	if pt.Stmt != nil && len(pt.Stmt.Pat) > 0 {
		name = pt.Stmt.Pat[0].Name
	}
	switch line := x.lines[f.Name][name]; {
	case pt.Kind == liveness.End && pt.Stmt == nil:
		return "the function's result"
	case line > 0:
		return fmt.Sprintf("line %d (%s)", line, quote(name))
	case name != "":
		return "the making of " + quote(name)
	}
	return "the function's begin"
}
