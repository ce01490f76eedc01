// Package workers finds the blocks that only the threads of kernels use, each thread a part of its own.
// Such a block need not have room for all threads, but only for those that run at once: the workers.
// `explicit` expands what a thread makes over all threads (Note [Expanded blocks] there):
//
//	let m = alloc k * n * 4
//	let ys = map (i < n) {
//	  let t: [k]f32 @ m -> LMAD(i; (k : n)) = ...
//
// Algorithm. Only arrays in the bodies of kernels lie in the block, and each array of thread i in a
// kernel of n threads has its element e at i + n * e. Then threads never touch each other's elements. An
// array of a thread ends with it, so that the next thread of a worker may have the same bytes. Blocks
// that a name in a kernel may stand for are one set, and are found together or not at all.
//
// `reuse` and the account of memory count such a block as workers need it; transform/workers makes it so.
// The package imports aliases, and no transformation.
package workers

import (
	"slices"

	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// A Kernel is one of threads, not of groups, whose body makes arrays in blocks of the host.
type Kernel struct {
	Stmt    *ir.Stmt
	Threads sym.Poly // their number
	Blocks  []string // that the body mentions, in the order of the text
	number  sym.Poly // of a thread, row-major over its indices
	bytes   map[string]ir.Exp
}

// Bytes returns the size of a thread's part of a block of a set that the kernel belongs to.
func (k *Kernel) Bytes(block string) ir.Exp { return k.bytes[block] }

// Threads returns the number of a kernel's threads.
func Threads(space ir.Space) sym.Poly {
	n := sym.Const(1)
	for _, b := range space {
		n = n.Mul(sym.Of(b.Size))
	}
	return n
}

func kernelOf(s *ir.Stmt, space ir.Space) *Kernel {
	k := &Kernel{Stmt: s, Threads: Threads(space), bytes: map[string]ir.Exp{}}
	for _, b := range space {
		k.number = k.number.Mul(sym.Of(b.Size)).Add(sym.Var(b.Var))
	}
	return k
}

// Within returns where an array lies in a thread's part, given where it lies among all threads.
func (k *Kernel) Within(f lmad.Fun) (lmad.Fun, bool) {
	first := f.Parts[0]
	var ok bool
	out := lmad.LMAD{Dims: slices.Clone(first.Dims)}
	if out.Offset, ok = first.Offset.Sub(k.number).Quotient(k.Threads); !ok {
		return f, false
	}
	for i, d := range first.Dims {
		if out.Dims[i].Stride, ok = d.Stride.Quotient(k.Threads); !ok {
			return f, false
		}
	}
	return f.Over(out), true
}

// perThread returns the bytes of a thread's part of a block, given those of the block.
func (k *Kernel) perThread(size ir.Exp) (ir.Exp, bool) {
	if q, ok := sym.Of(size).Quotient(k.Threads); ok {
		return q.Exp(), true
	}
	both := func(x, y *ir.Exp) bool {
		var okX, okY bool
		*x, okX = k.perThread(*x)
		*y, okY = k.perThread(*y)
		return okX && okY
	}
	switch e := size.(type) {
	case *ir.Cond:
		c := *e
		return &c, both(&c.X, &c.Y)
	case *ir.Builtin:
		if e.Fn == "max" {
			c := *e
			c.Args = slices.Clone(e.Args)
			return &c, both(&c.Args[0], &c.Args[1])
		}
	case *ir.Binary:
		c := *e
		var ok bool
		if e.Op != "*" {
			return nil, false
		}
		if c.X, ok = k.perThread(e.X); ok {
			return &c, true
		}
		c.X = e.X
		c.Y, ok = k.perThread(e.Y)
		return &c, ok
	}
	return nil, false
}

// A Set is blocks that names of a kernel may stand for together, or one block.
type Set struct {
	Blocks  []string  // in the order of the text
	Kernels []*Kernel // whose bodies mention the blocks
	refused bool
	bytes   int64 // of an element of its arrays; 0: there are none so far
}

// A Table has the sets of a function.
type Table struct {
	Sets   []*Set // in the order of their first allocs
	search search
	found  map[*Set]bool
}

// Of returns the set of a name of a block, or nil.
func (t *Table) Of(name string) *Set {
	if in := t.search.set(name); t.found[in] {
		return in
	}
	return nil
}

// Find finds the sets of an explicit function.
func Find(f *ir.Func, a *aliases.Table) *Table {
	g := a.BlockGraph()
	s := search{aliases: a, up: make([]int, g.Len()), sets: map[int]*Set{}, allocs: map[string]*ir.Stmt{}}
	for c := range s.up {
		s.up[c] = c
	}
	for _, e := range f.Params {
		s.elem(e)
	}
	s.body(f.Body)
	for c := range s.up {
		for _, d := range g.Choices(c) {
			s.unite(c, d)
		}
	}
	for _, block := range s.order {
		s.set(block).Blocks = append(s.set(block).Blocks, block)
	}
	t := &Table{search: s, found: map[*Set]bool{}}
	for _, block := range s.order {
		if in := s.set(block); in.Blocks[0] == block && s.fits(in) {
			t.Sets = append(t.Sets, in)
			t.found[in] = true
		}
	}
	return t
}

// fewThreads is so few that all of them may run at once.
const fewThreads = 256

// fits reports whether a set may have workers' blocks: it is not refused, threads are not known to be few, and
// the bytes of their parts are known in all kernels.
func (s *search) fits(in *Set) bool {
	for _, k := range in.Kernels {
		if n, ok := k.Threads.IsConst(); ok && n <= fewThreads {
			return false
		}
		for _, b := range in.Blocks {
			size, ok := k.perThread(s.allocs[b].Op.(*ir.Alloc).Size)
			if !ok || len(k.Stmt.Pat) == 0 {
				return false
			}
			k.bytes[b] = size
		}
	}
	return !in.refused && len(in.Kernels) > 0
}

// A search finds the sets of a function.
type search struct {
	aliases *aliases.Table
	up      []int        // a forest of the graph's components that share a set
	sets    map[int]*Set // by the roots of the forest
	order   []string     // of allocated blocks
	allocs  map[string]*ir.Stmt
	in      *Kernel
}

func (s *search) root(c int) int {
	for s.up[c] != c {
		s.up[c] = s.up[s.up[c]]
		c = s.up[c]
	}
	return c
}

// set returns the set of a block's name.
func (s *search) set(name string) *Set {
	c, ok := s.aliases.BlockGraph().Component(name)
	if !ok {
		return &Set{refused: true}
	}
	return s.at(s.root(c))
}

func (s *search) at(root int) *Set {
	if s.sets[root] == nil {
		s.sets[root] = &Set{}
	}
	return s.sets[root]
}

// unite makes the sets of two components one.
func (s *search) unite(c, d int) {
	if c, d = s.root(c), s.root(d); c == d {
		return
	}
	a, b := s.at(c), s.at(d)
	s.up[d] = c
	a.refused = a.refused || b.refused || a.bytes != 0 && b.bytes != 0 && a.bytes != b.bytes
	a.bytes = max(a.bytes, b.bytes)
	for _, k := range b.Kernels {
		a.add(k)
	}
}

func (s *Set) add(k *Kernel) {
	if !slices.Contains(s.Kernels, k) {
		s.Kernels = append(s.Kernels, k)
	}
}

func (s *search) body(b *ir.Body) {
	for _, st := range b.Stmts {
		s.stmt(st)
	}
	for _, e := range b.Result {
		ir.ExpNames(e, s.use)
	}
}

func (s *search) stmt(st *ir.Stmt) {
	ir.Uses(st.Op, s.use)
	space, isKernel := ir.KernelSpace(st.Op)
	if outer := s.in; isKernel && outer == nil && !ir.IsGroups(st.Op) {
		s.in = kernelOf(st, space)
		s.inside(st)
		s.in = outer
	} else {
		ir.Elems(st.Op, s.elem)
		for _, b := range ir.Bodies(st.Op) {
			s.body(b)
		}
	}
	alloc, isAlloc := st.Op.(*ir.Alloc)
	switch {
	case !isAlloc:
		for _, e := range st.Pat {
			s.elem(e)
		}
	case s.in == nil && alloc.Space == "":
		s.order, s.allocs[st.Pat[0].Name] = append(s.order, st.Pat[0].Name), st
	default:
		s.set(st.Pat[0].Name).refused = true
	}
}

// inside looks at the bodies of a kernel. Arrays that an operator combines are read by other threads.
func (s *search) inside(st *ir.Stmt) {
	ir.Elems(st.Op, s.elem)
	for _, b := range ir.Bodies(st.Op) {
		s.body(b)
	}
	if op := ir.OperatorOf(st.Op); op != nil {
		for _, e := range ir.KernelBody(st.Op).Result[:len(op.Params)/2] {
			if r, ok := e.(*ir.Ref); ok && s.aliases.BlockOf(r.Name) != "" {
				s.set(s.aliases.BlockOf(r.Name)).refused = true
			}
		}
	}
}

// use looks at a name that an operation uses, or a body returns: the host hands on no block.
func (s *search) use(name string) {
	if _, block := s.aliases.BlockGraph().Component(name); !block {
		return
	}
	if s.in == nil {
		s.set(name).refused = true
		return
	}
	s.touch(name)
}

// touch records that a kernel mentions a block.
func (s *search) touch(block string) {
	s.set(block).add(s.in)
	if s.allocs[block] != nil && !slices.Contains(s.in.Blocks, block) {
		s.in.Blocks = append(s.in.Blocks, block)
	}
}

// elem looks at a name that is bound: an array of a thread must lie in the thread's part of the block.
func (s *search) elem(e *ir.Elem) {
	p := e.Type.Place
	switch {
	case e.Type.Kind == ir.MemKind && s.in == nil:
		s.set(e.Name).refused = true
	case e.Type.Kind != ir.ArrayKind || p == nil:
	case s.in == nil:
		s.set(p.Mem).refused = true
	default:
		s.touch(p.Mem)
		in, size := s.set(p.Mem), e.Type.Prim.Size()
		_, ok := s.in.Within(lmad.OfType(e.Type))
		in.refused = in.refused || !ok || in.bytes != 0 && in.bytes != size
		in.bytes = size
	}
}
