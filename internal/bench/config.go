package bench

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime/pool"
)

// A Config is a way to compile and run: a name, the passes, and the allocator, ""
// for those that Options name. Hold keeps blocks to the end of their scopes.
type Config struct {
	Name      string
	Passes    []string
	Allocator string
	Hold      bool
}

// merging names the passes that save memory and copies.
var merging = []string{"coalesce", "reuse"}

// ConfigNames are the configurations with a name of their own.
var ConfigNames = []string{"scope", "none", "coalesce", "reuse", "both"}

// DefaultConfigs are those that are measured where none are named.
var DefaultConfigs = ConfigNames[1:]

// named returns the passes of a configuration. none is the middle and the explicit form as it is
// first made, and scope the same with blocks held to the end of their scopes; the
// others are the default pipeline, less what is switched off.
func named(name string) (passes, missing []string) {
	off := []string{}
	switch name {
	case "none", "scope":
		for _, p := range pipeline.MiddlePasses() {
			passes = append(passes, p.Name)
		}
		return append(passes, "explicit"), nil
	case "coalesce":
		off = []string{"reuse"}
	case "reuse":
		off = []string{"coalesce"}
	}
	for _, m := range merging {
		if !slices.Contains(off, m) && pipeline.Lookup(m) == nil {
			missing = append(missing, m)
		}
	}
	for _, p := range pipeline.DefaultPasses() {
		if !slices.Contains(off, p.Name) {
			passes = append(passes, p.Name)
		}
	}
	return passes, missing
}

// ParseConfigs reads configurations: names of ConfigNames, NAME@ALLOCATOR, or
// NAME=PASS,PASS for one of the caller's own. What needs a pass that does not exist, or is what
// another one is already, is left out; notes say so.
func ParseConfigs(texts []string) (configs []Config, notes []string, err error) {
	seen := map[string]string{}
	add := func(c Config) {
		key := fmt.Sprint(c.Passes, c.Allocator, c.Hold)
		if first, twice := seen[key]; twice {
			notes = append(notes, fmt.Sprintf("configuration %s is left out: it is the same as %s", c.Name, first))
			return
		}
		seen[key] = c.Name
		configs = append(configs, c)
	}
	for _, text := range texts {
		name, list, own := strings.Cut(text, "=")
		if own {
			passes, err := pipeline.Parse(list)
			if err != nil {
				return nil, nil, fmt.Errorf("configuration %s: %v", name, err)
			}
			if name == "" || strings.ContainsAny(name, "[] ,") {
				return nil, nil, fmt.Errorf("configuration %q: expected NAME=PASS,PASS, in a --config of its own", text)
			}
			c := Config{Name: name}
			if len(passes) > 0 {
				c.Passes = strings.Split(pipeline.String(passes), ",") // with their switches
			}
			add(c)
			continue
		}
		name, allocator, placed := strings.Cut(name, "@")
		if placed && !slices.Contains(pool.Policies, allocator) {
			return nil, nil, fmt.Errorf("configuration %s: unknown allocator %q: expected %s", text, allocator, strings.Join(pool.Policies, ", "))
		}
		if !slices.Contains(ConfigNames, name) {
			hint := ""
			if near := diag.Nearest(name, ConfigNames); near != "" {
				hint = fmt.Sprintf(" (did you mean %q?)", near)
			}
			return nil, nil, fmt.Errorf("unknown configuration %q%s: expected %s, NAME@ALLOCATOR, or NAME=PASS,PASS", name, hint, strings.Join(ConfigNames, ", "))
		}
		passes, missing := named(name)
		if len(missing) > 0 {
			notes = append(notes, fmt.Sprintf("configuration %s is left out: there is no pass %s yet", name, strings.Join(missing, ", ")))
			continue
		}
		add(Config{name, passes, allocator, name == "scope"})
	}
	if len(configs) == 0 {
		return nil, notes, fmt.Errorf("no configuration is left to measure")
	}
	return configs, notes, nil
}
