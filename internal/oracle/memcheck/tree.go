package memcheck

// A tree is a search tree of arrays by their extents (a treap: the order of the
// priorities keeps it balanced), with the greatest end below every node.
type tree struct{ root *node }

type node struct {
	a           *array
	left, right *node
	end         int64
	priority    uint64
}

func before(a, b *array) bool {
	return a.bytes.lo < b.bytes.lo || a.bytes.lo == b.bytes.lo && a.born < b.born
}

// priorityOf spreads the orders of bindings.
func priorityOf(a *array) uint64 {
	x := uint64(a.born)*0x9e3779b97f4a7c15 + 0x632be59bd9b4e019
	x ^= x >> 29
	x *= 0xbf58476d1ce4e5b9
	return x ^ x>>32
}

func (n *node) update() *node {
	n.end = n.a.bytes.hi
	for _, m := range []*node{n.left, n.right} {
		if m != nil {
			n.end = max(n.end, m.end)
		}
	}
	return n
}

func (t *tree) insert(a *array) {
	l, r := split(t.root, a)
	t.root = join(join(l, (&node{a: a, priority: priorityOf(a)}).update()), r)
}

// split separates the part before a, a itself, and the part after.
func split(n *node, a *array) (l, r *node) {
	if n == nil {
		return nil, nil
	}
	if before(n.a, a) {
		n.right, r = split(n.right, a)
		return n.update(), r
	}
	l, n.left = split(n.left, a)
	return l, n.update()
}

func join(l, r *node) *node {
	switch {
	case l == nil:
		return r
	case r == nil:
		return l
	case l.priority > r.priority:
		l.right = join(l.right, r)
		return l.update()
	}
	r.left = join(l, r.left)
	return r.update()
}

// remove takes a out, if it is there.
func (t *tree) remove(a *array) { t.root = remove(t.root, a) }

func remove(n *node, a *array) *node {
	switch {
	case n == nil:
		return nil
	case n.a == a:
		return join(n.left, n.right)
	case before(n.a, a):
		n.right = remove(n.right, a)
	default:
		n.left = remove(n.left, a)
	}
	return n.update()
}

// overlapping calls see for the arrays with a byte of lo .. hi-1, in order.
func (t *tree) overlapping(lo, hi int64, see func(*array)) {
	var walk func(n *node)
	walk = func(n *node) {
		if n == nil || n.end <= lo {
			return
		}
		walk(n.left)
		if n.a.bytes.lo >= hi {
			return
		}
		if n.a.bytes.hi > lo {
			see(n.a)
		}
		walk(n.right)
	}
	walk(t.root)
}

func (t *tree) all(see func(*array)) {
	var walk func(n *node)
	walk = func(n *node) {
		if n != nil {
			walk(n.left)
			see(n.a)
			walk(n.right)
		}
	}
	walk(t.root)
}
