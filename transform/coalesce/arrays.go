package coalesce

import (
	"github.com/memc-lang/memc/ir/index"
	"github.com/memc-lang/memc/ir/lmad"
)

// An array is what a state knows of one array of the function.
type array struct {
	name string
	def  *index.Def
	// edges lead to the arrays that have to move along.
	edges []edge
	// class is an array that this one must move with, and nil for the one that stands for all of
	// those (union).
	class *array
	// origin is an array of the same class from which this one was made in place, if that is known.
	origin *array
	// past is where s.past came to from the class of this array, when there were so many forks.
	past  *array
	forks int
	walk  int // the last walk of s.past that came by
	// fixed holds the reason why it cannot move, if that is known from the start.
	fixed refusal
	// accesses are those of the array in ascending order, as indices of ac.All.
	accesses []int
	place    lmad.Fun // once asked for, see place
}

// of returns what is known of an array.
func (s *state) of(name string) *array { return s.arrays.Get(name) }

// root returns the array that stands for all arrays linked with one; parts do not count.
func (x *array) root() *array {
	root := x
	for root.class != nil {
		root = root.class
	}
	for x != root {
		x, x.class = x.class, root
	}
	return root
}

// find returns the name of the root of an array.
func (s *state) find(name string) string { return s.of(name).root().name }

func (s *state) union(x, y string) {
	if a, b := s.of(x).root(), s.of(y).root(); a != b {
		a.class = b
	}
}
