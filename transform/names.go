package transform

import (
	"strconv"

	"github.com/memc-lang/memc/ir"
)

// Names returns names that a function does not use yet, deterministically: base itself, else
// base_1, base_2, ...
type Names struct {
	used map[string]bool
	next map[string]int // the number to try first, so that many requests stay linear
}

// NewNames treats all names that a function binds or mentions as used.
func NewNames(f *ir.Func) *Names {
	n := &Names{used: make(map[string]bool, ir.Size(f)), next: map[string]int{}}
	ir.AllNames(f, n.Use)
	return n
}

// Use records that a name is taken.
func (n *Names) Use(name string) { n.used[name] = true }

// Fresh returns a new name that is base or starts with it.
func (n *Names) Fresh(base string) string {
	name := base
	for n.used[name] {
		n.next[base]++
		name = base + "_" + strconv.Itoa(n.next[base])
	}
	n.used[name] = true
	return name
}
