package places

import (
	"hash/maphash"
	"math"
	"slices"
)

// ranges is an immutable map from atoms to their known. A nil map is empty.
//
// Most maps live for a few changes only: a fact changes one atom several times, a question adds what
// it finds on the way, and the facts of a kernel's index end with the kernel. So a map is a tree and
// a list of the last changes, newest first. Settle puts them into the tree, which copies each node
// on the way once.
type ranges struct {
	hash    uint64
	entry   *entry
	before  *ranges // the map without the entry
	changes int     // in the list
	tree    *tree
}

type entry struct {
	name  string
	known known
}

const (
	someChanges = 8  // in a list that Settle leaves
	maxChanges  = 64 // in any list
)

// treeSeed differs from run to run: no result depends on the positions of names in the tree.
var treeSeed = maphash.MakeSeed()

var anything = known{lo: math.MinInt64, hi: math.MaxInt64}

// of returns what is known of an atom. It is not to be written to.
func (r *ranges) of(name string) *known {
	if r == nil {
		return &anything
	}
	hash := maphash.String(treeSeed, name)
	for c := r; c.changes > 0; c = c.before {
		if c.hash == hash && c.entry.name == name {
			return &c.entry.known
		}
	}
	return r.tree.of(hash, name)
}

func (r *ranges) with(name string, k known) *ranges {
	if r == nil {
		r = &ranges{}
	}
	out := &ranges{hash: maphash.String(treeSeed, name), entry: &entry{name, k}, before: r, changes: r.changes + 1, tree: r.tree}
	if out.changes < maxChanges {
		return out
	}
	return out.settled()
}

func (r *ranges) settled() *ranges {
	return &ranges{tree: r.tree.with(r.newest(make([]*ranges, 0, maxChanges)), 0)}
}

// Settle returns the same facts in a form in which many questions are answered sooner: for facts
// that stay for a while.
func (f Facts) Settle() Facts {
	if f.ranges != nil && f.ranges.changes > someChanges {
		f.ranges = f.ranges.settled()
	}
	return f
}

// newest appends the changes of the list that no other one of the same atom follows.
func (r *ranges) newest(list []*ranges) []*ranges {
next:
	for c := r; c.changes > 0; c = c.before {
		for _, later := range list {
			if later.hash == c.hash && later.entry.name == c.entry.name {
				continue next
			}
		}
		list = append(list, c)
	}
	return list
}

// A tree holds entries by the hashes of their names: at each level the next three bits select the
// child. A tree of 100,000 names is six deep.
type tree struct {
	hash  uint64
	entry *entry // shared by all trees since it was put in
	kids  [1 << hashBits]*tree
}

const hashBits = 3

func (t *tree) of(hash uint64, name string) *known {
	for bits := hash; t != nil; t, bits = t.kids[bits%uint64(len(t.kids))], bits>>hashBits {
		if t.hash == hash && t.entry.name == name {
			return &t.entry.known
		}
	}
	return &anything
}

// with puts in changes of different atoms that have the bits of a level's path in common.
func (t *tree) with(changes []*ranges, level int) *tree {
	var out tree
	if t != nil {
		out = *t
	} else {
		out.hash, out.entry = changes[0].hash, changes[0].entry
		changes = changes[1:]
	}
	changes = slices.DeleteFunc(changes, func(c *ranges) bool {
		same := c.hash == out.hash && c.entry.name == out.entry.name
		if same {
			out.entry = c.entry
		}
		return same
	})
	for kid := range out.kids {
		n := 0 // changes of that child, which come to the front
		for k, c := range changes {
			if c.hash>>(level*hashBits)%uint64(len(out.kids)) == uint64(kid) {
				changes[k], changes[n] = changes[n], c
				n++
			}
		}
		if n > 0 {
			out.kids[kid] = out.kids[kid].with(changes[:n], level+1)
			changes = changes[n:]
		}
	}
	return &out
}
