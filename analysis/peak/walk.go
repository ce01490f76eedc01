package peak

import (
	"slices"
	"strconv"

	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/analysis/peak/held"
	"github.com/memc-lang/memc/analysis/workers"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// maxHeld is how many blocks of a holder are listed.
const maxHeld = 64

// A life belongs to one name of a block. The name releases the block after the last statement of
// its body that mentions it (codegen/imp does so).
type life struct {
	*named
	body      *ir.Body
	region    int
	born      int
	param     bool // of a loop
	mentioned bool
	span      liveness.Span // of the statements of body that mention it first and last
	loop      *ir.Stmt      // mentions it last, as an initial value
	takes     []take        // parameters of loops that have it as initial value
	to        int
}

type walk struct {
	*Table
	at      int  // the point of the current statement
	initial bool // the current mention is as an initial value
	order   []*life
	takes   []take
	calls   int          // that bind nothing
	aliases []*ir.Stmt   // of blocks
	kept    map[int]kept // by components of the graph of blocks
}

// kept is what a holder may keep: some blocks and, if there are many, others.
type kept struct {
	blocks []int
	many   bool
}

// A take is a parameter of a loop with a given name as its initial value.
type take struct {
	loop  *ir.Stmt
	param *life
	init  string
}

func (w *walk) function() {
	f := w.Func
	span := w.Liveness.Body(f.Body)
	w.Regions = append(w.Regions, Region{held.Region{Parent: -1, Body: held.Span(span), Stmt: held.Span(span)}, f.Body})
	w.at = span.From
	for k, e := range f.Params {
		w.array(e)
		if e.Type.Kind == ir.ArrayKind {
			w.given(k, e, span.From)
		}
	}
	w.body(f.Body, 0, nil)
	w.finish()
}

// given makes the block of a parameter.
func (w *walk) given(k int, e *ir.Elem, at int) {
	m := e.Type.Place.Mem
	if _, known := w.Block(m); known || !e.Type.Place.Exist {
		return // a second parameter in a block
	}
	w.live(m, w.Func.Body, 0, at)
	size, kept := w.Expand(lmad.Bytes(e.Type)), w.Aliases.Pinned(m)
	w.add(Block{Name: m, Kind: Given, Param: k, Kept: kept, Alloc: at, Last: at, Known: at, Size: size,
		// Of a block in which the array lies otherwise, other bytes may be the caller's.
		Takes: !rules.Off("peak.takesGiven") && !kept && len(e.Type.Place.Ix) == 0, Room: size})
}

func (w *walk) add(b Block) {
	b.First = b.Alloc
	w.Blocks = append(w.Blocks, b)
	w.entry(b.Name).block = len(w.Blocks)
}

// live begins the life of a name of a block.
func (w *walk) live(name string, body *ir.Body, region, born int) *life {
	l := &life{named: w.entry(name), body: body, region: region, born: born}
	l.named.life = l
	w.order = append(w.order, l)
	return l
}

// owns returns the name of a block that an element binds.
func owns(e *ir.Elem) (string, bool) {
	if e.Type.Kind == ir.MemKind {
		return e.Name, true
	}
	if p := e.Type.Place; e.Type.Kind == ir.ArrayKind && p != nil && p.Exist {
		return p.Mem, true
	}
	return "", false
}

// array records an array's name, which mentions its block.
func (w *walk) array(e *ir.Elem) {
	if e.Type.Kind == ir.ArrayKind && e.Type.Place != nil {
		n := w.entry(e.Name)
		n.in = w.entry(e.Type.Place.Mem)
		w.mention(n)
		n.unused = e.Type.Place.Exist
	}
}

// use records a mention of a block, or of an array in it.
func (w *walk) use(name string) {
	n := w.names.Of(name)
	if n == nil || n.in == nil && n.life == nil && !n.inner {
		return
	}
	w.mention(n)
	for n.alias {
		n = n.in
		w.mention(n)
	}
}

// rename records that a statement gives a block another name.
func (w *walk) rename(s *ir.Stmt) {
	n := w.entry(s.Pat[0].Name)
	n.in, n.alias = w.entry(s.Op.(*ir.Alias).X), true
}

func (w *walk) mention(n *named) {
	if !n.met {
		n.met, n.first = true, w.at
		w.mentions = append(w.mentions, n)
	}
	n.last, n.initial, n.unused = w.at, w.initial, false
}

func (w *walk) useExp(e ir.Exp) { ir.ExpNames(e, w.use) }

// body walks a body that runs on the host.
func (w *walk) body(b *ir.Body, region int, loop *ir.Stmt) {
	span := w.Liveness.Body(b)
	if loop != nil {
		w.at = span.From
		op := loop.Op.(*ir.Loop)
		for _, p := range op.Params {
			w.array(p.Elem)
			if m, ok := owns(p.Elem); ok {
				l := w.live(m, b, region, span.From)
				l.param = true
				if r, ok := p.Init.(*ir.Ref); ok {
					w.takes = append(w.takes, take{loop, l, r.Name})
				}
			}
		}
	}
	for _, s := range b.Stmts {
		w.stmt(s, b, region)
	}
	w.at = span.To
	for _, e := range b.Result {
		w.useExp(e)
	}
}

func (w *walk) stmt(s *ir.Stmt, body *ir.Body, region int) {
	span := w.Liveness.Stmt(s)
	_, isLoop := s.Op.(*ir.Loop)
	kernel := ir.IsKernel(s.Op)
	w.at, w.initial = span.From, isLoop
	if renames(s) {
		w.aliases = append(w.aliases, s)
	} else {
		ir.Uses(s.Op, w.use)
	}
	w.initial = false
	for _, b := range ir.Bodies(s.Op) {
		if kernel {
			w.inside(b)
			continue
		}
		w.Regions = append(w.Regions, Region{held.Region{Parent: region, Body: held.Span(w.Liveness.Body(b)), Stmt: held.Span(span), Loop: isLoop}, b})
		inner := len(w.Regions) - 1
		if isLoop {
			w.body(b, inner, s)
		} else {
			w.body(b, inner, nil)
		}
	}
	w.at = span.From
	if kernel {
		ir.Elems(s.Op, w.array)
		w.threads(s, body, region, span)
	}
	for _, e := range s.Pat {
		w.array(e)
		if renames(s) {
			w.rename(s)
			continue
		}
		if op, ok := s.Op.(*ir.Alloc); ok {
			size := w.expandAt(sym.Of(op.Size), span.To+1)
			w.add(Block{Name: e.Name, Kind: Allocated, Stmt: s, Body: body, Region: region,
				Alloc: span.From, Known: w.Known(size), Size: size})
			w.live(e.Name, body, region, span.From)
			continue
		}
		if m, ok := owns(e); ok {
			w.live(m, body, region, span.To)
		}
	}
	if _, ok := s.Op.(*ir.Call); ok {
		w.call(s, body, region, span)
	}
}

// renames reports whether a statement gives a block another name. `lower` moves such a statement
// down to the first use of the new name, as it does with an alloc. So the statement itself is no
// mention of the block.
func renames(s *ir.Stmt) bool {
	_, alias := s.Op.(*ir.Alias)
	return alias && s.Pat[0].Type.Kind == ir.MemKind
}

// unknown returns the name of an unknown amount of memory that a statement holds, as formulas show it.
func (w *walk) unknown(holder string, s *ir.Stmt) string {
	if len(s.Pat) > 0 {
		return "[held by " + holder + " for " + s.Pat[0].Name + "]"
	}
	w.calls++
	return "[held by " + holder + ", call " + strconv.Itoa(w.calls) + "]"
}

// threads makes the blocks that stand for all allocations of a kernel's threads: those of the workers, and
// those in the device heap.
func (w *walk) threads(s *ir.Stmt, body *ir.Body, region int, span liveness.Span) {
	var work sym.Poly
	allocates := false
	space, _ := ir.KernelSpace(s.Op)
	threads := workers.Threads(space)
	for _, b := range ir.Bodies(s.Op) {
		ir.WalkStmts(b, func(in *ir.Stmt) bool {
			a, ok := in.Op.(*ir.Alloc)
			switch {
			case !ok: // blocks of a group are not in the device's global memory
			case a.Space == "":
				allocates = true
			case a.Space == ir.ThreadSpace && !ir.InRegisters(a):
				work = work.Add(Work(threads, a.Size))
			}
			return true
		})
	}
	held := func(size sym.Poly, name string, unknown bool) {
		w.add(Block{Name: name, Kind: Called, Stmt: s, Body: body, Region: region,
			Alloc: span.From, Last: span.To, Known: span.From, Size: size, Unknown: unknown})
	}
	if !work.Is(0) {
		held(w.Expand(work), w.unknown("workers", s), false)
	}
	if allocates {
		unknown := w.unknown("threads", s)
		held(sym.Var(unknown), unknown, true)
	}
}

// call makes the block that stands for memory that a callee holds, and the blocks that the call
// hands out.
func (w *walk) call(s *ir.Stmt, body *ir.Body, region int, span liveness.Span) {
	unknown := w.unknown(s.Op.(*ir.Call).Fn, s)
	w.add(Block{Name: unknown, Kind: Called, Stmt: s, Body: body, Region: region,
		Alloc: span.From, Last: span.To, Known: span.From, Size: sym.Var(unknown), Unknown: true})
	for k, e := range s.Pat {
		m, ok := owns(e)
		if !ok {
			continue
		}
		reals, _ := w.Aliases.BlocksUpTo(m, maxHeld)
		for _, r := range reals {
			if _, seen := w.Block(r); seen || r != m && !w.Aliases.BlockGraph().Unnamed(r) {
				continue
			}
			b := Block{Name: r, Kind: Called, Stmt: s, Body: body, Region: region,
				Alloc: span.To, Last: span.To - 1, Known: span.To, Size: sym.Var("[size of " + r + "]"), Unknown: true}
			if p := e.Type.Place; !rules.Off("peak.takesCalled") && r == m && e.Type.Kind == ir.ArrayKind && len(p.Ix) == 0 {
				b.Takes, b.Room = true, w.Expand(lmad.Bytes(e.Type))
				if size, ok := w.sizeFrom(s.Op.(*ir.Call), k, span.To+1); ok {
					b.Size, b.Unknown = size, false
				}
			}
			w.add(b)
		}
	}
}

// inside records the mentions in a kernel's body.
func (w *walk) inside(b *ir.Body) {
	for _, s := range b.Stmts {
		w.at = w.Liveness.Stmt(s).From
		if renames(s) {
			w.rename(s)
			continue
		}
		ir.Uses(s.Op, w.use)
		ir.Elems(s.Op, w.array)
		for _, in := range ir.Bodies(s.Op) {
			w.inside(in)
		}
		w.at = w.Liveness.Stmt(s).From
		for _, e := range s.Pat {
			w.array(e)
			if _, ok := s.Op.(*ir.Alloc); ok {
				w.entry(e.Name).inner = true
			}
		}
	}
	w.at = w.Liveness.Body(b).To
	for _, e := range b.Result {
		w.useExp(e)
	}
}

// choices returns what a holder may keep. Loop parameters that change places have one list.
func (w *walk) choices(holder string) kept {
	c, ok := w.Aliases.BlockGraph().Component(holder)
	if !ok {
		return kept{}
	}
	k, known := w.kept[c]
	if !known {
		reals, more := w.Aliases.BlocksUpTo(holder, maxHeld)
		k.many = more
		for _, r := range reals {
			if b, ok := w.Block(r); ok {
				k.blocks = append(k.blocks, b)
			} else {
				k.many = true
			}
		}
		w.kept[c] = k
	}
	return k
}

// finish turns lives into spans.
func (w *walk) finish() {
	w.findSpans()
	w.findEnds()
	w.Holders = make([]Holder, 0, max(0, len(w.order)-len(w.Blocks)))
	for _, l := range w.order {
		if l.block > 0 {
			w.finishBlock(l, &w.Blocks[l.block-1])
		} else if l.mentioned || !l.param {
			w.Holders = append(w.Holders, w.holder(l))
		}
	}
	w.findOlder()
	if !rules.Off("peak.inherit") {
		w.inherit()
	}
	w.keepers = make([]*held.Holder, 0, len(w.Holders))
	for k := range w.Holders {
		w.keepers = append(w.keepers, &w.Holders[k].Holder)
	}
}

// findSpans finds the statements that mention each life first and last.
func (w *walk) findSpans() {
	for _, n := range w.mentions {
		l := n.root().life
		if l == nil {
			continue // allocated by a thread
		}
		span, loop, ok := w.within(l.body, &n.mention)
		switch {
		case !ok, n.unused && l.block == 0:
			continue
		case !l.mentioned:
			l.mentioned, l.span, l.loop = true, span, loop
			continue
		case span.To > l.span.To:
			l.loop = loop
		}
		l.span = union(l.span, span)
	}
	for _, s := range w.aliases {
		if l := w.entry(s.Pat[0].Name).root().life; l != nil && !l.mentioned {
			at := w.Liveness.Stmt(s).From
			l.span, _, l.mentioned = w.within(l.body, &mention{first: at, last: at})
		}
	}
	for _, t := range w.takes {
		if l := w.entry(t.init).root().life; l != nil {
			l.takes = append(l.takes, t)
		}
	}
}

// findEnds finds the ends of lives. Inner bodies come after the bodies around them in w.order, and the
// end of a life may depend on that of an inner loop's parameter. So this goes backwards.
func (w *walk) findEnds() {
	for _, l := range slices.Backward(w.order) {
		switch {
		case !l.mentioned:
			l.to = l.born
			continue
		case l.loop == nil:
			l.to = max(l.born, l.span.To)
			continue
		}
		l.to = l.span.To
		for _, t := range l.takes {
			if t.loop == l.loop {
				l.to = max(l.to, t.param.to)
			}
		}
	}
}

// finishBlock records when a block is held, given the life of its name.
func (w *walk) finishBlock(l *life, b *Block) {
	b.Last = max(b.Alloc, l.to)
	if l.mentioned && b.Kind == Allocated && l.span.From < w.Liveness.Body(l.body).To {
		b.First = l.span.From
	}
	if l.loop != nil && l.to > l.span.To {
		b.Handed = l.span.To + 1
	}
	if b.Kind == Given && !b.Kept { // the caller holds it until the call ends
		b.Last, b.Handed = w.Regions[0].Body.To, 0
	}
}

// holder returns the holder that a life is.
func (w *walk) holder(l *life) Holder {
	to := l.to
	if l.loop != nil {
		to = max(l.born, l.span.To) // from then on the loop's parameter keeps the block
	}
	k := w.choices(l.name)
	return Holder{Name: l.name, Many: k.many, region: l.region,
		Holder: held.Holder{Span: held.Span{From: l.born, To: to}, Blocks: k.blocks}}
}
