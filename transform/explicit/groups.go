package explicit

// groups is a union-find over array names: arrays that may share memory through aliasing
// operations, branches, loops and calls are in one group. Arrays in different groups share no
// block.
type groups struct{ parent map[string]string }

func (g *groups) find(x string) string {
	for {
		p, ok := g.parent[x]
		if !ok {
			return x
		}
		if q, ok := g.parent[p]; ok {
			g.parent[x] = q // halve the path
		}
		x = p
	}
}

func (g *groups) union(x, y string) {
	if x, y = g.find(x), g.find(y); x != y {
		g.parent[x] = y
	}
}
