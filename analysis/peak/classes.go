package peak

import "github.com/memc-lang/memc/ir/sym"

// classes number the sizes of ranges.
type classes struct {
	number  map[string]int
	size    []sym.Poly
	unknown []bool
}

func newClasses() classes { return classes{number: map[string]int{}} }

// of gives the class of a range. A size that is not known is a class of its own.
func (c *classes) of(r *Range) int {
	key, size := r.size.String(), r.size
	if r.unknown {
		key = "unknown " + r.Block
		size = sym.Poly{}
	}
	k, met := c.number[key]
	if !met {
		k = len(c.size)
		c.number[key] = k
		c.size, c.unknown = append(c.size, size), append(c.unknown, r.unknown)
	}
	return k
}
