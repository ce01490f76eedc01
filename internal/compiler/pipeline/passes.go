package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/coalesce"
	"github.com/memc-lang/memc/transform/explicit"
	"github.com/memc-lang/memc/transform/forget"
	"github.com/memc-lang/memc/transform/fuse"
	"github.com/memc-lang/memc/transform/hoist"
	"github.com/memc-lang/memc/transform/inline"
	"github.com/memc-lang/memc/transform/reuse"
	"github.com/memc-lang/memc/transform/sequentialise"
	"github.com/memc-lang/memc/transform/simplify"
	"github.com/memc-lang/memc/transform/workers"
)

// A Group is a part of the default pipeline; its name in --passes stands for its passes.
type Group struct {
	Name, Doc string
	Passes    []*transform.Pass
}

// Groups are the parts of the default pipeline, in order.
var Groups = []Group{
	{"middle", "change how values are computed, before they have memory", []*transform.Pass{
		inline.Pass,
		simplify.Pass,
		fuse.Pass,
		simplify.Pass,
	}},
	{"memory", "decide where arrays lie", []*transform.Pass{
		sequentialise.Levels,
		explicit.Pass,
		hoist.Lift,
		coalesce.Pass,
		hoist.Lower,
		reuse.Pass,
		workers.Pass,
	}},
}

// optional lists the passes that run only where they are asked for.
var optional = []*transform.Pass{
	forget.Pass,
	sequentialise.Pass,
}

// All returns every pass once: those of the default pipeline, in its order, then the
// optional ones.
func All() []*transform.Pass {
	var all []*transform.Pass
	for _, p := range slices.Concat(DefaultPasses(), optional) {
		if !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return all
}

// Names returns the names of all passes.
func Names() []string {
	var names []string
	for _, p := range All() {
		names = append(names, p.Name)
	}
	return names
}

// Default returns the pipeline that runs where none is asked for, as Parse reads it.
func Default() string {
	names := make([]string, len(Groups))
	for k, g := range Groups {
		names[k] = g.Name
	}
	return strings.Join(names, ",")
}

// DefaultPasses returns the passes of Default.
func DefaultPasses() []*transform.Pass {
	var passes []*transform.Pass
	for _, g := range Groups {
		passes = append(passes, g.Passes...)
	}
	return passes
}

// Processors is the name of a group that stands in place of memory in programs that run on processors.
const Processors = "processors"

// ForProcessors returns the passes of that group, or of the whole default pipeline with it: on processors,
// neighbouring threads need not touch neighbouring elements.
func ForProcessors(passes []*transform.Pass) []*transform.Pass {
	out := slices.Clone(passes)
	for k, p := range out {
		if p == coalesce.Pass {
			out[k] = p.Variant([]string{"neighbours"})
		}
	}
	return out
}

// ParseFor is Parse, but the default pipeline is the one for processors, where processors is set.
func ParseFor(text string, processors bool) ([]*transform.Pass, error) {
	passes, err := Parse(text)
	if err == nil && processors && text == Default() {
		passes = ForProcessors(passes)
	}
	return passes, err
}

// MiddlePasses returns the passes before any memory.
func MiddlePasses() []*transform.Pass { return slices.Clone(Groups[0].Passes) }

// MemoryPasses returns the passes that decide where arrays lie.
func MemoryPasses() []*transform.Pass { return slices.Clone(Groups[1].Passes) }

// Lookup returns the pass of that name, or nil.
func Lookup(name string) *transform.Pass {
	for _, p := range All() {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// Parse reads a pipeline: names of passes or groups with commas between them. The empty
// text is the empty pipeline. A pass may stand in it more than once.
func Parse(text string) ([]*transform.Pass, error) {
	passes := []*transform.Pass{}
	for _, name := range strings.Split(text, ",") {
		name = strings.TrimSpace(name)
		if name == "" {
			if strings.TrimSpace(text) == "" {
				break
			}
			return nil, fmt.Errorf("empty name in pipeline %q", text)
		}
		if k := slices.IndexFunc(Groups, func(g Group) bool { return g.Name == name }); k >= 0 {
			passes = append(passes, Groups[k].Passes...)
			continue
		}
		if name == Processors {
			passes = append(passes, ForProcessors(MemoryPasses())...)
			continue
		}
		p, err := named(name)
		if err != nil {
			return nil, err
		}
		passes = append(passes, p)
	}
	if err := CheckOrder(passes); err != nil {
		return nil, err
	}
	return passes, nil
}

// named returns the pass that a name stands for, with its switches: "coalesce",
// "coalesce:-concat:-update".
func named(text string) (*transform.Pass, error) {
	parts := strings.Split(text, ":")
	p := Lookup(parts[0])
	if p == nil {
		return nil, unknown(parts[0])
	}
	var off []string
	for _, s := range parts[1:] {
		name, minus := strings.CutPrefix(s, "-")
		if !minus || !slices.Contains(p.Switches, name) {
			if len(p.Switches) == 0 {
				return nil, fmt.Errorf("pass %s has no switches", p.Name)
			}
			return nil, fmt.Errorf("unknown switch %q of pass %s (known: -%s)", s, p.Name, strings.Join(p.Switches, ", -"))
		}
		off = append(off, name)
	}
	if len(off) == 0 {
		return p, nil
	}
	return p.Variant(off), nil
}

// String prints a pipeline as the text that Parse reads.
func String(passes []*transform.Pass) string {
	names := make([]string, len(passes))
	for i, p := range passes {
		names[i] = p.Name
		for _, s := range p.Off {
			names[i] += ":-" + s
		}
	}
	return strings.Join(names, ",")
}

// CheckOrder tells the first order constraint that a pipeline breaks: where a
// pass must come after another that is in the pipeline too, one run of that
// other pass has to come before it.
func CheckOrder(passes []*transform.Pass) error {
	present := map[string]bool{}
	for _, p := range passes {
		present[p.Name] = true
	}
	done := map[string]bool{}
	for _, p := range passes {
		for _, c := range p.After {
			if present[c.Pass] && !done[c.Pass] {
				return fmt.Errorf("pass %s must come after %s: %s", p.Name, c.Pass, c.Reason)
			}
		}
		done[p.Name] = true
	}
	return nil
}

// unknown answers an unknown name with the nearest known one.
func unknown(name string) error {
	names := Names()
	for _, g := range Groups {
		names = append(names, g.Name)
	}
	names = append(names, Processors)
	if near := diag.Nearest(name, names); near != "" {
		return fmt.Errorf("unknown pass %q; did you mean %q?", name, near)
	}
	return fmt.Errorf("unknown pass %q (known: %s)", name, strings.Join(names, ","))
}
