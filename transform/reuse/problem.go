package reuse

import (
	"slices"

	"github.com/memc-lang/memc/analysis/interference"
	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/reuse/plan"
)

// A state is one function with the facts that the pass uses.
type state struct {
	prog    *ir.Program
	f       *ir.Func
	context *transform.Context
	table   *peak.Table
	meets   *interference.Table
	mutant  mutation
	known   *facts
	uses    map[string]int // how often a name is used
	called  bool           // another function calls this one

	comparisons map[compared]*comparison
}

// newState returns the state of a function.
func newState(p *ir.Program, f *ir.Func, c *transform.Context, known *facts, mutant mutation) *state {
	of := known.of(f)
	return &state{
		prog: p, f: f, context: c, mutant: mutant, known: known, called: len(known.calls[f.Name]) > 0, table: of.table, meets: of.meets,
	}
}

// share plans and rewrites, and tells whether anything changed.
func (s *state) share() bool {
	allocs := 0
	for _, b := range s.table.Blocks {
		if b.Kind == peak.Allocated {
			allocs++
		}
	}
	if allocs == 0 {
		return false
	}
	problem := s.problem()
	result := plan.Solve(problem)
	changed := s.rewrite(result)
	s.explain(problem, result)
	return changed
}

// problem returns the planner's problem. Blocks have the numbers of the table.
func (s *state) problem() *plan.Problem {
	t := s.table
	p := &plan.Problem{Fits: s.fits, AtMost: t.AtMost, Blocks: make([]plan.Block, 0, len(t.Blocks)), Holders: make([]plan.Holder, 0, len(t.Holders))}
	for _, r := range t.Regions {
		r.Sure = r.Loop && s.comesTo(s.table.Liveness.Points[r.Stmt.From].Stmt, 0) == nil
		p.Regions = append(p.Regions, r.Region)
	}
	samples := peak.Samples()
	kernels := map[*ir.Stmt]int{}
	for _, b := range t.Blocks {
		p.Blocks = append(p.Blocks, s.planned(b, samples, kernels))
	}
	for _, h := range t.Holders {
		p.Alike = p.Alike || h.Many
		p.Holders = append(p.Holders, h.Holder)
	}
	if s.called {
		s.handed(p)
	}
	if s.meets.Crowded() {
		// Too many blocks are needed together to compare them one by one: two blocks conflict wherever
		// their lives overlap.
		for k := range t.Blocks {
			p.Lives = append(p.Lives, s.life(k))
		}
		return p
	}
	p.Conflicts = make([][]int, len(t.Blocks))
	for k := range t.Blocks {
		if !p.Blocks[k].Pinned {
			p.Conflicts[k] = s.conflicts(k)
		}
	}
	s.doubleBuffers(func(init, other int) {
		p.Conflicts[init] = without(p.Conflicts[init], other)
		p.Conflicts[other] = without(p.Conflicts[other], init)
	})
	s.mutant.conflicts(s, p)
	return p
}

// planned returns a block as the planner sees it. kernels numbers those that have workers' blocks, from 1.
func (s *state) planned(b peak.Block, samples []func(sym.Poly) int64, kernels map[*ir.Stmt]int) plan.Block {
	own := b.Kind == peak.Allocated
	out := plan.Block{
		Alloc: b.Alloc, Last: b.Last, Handed: b.Handed, Known: min(b.Known, b.Alloc),
		Size:    b.Terms,
		Sample:  make([]int64, len(samples)),
		Fixed:   b.Takes,
		Pinned:  !own && !b.Takes,
		Carried: (own || b.Takes) && s.meets.Carried(b.Name),
	}
	size := b.Size
	if b.Takes { // at least; that it is no more is as likely as anything
		size = b.Room
	}
	if w := b.Workers; w != nil {
		kernel := w.Kernels[0].Stmt
		if kernels[kernel] == 0 {
			kernels[kernel] = len(kernels) + 1
		}
		size, out.Work, out.Tied = b.Work, kernels[kernel], len(w.Blocks) > 1
	}
	for k, sample := range samples {
		if !b.Kept {
			out.Sample[k] = max(0, sample(size))
		}
	}
	if own {
		if _, repeats := s.meets.Repeats(b.Name); repeats {
			out.Within = s.innermostLoop(b.Region)
		}
	}
	return out
}

// handed marks the blocks of a function's results, and those that callers lend for them.
func (s *state) handed(p *plan.Problem) {
	for _, k := range s.handedOut() {
		p.Blocks[k].Rigid = true
	}
	for k, b := range s.table.Blocks {
		p.Blocks[k].Lent = !rules.Off("reuse.lent") && b.Kind == peak.Given && b.Takes && s.wholeAtCalls(b.Param)
	}
}

// handedOut returns the blocks that the results may lie in. A caller holds such a block as long as
// it needs the result. If the block became larger, the caller's peak might rise.
func (s *state) handedOut() []int {
	var out []int
	for _, e := range s.f.Body.Result {
		ref, ok := e.(*ir.Ref)
		if !ok {
			continue
		}
		m := s.table.Aliases.BlockOf(ref.Name)
		if m == "" { // perhaps a block itself
			m = ref.Name
		}
		for _, r := range s.table.Aliases.Blocks(m) {
			if k, ok := s.table.Block(r); ok && s.table.Blocks[k].Kind == peak.Allocated {
				out = append(out, k)
			}
		}
	}
	return out
}

// wholeAtCalls reports whether every call passes, as that argument, an array that fills its block,
// and does not need the block otherwise afterwards. Then the caller loses nothing if it gets the
// block back for a result that is as large.
func (s *state) wholeAtCalls(param int) bool {
	return !slices.ContainsFunc(s.known.calls[s.f.Name], func(c call) bool {
		ref, ok := c.stmt.Op.(*ir.Call).Args[param].(*ir.Ref)
		return !ok || !fills(s.known.of(c.by).table, ref.Name, c.stmt)
	})
}

// fills reports whether an array lies in one block of its own size that the function does not touch
// after the call. It holds only for a block allocated in the body of the call: a later iteration
// may use any other block.
func fills(t *peak.Table, array string, call *ir.Stmt) bool {
	reals, more := t.Aliases.BlocksUpTo(t.Aliases.BlockOf(array), 1)
	if more || len(reals) != 1 {
		return false
	}
	k, ok := t.Block(reals[0])
	if !ok || t.Blocks[k].Kind != peak.Allocated || t.Accesses.Type(array) == nil {
		return false
	}
	b, at := t.Blocks[k], t.Liveness.Stmt(call)
	return b.Body == t.Liveness.Points[at.From].Body && b.Last <= at.To &&
		b.Size.Equal(t.Expand(lmad.Bytes(*t.Accesses.Type(array))))
}

func without(all []int, x int) []int {
	return slices.DeleteFunc(all, func(y int) bool { return x == y })
}

// conflicts returns the blocks whose contents may not share with those of a block. Block.Within
// says which blocks must stay within their loop.
func (s *state) conflicts(b int) []int {
	var out []int
	for _, m := range s.meets.Beside(s.table.Blocks[b].Name) {
		if c, ok := s.table.Block(m); ok && c != b {
			out = append(out, c)
		}
	}
	return out
}

// maxReals is how many blocks are looked at that the initial value of a loop may lie in.
const maxReals = 64

// life returns the points from the first to the last at which a block has contents.
func (s *state) life(b int) plan.Span {
	blk := s.table.Blocks[b]
	if l, ok := s.meets.Life(blk.Name); ok {
		return plan.Span(l)
	}
	return plan.Span{From: blk.Alloc, To: blk.Alloc}
}

// innermostLoop returns the innermost loop's body around a region, or the function.
func (s *state) innermostLoop(r int) int {
	for r > 0 && !s.table.Regions[r].Loop {
		r = s.table.Regions[r].Parent
	}
	return r
}

// conflict returns the witness that two blocks interfere.
func (s *state) conflict(a, b int) (interference.Witness, bool) {
	return s.meets.Interfere(s.table.Blocks[a].Name, s.table.Blocks[b].Name)
}
