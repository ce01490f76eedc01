package explain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/internal/base/diag"
)

func itoa(n int) string { return strconv.Itoa(n) }

// Pair tells in sentences why two arrays or blocks share storage, or why they do not.
// Lines are those of the source.
func (x *Explanation) Pair(a, b string) (string, error) {
	a, b = x.named(a), x.named(b)
	fn, err := x.functionOf(a, b)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	for _, n := range []string{a, b} {
		say("%s", x.life(fn, n))
	}
	if a == b {
		return x.shown(out.String()), nil
	}
	for k, s := range x.Stages {
		f := s.function(fn)
		ba, bb := f.blockOf(a), f.blockOf(b)
		if ba == "" || bb == "" {
			continue
		}
		if ba == bb || x.merged(fn, ba, bb, k) {
			say("%s", x.shared(fn, a, b, ba, s))
			x.mention(&out, fn, a, b)
			return x.shown(out.String()), nil
		}
	}
	before := x.beforeReuse().function(fn)
	ba, bb := before.blockOf(a), before.blockOf(b)
	switch {
	case ba == "" || bb == "":
		say("They do not share storage: one of them has no block.")
	default:
		w, bad := before.meets.Interfere(ba, bb)
		if bad {
			say("They do not share storage, because their blocks %s and %s interfere. %s", quote(ba), quote(bb), before.sentence(w, x.place(before, w.Point)))
		} else {
			say("They do not share storage, although their blocks %s and %s do not interfere: no pass found it worth while, or provably safe for the peak.", quote(ba), quote(bb))
		}
	}
	x.mention(&out, fn, a, b)
	return x.shown(out.String()), nil
}

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

// functionOf finds the function that knows all names.
func (x *Explanation) functionOf(names ...string) (string, error) {
	known := []string{}
	for _, f := range x.final.Funcs {
		all := true
		for _, n := range names {
			all = all && slices.ContainsFunc(x.Stages, func(s *Stage) bool { return s.function(f.Name).blockOf(n) != "" })
		}
		if all {
			return f.Name, nil
		}
		for _, s := range x.Stages {
			known = slices.AppendSeq(known, keys(s.function(f.Name).Arrays))
			known = slices.AppendSeq(known, keys(s.function(f.Name).Blocks))
		}
	}
	for _, n := range names {
		if slices.Contains(known, n) {
			continue
		}
		hint := ""
		if near := x.shown(diag.Nearest(n, known)); near != "" {
			hint = fmt.Sprintf(" (did you mean %q?)", near)
		}
		return "", fmt.Errorf("%s has no array or block `%s`%s", x.File, n, hint)
	}
	return "", fmt.Errorf("`%s` are in different functions", strings.Join(names, "` and `"))
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

// merged reports whether a pass put what lay in one block into the other before stage k: then
// an array of the first lies in the second now.
func (x *Explanation) merged(fn, a, b string, k int) bool {
	before := x.beforeReuse().function(fn)
	now := x.Stages[k].function(fn)
	if now == before || before == nil {
		return false
	}
	in := func(block string) string {
		old := before.Blocks[block]
		if old == nil {
			return ""
		}
		for _, arr := range old.Arrays {
			if m := now.blockOf(arr); m != "" {
				return m
			}
		}
		return ""
	}
	x1, x2 := in(a), in(b)
	return x1 != "" && x1 == x2
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
	return fmt.Sprintf("%s is a block%s, %s (%s); it holds %s.", quote(name), size, b.Origin, x.atName(fn, name), list(b.Arrays))
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

// shared says how two names came to share a block.
func (x *Explanation) shared(fn, a, b, block string, s *Stage) string {
	by := "as written"
	if s.Pass != "" {
		by = "by the pass `" + s.Pass + "`"
	}
	text := fmt.Sprintf("They share the block %s, %s.", quote(block), by)
	before := x.beforeReuse().function(fn)
	ba, bb := before.blockOf(a), before.blockOf(b)
	switch s.Pass {
	case "reuse":
		if w, bad := before.meets.Interfere(ba, bb); bad { // of the other arrays of their blocks
			return text + " " + before.sentence(w, x.place(before, w.Point))
		}
		if apart(before.live.Elements(a), before.live.Elements(b)) {
			return text + " They are never needed at the same time, so one storage serves both."
		}
		return text + " Where both are needed, every element is read before it is overwritten."
	case "coalesce":
		return text + " One is made in the place that it would have been copied to, so the copy is gone."
	}
	return text
}

// apart reports whether two lives have no point in common.
func apart(a, b []liveness.Interval) bool {
	for _, i := range a {
		for _, j := range b {
			if i.From <= j.To && j.From <= i.To {
				return false
			}
		}
	}
	return true
}

// mention adds the remarks that speak of both.
func (x *Explanation) mention(out *strings.Builder, fn, a, b string) {
	about := func(r *Remark, n string) bool {
		return slices.Contains(r.Names, n) || slices.Contains(r.Names, x.beforeReuse().function(fn).blockOf(n))
	}
	for _, r := range x.Remarks {
		if r.Func == fn && about(r, a) && about(r, b) {
			fmt.Fprintf(out, "  %s\n", r)
		}
	}
}

// String returns a remark as one line.
func (r *Remark) String() string {
	code := ""
	if r.Refused {
		code = "[" + r.Code + "] "
	}
	return fmt.Sprintf("line %d: %s: %s%s", r.Line, r.Pass, code, r.Text)
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
