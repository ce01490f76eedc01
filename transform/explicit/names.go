package explicit

import "github.com/memc-lang/memc/ir"

// A name is what the two passes know of a name of the function.
type name struct {
	elem *ir.Elem // that binds it; nil for sizes, indices, and names that places bind

	// Of the first pass.
	defined int    // when it was defined, by the clock; 0: it was not
	origin  origin // of an array
	root    *root  // of an array that is one
	group   *name  // see groups
	kernel  int    // of a group: a kernel in which its arrays are made
	large   bool   // of a group: some of its arrays do not lie in a thread's memory
	handed  bool   // of a group: a loop of a kernel carries on some of its arrays
	refuted bool   // see refute
	users   []*name

	// Of the second pass.
	since int // when it came into scope, by the clock; 0: it did not
	place place
}

// typ returns the type of a name, or none.
func (n *name) typ() ir.Type {
	if n.elem == nil {
		return ir.Type{}
	}
	return n.elem.Type
}

// names are those of a function.
type names struct {
	table map[string]*name
	room  []name // for further ones
}

func newNames(n int) names { return names{make(map[string]*name, n), make([]name, 0, n)} }

// of returns what is known of a name.
func (ns *names) of(s string) *name {
	n := ns.table[s]
	if n == nil {
		if len(ns.room) == cap(ns.room) { // the ones before stay where they are
			ns.room = make([]name, 0, 64)
		}
		ns.room = append(ns.room, name{})
		n = &ns.room[len(ns.room)-1]
		ns.table[s] = n
	}
	return n
}
