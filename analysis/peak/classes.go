package peak

import "github.com/memc-lang/memc/ir/sym"

// classes number the sizes of ranges.
type classes struct {
	number  map[string]int
	size    []sym.Poly
	unknown []bool
}

func newClasses() classes { return classes{number: map[string]int{}} }

// of returns the class of a range. An unknown size is a class of its own.
func (c *classes) of(r *Range) int {
	if r.unknown {
		return c.add(sym.Poly{}, true)
	}
	if last := len(c.size) - 1; last >= 0 && !c.unknown[last] && c.size[last].Equal(r.size) {
		return last // neighbouring ranges often have one size
	}
	key := r.size.String()
	k, met := c.number[key]
	if !met {
		k = c.add(r.size, false)
		c.number[key] = k
	}
	return k
}

func (c *classes) add(size sym.Poly, unknown bool) int {
	c.size, c.unknown = append(c.size, size), append(c.unknown, unknown)
	return len(c.size) - 1
}
