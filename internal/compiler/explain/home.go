package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memc-lang/memc/analysis/arena"
	"github.com/memc-lang/memc/ir"
)

// A home is where the contents of a name may lie at one stage.
type home struct {
	block string   // the block in the name's place; "": the name has no storage
	reals []string // the real blocks that it may stand for, sorted
	more  bool     // and others
}

// maxReals bounds the real blocks that are named one by one.
const maxReals = 8

// home finds where a name may lie at a stage. What lay in a block that a pass dissolved lies where the
// arrays of that block lie.
func (x *Explanation) home(fn, name string, stage int) home {
	f := x.Stages[stage].function(fn)
	for range len(x.Stages) {
		if block := f.blockOf(name); block != "" {
			h := home{block: block}
			h.reals, h.more = f.aliases.BlocksUpTo(block, maxReals)
			return h
		}
		next := x.dissolved(fn, name, stage)
		if next == "" || next == name {
			break
		}
		name = next
	}
	return home{}
}

// dissolved returns a name that lies at a stage where a block lay that is gone there: an array that
// was in the block, or the block that reuse put it into.
func (x *Explanation) dissolved(fn, block string, stage int) string {
	for k := stage - 1; k >= 0; k-- {
		b := x.Stages[k].function(fn).Blocks[block]
		if b == nil {
			continue
		}
		for _, a := range b.Arrays {
			if x.Stages[stage].function(fn).Arrays[a] != nil {
				return a
			}
		}
		break
	}
	for _, r := range x.Remarks {
		if r.Pass == "reuse" && !r.Refused && r.Func == fn && len(r.Names) > 1 && r.Names[0] == block {
			return r.Names[1]
		}
	}
	return ""
}

// one reports whether two names always lie in one block.
func (h home) one(o home) bool {
	if h.block == "" || o.block == "" {
		return false
	}
	return h.block == o.block || !h.more && !o.more && len(h.reals) == 1 && slices.Equal(h.reals, o.reals)
}

// common returns the real blocks in which both of two names may lie.
func (h home) common(o home) []string {
	return slices.DeleteFunc(slices.Clone(h.reals), func(m string) bool { return !slices.Contains(o.reals, m) })
}

func (h home) equal(o home) bool {
	return h.block == o.block && h.more == o.more && slices.Equal(h.reals, o.reals)
}

func (h home) String() string {
	switch {
	case h.block == "":
		return "nowhere"
	case len(h.reals) == 0:
		return quote(h.block)
	}
	var quoted []string
	for _, m := range h.reals {
		quoted = append(quoted, quote(m))
	}
	if h.more {
		quoted = append(quoted, "others")
	}
	return strings.Join(quoted, " or ")
}

// space returns the memory space of a block that a function allocates; "" is the device's memory.
func (f *Facts) space(block string) string { return f.spaces[block] }

// spaces names the memories of blocks for people.
func spaces(space string) string {
	switch space {
	case ir.GroupSpace:
		return "the local memory of a group"
	case ir.ThreadSpace:
		return "a thread's own memory"
	}
	return "device memory"
}

// An inArena is a pair of blocks in the arena of one kernel of groups.
type inArena struct {
	*arena.Layout
	i, j int
}

// inArena finds two blocks of one kernel of groups.
func (p *pair) inArena(f *Facts, a, b string) (inArena, bool) {
	var found inArena
	ir.WalkStmts(f.fn.Body, func(s *ir.Stmt) bool {
		op, ok := s.Op.(*ir.Map)
		if !ok || !ir.IsGroups(op) {
			return true
		}
		l := p.arenas.Of(f.fn, op)
		at := func(name string) int {
			return slices.IndexFunc(l.Blocks, func(b arena.Block) bool { return b.Name == name })
		}
		if i, j := at(a), at(b); i >= 0 && j >= 0 {
			found = inArena{l, i, j}
		}
		return true
	})
	return found, found.Layout != nil
}

// turns reports whether one of the blocks takes turns with the other (Note [Turns in an arena]).
func (p inArena) turns() bool {
	a, b := &p.Blocks[p.i], &p.Blocks[p.j]
	return a.Turns == b.Name || b.Turns == a.Name
}

// inGroup tells how two blocks of one kernel of groups lie to each other.
func (p *pair) inGroup(f *Facts, a, b string) (text string, shared bool) {
	at, ok := p.inArena(f, a, b)
	if !ok {
		return "They do not share storage: their blocks belong to the groups of different kernels.", false
	}
	common := at.Common(at.i, at.j)
	switch {
	case at.Overlap(at.i, at.j):
		text = fmt.Sprintf("They share bytes of the group's local memory: %s lies where %s lies.", quote(b), quote(a))
		if at.turns() {
			return text + " A loop's array takes turns in them.", true
		}
		return text + " Their contents are never needed at the same time.", true
	case common != nil:
		where := p.x.place(f, f.live.Stmt(common).From)
		return fmt.Sprintf("They do not share storage: the contents of %s and of %s are both needed at %s.", quote(a), quote(b), where), false
	}
	return fmt.Sprintf("They do not share storage, although %s and %s are never needed at the same time: the layout of the group's local memory found other places for them (memc explain --groups).", quote(a), quote(b)), false
}
