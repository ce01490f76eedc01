package peak

import (
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/ir"
)

// A named is a name of an array or of a block, with its mentions.
type named struct {
	name  string // "": it has no entry yet
	in    *named // the block's name that the array lies in, or that an alias of a block names
	alias bool   // it is another name of the block
	block int    // 1 + the number of the real block, 0: none
	life  *life  // of a name of a block on the host
	inner bool   // of a block that threads allocate
	met   bool   // it has a mention
	mention
}

// entry returns the entry of a name, which may be new.
func (t *Table) entry(name string) *named {
	n := t.names.At(name)
	n.name = name
	return n
}

// root returns the name of the block that a name stands for.
func (n *named) root() *named {
	for n.in != nil {
		n = n.in
	}
	return n
}

// root returns the name of the block that a name stands for.
func (t *Table) root(name string) string {
	if n := t.names.Of(name); n != nil && n.name != "" {
		return n.root().name
	}
	return name
}

// mentionOf returns the uses of a name, or nil if there are none.
func (t *Table) mentionOf(name string) *mention {
	if n := t.names.Of(name); n != nil && n.met {
		return &n.mention
	}
	return nil
}

// A mention records the first and the last use of a block's name, or of an array in the block.
// initial: the last use is as the initial value of a loop, whose parameter takes over.
type mention struct {
	first, last int
	initial     bool
	unused      bool // it is mentioned only in the pattern that also binds its block's name
}

// within returns the points of a body from its first statement that holds a mention to the last
// one. loop is that last statement if it mentions the name only as an initial value.
func (t *Table) within(b *ir.Body, m *mention) (span liveness.Span, loop *ir.Stmt, ok bool) {
	in := t.Liveness.Body(b)
	if m.first > in.To || m.last < in.From {
		return span, nil, false
	}
	span.From = t.Liveness.Around(b, max(m.first, in.From)).From
	last := t.Liveness.Around(b, min(m.last, in.To))
	if m.initial && last.From == m.last {
		return liveness.Span{From: span.From, To: last.From}, t.Liveness.Points[m.last].Stmt, true
	}
	span.To = last.To
	return span, nil, true
}
