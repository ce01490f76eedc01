//go:build planted

package pipeline

import (
	"os"
	"strings"

	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/coalesce"
	"github.com/memc-lang/memc/transform/reuse"
	"github.com/memc-lang/memc/transform/workers"
)

// A build with the tag `planted` has a bug in the pass that MEMC_PLANTED names, such as
// coalesce:C3 or reuse:swap-sizes: docs/testing.md shows how it is found. No other build
// holds this file.
func init() {
	name, bug, ok := strings.Cut(os.Getenv("MEMC_PLANTED"), ":")
	if !ok {
		return
	}
	var p *transform.Pass
	switch name {
	case "coalesce":
		p = coalesce.Mutant(bug)
	case "reuse":
		p = reuse.Mutant(bug)
	case "workers":
		p = workers.Mutant(bug)
	}
	for _, g := range Groups {
		for k, d := range g.Passes {
			if p != nil && d.Name == name {
				g.Passes[k] = p
			}
		}
	}
}
