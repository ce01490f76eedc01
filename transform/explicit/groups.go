package explicit

// Groups are a union-find over array names: arrays that may share memory through aliasing
// operations, branches, loops and calls are in one group. Arrays in different groups share no
// block. One name stands for each group.

func (n *name) find() *name {
	for n.group != nil {
		if n.group.group != nil {
			n.group = n.group.group // halve the path
		}
		n = n.group
	}
	return n
}

func union(x, y *name) {
	if x, y = x.find(), y.find(); x != y {
		x.group = y
	}
}
