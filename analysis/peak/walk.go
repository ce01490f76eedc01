package peak

import (
	"strconv"

	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// maxHeld is how many blocks of a holder are listed.
const maxHeld = 64

// A life is what is known of one name of a block: it is let go of behind the last
// statement of its body in which it is mentioned (codegen/imp does so).
type life struct {
	name    string
	body    *ir.Body
	region  int
	depth   int
	born    int
	first   *ir.Stmt // of the first mention, in body; nil: none in a statement
	stmt    *ir.Stmt // of the last mention, in body; nil: none but its binding
	initial bool     // as an initial value of that statement, a loop
	result  bool     // in the body's results
	own     int      // of an initial value: the point up to which it is held for its own sake
	to      int
}

type frame struct {
	body    *ir.Body
	stmt    *ir.Stmt
	initial bool
	result  bool
}

type walk struct {
	*Table
	frames []frame
	memOf  map[string]string // block of an array, or that an alias names
	lives  map[string]*life
	order  []*life
	// takes lists, per loop, parameters' blocks with the names they begin with.
	takes map[*ir.Stmt][]take
	calls int
}

type take struct{ param, init string }

func newWalk(t *Table) *walk {
	return &walk{Table: t, memOf: map[string]string{}, lives: map[string]*life{}, takes: map[*ir.Stmt][]take{}}
}

func (w *walk) function() {
	f := w.Func
	span := w.Liveness.Body(f.Body)
	w.Regions = append(w.Regions, Region{Parent: -1, Body: span, Stmt: span, IR: f.Body})
	for _, s := range f.Sizes {
		w.scalar[s] = scalar{known: span.From}
	}
	w.frames = []frame{{body: f.Body}}
	for k, e := range f.Params {
		w.elem(e, span.From)
		if e.Type.Kind == ir.ArrayKind {
			w.given(k, e, span.From)
		}
	}
	w.frames = w.frames[:0]
	w.body(f.Body, 0, nil)
	w.finish()
}

// given makes the block of a parameter.
func (w *walk) given(k int, e *ir.Elem, at int) {
	m := e.Type.Place.Mem
	if _, known := w.block[m]; known || !e.Type.Place.Exist {
		return // a second parameter in a block
	}
	w.live(m, w.Func.Body, 0, at)
	size := BytesOf(e.Type)
	w.add(Block{Name: m, Kind: Given, Param: k, Kept: w.Aliases.Pinned(m), Alloc: at, Last: at, Known: at, Size: w.expand(size)})
}

// BytesOf gives what an array takes where its elements lie one after another.
func BytesOf(t ir.Type) sym.Poly {
	n := sym.Const(t.Prim.Size())
	for _, d := range t.Shape {
		n = n.Mul(sym.Of(d.Exp()))
	}
	return n
}

func (w *walk) add(b Block) int {
	w.block[b.Name] = len(w.Blocks)
	b.First = b.Alloc
	w.Blocks = append(w.Blocks, b)
	return len(w.Blocks) - 1
}

// live begins the life of a name of a block.
func (w *walk) live(name string, body *ir.Body, region, born int) {
	depth := len(w.frames) - 1
	l := &life{name: name, body: body, region: region, depth: depth, born: born, stmt: w.frames[depth].stmt}
	w.lives[name] = l
	w.order = append(w.order, l)
}

// elem notes what an element's name stands for.
func (w *walk) elem(e *ir.Elem, known int) {
	w.scalar[e.Name] = scalar{known: known}
	if e.Type.Kind == ir.ArrayKind && e.Type.Place != nil {
		w.memOf[e.Name] = e.Type.Place.Mem
		for _, n := range ir.ExistNames(e.Type.Place) {
			w.scalar[n] = scalar{known: known}
		}
	}
}

// owns gives the name of a block that an element binds.
func owns(e *ir.Elem) (string, bool) {
	if e.Type.Kind == ir.MemKind {
		return e.Name, true
	}
	if p := e.Type.Place; e.Type.Kind == ir.ArrayKind && p != nil && p.Exist {
		return p.Mem, true
	}
	return "", false
}

// use notes a mention of a block, or of an array in it.
func (w *walk) use(name string) {
	for {
		m, ok := w.memOf[name]
		if !ok {
			break
		}
		name = m
	}
	l := w.lives[name]
	if l == nil || l.depth >= len(w.frames) {
		return
	}
	f := w.frames[l.depth]
	if l.first == nil {
		l.first = f.stmt
	}
	l.stmt, l.initial, l.result = f.stmt, f.initial, f.result
}

func (w *walk) useExp(e ir.Exp) { ir.ExpNames(e, w.use) }

// body walks a body that runs on the host.
func (w *walk) body(b *ir.Body, region int, loop *ir.Stmt) {
	w.frames = append(w.frames, frame{body: b})
	top := len(w.frames) - 1
	from := w.Liveness.Body(b).From
	if loop != nil {
		op := loop.Op.(*ir.Loop)
		if op.Var != "" {
			w.scalar[op.Var] = scalar{known: from + 1}
		}
		for _, p := range op.Params {
			w.elem(p.Elem, from+1)
			if m, ok := owns(p.Elem); ok {
				w.live(m, b, region, from)
				if r, ok := p.Init.(*ir.Ref); ok {
					w.takes[loop] = append(w.takes[loop], take{m, r.Name})
				}
			}
		}
	}
	for _, s := range b.Stmts {
		w.frames[top].stmt = s
		w.stmt(s, b, region)
	}
	w.frames[top].stmt, w.frames[top].result = nil, true
	for _, e := range b.Result {
		w.useExp(e)
	}
	w.frames = w.frames[:top]
}

func (w *walk) stmt(s *ir.Stmt, body *ir.Body, region int) {
	span := w.Liveness.Stmt(s)
	_, isLoop := s.Op.(*ir.Loop)
	_, kernel := ir.KernelSpace(s.Op)
	top := len(w.frames) - 1
	w.frames[top].initial = isLoop
	ir.Uses(s.Op, w.use)
	w.frames[top].initial = false
	for _, b := range ir.Bodies(s.Op) {
		if kernel {
			w.inside(b)
			continue
		}
		w.Regions = append(w.Regions, Region{Parent: region, Body: w.Liveness.Body(b), Stmt: span, IR: b, Loop: isLoop})
		inner := len(w.Regions) - 1
		if isLoop {
			w.body(b, inner, s)
		} else {
			w.body(b, inner, nil)
		}
	}
	if kernel {
		ir.Elems(s.Op, w.mention)
		w.threads(s, body, region, span)
	}
	for _, e := range s.Pat {
		w.elem(e, span.To+1)
		ir.TypeNames(e.Type, w.use)
		switch op := s.Op.(type) {
		case *ir.Compute:
			if e.Type.Kind == ir.ScalarKind && e.Type.Prim == ir.I64 {
				w.scalar[e.Name] = scalar{known: span.To + 1, def: op.E}
			}
		case *ir.Alias:
			if e.Type.Kind == ir.MemKind {
				w.memOf[e.Name] = op.X
				continue
			}
		case *ir.Alloc:
			size, known := w.expand(sym.Of(op.Size)), span.From
			if Total(op.Size) {
				known = w.Known(size)
			}
			w.add(Block{Name: e.Name, Kind: Allocated, Stmt: s, Body: body, Region: region,
				Alloc: span.From, Known: known, Size: size})
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

// threads makes the block that stands for what threads of a kernel allocate.
func (w *walk) threads(s *ir.Stmt, body *ir.Body, region int, span liveness.Span) {
	allocates := false
	for _, b := range ir.Bodies(s.Op) {
		ir.WalkStmts(b, func(in *ir.Stmt) bool {
			_, ok := in.Op.(*ir.Alloc)
			allocates = allocates || ok
			return true
		})
	}
	if allocates {
		w.calls++
		unknown := "threads(" + strconv.Itoa(w.calls) + ")"
		w.add(Block{Name: unknown, Kind: Called, Stmt: s, Body: body, Region: region,
			Alloc: span.From, Last: span.To, Known: span.From, Size: sym.Var(unknown)})
	}
}

// call makes the block that stands for what a callee holds, and those that a call
// hands out.
func (w *walk) call(s *ir.Stmt, body *ir.Body, region int, span liveness.Span) {
	w.calls++
	unknown := "held(" + s.Op.(*ir.Call).Fn + ", " + strconv.Itoa(w.calls) + ")"
	w.add(Block{Name: unknown, Kind: Called, Stmt: s, Body: body, Region: region,
		Alloc: span.From, Last: span.To, Known: span.From, Size: sym.Var(unknown)})
	for k, e := range s.Pat {
		m, ok := owns(e)
		if !ok {
			continue
		}
		reals, _ := w.Aliases.BlocksUpTo(m, maxHeld)
		for _, r := range reals {
			if _, seen := w.block[r]; seen || r != m && !aliases.IsNew(r) {
				continue
			}
			b := Block{Name: r, Kind: Called, Stmt: s, Body: body, Region: region,
				Alloc: span.To, Last: span.To - 1, Known: span.To, Size: sym.Var("given(" + r + ")")}
			if p := e.Type.Place; r == m && e.Type.Kind == ir.ArrayKind && len(p.Ix) == 0 {
				b.Takes, b.Room = true, w.expand(BytesOf(e.Type))
				if size, ok := w.sizeFrom(s.Op.(*ir.Call), k); ok {
					b.Size = size
				}
			}
			w.add(b)
		}
	}
}

// inside notes what a kernel's body mentions.
func (w *walk) inside(b *ir.Body) {
	ir.WalkStmts(b, func(s *ir.Stmt) bool {
		ir.Uses(s.Op, w.use)
		ir.Elems(s.Op, w.mention)
		for _, e := range s.Pat {
			w.mention(e)
		}
		for _, in := range ir.Bodies(s.Op) {
			for _, e := range in.Result {
				w.useExp(e)
			}
		}
		return true
	})
	for _, e := range b.Result {
		w.useExp(e)
	}
}

// mention notes an element that a kernel binds, and its use of a block.
func (w *walk) mention(e *ir.Elem) {
	if e.Type.Kind == ir.ArrayKind && e.Type.Place != nil {
		w.memOf[e.Name] = e.Type.Place.Mem
	}
	ir.TypeNames(e.Type, w.use)
}

// finish turns lives into spans.
func (w *walk) finish() {
	// Lives of inner bodies come after those of the bodies around, and a life may
	// go on as that of a loop's parameter.
	for k := len(w.order) - 1; k >= 0; k-- {
		l := w.order[k]
		switch {
		case l.result:
			l.to = w.Liveness.Body(l.body).To
		case l.stmt == nil:
			l.to = l.born // never mentioned
		case l.initial:
			l.to = w.Liveness.Stmt(l.stmt).From
			l.own = l.to
			for _, t := range w.takes[l.stmt] {
				if p := w.lives[t.param]; w.root(t.init) == l.name && p != nil {
					l.to = max(l.to, p.to)
				}
			}
		default:
			l.to = max(l.born, w.Liveness.Stmt(l.stmt).To)
		}
	}
	for _, l := range w.order {
		if b, ok := w.block[l.name]; ok {
			w.Blocks[b].Last = max(w.Blocks[b].Alloc, l.to)
			if l.first != nil && w.Blocks[b].Kind == Allocated {
				w.Blocks[b].First = w.Liveness.Stmt(l.first).From
			}
			if l.initial && l.to > l.own {
				w.Blocks[b].Handed = l.own + 1
			}
			continue
		}
		if l.to < l.born || l.stmt == nil && !l.result {
			continue
		}
		reals, many := w.Aliases.BlocksUpTo(l.name, maxHeld)
		to := l.to
		if l.initial {
			to = max(l.born, l.own) // then it is the parameter that keeps what this has kept
		}
		h := Holder{Name: l.name, Span: liveness.Span{From: l.born, To: to}, Many: many, region: l.region}
		for _, r := range reals {
			if b, ok := w.block[r]; ok {
				h.Blocks = append(h.Blocks, b)
			} else {
				h.Many = true
			}
		}
		w.Holders = append(w.Holders, h)
	}
	w.findOlder()
	w.inherit()
}

// root gives the block's name behind a name.
func (w *walk) root(name string) string {
	for {
		m, ok := w.memOf[name]
		if !ok {
			return name
		}
		name = m
	}
}
