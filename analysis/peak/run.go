package peak

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Runs]
//
// A formula is the greatest sum over all points, so it says nothing of runs that do not
// come to some of them: those in which a loop has no iteration, or another branch is
// taken. Held goes through the function as a run of one kind does, with a counted block
// behind every name, and without any values: every loop whose bound is not a constant
// has so many iterations, every if takes that branch. Two programs that differ in their
// memory only can be compared in that way.

// A Scenario is a kind of run: what sizes are, how many iterations loops have, and which
// branches are taken.
type Scenario struct {
	Sizes      []func(sym.Poly) int64 // several at a time
	Iterations int64
	Else       bool
}

// maxIterations bounds those of loops with a constant bound, which count as they are.
const maxIterations = 3

// Held gives the most bytes that such a run holds, for each of the scenario's sizes;
// arguments that the caller keeps are left out. ok is false where it cannot be told: where
// it is not clear which block a call gives, or more than budget statements would be run.
func (t *Table) Held(sc Scenario, budget int) (most []int64, ok bool) {
	r := &run{
		Table: t, Scenario: sc, budget: budget,
		env: map[string]*instance{}, counted: map[string]*instance{}, ends: map[int][]string{}, begins: map[int][]string{},
		lasts: map[string]bool{}, of: map[*ir.Stmt][]int{},
		held: make([]int64, len(sc.Sizes)), most: make([]int64, len(sc.Sizes)),
	}
	for k, b := range t.Blocks {
		if b.Kind == Called {
			r.of[b.Stmt] = append(r.of[b.Stmt], k)
		}
		last := b.Last
		if b.Handed > 0 {
			last = b.Handed - 1
		}
		if b.Kind == Called && last < b.Alloc {
			continue // what a call gives, held by the names that it binds
		}
		r.lasts[b.Name] = true
		r.ends[last] = append(r.ends[last], b.Name)
		if b.Kind == Allocated && b.First > b.Alloc {
			r.begins[b.First] = append(r.begins[b.First], b.Name)
		}
	}
	for _, h := range t.Holders {
		r.lasts[h.Name] = true
		r.ends[h.Span.To] = append(r.ends[h.Span.To], h.Name)
	}
	for _, e := range t.Func.Params {
		if e.Type.Kind != ir.ArrayKind || r.env[e.Type.Place.Mem] != nil {
			continue
		}
		i := &instance{bytes: make([]int64, len(sc.Sizes))}
		if b, ok := t.Block(e.Type.Place.Mem); ok && !t.Blocks[b].Kept {
			i = r.instance(t.Blocks[b].Size)
		}
		r.env[e.Type.Place.Mem] = i
		r.bind(e.Type.Place.Mem, i)
	}
	r.behind(t.Liveness.Body(t.Func.Body).From)
	r.body(t.Func.Body)
	return r.most, !r.lost
}

// An instance is one block that a run allocates.
type instance struct {
	bytes []int64
	names int
}

type run struct {
	*Table
	Scenario
	env        map[string]*instance // what a name stands for
	counted    map[string]*instance // by a name that holds it
	ends       map[int][]string     // names that let go behind a point
	begins     map[int][]string     // blocks that are allocated at a point
	lasts      map[string]bool      // names that hold at all
	of         map[*ir.Stmt][]int   // blocks of calls and kernels
	held, most []int64
	budget     int
	lost       bool
}

func (r *run) instance(size sym.Poly) *instance {
	i := &instance{bytes: make([]int64, len(r.Sizes))}
	for k, of := range r.Sizes {
		i.bytes[k] = max(0, of(size))
	}
	return i
}

func (r *run) take(i *instance) {
	if i.names++; i.names == 1 {
		for k, n := range i.bytes {
			r.held[k] += n
		}
	}
}

func (r *run) drop(i *instance) {
	if i.names--; i.names == 0 {
		for k, n := range i.bytes {
			r.held[k] -= n
		}
	}
}

// bind lets a name stand for a block, and hold it if it ever does.
func (r *run) bind(name string, i *instance) {
	r.env[name] = i
	if i == nil || !r.lasts[name] {
		return
	}
	r.take(i)
	if old := r.counted[name]; old != nil {
		r.drop(old)
	}
	r.counted[name] = i
}

func (r *run) release(name string) {
	if i := r.counted[name]; i != nil {
		r.drop(i)
		delete(r.counted, name)
	}
}

// behind measures, and lets go of what ends at a point.
func (r *run) behind(point int) {
	for k, n := range r.held {
		r.most[k] = max(r.most[k], n)
	}
	for _, n := range r.ends[point] {
		r.release(n)
	}
}

// body runs a body and gives the blocks of its results, held once more.
func (r *run) body(b *ir.Body) []*instance {
	for _, s := range b.Stmts {
		if r.budget--; r.budget < 0 || r.lost {
			r.lost = true
			return make([]*instance, len(b.Result))
		}
		r.stmt(s)
	}
	out := make([]*instance, len(b.Result))
	for k, e := range b.Result {
		if out[k] = r.operand(e); out[k] != nil {
			r.take(out[k])
		}
	}
	r.behind(r.Liveness.Body(b).To)
	return out
}

// operand gives the block that an array lies in, or that a block's name stands for; nil
// of a scalar.
func (r *run) operand(e ir.Exp) *instance {
	x, ok := e.(*ir.Ref)
	if !ok {
		return nil
	}
	if m := r.Aliases.BlockOf(x.Name); m != "" {
		return r.env[m]
	}
	return r.env[x.Name]
}

// give binds the names of blocks in a pattern, and lets go of the results themselves.
func (r *run) give(pat []*ir.Elem, from []*instance) {
	for k, e := range pat {
		if m, ok := owns(e); ok && k < len(from) {
			r.lost = r.lost || from[k] == nil
			r.bind(m, from[k])
		}
	}
	for _, i := range from {
		if i != nil {
			r.drop(i)
		}
	}
}

func (r *run) stmt(s *ir.Stmt) {
	span := r.Liveness.Stmt(s)
	for _, n := range r.begins[span.From] {
		r.bind(n, r.env[n])
	}
	switch op := s.Op.(type) {
	case *ir.Alloc:
		name := s.Pat[0].Name
		if b, ok := r.Block(name); ok {
			i := r.instance(r.Blocks[b].Size)
			if r.env[name] = i; r.Blocks[b].First == r.Blocks[b].Alloc {
				r.bind(name, i)
			}
		}
	case *ir.If:
		branch := op.Then
		if r.Else {
			branch = op.Else
		}
		r.behind(span.From)
		r.give(s.Pat, r.body(branch))
	case *ir.Loop:
		r.loop(s, op)
	case *ir.Call:
		r.call(s)
	default:
		if len(ir.Bodies(s.Op)) > 0 { // a kernel
			r.beside(s)
		}
		r.derived(s)
	}
	r.behind(span.To)
}

// loop runs one: parameters take over what it begins with, and the next values.
func (r *run) loop(s *ir.Stmt, op *ir.Loop) {
	pass := func(from []*instance) {
		for k, p := range op.Params {
			if m, ok := owns(p.Elem); ok {
				r.lost = r.lost || from[k] == nil
				r.bind(m, from[k])
			}
		}
		for _, i := range from {
			if i != nil {
				r.drop(i)
			}
		}
	}
	values := make([]*instance, len(op.Params))
	for k, p := range op.Params {
		if values[k] = r.operand(p.Init); values[k] != nil {
			r.take(values[k])
		}
	}
	pass(values)
	r.behind(r.Liveness.Stmt(s).From)
	n := r.Iterations
	if lit, ok := op.Bound.(*ir.Lit); ok {
		n = min(max(int64(lit.Bits), 0), maxIterations)
	}
	last := make([]*instance, len(op.Params))
	for range n {
		pass(r.body(op.Body))
		if r.lost {
			return
		}
	}
	for k, p := range op.Params {
		switch m, ok := owns(p.Elem); {
		case ok:
			last[k] = r.env[m]
		case p.Elem.Type.Kind == ir.ArrayKind:
			last[k] = r.env[p.Elem.Type.Place.Mem]
		}
		if last[k] != nil {
			r.take(last[k])
		}
	}
	for _, p := range op.Params {
		if m, ok := owns(p.Elem); ok {
			r.release(m)
		}
	}
	r.give(s.Pat, last)
}

// beside counts what a callee or the threads of a kernel hold while they run.
func (r *run) beside(s *ir.Stmt) {
	for _, k := range r.of[s] {
		b := r.Blocks[k]
		if b.Alloc != r.Liveness.Stmt(s).From || b.Takes {
			continue
		}
		for j, of := range r.Sizes {
			r.most[j] = max(r.most[j], r.held[j]+max(0, of(b.Size)))
		}
	}
}

// call binds what a call gives: a block of its own, or one of the arguments'.
func (r *run) call(s *ir.Stmt) {
	r.beside(s)
	made := map[string]*instance{}
	for _, e := range s.Pat {
		m, ok := owns(e)
		if !ok {
			continue
		}
		reals, more := r.Aliases.BlocksUpTo(m, maxHeld)
		if len(reals) != 1 || more {
			r.lost = true
			return
		}
		i := made[reals[0]]
		if b, called := r.Block(reals[0]); i == nil && called && r.Blocks[b].Kind == Called {
			i = r.instance(r.Blocks[b].Size)
			made[reals[0]] = i
		} else if i == nil {
			i = r.env[reals[0]]
		}
		r.lost = r.lost || i == nil
		r.bind(m, i)
	}
}

// derived binds what other statements give: a view lies where its source lies.
func (r *run) derived(s *ir.Stmt) {
	for _, e := range s.Pat {
		m, ok := owns(e)
		if !ok {
			continue
		}
		var from *instance
		ir.Uses(s.Op, func(n string) {
			if i := r.operand(&ir.Ref{Name: n}); i != nil {
				r.lost = r.lost || from != nil && from != i
				from = i
			}
		})
		r.lost = r.lost || from == nil
		r.bind(m, from)
	}
}
