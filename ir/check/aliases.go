package check

import (
	"github.com/memc-lang/memc/ir/diag"
)

// Note [Alias graph]
//
// A node stands for the elements that a name may denote. Delayed arrays share the node of their
// source. A node with parents may denote the elements of any of them: results of if, loops and
// calls, and loop parameters. Consuming a node searches up to all nodes that it may denote, and
// from there down to all nodes that may denote the same elements: these are dead from then on. A
// search stops at a dead node, since the nodes related to it died with it. So each edge is followed
// once, and a function costs linear time. A branch of an if revives the nodes that the other branch
// killed.
//
// Three facts that a node has from its parents decide whether it may be consumed at all: oldest,
// fixedBy and param. So a refusal, which kills nothing, needs no search either. A parent is made
// before its children and has the smaller id.

// A node of the alias graph.
type node struct {
	id       int
	parents  []*node
	children []*node
	name     string // the first name of these elements, for messages
	span     diag.Span
	// fixed says why it must not be consumed; "" if it may be.
	fixed string
	// loopParam: this is a parameter, without "*" in its type, of a loop whose body is being
	// checked.
	loopParam bool
	dead      *death
	seen      int // visit stamp
	// Among all nodes that this one may denote: the oldest, one that must not be consumed, and a
	// loop parameter.
	oldest, fixedBy, param *node
}

// A death tells which consumption killed a node.
type death struct {
	span diag.Span
	how  string // "consumed by an update"
	name string // the array consumed
}

// A barrier is a body that must not consume arrays made outside.
type barrier struct {
	first  int    // nodes made from here on are inside
	kernel string // whose body it is; "": of a loop
}

// why says what is wrong with consuming an array made outside.
func (b barrier) why() string {
	if b.kernel == "" {
		return "made outside the loop, whose body would consume it again"
	}
	return "made outside the body of this `" + b.kernel + "`, and all threads share it"
}

type aliasGraph struct {
	next     int
	stamp    int
	killed   []*node // history, for branches
	barriers []barrier
}

func (g *aliasGraph) node(name string, span diag.Span, parents ...*node) *node {
	g.next++
	n := &node{id: g.next, name: name, span: span}
	n.oldest = n
	for _, p := range parents {
		if p == nil {
			continue
		}
		if p.oldest.id < n.oldest.id {
			n.oldest = p.oldest
		}
		if n.fixedBy == nil {
			n.fixedBy = p.fixedBy
		}
		if p.param != nil && (n.param == nil || !n.param.loopParam) {
			n.param = p.param
		}
		if len(n.parents) == 0 || n.parents[len(n.parents)-1] != p {
			n.parents = append(n.parents, p)
			p.children = append(p.children, n)
		}
	}
	return n
}

// above collects what n may denote, n included, through nodes that may be followed.
func (g *aliasGraph) above(n *node, may func(*node) bool) []*node {
	g.stamp++
	out := []*node{n}
	n.seen = g.stamp
	for i := 0; i < len(out); i++ {
		for _, p := range out[i].parents {
			if p.seen != g.stamp && may(p) {
				p.seen = g.stamp
				out = append(out, p)
			}
		}
	}
	return out
}

// alive tells of a node that nothing has consumed it.
func (n *node) alive() bool { return n.dead == nil }

// kill marks all that may share elements with one of the nodes.
func (g *aliasGraph) kill(nodes []*node, d *death) {
	g.stamp++
	work := append([]*node(nil), nodes...)
	for _, n := range work {
		n.seen = g.stamp
	}
	for i := 0; i < len(work); i++ {
		n := work[i]
		if n.dead == nil {
			n.dead = d
			g.killed = append(g.killed, n)
		}
		for _, k := range n.children {
			if k.seen != g.stamp && k.dead == nil {
				k.seen = g.stamp
				work = append(work, k)
			}
		}
	}
}

// revive undoes the deaths since mark. It returns them, so that they can be repeated after the if.
func (g *aliasGraph) revive(mark int) []*node {
	out := append([]*node(nil), g.killed[mark:]...)
	g.killed = g.killed[:mark]
	return out
}

// fix records why n must not be consumed.
func (n *node) fix(why string) { n.fixed, n.fixedBy = why, n }

// forbidden returns a node that n may denote and that must not be consumed here, and the reason.
func (g *aliasGraph) forbidden(n *node) (*node, string) {
	if n.param != nil && n.param.loopParam {
		return n.param, "a loop parameter without `*`"
	}
	if k := len(g.barriers); k > 0 && n.oldest.id < g.barriers[k-1].first {
		return n.oldest, g.barriers[k-1].why()
	}
	if n.fixedBy != nil {
		return n.fixedBy, n.fixedBy.fixed
	}
	return nil, ""
}
