package workers

import (
	"slices"

	"github.com/memc-lang/memc/transform"
)

// A mutation is a bug that tests plant, to see that a check finds it. The empty mutation is no bug.
type mutation string

// The mutations.
const (
	oneBlock mutation = "one-block" // the blocks of a set become one
	noOffset mutation = "no-offset" // an array lies at the beginning of its block
)

// Mutants names the bugs that Mutant plants.
var Mutants = []string{string(oneBlock), string(noOffset)}

// Mutant returns the pass with a bug, to test its checks, or nil if there is no such bug.
func Mutant(name string) *transform.Pass {
	if !slices.Contains(Mutants, name) {
		return nil
	}
	return newPass(mutation(name))
}
