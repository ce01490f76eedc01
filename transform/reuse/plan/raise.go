package plan

import "github.com/memc-lang/memc/internal/base/rules"

// raise moves allocations out of loops if no peak rises, including the plan's own: the block is
// then made once, not in every iteration.
func (f *frame) raise(l *account) {
	if len(f.Blocks) > largeBlocks || rules.Off("reuse.raise") {
		return
	}
	peak := l.cost().Peak
	for _, g := range l.groups() {
		for {
			u, ok := f.outOfLoop(g)
			if !ok || !l.swap([]*group{g}, u) {
				break
			}
			if l.cost().Peak > peak {
				l.undo([]*group{g}, u)
				break
			}
			g = u
		}
	}
}

// outOfLoop returns a group as allocated before the innermost loop around it.
func (f *frame) outOfLoop(g *group) (*group, bool) {
	if g.fixed >= 0 || f.Blocks[g.first].Pinned {
		return nil, false
	}
	r := g.region
	for r > 0 && !f.Regions[r].Loop {
		r = f.Regions[r].Parent
	}
	if r == 0 {
		return nil, false
	}
	u := *g
	u.region = f.Regions[r].Parent
	if !f.around(g.within, u.region) {
		return nil, false
	}
	u.at = f.lift(g.at, g.region, u.region).From
	u.span = Span{From: u.at, To: f.outside(g, u.region)}
	for _, t := range u.tops {
		if !f.known(t, u.at) {
			return nil, false
		}
	}
	return &u, true
}
