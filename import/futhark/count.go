package futhark

import "github.com/memc-lang/memc/ir/diag"

// Blocks counts the allocations of a dump by where the blocks are.
type Blocks struct {
	Device int // in the memory of the device
	Shared int // in that of a group of threads
}

// Allocs counts the allocations that a dump holds. Blocks that stand for registers are
// left out.
func Allocs(f *diag.File) (n Blocks, list diag.List) {
	list.File = f
	tree := parse(f, &list)
	if tree == nil {
		return n, list
	}
	n = countAllocs(tree.consts)
	for _, g := range tree.funs {
		n = n.and(countAllocs(g.body.stms))
	}
	return n, list
}

func (n Blocks) and(m Blocks) Blocks { return Blocks{n.Device + m.Device, n.Shared + m.Shared} }

func countAllocs(stms []*stm) Blocks {
	var n Blocks
	for _, s := range stms {
		if e, ok := s.exp.(*eAlloc); ok {
			switch e.space {
			case "", "device":
				n.Device++
			case "shared":
				n.Shared++
			}
		}
		bodiesOf(s.exp, func(_ []*param, in *body) { n = n.and(countAllocs(in.stms)) })
	}
	return n
}
