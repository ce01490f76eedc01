package pipeline

import (
	"fmt"
	"strings"

	"github.com/memc-lang/memc/internal/diag"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/explicit"
)

// all lists every pass in the order of the default pipeline.
var all = []*transform.Pass{
	explicit.Pass,
}

// All gives every pass, in the order of the default pipeline.
func All() []*transform.Pass { return append([]*transform.Pass(nil), all...) }

// Default gives the names of the passes that run where none are asked for.
func Default() []string {
	names := make([]string, len(all))
	for i, p := range all {
		names[i] = p.Name
	}
	return names
}

// DefaultPasses gives the passes of Default.
func DefaultPasses() []*transform.Pass { return All() }

// Lookup gives the pass of that name, or nil.
func Lookup(name string) *transform.Pass {
	for _, p := range all {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// Parse reads a pipeline: names of passes with commas between them. The empty
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
		p := Lookup(name)
		if p == nil {
			return nil, unknown(name)
		}
		passes = append(passes, p)
	}
	if err := CheckOrder(passes); err != nil {
		return nil, err
	}
	return passes, nil
}

// String prints a pipeline as the text that Parse reads.
func String(passes []*transform.Pass) string {
	names := make([]string, len(passes))
	for i, p := range passes {
		names[i] = p.Name
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
	names := make([]string, len(all))
	for i, p := range all {
		names[i] = p.Name
	}
	if near := diag.Nearest(name, names); near != "" {
		return fmt.Errorf("unknown pass %q; did you mean %q?", name, near)
	}
	return fmt.Errorf("unknown pass %q (known: %s)", name, String(all))
}
