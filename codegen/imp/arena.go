package imp

import (
	"github.com/memc-lang/memc/analysis/arena"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// A groupArena is the local memory that the blocks of one group lie in.
type groupArena struct {
	name   string
	blocks []*groupBlock
	bytes  ir.Exp // of all
	// spilled tells that the blocks are parts of blocks of the device.
	spilled bool
	group   ir.Exp // the number of the group
	items   ir.Exp // work-items of a group
}

// A groupBlock is one block of every group.
type groupBlock struct {
	name  string // as the program says
	size  sym.Poly
	exact ir.Exp // in bytes, from 0 to beyondAll
	bytes ir.Exp // the same as a multiple of the alignment
	off   ir.Exp
	// whole is the device's block with a part for every group, if the arena is spilled.
	whole string
}

// arena lays out the blocks that a kernel of groups allocates (analysis/arena). Sizes that
// are not constants, and with them the offsets, the host computes before the launch.
func (b *block) arena(op *ir.Map) *groupArena {
	layout := b.f.l.arenas.Of(b.f.ir, op)
	a := &groupArena{name: b.f.temp("arena"), bytes: i64(layout.Bytes), group: groupID}
	for _, x := range layout.Blocks {
		g := &groupBlock{name: x.Name, off: i64(x.Offset)}
		size := b.exp(x.Size)
		g.size = sym.Of(size)
		if c, ok := g.size.IsConst(); ok {
			c = min(max(c, 0), beyondAll)
			g.exact, g.bytes = i64(c), i64((c+arena.Align-1)/arena.Align*arena.Align)
		} else {
			v := b.declare(b.f.temp(x.Name+"_size"), ir.I64)
			b.add(&SizeAs{Dst: v.Name, Bytes: b.bytes(sym.Of(minimum(maximum(size, i64(0)), i64(beyondAll))))})
			g.exact, g.bytes = v, b.atom(roundUp(v), x.Name+"_room")
		}
		a.blocks = append(a.blocks, g)
	}
	for _, slot := range layout.Slots {
		largest := ir.Exp(i64(0))
		for _, i := range slot {
			a.blocks[i].off = a.bytes
			largest = larger(largest, a.blocks[i].bytes)
		}
		a.bytes = b.atom(add(a.bytes, largest), "arena_bytes")
	}
	return a
}

// beyondAll is more bytes than any block has. Thousands of them do not wrap.
const beyondAll = ir.MaxBytes + 1

// larger is the maximum of two sizes, which may be one.
func larger(x, y ir.Exp) ir.Exp {
	if c, ok := poly(y).Sub(poly(x)).IsConst(); ok {
		if c >= 0 {
			return y
		}
		return x
	}
	if c, ok := poly(x).IsConst(); ok && c == 0 {
		return y
	}
	return maximum(x, y)
}

func roundUp(e ir.Exp) ir.Exp {
	return times(quotient(add(e, i64(arena.Align-1)), i64(arena.Align)), i64(arena.Align))
}

// slack is local memory that kernels need besides: flags, and alignment.
const slack = 256

// fits is the condition that the device has enough local memory for a kernel.
func (a *groupArena) fits(b *block, k *Kernel) ir.Exp {
	return binary("<=", add(a.bytes, i64(k.LocalBytes()+arena.Align)), b.query(DeviceLocal))
}

// begin makes what the kernel needs: of a spilled arena one block for each of the groups'.
func (a *groupArena) begin(host *block, groups sym.Poly) {
	if !a.spilled {
		return
	}
	blocks := make([]*groupBlock, len(a.blocks))
	for k, g := range a.blocks {
		n := *g
		bytes := maximum(g.size.Exp(), i64(0))
		n.whole = host.tempBlock(g.name, host.bytes(sym.Of(add(bytes, i64(arena.Align))).Mul(groups)))
		blocks[k] = &n
	}
	a.blocks = blocks
}

// end frees them.
func (a *groupArena) end(host *block) {
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
		p := &PtrAt{Dst: b.declareMem(b.f.mem(name)), Base: a.name, Off: g.off, Bytes: g.exact}
		if a.spilled {
			p.Base, p.Off = g.whole, index(times(a.group, g.bytes))
		}
		b.f.made[p.Dst] = b.f.bound[p.Dst]
		b.add(p)
	}
}
