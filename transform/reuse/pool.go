package reuse

import (
	"fmt"
	"maps"
	"slices"

	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/transform"
)

// Note [Free blocks that loops hand on]
//
// A loop carries blocks of one size, or its body, or a loop in it, allocates them in every iteration:
//
//	loop (u @ ?m_u = u0) for t < steps {
//	  let m_x = alloc n * 8
//	  let m_y = alloc n * 8
//	  let (v @ ?m_v, ..) = loop (v @ ?m_v = u, next: mem = m_x, other: mem = m_y) for s < sweeps {
//	    let w @ next = map (i < n) { in u[i] + v[n - 1 - i] }
//	    in (w, other, next)
//	  }
//	  in v
//	}
//
// All of these blocks are alike, so it does not matter which of them holds a value. The loops get as many as are needed
// at once, carry the free ones as parameters, and give the names that are free after an iteration to the next one:
//
//	let m_1 = alloc if steps > 0 then n * 8 else 0
//	let m_2 = alloc if steps > 0 then n * 8 else 0
//	loop (u @ ?m_u = u0, free_1: mem = m_1, free_2: mem = m_2) for t < steps {
//	  let (v @ ?m_v, own, free, left) =
//	    loop (v @ ?m_v = u, own: mem = free_2, free: mem = free_1, left: mem = free_2) for s < sweeps {
//	      let w @ free = map (i < n) { in u[i] + v[n - 1 - i] }
//	      in (w, free, own, m_u)
//	    }
//	  in (v, free, left)
//	}
//
// A value has a block (threads.own) from the statement that makes it to the last one that needs it. A loop's parameter is
// of one of three kinds:
//
//   - owner: it lies in the block that is its own, as u above, whose first value nobody else needs;
//   - tenant: it has a block, but its first value lies in that of somebody else, as v above in u's. When the value is not
//     needed any longer, the tenant's block is free, not that in which the value lies;
//   - guest: it has no block. All its next values lie in blocks from outside the loop.
//
// A tenant's last value lies in the tenant's block, or after no iteration still in that of the first one. If then neither
// is needed for anything else, the value becomes an owner, and the other one of the two blocks is free: left, which each
// iteration sets to the first value's block. If the first value is itself a tenant's, so is the last one (lodger); one
// more parameter, mine, says which of the two blocks is its own. The last value of a guest is treated alike.
//
// No run may need more than before. The blocks are held throughout the loop now, beside those of first values; one that its
// first iterations do not use is allocated only if it has more (threads.waits). So at some statement of the body, which
// each iteration reaches, the loop must have held as many blocks of the pool, or values in them (threads.needs); and each
// other block that it allocates, or that dies in it, must be held there, too, or only where as many of the pool are held
// (threads.steady).
//
// The kinds begin as owner, and change where that does not hold (threads.turn); then the loop is threaded again. A
// rewrite is on trial (shareBest): it stays if the function needs less than without it, after its blocks share.

// A pool is a set of blocks of one size that an outermost loop allocates or carries.
type pool struct {
	loop      hostLoop
	key       string // alikeBy of its blocks
	size      sym.Poly
	alloc     *ir.Stmt        // one of them, in the loop if there is one
	allocates bool            // there is
	reals     map[string]bool // the blocks
	mems      map[string]bool // all names for them, but those that places bind
	firsts    *firsts         // nil: not asked for yet
}

// handOn lets the outermost loops of the function hand on their free blocks, and reports whether anything changed.
func (s *state) handOn(c *transform.Context) bool {
	if rules.Off("reuse.pools") || s.meets.Crowded() {
		return false
	}
	loops := s.outermost()
	if len(loops) == 0 {
		return false
	}
	uses, w := s.poolUses(loops), newWalk(s, c)
	for _, l := range loops {
		w.loop(l, uses)
	}
	for _, key := range slices.Sorted(maps.Keys(w.left)) {
		w.until(key, w.left[key].body, nil, nil)
	}
	if !w.fewer && len(w.renamed) == 0 {
		return false
	}
	w.instead.apply()
	rename(s.f, w.renamed)
	return true
}

// loop threads the pools of an outermost loop through it.
func (w *walk) loop(l hostLoop, uses *poolUses) {
	now := &threaded{at: l.at, origin: map[*ir.Stmt]*ir.Stmt{l.at: l.at}}
	ir.WalkStmts(l.op.Body, func(st *ir.Stmt) bool { now.origin[st] = st; return true })
	around := w.table.Liveness.Points[w.table.Liveness.Stmt(l.at).From].Body
	for _, p := range uses.pools(l) {
		if w.budget -= len(now.origin); w.budget < 0 {
			break
		}
		before := w.until(p.key, around, l.at, p.reals)
		t := p.thread(now, w.names, before)
		if t == nil || !p.allocates && t.count > len(p.reals) ||
			!w.context.Rewrite(l.at.Span, "%d blocks of %s are handed on by the loop", t.count, bytes{p.size}) {
			continue
		}
		w.fewer = w.fewer || p.allocates || t.count < len(p.reals) || t.handed > 0
		now = &t.threaded
		w.withdraw(p)
		w.leave(t, before, around)
	}
	if now.at != l.at {
		w.instead.put(around, l.at, append(now.before, now.at))
	}
}

// withdraw removes the allocs of a pool's blocks that stand before the loop.
func (w *walk) withdraw(p *pool) {
	for m := range p.reals {
		k, _ := w.table.Block(m)
		delete(w.renamed, m) // a block that an earlier loop leaves would have served, too
		if b := w.table.Blocks[k]; !w.inside(b.Region, p.loop.region) {
			w.instead.put(b.Body, b.Stmt, nil)
		}
	}
}

// maxThreaded bounds the statements in loops that are looked at for pools, once for each pool.
const maxThreaded = 1 << 17

// replacements are what stands in the places of statements, by their bodies.
type replacements map[*ir.Body]map[*ir.Stmt][]*ir.Stmt

func (r replacements) put(b *ir.Body, st *ir.Stmt, others []*ir.Stmt) {
	if r[b] == nil {
		r[b] = map[*ir.Stmt][]*ir.Stmt{}
	}
	r[b][st] = others
}

func (r replacements) apply() {
	for b, others := range r {
		var out []*ir.Stmt
		for _, st := range b.Stmts {
			if all, ok := others[st]; ok {
				out = append(out, all...)
			} else {
				out = append(out, st)
			}
		}
		b.Stmts = out
	}
}

// outermost returns the loops that are in no other one, and allocate or carry blocks.
func (s *state) outermost() (out []hostLoop) {
	allocate := map[int]bool{}
	for _, b := range s.table.Blocks {
		for r := s.innermostLoop(b.Region); b.Kind == peak.Allocated && r > 0 && !allocate[r]; r = s.innermostLoop(s.table.Regions[r].Parent) {
			allocate[r] = true
		}
	}
	for _, l := range s.loops() {
		carries := slices.ContainsFunc(l.op.Params, func(q ir.Param) bool { return q.Elem.Type.Kind == ir.MemKind })
		if (allocate[l.region] || carries) && s.innermostLoop(s.table.Regions[l.region].Parent) == 0 {
			out = append(out, l)
		}
	}
	return out
}

// poolUses tells how the names of a function's blocks are used.
type poolUses struct {
	*state
	names map[string][]string          // of each block
	loops map[string]map[*ir.Stmt]bool // the outermost loops that use a name
	other map[string]bool              // names that are used otherwise than a pool's may
	alike map[string][]int             // blocks of one size
}

func (s *state) poolUses(loops []hostLoop) *poolUses {
	u := &poolUses{s, map[string][]string{}, map[string]map[*ir.Stmt]bool{}, map[string]bool{}, map[string][]int{}}
	for k := range s.table.Blocks {
		if key := alikeBy(&s.table.Blocks[k]); key != "" {
			u.alike[key] = append(u.alike[key], k)
		}
	}
	outermost := map[*ir.Stmt]bool{}
	for _, l := range loops {
		outermost[l.at] = true
	}
	u.body(s.f.Body, nil, true, outermost)
	return u
}

// body walks a body in an outermost loop, or outside (nil), of the host or of threads.
func (u *poolUses) body(b *ir.Body, loop *ir.Stmt, host bool, outermost map[*ir.Stmt]bool) {
	for _, st := range b.Stmts {
		in := loop
		if outermost[st] {
			in = st
		}
		u.stmt(st, in, host)
		for _, e := range st.Pat {
			u.bind(e, in, loop)
		}
		for _, inner := range ir.Bodies(st.Op) {
			u.body(inner, in, host && !ir.IsKernel(st.Op), outermost)
		}
	}
	if loop == nil || !host {
		for _, e := range b.Result {
			ir.ExpNames(e, func(n string) { u.other[n] = true })
		}
	}
}

// stmt notes what a statement uses, otherwise than a loop or an if that may hand blocks on.
func (u *poolUses) stmt(st *ir.Stmt, loop *ir.Stmt, host bool) {
	carries := false
	switch op := st.Op.(type) {
	case *ir.Loop:
		carries = host && loop != nil
		for _, q := range op.Params {
			u.bind(q.Elem, loop, loop)
			ir.ExpNames(q.Init, func(n string) { u.use(n, loop) })
		}
	case *ir.If:
		carries = host && loop != nil
	case *ir.Alloc:
		u.other[st.Pat[0].Name] = u.other[st.Pat[0].Name] || !host
	}
	if !carries {
		ir.Uses(st.Op, func(n string) { u.other[n] = true })
	}
}

func (u *poolUses) use(name string, loop *ir.Stmt) {
	if loop == nil {
		u.other[name] = true
		return
	}
	if u.loops[name] == nil {
		u.loops[name] = map[*ir.Stmt]bool{}
	}
	u.loops[name][loop] = true
}

// bind notes a name that is bound in a loop, or by it; around is the loop around the statement.
func (u *poolUses) bind(e *ir.Elem, loop, around *ir.Stmt) {
	switch e.Type.Kind {
	case ir.MemKind:
		reals, _ := u.table.Aliases.BlocksUpTo(e.Name, maxReals)
		for _, m := range reals {
			u.names[m] = append(u.names[m], e.Name)
		}
		if loop != nil {
			u.use(e.Name, loop)
		}
	case ir.ArrayKind:
		if p := e.Type.Place; p != nil && !p.Exist {
			u.use(p.Mem, around)
		}
	case ir.ScalarKind:
	}
}

// pools finds the pools of an outermost loop.
func (u *poolUses) pools(l hostLoop) (out []*pool) {
	tried := map[string]bool{}
	blocks := l.within(l.region)
	for _, q := range l.op.Params {
		if b, ok := q.Init.(*ir.Ref); ok && q.Elem.Type.Kind == ir.MemKind {
			if k, ok := l.table.Block(b.Name); ok {
				blocks = append(blocks, k)
			}
		}
	}
	for _, k := range blocks {
		key := alikeBy(&u.table.Blocks[k])
		if key == "" || tried[key] || !l.known(u.table.Blocks[k].Size) {
			continue
		}
		tried[key] = true
		if p := u.collect(l, key); p != nil {
			out = append(out, p)
		}
	}
	return out
}

// alikeBy returns what blocks of one pool have in common, or "" for one that cannot be in a pool.
func alikeBy(b *peak.Block) string {
	if b.Kind != peak.Allocated || b.Workers != nil || b.Unknown {
		return ""
	}
	return fmt.Sprint(b.Stmt.Op.(*ir.Alloc).Space, b.Size)
}

// collect finds the pool among the blocks that are alike, and its names: only arrays use these, and loops and ifs that hand
// blocks on. It returns nil if there is none.
func (u *poolUses) collect(l hostLoop, key string) *pool {
	alike := u.alike[key]
	p := &pool{loop: l, key: key, reals: map[string]bool{}, mems: map[string]bool{}}
	for _, k := range alike {
		if b := &u.table.Blocks[k]; u.of(b.Name, l.at) {
			p.reals[b.Name] = true
		}
	}
	if len(p.reals) > maxReals {
		return nil
	}
	for changed := true; changed; {
		changed = false
		for m := range p.reals {
			if slices.ContainsFunc(u.names[m], func(n string) bool { _, all := p.of(n); return !all || !u.of(n, l.at) }) {
				delete(p.reals, m)
				changed = true
			}
		}
	}
	for _, k := range alike {
		b := &u.table.Blocks[k]
		if !p.reals[b.Name] {
			continue
		}
		if inside := l.inside(b.Region, l.region); p.alloc == nil || inside && !p.allocates {
			p.alloc, p.size, p.allocates = b.Stmt, b.Size, inside
		}
		for _, n := range u.names[b.Name] {
			p.mems[n] = true
		}
	}
	if p.alloc == nil {
		return nil
	}
	return p
}

// of reports whether a name is used in one loop only, and as a pool's may.
func (u *poolUses) of(name string, loop *ir.Stmt) bool {
	return !u.other[name] && len(u.loops[name]) == 1 && u.loops[name][loop]
}

// of reports whether a name may stand for blocks of the pool, and whether for no other ones.
func (p *pool) of(mem string) (some, all bool) {
	reals, more := p.loop.table.Aliases.BlocksUpTo(mem, maxReals)
	n := 0
	for _, m := range reals {
		if p.reals[m] {
			n++
		}
	}
	return n > 0 || more, n == len(reals) && !more
}
