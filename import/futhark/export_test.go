package futhark

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// ImportVersion is Import, but takes one version, whatever the sizes, where there are several
// of the same code: with groups that of groups of threads, else the first; it tells how
// often.
func ImportVersion(f *diag.File, groups bool) (*ir.Program, diag.List, int) {
	list := diag.List{File: f}
	tree := parse(f, &list)
	if tree == nil {
		return nil, list, 0
	}
	forced := 0
	for _, g := range tree.funs {
		forced += force(g.body, groups)
	}
	if forced == 0 {
		return nil, list, 0
	}
	return translateTree(f, tree, &list), list, forced
}

// force takes one version everywhere in a body, and tells how often.
func force(x *body, groups bool) int {
	n := 0
	for _, s := range x.stms {
		switch e := s.exp.(type) {
		case *eIf:
			if e.equiv && (!groups || blockLevel(e.yes) != blockLevel(e.no)) {
				n++
				if !groups || blockLevel(e.yes) {
					e.no = e.yes
				} else {
					e.yes = e.no
				}
			}
			n += force(e.yes, groups)
			if e.no != e.yes {
				n += force(e.no, groups)
			}
		case *eLoop:
			n += force(e.body, groups)
		case *eWithAcc:
			n += force(e.lam.body, groups)
		}
	}
	return n
}

// blockLevel reports whether a body holds kernels whose threads work in groups.
func blockLevel(x *body) bool {
	for _, s := range x.stms {
		found := false
		switch e := s.exp.(type) {
		case *eSeg:
			found = e.level != "thread"
		case *eIf:
			yes, no := blockLevel(e.yes), blockLevel(e.no)
			found = yes && no || !e.equiv && (yes || no)
		default:
			bodiesOf(s.exp, func(_ []*param, in *body) { found = found || blockLevel(in) })
		}
		if found {
			return true
		}
	}
	return false
}
