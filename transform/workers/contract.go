package workers

import (
	"slices"

	"github.com/memc-lang/memc/analysis/workers"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/transform"
)

// contract gives workers the blocks of a function that only threads use.
func contract(f *ir.Func, found *workers.Table, c *transform.Context, mutant mutation) {
	var names *transform.Names
	gone := map[string]bool{}
	for _, set := range found.Sets {
		if !c.Rewrite(set.Kernels[0].Stmt.Span, "`%s` has room for all threads of %s: now it has room for those that run at once", set.Blocks[0], kernels(set.Kernels)) {
			continue
		}
		if names == nil {
			names = transform.NewNames(f)
		}
		for k, kernel := range set.Kernels {
			r := replacing{Kernel: kernel, set: set, found: found, mutant: mutant}
			r.replace(names, k > 0)
		}
		for _, block := range set.Blocks {
			gone[block] = true
		}
	}
	if len(gone) > 0 {
		remove(f.Body, gone)
	}
}

// kernels names kernels by their results.
func kernels(ks []*workers.Kernel) string {
	name := "`" + ks[0].Stmt.Pat[0].Name + "`"
	if len(ks) > 1 {
		name += " and others"
	}
	return name
}

// A replacing replaces the blocks of a set in a kernel.
type replacing struct {
	*workers.Kernel
	set    *workers.Set
	found  *workers.Table
	mutant mutation
}

// replace lets a kernel's threads allocate the blocks of the set that it mentions, under new names if others
// do, too.
func (r *replacing) replace(names *transform.Names, rename bool) {
	body := ir.KernelBody(r.Stmt.Op)
	ir.ElemsIn(body, r.move)
	var allocs []*ir.Stmt
	to := ir.Substitution{}
	for _, block := range r.Blocks {
		switch {
		case r.found.Of(block) != r.set:
			continue
		case r.mutant == oneBlock && len(allocs) > 0:
			to[block] = ir.Var(allocs[0].Pat[0].Name)
			continue
		}
		name := block
		if rename {
			name = names.Fresh(block)
			to[block] = ir.Var(name)
		}
		allocs = append(allocs, &ir.Stmt{
			Pat:  []*ir.Elem{{Name: name, Type: ir.Mem}},
			Op:   &ir.Alloc{Size: r.Bytes(block), Space: ir.ThreadSpace},
			Span: r.Stmt.Span,
		})
	}
	if len(to) > 0 {
		to.Body(body)
	}
	body.Stmts = append(allocs, body.Stmts...)
}

// move changes where an array lies: from the thread's part of a block of the set to its own block.
func (r *replacing) move(e *ir.Elem) {
	p := e.Type.Place
	if e.Type.Kind != ir.ArrayKind || p == nil || r.found.Of(p.Mem) != r.set {
		return
	}
	fun, _ := r.Within(lmad.OfType(e.Type))
	if l, ok := fun.Single(); ok && r.mutant == noOffset {
		l.Offset = sym.Const(0)
		fun = lmad.Of(l)
	}
	q := &ir.Place{Exist: p.Exist, Mem: p.Mem, Span: p.Span}
	if !fun.IsRowMajor() {
		q.Ix = fun.Chain()
	}
	e.Type.Place = q
}

// remove takes statements out of the bodies that run on the host.
func remove(b *ir.Body, gone map[string]bool) {
	b.Stmts = slices.DeleteFunc(b.Stmts, func(s *ir.Stmt) bool {
		_, alloc := s.Op.(*ir.Alloc)
		return alloc && gone[s.Pat[0].Name]
	})
	for _, s := range b.Stmts {
		if !ir.IsKernel(s.Op) {
			for _, in := range ir.Bodies(s.Op) {
				remove(in, gone)
			}
		}
	}
}
