// Package fits finds the fresh arrays that memc cannot prove to lie within their blocks.
//
//	let m = alloc n * 4
//	let a: [n]i32 @ m = ...                  -- fits
//	let b: [k]i32 @ m -> LMAD(1; (k : 2))    -- is tested when the program runs
//
// Purpose. A place that is written by hand may leave its block. So may a place in a block whose
// size is a sum of sizes, if one of the sizes turns out negative. If this package cannot exclude
// that, the program tests it at run time before the array is written (ir/lmad, Fits).
//
// Algorithm. Three questions, from cheap to expensive. Is the array row-major from offset 0 in a
// block allocated for that many bytes? Is each end of its region within the block, by the facts at
// its statement (analysis/accesses)? If an if or a loop chooses the block, does that hold for each
// block that it may choose?
//
// Invariants. An array that is not in the table fits in every run that reaches it, given the
// guarantees of every run: its lengths are not negative, and its bytes at most ir.MaxBytes; an
// alloc that succeeded computed its size without wrapping.
//
// The package reads programs and changes nothing. It imports ir and other analyses.
package fits

import (
	"slices"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/index"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// Unproven returns the fresh arrays of an explicit program that are not proven to fit in their
// blocks.
func Unproven(p *ir.Program, known *accesses.OnDemand) map[*ir.Elem]bool {
	out := map[*ir.Elem]bool{}
	for _, fn := range p.Funcs {
		t := Of(known.Index(fn), func(s *ir.Stmt) places.Facts {
			access := known.Table(fn)
			return access.Facts(access.Stmt(s).From)
		})
		ir.WalkStmts(fn.Body, func(s *ir.Stmt) bool {
			if ir.Fresh(s.Op) {
				for _, e := range s.Pat {
					if e.Type.Kind == ir.ArrayKind && e.Type.Place != nil && !t.Fits(s, e.Type) {
						out[e] = true
					}
				}
			}
			return true
		})
	}
	return out
}

// A Table holds what is known of a function's blocks and scalars.
type Table struct {
	fn      *ir.Func
	facts   func(*ir.Stmt) places.Facts // at the beginning of a statement
	defined *index.Expansion
	written *places.Written
	blocks  map[string]*block
}

// Of returns the table of a function; facts returns the facts at the beginning of a statement.
func Of(x *index.Function, facts func(*ir.Stmt) places.Facts) *Table {
	fn := x.Func
	f := &Table{fn: fn, facts: facts, defined: x.Defined(), blocks: map[string]*block{}}
	f.written = places.NewWritten(fn.Sizes, func(name string) ir.Exp {
		if d := x.Def(name); d.Integer() {
			return d.Exp
		}
		return nil
	})
	f.params()
	ir.WalkStmts(fn.Body, func(s *ir.Stmt) bool { // a loop's block may be made further down
		f.define(s)
		return true
	})
	return f
}

// A block describes a name of a block. If sized, an alloc made it. Or it is one of the choices of
// an if or a loop. Nothing is known of others.
type block struct {
	sized   bool
	size    sym.Poly // in bytes
	choices []string
	inside  map[string]bool // names bound in the loop that chooses: their values may differ
	counter string          // of that loop
}

func (f *Table) params() {
	for _, e := range f.fn.Params {
		if p := e.Type.Place; f.fn.Entry && e.Type.Kind == ir.ArrayKind && p != nil && p.Exist {
			f.blocks[p.Mem] = &block{sized: true, size: lmad.Bytes(e.Type)}
		}
	}
}

func (f *Table) define(s *ir.Stmt) {
	switch op := s.Op.(type) {
	case *ir.Alloc:
		f.blocks[s.Pat[0].Name] = &block{sized: true, size: sym.Of(op.Size)}
	case *ir.Alias:
		if s.Pat[0].Type.Kind == ir.MemKind {
			f.blocks[s.Pat[0].Name] = &block{choices: []string{op.X}}
		}
	case *ir.If:
		for k, e := range s.Pat {
			f.choose(e, &block{}, op.Then.Result[k], op.Else.Result[k])
		}
	case *ir.Loop:
		inside := map[string]bool{}
		ir.WalkStmts(op.Body, func(s *ir.Stmt) bool {
			for _, e := range s.Pat {
				inside[e.Name] = true
			}
			return true
		})
		inside[op.Var] = true
		for k, q := range op.Params {
			inside[q.Elem.Name] = true
			f.choose(q.Elem, &block{inside: inside, counter: op.Var}, q.Init, op.Body.Result[k])
			f.choose(s.Pat[k], &block{inside: inside}, q.Init, op.Body.Result[k])
		}
	}
}

// choose records which blocks the block b of an if's or loop's name can be.
func (f *Table) choose(e *ir.Elem, b *block, from ...ir.Exp) {
	if e.Type.Kind != ir.MemKind {
		return // an array's own block matters only where an array is made in it: usually nowhere
	}
	for _, x := range from {
		if r, ok := x.(*ir.Ref); ok {
			b.choices = append(b.choices, r.Name)
		}
	}
	f.blocks[e.Name] = b
}

// maxChoices bounds the blocks that one name can stand for.
const maxChoices = 8

// blocksOf returns the names of the blocks with sizes that a name can stand for.
func (f *Table) blocksOf(name string) (all []string, ok bool) {
	if b := f.blocks[name]; b != nil && b.sized { // as most are
		return []string{name}, true
	}
	if rules.Off("fits.choices") {
		return nil, false
	}
	seen := map[string]bool{}
	var visit func(name string, inside []map[string]bool) bool
	visit = func(name string, inside []map[string]bool) bool {
		if seen[name] {
			return true
		}
		seen[name] = true
		b := f.blocks[name]
		switch {
		case b == nil:
			return false
		case b.sized:
			for _, set := range inside {
				for _, n := range b.size.Names() {
					if set[n] {
						return false
					}
				}
			}
			all = append(all, name)
			return len(all) <= maxChoices
		}
		if b.inside != nil {
			inside = append(inside[:len(inside):len(inside)], b.inside)
		}
		for _, c := range b.choices {
			if !visit(c, inside) {
				return false
			}
		}
		return true
	}
	ok = visit(name, nil)
	return all, ok && len(all) > 0
}

// passedOn returns a loop's counter, and a number that it has at least while the loop's block b is the one called to:
// blocks of a loop may pass the ones that they begin with on, in each iteration.
func (f *Table) passedOn(name, to string) (counter string, iterations int64) {
	b := f.blocks[name]
	loop := b.counter
	for seen := map[string]bool{}; loop != "" && b != nil && b.counter == loop && !seen[name]; b = f.blocks[name] {
		if first, ok := f.blocksOf(b.choices[0]); !ok || slices.Contains(first, to) {
			break
		}
		seen[name] = true
		name = b.choices[1]
		iterations++
	}
	return loop, iterations
}

// Fits reports whether an array of a type, with its place, provably fits in its block in every run
// in which a statement makes it there.
func (f *Table) Fits(s *ir.Stmt, t ir.Type) bool {
	blocks, ok := f.blocksOf(t.Place.Mem)
	if !ok {
		return false
	}
	whole := lmad.Bytes(t)
	for _, b := range blocks {
		size := f.blocks[b].size
		if len(t.Place.Ix) == 0 && whole.Equal(size) { // as of most arrays
			continue
		}
		if counter, n := f.passedOn(t.Place.Mem, b); n > 0 {
			size = f.facts(s).AtMost(sym.Const(n), sym.Var(counter)).Decided(size)
		}
		fun := lmad.OfType(t)
		if !(fun.IsRowMajor() && (f.equal(s, whole, size) || f.written.NotNegative(size.Sub(whole)))) && !f.within(s, fun, t, size) {
			return false
		}
	}
	return true
}

// equal reports whether the bytes of an array are those of its block. Both are at most ir.MaxBytes,
// so if they are equal modulo 2^64, they are equal.
func (f *Table) equal(s *ir.Stmt, whole, size sym.Poly) bool {
	exact := func() bool { return places.Facts{}.Exact(size) || f.facts(s).Exact(size) }
	return whole.Equal(size) || !rules.Off("fits.equal") && f.defined.Of(whole).Equal(f.defined.Of(size)) && exact()
}

// within reports whether both ends of a nonempty array are within a block.
func (f *Table) within(s *ir.Stmt, fun lmad.Fun, t ir.Type, size sym.Poly) bool {
	l, ok := fun.Single()
	if !ok || rules.Off("fits.within") {
		return false
	}
	known := f.facts(s).Exists(t.Shape).NonEmpty(fun)
	// The positions of the ends are sums, which do not wrap, of values that may have wrapped.
	bytes, less := sym.Const(t.Prim.Size()), sym.Const(-t.Prim.Size())
	first := [][]sym.Poly{{sym.Const(-1), l.Offset}}
	end := [][]sym.Poly{{bytes, l.Offset}, {bytes}}
	for _, d := range l.Dims {
		switch {
		case d.Len.Is(1) || d.Stride.Is(0):
		case known.AtLeast(d.Stride, 0):
			end = append(end, []sym.Poly{bytes, d.Len, d.Stride}, []sym.Poly{less, d.Stride})
		case known.AtLeast(d.Stride.Neg(), 0):
			first = append(first, []sym.Poly{sym.Const(-1), d.Len, d.Stride}, []sym.Poly{d.Stride})
		default:
			return false
		}
	}
	return known.Room(sym.Const(0), first...) && known.Room(known.Decided(size), end...)
}
