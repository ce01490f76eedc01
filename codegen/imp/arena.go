package imp

import (
	"math/bits"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// An arena is the local memory that the blocks of one group lie in.
type arena struct {
	name   string
	blocks []*groupBlock
	bytes  ir.Exp // of all
	exact  ir.Exp // the condition that no size wrapped
	// spilled tells that the blocks are parts of blocks of the device.
	spilled bool
}

// A groupBlock is one block of every group.
type groupBlock struct {
	name  string // as the program says
	size  sym.Poly
	bytes ir.Exp // not negative, a multiple of align
	off   ir.Exp
	// whole is the device's block with a part for every group, where the arena is spilled.
	whole string
}

// align is the alignment of blocks in an arena: any element may lie at its beginning.
const align = 16

// arena lays out the blocks that a kernel of groups allocates. The host computes sizes
// and offsets before the launch: a block begins where those before it end that may not
// share memory with it.
func (b *block) arena(op *ir.Map) *arena {
	a := &arena{name: b.f.temp("arena"), bytes: i64(0), exact: ir.BoolLit(true)}
	ir.WalkStmts(op.Body, func(s *ir.Stmt) bool {
		if op, ok := s.Op.(*ir.Alloc); ok && op.Space == ir.GroupSpace {
			a.add(b, s.Pat[0].Name, op.Size)
		}
		return true
	})
	return a
}

func (a *arena) add(b *block, name string, size ir.Exp) {
	size = b.exp(size)
	g := &groupBlock{name: name, size: sym.Of(size)}
	a.exact = and(a.exact, b.small(size))
	g.bytes = b.atom(roundUp(maximum(size, i64(0))), name+"_size")
	g.off = a.bytes
	a.bytes = b.atom(add(g.off, g.bytes), "arena_bytes")
	a.blocks = append(a.blocks, g)
}

func roundUp(e ir.Exp) ir.Exp {
	return times(quotient(add(e, i64(align-1)), i64(align)), i64(align))
}

// small is the condition that a size cannot wrap, since its names are small.
func (b *block) small(size ir.Exp) ir.Exp {
	var names []*ir.Ref
	seen := map[string]bool{}
	refsOf(size, func(r *ir.Ref) {
		if !seen[r.Name] {
			seen[r.Name] = true
			names = append(names, r)
		}
	})
	for _, width := range []int{48, 40, 28, 20, 14} {
		if bitWidth(size, width) > 60 {
			continue
		}
		cond := ir.Exp(ir.BoolLit(true))
		for _, r := range names {
			cond = and(cond, less(unsigned(r), unsigned(i64(1<<width))))
		}
		return cond
	}
	return ir.BoolLit(false)
}

// bitWidth bounds the bits of a value whose names have so many.
func bitWidth(e ir.Exp, width int) int {
	switch e := e.(type) {
	case *ir.Lit:
		return bits.Len64(e.Bits)
	case *ir.Ref:
		return width
	case *ir.Binary:
		x, y := bitWidth(e.X, width), bitWidth(e.Y, width)
		switch e.Op {
		case "+", "-":
			return max(x, y) + 1
		case "*":
			return x + y
		}
	case *ir.Builtin:
		if e.Fn == "min" || e.Fn == "max" {
			return max(bitWidth(e.Args[0], width), bitWidth(e.Args[1], width))
		}
	}
	return 64
}

// slack is local memory that kernels need besides: flags, and alignment.
const slack = 256

// fits is the condition that the device has enough local memory for a kernel.
func (a *arena) fits(b *block, k *Kernel) ir.Exp {
	own := int64(slack)
	for _, l := range k.Locals {
		own += int64(l.Len)*l.Prim.Size() + align
	}
	room := b.temp("local_memory", ir.I64)
	b.add(&LocalMemory{Dst: room.Name})
	return and(a.exact, binary("<=", add(a.bytes, i64(own)), room))
}

// begin makes what the kernel needs: of a spilled arena one block for each of the groups'.
func (a *arena) begin(host, in *block, groups sym.Poly) {
	if !a.spilled {
		return
	}
	blocks := make([]*groupBlock, len(a.blocks))
	for k, g := range a.blocks {
		n := *g
		bytes := maximum(g.size.Exp(), i64(0))
		n.whole = host.tempBlock(g.name, host.bytes(sym.Of(add(bytes, i64(align))).Mul(groups)))
		blocks[k] = &n
	}
	a.blocks = blocks
}

// end frees them.
func (a *arena) end(host *block) {
	for _, g := range a.blocks {
		if g.whole != "" {
			host.add(&Free{Mem: g.whole})
		}
	}
}

// place makes a memory variable of a kernel of groups a block of the group.
func (b *block) place(name string) {
	a := b.k.arena
	for _, g := range a.blocks {
		if g.name != name {
			continue
		}
		p := &PtrAt{Dst: b.declareMem(b.f.mem(name)), Base: a.name, Off: g.off, Bytes: g.bytes}
		if a.spilled {
			p.Base, p.Off = g.whole, index(times(groupID, g.bytes))
		}
		b.f.made[p.Dst] = b.f.bound[p.Dst]
		b.add(p)
	}
}

func refsOf(e ir.Exp, f func(*ir.Ref)) {
	u := user{scalar: f}
	u.exp(e)
}
