package reuse

import (
	"maps"
	"slices"

	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/transform"
)

// A kind says which block a value of a loop or an if has (Note [Free blocks that loops hand on]).
type kind int

const (
	unknown kind = iota
	owner
	lodger
	tenant
	guest
)

// A threaded statement is a copy of an outermost loop that hands on blocks.
type threaded struct {
	before []*ir.Stmt // the allocs of the blocks, and their sizes
	at     *ir.Stmt
	origin map[*ir.Stmt]*ir.Stmt // of the copies, the statements that the analyses know
}

// threads threads the blocks of a pool through the bodies of a copy of a loop.
type threads struct {
	*pool
	threaded
	aliases *aliases.Table
	fresh   *transform.Names
	count   int               // the blocks that the loop gets
	handed  int               // of these from the loop before
	ends    map[string]string // the blocks of values that the loop before left and only this one needs, by their places
	maybe   bool              // they are allocated only if the loop has iterations
	outside *scope            // the body around

	kinds  map[string]kind     // by the name that the value's place binds
	with   map[string][]string // of parameters, others in whose blocks they may lie
	turned bool                // a kind has changed, so this attempt is void
	failed bool

	layout
	roots   map[string][]string // of names of blocks
	stand   map[string][]string // of values, the names that may stand for their blocks; nil: not asked for yet
	own     map[string]string   // the block that a value has
	under   map[string][]string // the values whose block it took
	renamed map[string]string   // names of blocks that arrays are made in
	last    map[string]int      // of the loop's body
	come    []*carried          // by the loop's parameters
	missing int                 // blocks that were taken and not there
	dry     bool                // nothing changes, only missing is counted
}

// A layout tells where a loop binds its names.
type layout struct {
	bound   map[*ir.Body][]string // the names of the pool's blocks that a body binds, in which arrays are made
	makes   map[string]bool       // all of these
	binder  map[string]value      // of names that places of loops and ifs bind
	parents map[*ir.Body]*ir.Body
	in      map[string]*ir.Body // where a name is bound
}

// A value is what a loop, an if or a call binds by an existential place.
type value struct {
	at     *ir.Stmt
	k      int
	param  bool
	thread bool // it is bound in threads, where no blocks are handed on
}

// thread returns a loop with the pool's blocks threaded through it, which is handed some, or nil.
func (p *pool) thread(now *threaded, names *transform.Names, before *leftover) *threads {
	kinds, with := map[string]kind{}, map[string][]string{}
	for range maxTurns {
		t := &threads{
			pool: p, threaded: threaded{before: slices.Clone(now.before), at: ir.SnapshotStmt(now.at), origin: map[*ir.Stmt]*ir.Stmt{}},
			aliases: p.loop.table.Aliases, fresh: names, kinds: kinds, with: with,
			layout: layout{map[*ir.Body][]string{}, map[string]bool{}, map[string]value{}, map[*ir.Body]*ir.Body{}, map[string]*ir.Body{}},
			roots:  map[string][]string{}, own: map[string]string{}, under: map[string][]string{}, renamed: map[string]string{},
		}
		t.follow(now)
		t.survey()
		if t.outermost(before); t.failed {
			return nil
		}
		if !t.turned {
			return t
		}
	}
	return nil
}

// maxTurns bounds how often the kinds of values may change.
const maxTurns = 16

// follow records the origins of the copies.
func (t *threads) follow(now *threaded) {
	all := func(at *ir.Stmt) []*ir.Stmt {
		out := []*ir.Stmt{at}
		ir.WalkStmts(at.Op.(*ir.Loop).Body, func(st *ir.Stmt) bool { out = append(out, st); return true })
		return out
	}
	old := all(now.at)
	for k, st := range all(t.at) {
		t.origin[st] = now.origin[old[k]]
	}
}

// survey records what the loop binds, and removes the blocks of the pool: allocs, and parameters and results for them.
func (t *threads) survey() {
	array := func(e *ir.Elem) {
		if e.Type.Kind == ir.ArrayKind && e.Type.Place != nil && !e.Type.Place.Exist && t.mems[e.Type.Place.Mem] {
			t.makes[e.Type.Place.Mem] = true
		}
	}
	ir.WalkStmts(&ir.Body{Stmts: []*ir.Stmt{t.at}}, func(st *ir.Stmt) bool {
		for _, e := range st.Pat {
			array(e)
		}
		ir.Elems(st.Op, array)
		return true
	})
	around := &ir.Body{Stmts: []*ir.Stmt{t.at}}
	t.binds(around, true)
	for _, m := range slices.Sorted(maps.Keys(t.makes)) { // the blocks from outside that the loop makes arrays in
		if body := t.at.Op.(*ir.Loop).Body; t.in[m] == nil {
			t.in[m] = body
			t.bound[body] = append(t.bound[body], m)
		}
	}
	t.strip(around)
	for name, v := range t.binder { // the numbers of what is left
		is := func(e *ir.Elem) bool {
			return e.Type.Kind == ir.ArrayKind && e.Type.Place.Exist && e.Type.Place.Mem == name
		}
		v.k = slices.IndexFunc(v.at.Pat, is)
		if op, ok := v.at.Op.(*ir.Loop); ok && v.param {
			v.k = slices.IndexFunc(ir.ParamElems(op.Params), is)
		}
		t.binder[name] = v
	}
}

// binds records what a body of the host or of threads binds.
func (t *threads) binds(b *ir.Body, host bool) {
	bind := func(e *ir.Elem, in *ir.Body, v value) {
		v.thread = !host
		if t.in[e.Name] = in; t.makes[e.Name] {
			t.bound[in] = append(t.bound[in], e.Name)
		}
		if e.Type.Kind == ir.ArrayKind && e.Type.Place.Exist {
			t.in[e.Type.Place.Mem], t.binder[e.Type.Place.Mem] = in, v
		}
	}
	for _, st := range b.Stmts {
		for _, e := range st.Pat {
			bind(e, b, value{at: st})
		}
		if op, loop := st.Op.(*ir.Loop); loop {
			for _, q := range op.Params {
				bind(q.Elem, op.Body, value{at: st, param: true})
			}
		}
		for _, in := range ir.Bodies(st.Op) {
			t.parents[in] = b
			t.binds(in, host && !ir.IsKernel(st.Op))
		}
	}
}

// strip removes the allocs of the pool, and parameters and results for its blocks.
func (t *threads) strip(b *ir.Body) {
	b.Stmts = slices.DeleteFunc(b.Stmts, func(st *ir.Stmt) bool {
		_, alloc := st.Op.(*ir.Alloc)
		return alloc && t.reals[st.Pat[0].Name]
	})
	for _, st := range b.Stmts {
		switch st.Op.(type) {
		case *ir.Loop, *ir.If:
			for k := len(st.Pat) - 1; k >= 0; k-- {
				if st.Pat[k].Type.Kind == ir.MemKind && t.mems[st.Pat[k].Name] {
					dropResult(st, k)
				}
			}
			for _, in := range ir.Bodies(st.Op) {
				t.strip(in)
			}
		}
	}
}

// turn gives a value another kind; the loop must be threaded again.
func (t *threads) turn(name string, k kind) {
	t.turned = true
	if t.kinds[name] >= k {
		t.failed = true
	}
	t.kinds[name] = k
}

// kindOf returns the kind of a value that a place binds.
func (t *threads) kindOf(name string) kind {
	if k := t.kinds[name]; k != unknown {
		return k
	}
	k, v := guest, t.binder[name]
	_, call := v.at.Op.(*ir.Call)
	if some, _ := t.of(name); some && !call && !v.thread {
		k = owner
		if op, loop := v.at.Op.(*ir.Loop); loop {
			if v.param {
				if !t.inside(t.in[t.blockOf(op.Body.Result[v.k])], op.Body) {
					k = guest
				}
			} else {
				k = t.resultKind(v.at, v.k)
			}
		}
	}
	t.kinds[name] = k
	return k
}

// resultKind returns the kind with which the result of a loop begins.
func (t *threads) resultKind(at *ir.Stmt, k int) kind {
	p := at.Op.(*ir.Loop).Params[k]
	of := guest
	if p.Elem.Type.Place.Exist {
		of = t.kindOf(p.Elem.Type.Place.Mem)
	}
	if of >= tenant && len(t.rootsOf(t.blockOf(p.Init))) == 1 {
		return owner // of one of two blocks
	}
	return of
}

// inside reports whether a body is another one or in it.
func (t *threads) inside(b, outer *ir.Body) bool {
	for b != nil && b != outer {
		b = t.parents[b]
	}
	return b != nil
}

// blockOf returns the name of the block in which the value of an operand lies.
func (t *threads) blockOf(e ir.Exp) string {
	if r, ok := e.(*ir.Ref); ok {
		return t.aliases.BlockOf(r.Name)
	}
	return ""
}

// rootsOf returns the values in whose blocks an array in a block by that name may lie; none is a block from elsewhere.
func (t *threads) rootsOf(mem string) []string {
	if t.makes[mem] {
		return []string{mem}
	}
	if all, ok := t.roots[mem]; ok {
		return all
	}
	v, ok := t.binder[mem]
	if !ok {
		return nil
	}
	t.roots[mem] = nil // while it is looked for
	var all []string
	add := func(e ir.Exp) {
		for _, r := range t.rootsOf(t.blockOf(e)) {
			if !slices.Contains(all, r) {
				all = append(all, r)
			}
		}
	}
	k := t.kindOf(mem)
	if k != guest {
		all = append(all, mem)
	}
	if op, loop := v.at.Op.(*ir.Loop); loop {
		if k >= tenant {
			add(op.Params[v.k].Init)
		}
		for _, j := range t.company(op, v.k) {
			other := op.Params[j].Elem
			if !v.param {
				other = v.at.Pat[j]
			}
			if !slices.Contains(all, other.Type.Place.Mem) {
				all = append(all, other.Type.Place.Mem)
			}
		}
		if k == guest {
			add(op.Body.Result[v.k])
		}
	} else if call, ok := v.at.Op.(*ir.Call); ok {
		for _, e := range call.Args {
			add(e)
		}
	} else if k == guest {
		for _, b := range ir.Bodies(v.at.Op) {
			add(b.Result[v.k])
		}
	}
	t.roots[mem] = all
	return all
}

// exact reports whether what lies in a block by that name lies in the blocks of values, and in no other one.
func (t *threads) exact(mem string) bool {
	seen := map[string]bool{}
	var visit func(mem string) bool
	visit = func(mem string) bool {
		v, bound := t.binder[mem]
		switch {
		case t.makes[mem] || seen[mem]:
			return true
		case !bound:
			return false
		case t.kindOf(mem) != guest:
			return true
		}
		seen[mem] = true
		if op, loop := v.at.Op.(*ir.Loop); loop {
			return visit(t.blockOf(op.Params[v.k].Init)) && visit(t.blockOf(op.Body.Result[v.k]))
		}
		op, branches := v.at.Op.(*ir.If)
		return branches && visit(t.blockOf(op.Then.Result[v.k])) && visit(t.blockOf(op.Else.Result[v.k]))
	}
	return visit(mem)
}

// company returns the numbers of the parameters in whose blocks a parameter may lie.
func (t *threads) company(op *ir.Loop, k int) (all []int) {
	for _, name := range t.with[op.Params[k].Elem.Type.Place.Mem] {
		all = append(all, t.binder[name].k)
	}
	return all
}

// actual reports whether a value lies in its own block for sure.
func (t *threads) actual(root string) bool { return t.makes[root] || t.kindOf(root) == owner }

// mentioned returns a function that calls f for the values in whose blocks an array, or what lies in a block, may lie.
func (t *threads) mentioned(f func(root string)) func(name string) {
	return func(n string) {
		mem := n
		if b := t.aliases.BlockOf(n); b != "" {
			mem = b
		}
		for _, r := range t.rootsOf(mem) {
			f(r)
		}
	}
}
