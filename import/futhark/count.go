package futhark

import "github.com/memc-lang/memc/internal/diag"

// Allocs counts the allocations that a dump holds, in the versions of code that
// the import takes. Blocks shared by a group of threads and those that stand for
// registers are left out.
func Allocs(f *diag.File) (n int, list diag.List) {
	list.File = f
	tree := parse(f, &list)
	if tree == nil {
		return 0, list
	}
	n = countAllocs(tree.consts)
	for _, g := range tree.funs {
		n += countAllocs(g.body.stms)
	}
	return n, list
}

func countAllocs(stms []*stm) int {
	n := 0
	for _, s := range stms {
		switch e := s.exp.(type) {
		case *eAlloc:
			if e.space == "" || e.space == "device" {
				n++
			}
		case *eIf:
			if e.equiv {
				n += countAllocs(e.chosen().stms)
			} else {
				n += countAllocs(e.yes.stms) + countAllocs(e.no.stms)
			}
		case *eMatch:
			if e.equiv {
				n += countAllocs(e.chosen().stms)
				continue
			}
			for _, c := range e.cases {
				n += countAllocs(c.body.stms)
			}
			n += countAllocs(e.dflt.stms)
		case *eLoop:
			n += countAllocs(e.body.stms)
		case *eWithAcc:
			n += countAllocs(e.lam.body.stms)
		case *eSeg:
			n += countAllocs(e.body.stms)
		case *eGPU:
			n += countAllocs(e.body.stms)
		}
	}
	return n
}
