package plan

import "slices"

// A group is a set of blocks that share one, under construction.
type group struct {
	first int       // the first member
	all   []int     // the members, ascending; of a large group they are in parts
	parts [2]*group // the two parts of a large group, so that making it takes no time
	count int       // of members
	// carried: some member is.
	carried bool
	kept    []int // members that holders may keep
	region  int   // that all members have in common
	within  int   // the innermost of the members' Within
	at      int
	span    Span
	tops    []int // members that no other member is proven to be as large as
	fixed   int   // the fixed member, or -1
	rigid   int   // a rigid member, or -1
	work    int   // the Work of all members; 0: they have none, or not the same
	// unknown: its size cannot be computed where it is allocated. A further member may change that,
	// so it is allowed as an intermediate step, but not as a result.
	unknown bool
	top     vector
	place   int // in the account that counts it
	ends    int // the last point of the members' Lives
	refused int // 1 + the block that was found last to conflict with a member
}

// single returns the group of one block.
func (f *frame) single(b int) *group {
	blk := &f.Blocks[b]
	g := &group{first: b, all: []int{b}, count: 1, within: blk.Within, tops: []int{b}, fixed: -1, rigid: -1, carried: blk.Carried, work: blk.Work, top: f.size[b]}
	if f.Lives != nil {
		g.ends = f.Lives[b].To
	}
	if blk.Rigid {
		g.rigid = b
	}
	if f.mayKeep[b] {
		g.kept = g.all
	}
	g.at = blk.Alloc
	g.span = Span{From: blk.Alloc, To: blk.Last}
	g.region = f.regionAt(blk.Alloc)
	if blk.Fixed {
		g.fixed = b
	}
	return g
}

// singles returns the plan in which nothing is shared.
func (f *frame) singles() []*group {
	out := make([]*group, len(f.Blocks))
	for b := range out {
		out[b] = f.single(b)
	}
	return out
}

// maxAgain bounds the members of a group whose room is tested again when other members replace its
// greatest ones.
const maxAgain = 4096

// smallGroup is the number of members up to which a group lists them.
const smallGroup = 64

// members returns the members of a group, ascending.
func (g *group) members() []int {
	if g.all != nil {
		return g.all
	}
	out := make([]int, 0, g.count)
	for open := []*group{g}; len(open) > 0; {
		x := open[len(open)-1]
		open = open[:len(open)-1]
		if x.all != nil {
			out = append(out, x.all...)
			continue
		}
		open = append(open, x.parts[0], x.parts[1])
	}
	slices.Sort(out)
	return out
}

// unite makes u the union of the members of two groups.
func (u *group) unite(g, h *group) {
	u.first, u.count, u.ends = min(g.first, h.first), g.count+h.count, max(g.ends, h.ends)
	if u.count > smallGroup {
		u.parts = [2]*group{g, h}
	} else {
		u.all = merged(g.all, h.all)
	}
	switch {
	case len(h.kept) == 0:
		u.kept = g.kept
	case len(g.kept) == 0:
		u.kept = h.kept
	default:
		u.kept = merged(g.kept, h.kept)
	}
}

// merged returns the numbers of two ascending lists.
func merged(xs, ys []int) []int {
	out := make([]int, 0, len(xs)+len(ys))
	for len(xs) > 0 && len(ys) > 0 {
		if xs[0] < ys[0] {
			out, xs = append(out, xs[0]), xs[1:]
		} else {
			out, ys = append(out, ys[0]), ys[1:]
		}
	}
	return append(append(out, xs...), ys...)
}

// outside returns the last point of a group's span, seen from a region around: a shared block is
// held to the end of the statement in which it is used last.
func (f *frame) outside(g *group, region int) int {
	return f.lift(g.span.To, f.regionAt(g.span.To), region).To
}

// join returns the union of two groups. It refuses if a block would be allocated outside of its
// outermost region, or if a fixed block would grow. The caller checks conflicts, and whether the
// size is known.
func (f *frame) join(g, h *group) (*group, bool) {
	if f.Blocks[g.first].Pinned || f.Blocks[h.first].Pinned || g.fixed >= 0 && h.fixed >= 0 {
		return nil, false
	}
	if h.fixed >= 0 {
		g, h = h, g
	}
	u := &group{region: f.common(g.region, h.region), fixed: g.fixed, rigid: max(g.rigid, h.rigid), carried: g.carried || h.carried}
	if u.rigid >= 0 && !f.fitRigid(g, h) || g.work != h.work && !f.fitThreads(g, h) {
		return nil, false
	}
	if g.work == h.work {
		u.work = g.work
	}
	u.within = g.within
	if f.depth[h.within] > f.depth[u.within] {
		u.within = h.within
	}
	if !f.around(g.within, u.region) || !f.around(h.within, u.region) {
		return nil, false
	}
	if g.fixed >= 0 {
		if !f.allIn(h, g.fixed) {
			return nil, false
		}
		if u.region != g.region || f.lift(h.at, h.region, u.region).From < g.at {
			return nil, false // it is not there yet, or no more
		}
		u.at, u.tops = g.at, g.tops
		u.span = Span{From: g.span.From, To: max(f.outside(g, u.region), f.outside(h, u.region))}
	} else {
		u.at = min(f.lift(g.at, g.region, u.region).From, f.lift(h.at, h.region, u.region).From)
		u.span.From = u.at
		u.span.To = max(f.outside(g, u.region), f.outside(h, u.region))
		u.tops = f.greatest(g, h)
	}
	if u.work == 0 && slices.ContainsFunc(u.tops, func(t int) bool { return f.Blocks[t].Work != 0 }) {
		return nil, false
	}
	u.unite(g, h)
	for k, t := range u.tops {
		if u.fixed >= 0 || f.known(t, u.at) {
			continue
		}
		// Another member of the same size may be known.
		members := u.all // of a large group no others are looked for
		same := slices.IndexFunc(members, func(m int) bool { return f.known(m, u.at) && f.atMost(t, m) })
		if same < 0 {
			u.unknown = true
			continue
		}
		u.tops[k] = members[same]
	}
	u.top = f.bound(u.tops)
	return u, true
}

// oneInstance reports whether only one instance of a group's block is held at any time: no member
// is carried from one iteration to another, or no loop allocates the block.
func (f *frame) oneInstance(g *group) bool {
	if !g.carried {
		return true
	}
	for r := g.region; r > 0; r = f.Regions[r].Parent {
		if f.Regions[r].Loop {
			return false
		}
	}
	return true
}

// fitRigid reports whether the union of two groups leaves every rigid member at its size.
func (f *frame) fitRigid(g, h *group) bool {
	if g.fixed >= 0 && !f.Blocks[g.fixed].Lent {
		return false
	}
	into := func(g, h *group) bool {
		return h.rigid < 0 || f.allIn(g, h.rigid)
	}
	return into(g, h) && into(h, g)
}

// fitThreads reports whether blocks of the threads of a kernel may lie among those of other kinds: one of
// these has room for all of them.
func (f *frame) fitThreads(g, h *group) bool {
	if g.work == 0 {
		g, h = h, g
	}
	tied := func(m int) bool { return f.Blocks[m].Tied }
	return h.work == 0 && !slices.ContainsFunc(g.members(), tied) &&
		slices.ContainsFunc(h.tops, func(t int) bool { return f.allIn(g, t) })
}

// known reports whether the size of a block can be computed before a point.
func (f *frame) known(b, at int) bool {
	k := f.Blocks[b].Known
	return k <= at && f.around(f.regionAt(k), f.regionAt(at))
}

// allIn reports whether all members of a group have room in a block.
func (f *frame) allIn(g *group, b int) bool {
	if !slices.ContainsFunc(g.tops, func(t int) bool { return f.class[t] != f.class[b] }) {
		return true
	}
	return g.count <= maxAgain && !slices.ContainsFunc(g.members(), func(m int) bool { return !f.atMost(m, b) })
}

// greatest returns the members of two groups such that the greatest of their sizes has room for all
// members. Facts at a member's allocation say that it has room in another one, so such steps do not
// compose: b may have room in a by the facts at b, and c in b, because both have the same size, but
// c has no room in a by the facts at c. So if a greatest member is replaced, the members that it
// stood for are tested again.
func (f *frame) greatest(g, h *group) []int {
	var out []int
	for _, x := range g.tops {
		if !slices.ContainsFunc(h.tops, func(y int) bool { return f.atMost(x, y) && !f.atMost(y, x) }) {
			out = append(out, x)
		}
	}
	for _, y := range h.tops {
		if !slices.ContainsFunc(out, func(x int) bool { return f.atMost(y, x) }) {
			out = append(out, y)
		}
	}
	for _, side := range []*group{g, h} {
		gone := func(t int) bool {
			return !slices.ContainsFunc(out, func(x int) bool { return f.class[x] == f.class[t] })
		}
		if !slices.ContainsFunc(side.tops, gone) {
			continue
		}
		asked := side.tops
		if side.count <= maxAgain {
			asked = side.members()
		}
		for _, m := range asked {
			if side.count > maxAgain && gone(m) || !slices.ContainsFunc(out, func(x int) bool { return f.atMost(m, x) }) {
				out = append(out, m)
			}
		}
	}
	return out
}

// bound returns the greatest coefficients and samples of some sizes: an upper bound of all of them.
func (f *frame) bound(tops []int) vector {
	if len(tops) == 1 {
		return f.size[tops[0]]
	}
	v := slices.Clone(f.size[tops[0]])
	for _, t := range tops[1:] {
		for k, c := range f.size[t] {
			v[k] = max(v[k], c)
		}
	}
	return v
}

// finish returns the group as a result.
func (f *frame) finish(g *group) Group {
	out := Group{Members: g.members(), At: g.at, Sizes: slices.Clone(g.tops), Leader: g.fixed}
	slices.Sort(out.Sizes)
	if g.fixed < 0 {
		out.Leader = g.first
		for _, m := range out.Members {
			if f.Blocks[m].Alloc < f.Blocks[out.Leader].Alloc {
				out.Leader = m
			}
		}
	}
	return out
}
