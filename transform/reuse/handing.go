package reuse

import (
	"maps"
	"slices"

	"github.com/memc-lang/memc/ir"
)

// A scope is a body whose values are being given blocks.
type scope struct {
	free        []string         // names of free blocks
	held        map[string]bool  // values that have blocks of their own
	first, last map[string]int   // statements that need a value
	ends        map[int][]string // the values that statements are the last to need
	at          int              // the present statement
}

// scopeOf returns the scope of a body before its first statement.
func (t *threads) scopeOf(b *ir.Body, free []string) *scope {
	s := &scope{free: slices.Clone(free), held: map[string]bool{}, first: map[string]int{}, last: map[string]int{}, ends: map[int][]string{}, at: -1}
	var order []string
	at := 0
	note := func(root string) {
		if _, ok := s.first[root]; !ok {
			s.first[root] = at
			order = append(order, root)
		}
		s.last[root] = at
	}
	for k, st := range b.Stmts {
		at = k
		ir.StmtUses(st, t.mentioned(note))
	}
	at = len(b.Stmts)
	for _, e := range b.Result {
		ir.ExpNames(e, t.mentioned(note))
	}
	for _, r := range order {
		s.ends[s.last[r]] = append(s.ends[s.last[r]], r)
	}
	return s
}

// hold records that a value has a block. If nothing needs the value later, the block is free.
func (t *threads) hold(s *scope, root, block string) {
	t.own[root] = block
	if last, ok := s.last[root]; !ok || last < s.at {
		s.free = append(s.free, block)
		return
	}
	s.held[root] = true
}

// release frees the blocks of values that nothing needs after the present statement.
func (t *threads) release(s *scope) {
	for _, r := range s.ends[s.at] {
		if s.held[r] {
			delete(s.held, r)
			s.free = append(s.free, t.own[r])
		}
	}
}

// take takes a free block.
func (t *threads) take(s *scope) string {
	if len(s.free) == 0 {
		t.missing++
		return ""
	}
	last := len(s.free) - 1
	block := s.free[last]
	s.free = s.free[:last]
	return block
}

// takeFor takes a block for arrays that are made from the present statement on: that of a value which they may lie over
// and which nothing needs soon, or else a free one. It stays theirs until nothing needs the value. They may lie over all that
// is in that value's block: it may have taken the block in the same way.
func (t *threads) takeFor(s *scope, b *ir.Body, mem string) string {
	end := max(s.at, min(s.last[mem]-1, s.at+ahead))
	for k := s.at; k <= min(end, len(b.Stmts)-1); k++ {
		for _, r := range s.ends[k] {
			if all := append([]string{r}, t.under[r]...); s.held[r] && !slices.ContainsFunc(all, func(r string) bool { return t.bars(r, mem) }) {
				delete(s.held, r)
				t.under[mem] = all
				return t.own[r]
			}
		}
	}
	return t.take(s)
}

// ahead is how many statements later a value may be needed for the last time over which an array is made: a loop makes it.
const ahead = 4

// bars reports whether arrays that are made in a block may not lie over a value.
func (t *threads) bars(root, mem string) bool {
	return slices.ContainsFunc(t.names(root), func(n string) bool { _, bad := t.loop.meets.Between(n, mem); return bad })
}

// names returns the names of blocks that may stand for that of a value.
func (t *threads) names(root string) []string {
	if t.stand == nil {
		t.stand = map[string][]string{}
		for _, mem := range slices.Concat(slices.Sorted(maps.Keys(t.makes)), slices.Sorted(maps.Keys(t.binder))) {
			for _, r := range t.rootsOf(mem) {
				t.stand[r] = append(t.stand[r], mem)
			}
		}
	}
	return t.stand[root]
}

// body gives the values of a body blocks, first those that come with one, and returns the scope at its end: the free
// blocks, and the values that only the results need.
func (t *threads) body(b *ir.Body, come, free []string) *scope {
	s := t.scopeOf(b, free)
	for _, r := range come {
		t.hold(s, r, t.own[r])
	}
	for k := 0; k < len(b.Stmts) && !t.turned && !t.failed; k++ {
		st := b.Stmts[k]
		s.at = k
		for _, m := range t.bound[b] {
			if at, ok := s.first[m]; ok && at == k {
				block := t.takeFor(s, b, m)
				t.hold(s, m, block)
				if !t.dry {
					t.renamed[m] = block
				}
			}
		}
		switch op := st.Op.(type) {
		case *ir.Loop:
			t.inner(s, st, op)
		case *ir.If:
			t.branches(s, st, op)
		}
		t.release(s)
	}
	return s
}

// finish frees what only scalars among a body's results needed. What is left in another block leaves the body.
func (t *threads) finish(end *scope, b *ir.Body) {
	for _, e := range b.Result {
		t.failed = t.failed || slices.ContainsFunc(t.rootsOf(t.blockOf(e)), func(r string) bool { return end.held[r] })
	}
	t.release(end)
}

// only returns the one value in whose block an operand may lie, if it is held here; ok if it lies there for sure, and
// nothing needs it after the present statement.
func (t *threads) only(s *scope, e ir.Exp) (root string, ok bool) {
	roots := t.rootsOf(t.blockOf(e))
	if len(roots) != 1 || !s.held[roots[0]] {
		return "", false
	}
	return roots[0], s.last[roots[0]] == s.at && t.exact(t.blockOf(e))
}

// A carried value is a parameter of a loop that has a block.
type carried struct {
	k     int
	place string // that its place binds
	first string // of a tenant: its first block
	next  string // and that of its next value
	from  string // the value that the next one lies in the block of, if it is one of the loop
	slot  int    // of a tenant: the parameter that carries its block
}

// inner threads a loop, with as many free blocks as its body needs.
func (t *threads) inner(s *scope, st *ir.Stmt, op *ir.Loop) {
	values, come := t.begin(s, st, op)
	if t.turned || t.failed {
		return
	}
	slots := t.supply(s, st, op, come)
	free := make([]string, len(slots))
	for k, slot := range slots {
		free[k] = t.name(op, slot)
	}
	if t.turned || t.failed {
		return
	}
	end := t.body(op.Body, come, free)
	if t.turned || t.failed {
		return
	}
	end.at = len(op.Body.Stmts)
	if st == t.at {
		t.last, t.come = end.last, values
	}
	for _, v := range values {
		if !t.failed {
			t.next(end, op, v)
		}
	}
	if t.turned || t.failed {
		return
	}
	if t.finish(end, op.Body); t.failed || len(end.free) != len(slots) {
		t.failed = true
		return
	}
	for k, slot := range slots {
		t.give(op, slot, end.free[k])
		s.free = append(s.free, t.result(st, slot))
	}
	t.after(s, st, op, values)
}

// begin gives the first values of a loop blocks, and returns those that have some.
func (t *threads) begin(s *scope, st *ir.Stmt, op *ir.Loop) (values []*carried, come []string) {
	inits := map[string]int{} // how often an initial value is needed, and once too often where the body needs it
	for _, p := range op.Params {
		ir.ExpNames(p.Init, t.mentioned(func(r string) { inits[r]++ }))
	}
	for _, n := range ir.FreeNames(op.Body) {
		t.mentioned(func(r string) { inits[r] += 2 })(n)
	}
	for k, p := range op.Params {
		if p.Elem.Type.Kind != ir.ArrayKind || !p.Elem.Type.Place.Exist || t.kindOf(p.Elem.Type.Place.Mem) == guest {
			continue
		}
		v := &carried{k: k, place: p.Elem.Type.Place.Mem}
		values, come = append(values, v), append(come, v.place)
		root, ok := t.only(s, p.Init)
		left := t.leftFor(st, op, p.Init)
		switch kind := t.kindOf(v.place); {
		case kind == tenant:
			v.first = t.take(s)
		case left != "" && kind == owner && left != t.blockOf(p.Init):
			t.turn(v.place, lodger)
		case left != "":
			v.first = left
		case root == "" && st == t.at && t.takes(k):
			v.first = t.blockOf(p.Init)
		case !ok || inits[root] > 1:
			t.turn(v.place, tenant)
		case kind == owner && !t.actual(root):
			t.turn(v.place, lodger)
		default:
			v.first = t.own[root]
			delete(s.held, root)
		}
		if t.own[v.place] = v.place; t.kindOf(v.place) != owner {
			v.slot = t.carry(st, v.first)
			t.own[v.place] = t.name(op, v.slot)
		}
	}
	if st == t.at {
		t.shareFirst(op, values)
	}
	return values, come
}

// shareFirst notes the tenants that begin with the same array as a value whose own block is that array's.
func (t *threads) shareFirst(op *ir.Loop, values []*carried) {
	for _, v := range values {
		for _, w := range values {
			x, ok := op.Params[v.k].Init.(*ir.Ref)
			if ok && t.kindOf(v.place) == tenant && t.kindOf(w.place) < tenant && ir.IsRef(op.Params[w.k].Init, x.Name) && !slices.Contains(t.with[v.place], w.place) {
				t.with[v.place] = append(t.with[v.place], w.place)
				t.turned = true
			}
		}
	}
}

// supply passes a loop the free blocks that its body needs, and returns the parameters.
func (t *threads) supply(s *scope, st *ir.Stmt, op *ir.Loop, come []string) (slots []int) {
	dry, missing, own := t.dry, t.missing, maps.Clone(t.own)
	t.dry, t.missing = true, 0
	t.body(op.Body, come, nil)
	need := t.missing
	t.dry, t.missing, t.own = dry, missing, own
	for range need {
		slots = append(slots, t.carry(st, t.take(s)))
	}
	return slots
}

// carry gives a loop a parameter for a block, and returns its number.
func (t *threads) carry(st *ir.Stmt, init string) int {
	if t.dry {
		return 0
	}
	op := st.Op.(*ir.Loop)
	param, last := *t.alloc.Pat[0], *t.alloc.Pat[0]
	param.Name, last.Name = t.fresh.Fresh(t.alloc.Pat[0].Name), t.fresh.Fresh(t.alloc.Pat[0].Name)
	param.Written, last.Written = true, true
	op.Params = append(op.Params, ir.Param{Elem: &param, Init: &ir.Ref{Name: init}})
	op.Body.Result = append(op.Body.Result, nil)
	st.Pat = append(st.Pat, &last)
	return len(op.Params) - 1
}

// give makes a block the next one of a parameter.
func (t *threads) give(op *ir.Loop, slot int, block string) {
	if !t.dry {
		op.Body.Result[slot] = &ir.Ref{Name: block}
	}
}

// name returns the name of a parameter for a block, result that of a result.
func (t *threads) name(op *ir.Loop, slot int) string {
	if t.dry {
		return ""
	}
	return op.Params[slot].Elem.Name
}

func (t *threads) result(st *ir.Stmt, slot int) string {
	if t.dry {
		return ""
	}
	return st.Pat[slot].Name
}

// next gives a loop's value the block of its next one, at the end of the body.
func (t *threads) next(end *scope, op *ir.Loop, v *carried) {
	e := op.Body.Result[v.k]
	roots := t.rootsOf(t.blockOf(e))
	root, ok := t.only(end, e)
	if len(roots) > 1 && roots[0] == t.blockOf(e) && t.joined(op, v, roots[1:]) {
		root, ok = roots[0], end.held[roots[0]]
	}
	if t.turned {
		return
	}
	inside := slices.ContainsFunc(roots, func(r string) bool { return t.inside(t.in[r], op.Body) })
	var block string
	switch {
	case !inside && len(roots) > 0:
		t.turn(v.place, guest)
		return
	case ok:
		if t.kindOf(v.place) == owner && !t.actual(root) {
			t.turn(v.place, lodger)
			return
		}
		delete(end.held, root)
		v.from, block = root, t.own[root]
	case inside:
		t.failed = true
		return
	case t.kindOf(v.place) == owner:
		t.turn(v.place, lodger)
		return
	default: // a block from elsewhere
		block = t.take(end)
	}
	if t.kindOf(v.place) != owner {
		v.next = block
		t.give(op, v.slot, block)
	}
}

// joined reports whether the blocks of some values become those of other parameters: then the next value may lie in
// these, too.
func (t *threads) joined(op *ir.Loop, v *carried, roots []string) bool {
	for _, r := range roots {
		j := slices.IndexFunc(op.Body.Result, func(e ir.Exp) bool {
			all := t.rootsOf(t.blockOf(e))
			return len(all) == 1 && all[0] == r
		})
		if j < 0 || !op.Params[j].Elem.Type.Place.Exist || t.kindOf(op.Params[j].Elem.Type.Place.Mem) == guest {
			return false
		}
		if place := op.Params[j].Elem.Type.Place.Mem; !slices.Contains(t.with[v.place], place) {
			t.with[v.place] = append(t.with[v.place], place)
			t.turned = true
		}
	}
	if t.kindOf(v.place) == owner {
		t.turn(v.place, lodger)
	}
	return true
}

// after gives the results of a loop their blocks.
func (t *threads) after(s *scope, st *ir.Stmt, op *ir.Loop, values []*carried) {
	for k, e := range st.Pat {
		if e.Type.Kind != ir.ArrayKind || !e.Type.Place.Exist {
			continue
		}
		place := e.Type.Place.Mem
		j := slices.IndexFunc(values, func(v *carried) bool { return v.k == k })
		switch kind := t.kindOf(place); {
		case kind == guest:
		case j >= 0 && t.kindOf(values[j].place) == owner:
			t.hold(s, place, place)
		case j >= 0 && t.kindOf(values[j].place) == lodger && kind == owner:
			t.turn(place, lodger)
		case j >= 0 && t.kindOf(values[j].place) == lodger:
			t.hold(s, place, t.result(st, values[j].slot))
		case kind == owner || kind == lodger:
			t.chosen(s, st, op, k, j, values)
		case j < 0:
			t.failed = true
		default:
			t.hold(s, place, t.result(st, values[j].slot))
		}
		if t.turned || t.failed {
			return
		}
	}
}

// chosen lets the result of a tenant or of a guest own the block in which it lies. The other one is free: that of the
// loop's first value after an iteration, and else the one that the next values get.
func (t *threads) chosen(s *scope, st *ir.Stmt, op *ir.Loop, k, j int, values []*carried) {
	place := st.Pat[k].Type.Place.Mem
	first, ok := t.only(s, op.Params[k].Init)
	var next, other string
	if j >= 0 {
		other = values[j].first
	} else if next, ok = t.only(s, op.Body.Result[k]); ok {
		first, ok = t.only(s, op.Params[k].Init)
		ok = ok && next != first && t.actual(next)
		other = t.own[next]
	}
	switch {
	case !ok && j < 0:
		t.turn(place, guest)
		return
	case !ok:
		t.turn(place, tenant)
		return
	case !t.actual(first) && t.kindOf(place) == owner:
		t.turn(place, lodger)
		return
	}
	own := place
	if t.kindOf(place) == lodger {
		mine, block := t.carry(st, t.own[first]), t.own[next]
		if j >= 0 {
			block = values[j].next
		}
		t.give(op, mine, block)
		own = t.result(st, mine)
	}
	left := t.carry(st, other)
	t.give(op, left, t.own[first])
	delete(s.held, first)
	if next != "" {
		delete(s.held, next)
	}
	s.free = append(s.free, t.result(st, left))
	t.hold(s, place, own)
}

// branches threads an if. Values that nothing needs behind it are freed in each branch.
func (t *threads) branches(s *scope, st *ir.Stmt, op *ir.If) {
	var come []string
	for _, r := range s.ends[s.at] {
		if s.held[r] {
			come = append(come, r)
			delete(s.held, r)
		}
	}
	missing := t.missing
	var ends []*scope
	var most int
	own := map[string][]string{} // in each branch, the block of a value
	for _, b := range ir.Bodies(op) {
		t.missing = 0
		end := t.body(b, come, s.free)
		end.at = len(b.Stmts)
		for k, e := range st.Pat {
			if e.Type.Kind != ir.ArrayKind || !e.Type.Place.Exist || t.kindOf(e.Type.Place.Mem) == guest || t.turned || t.failed {
				continue
			}
			place := e.Type.Place.Mem
			root, ok := t.only(end, b.Result[k])
			if !ok {
				t.turn(place, guest)
				return
			}
			if t.kindOf(place) == owner && !t.actual(root) {
				t.turn(place, lodger)
				return
			}
			own[place] = append(own[place], t.own[root])
			delete(end.held, root)
		}
		if t.turned || t.failed {
			return
		}
		if t.finish(end, b); t.failed {
			return
		}
		ends = append(ends, end)
		most = max(most, t.missing)
	}
	t.missing = missing + most
	if n := max(len(ends[0].free), len(ends[1].free)); t.dry {
		s.free = make([]string, n)
	} else if len(ends[0].free) != len(ends[1].free) {
		t.failed = true
	} else {
		t.merge(s, st, op, ends)
	}
	for _, e := range st.Pat {
		if e.Type.Kind != ir.ArrayKind || !e.Type.Place.Exist {
			continue
		}
		switch place := e.Type.Place.Mem; t.kindOf(place) {
		case owner:
			t.hold(s, place, place)
		case lodger:
			t.hold(s, place, t.choose(st, op, own[place]))
		case unknown, tenant, guest:
		}
	}
}

// choose makes a result of an if of the blocks that its branches give, and returns its name.
func (t *threads) choose(st *ir.Stmt, op *ir.If, blocks []string) string {
	if t.dry {
		return ""
	}
	e := *t.alloc.Pat[0]
	e.Name, e.Written = t.fresh.Fresh(t.alloc.Pat[0].Name), true
	st.Pat = append(st.Pat, &e)
	op.Then.Result = append(op.Then.Result, &ir.Ref{Name: blocks[0]})
	op.Else.Result = append(op.Else.Result, &ir.Ref{Name: blocks[1]})
	return e.Name
}

// merge makes results of an if of the free blocks that differ between its branches.
func (t *threads) merge(s *scope, st *ir.Stmt, op *ir.If, ends []*scope) {
	x, y := ends[0].free, ends[1].free
	both := func(m string) bool { return slices.Contains(x, m) && slices.Contains(y, m) }
	s.free = slices.DeleteFunc(slices.Clone(x), func(m string) bool { return !both(m) })
	x, y = slices.DeleteFunc(x, both), slices.DeleteFunc(slices.Clone(y), func(m string) bool { return slices.Contains(s.free, m) })
	for k := range x {
		s.free = append(s.free, t.choose(st, op, []string{x[k], y[k]}))
	}
}
