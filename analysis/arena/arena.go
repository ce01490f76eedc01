// Package arena lays out the blocks of a group of threads in the group's local memory
// (docs/groups.md).
//
// Purpose. A group's blocks are few, known before the kernel, and all belong to one group; local
// memory is scarce. So they need not share as whole blocks do, first byte on first byte: each may
// lie at any offset at which it overlaps no block that is needed at the same time.
//
//	let m_t = alloc@group k * 4     -- slot 0
//	let m_r = alloc@group k * 4     -- made from m_t's array: slot 1
//	let m_s = alloc@group k * 8     -- made from m_r's: slot 0, which has k * 8 bytes then
//
// Algorithm. If all sizes are constants that a block can have: first fit, largest block first. Each
// block gets the lowest offset at which it overlaps no block that it must not overlap. Otherwise
// the host computes offsets when the kernel is launched, and no decision depends on comparing
// sizes. Blocks are coloured in the order of the text. Blocks of one colour are never needed at the
// same time; they share a slot as large as the largest of them. Slots lie one behind the other. A
// block takes, among the slots that it can have, one of its own size, else the first: a shared slot
// is never larger than the blocks in it together.
//
// The layout also determines where the group's threads must meet (Note [Barriers]).
//
// Package interference says which blocks may not overlap (Table.Apart). The package reads programs
// and changes nothing. It imports ir, ir/lmad, ir/sym and other analyses.
package arena

import (
	"slices"
	"sync"

	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/interference"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Align is the alignment of blocks in an arena: an element of any type may lie at the beginning of
// a block.
const Align = 16

// A Block is one of a group's blocks.
type Block struct {
	Name string
	Size ir.Exp   // in bytes
	Poly sym.Poly // the same
	Slot int
	// Offset is where the block begins, if the layout is Fixed.
	Offset int64
	// First and Last are the first and the last statement that need the block, or nil if none does.
	// Turns is the block with which it takes turns (Note [Turns in an arena]).
	First, Last *ir.Stmt
	Turns       string
	needed      []liveness.Span
}

// A Layout is the arena of a kernel of groups.
type Layout struct {
	Blocks []Block
	// Fixed: all sizes are constants that a block can have, and the arena has Bytes bytes.
	Fixed bool
	Bytes int64
	// Slots lists, for each slot, the numbers of the blocks in it. It is set if the layout is not
	// Fixed.
	Slots [][]int
	lower []sym.Poly
	live  *liveness.Table
}

// A Program knows the layouts of a program's kernels of groups. The analyses run at the first
// request.
type Program struct {
	prog     *ir.Program
	al       *aliases.Program
	lv       *liveness.Program
	meets    *interference.Program
	barriers *Barriers
}

// New returns the layouts of an elaborated, explicit program.
func New(p *ir.Program) *Program { return &Program{prog: p} }

// Of lays out the blocks that a kernel of groups of a function allocates.
func (p *Program) Of(f *ir.Func, op *ir.Map) *Layout {
	if p.meets == nil {
		p.al = aliases.Analyze(p.prog)
		p.lv = liveness.Analyze(p.prog, p.al)
		p.meets = interference.Analyze(p.prog, p.al, p.lv)
	}
	meets := p.meets.Func(f.Name)
	l := &Layout{Fixed: true, live: p.lv.Func(f.Name)}
	ir.EachOp(op.Body, func(s *ir.Stmt, op *ir.Alloc) {
		if op.Space == ir.GroupSpace {
			b := Block{Name: s.Pat[0].Name, Size: op.Size, Poly: sym.Of(op.Size)}
			c, known := b.Poly.IsConst()
			l.Fixed = l.Fixed && known && c <= ir.MaxBytes // of such the sums do not wrap
			l.Blocks = append(l.Blocks, b)
		}
	})
	uses := sync.OnceValue(func() map[string]int { return peak.Uses(op.Body) })
	t := &turns{al: p.al.Func(f.Name), lv: p.lv.Func(f.Name), uses: func(n string) int { return uses()[n] }, group: map[string]bool{}}
	for _, b := range l.Blocks {
		t.group[b.Name] = true
	}
	turn := t.pairs(op.Body)
	for k := range l.Blocks {
		b := &l.Blocks[k]
		b.Turns, b.needed = turn[b.Name], meets.Needed(b.Name)
		if n := len(b.needed); n > 0 {
			b.First, b.Last = l.live.Points[b.needed[0].From].Stmt, l.live.Points[b.needed[n-1].To].Stmt
		}
	}
	apart := func(i, j int) bool {
		x, y := l.Blocks[i].Name, l.Blocks[j].Name
		return turn[x] == y || turn[y] == x || meets.Apart(x, y)
	}
	if l.Fixed {
		l.fit(apart)
	} else {
		l.colour(apart)
	}
	l.bound(meets, turn)
	return l
}

// Overlap reports whether two blocks may overlap in the arena.
func (l *Layout) Overlap(i, j int) bool {
	a, b := &l.Blocks[i], &l.Blocks[j]
	if !l.Fixed {
		return a.Slot == b.Slot
	}
	return a.Offset < b.Offset+b.bytes() && b.Offset < a.Offset+a.bytes()
}

// Common returns a statement that needs both of two blocks, or nil.
func (l *Layout) Common(i, j int) *ir.Stmt {
	for _, x := range l.Blocks[i].needed {
		for _, y := range l.Blocks[j].needed {
			if x.From <= y.To && y.From <= x.To {
				return l.live.Points[max(x.From, y.From)].Stmt
			}
		}
	}
	return nil
}

// bytes returns a constant size, rounded up to a multiple of Align.
func (b *Block) bytes() int64 {
	c, _ := b.Poly.IsConst()
	return (max(c, 0) + Align - 1) / Align * Align
}

// fit gives each block the lowest possible offset, largest block first.
func (l *Layout) fit(apart func(i, j int) bool) {
	order := make([]int, len(l.Blocks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return int(l.Blocks[j].bytes() - l.Blocks[i].bytes()) })
	for k, i := range order {
		b := &l.Blocks[i]
		at := []int64{0}
		for _, j := range order[:k] {
			at = append(at, l.Blocks[j].Offset+l.Blocks[j].bytes())
		}
		slices.Sort(at)
		for _, b.Offset = range at {
			if !slices.ContainsFunc(order[:k], func(j int) bool {
				o := &l.Blocks[j]
				return b.Offset < o.Offset+o.bytes() && o.Offset < b.Offset+b.bytes() && !apart(i, j)
			}) {
				break
			}
		}
		l.Bytes = max(l.Bytes, b.Offset+b.bytes())
	}
}

// colour gives each block a slot.
func (l *Layout) colour(apart func(i, j int) bool) {
	for i := range l.Blocks {
		b := &l.Blocks[i]
		b.Slot = -1
		for s, members := range l.Slots {
			if slices.ContainsFunc(members, func(j int) bool { return !apart(i, j) }) {
				continue
			}
			equal := slices.ContainsFunc(members, func(j int) bool { return l.Blocks[j].Poly.Equal(b.Poly) })
			if b.Slot < 0 || equal {
				b.Slot = s
			}
			if equal {
				break
			}
		}
		if b.Slot < 0 {
			b.Slot = len(l.Slots)
			l.Slots = append(l.Slots, nil)
		}
		l.Slots[b.Slot] = append(l.Slots[b.Slot], i)
	}
}
