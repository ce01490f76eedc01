package explicit

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/parallel"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/transform"
)

// A function is the second pass over one function: it assigns places top-down and builds new
// bodies.
type function struct {
	prog    *ir.Program
	f       *ir.Func
	context *transform.Context
	failed  *diag.List
	facts   *facts
	unused  *transform.Names

	out []*ir.Stmt // statements of the body under construction
	*names
	clock  int
	target map[string]string // fresh array -> block in which it has to be made
	kernel *kernel           // the kernel around, or nil
	defs   map[string]ir.Exp // of scalars
	limits map[string]ir.Exp // of indices, which run from 0 below them
	sizes  []string          // dims of the arrays in scope that are made outside of kernels

	near    map[string]bool   // blocks in a group's memory
	threads map[string]bool   // blocks that each thread of the kernel allocates for itself
	copies  map[string]string // array that was inserted as a copy -> what it copies
}

func newFunction(p *ir.Program, f *ir.Func, c *transform.Context, failed *diag.List) *function {
	var found *facts
	var unused *transform.Names
	parallel.Over(len(f.Body.Stmts), func() { found = findFacts(p, f) }, func() { unused = transform.NewNames(f) })
	return &function{
		prog: p, f: f, context: c, failed: failed,
		facts:  found,
		unused: unused,
		names:  &found.names,
		clock:  1,
		target: map[string]string{},
		defs:   map[string]ir.Exp{},
		limits: map[string]ir.Exp{},

		near:    map[string]bool{},
		threads: map[string]bool{},
		copies:  map[string]string{},
	}
}

// run transforms the function. Results get places if other functions call it. An entry that is only
// called from outside returns its results wherever they lie.
func (t *function) run(calledInternally bool) {
	for _, n := range t.f.Sizes {
		t.define(n)
	}
	for _, e := range t.f.Params {
		if e.Type.Kind == ir.ArrayKind {
			t.exists(e, true)
		} else {
			t.elem(e)
		}
	}
	t.open()
	t.stmts(t.f.Body)
	if calledInternally || !t.f.Entry {
		t.results()
	}
	t.close(t.f.Body, t.out)
}

// results gives the function's array results existential places. A place is row-major if the value
// provably is.
func (t *function) results() {
	for k := range t.f.Results {
		r := &t.f.Results[k]
		if r.Type.Kind != ir.ArrayKind {
			continue
		}
		value := t.single(t.f.Body, k, "a function's result has one offset and one stride per dimension")
		base := r.Name
		if base == "" {
			base = "result"
		}
		r.Type.Place, _ = t.existential(base, t.of(value).place.fun.IsRowMajor(), r.Type.Shape)
	}
}

// define records that a name is in scope from now on.
func (t *function) define(n string) {
	t.clock++
	t.of(n).since = t.clock
}

// visible reports whether a name was defined up to the given time.
func (t *function) visible(n string, until int) bool {
	since := t.of(n).since
	return since != 0 && since <= until
}

// inScope reports whether all names were defined up to the given time.
func (t *function) inScope(names []string, until int) bool {
	return !slices.ContainsFunc(names, func(n string) bool { return !t.visible(n, until) })
}

// elem defines a pattern's name whose type stays as it is.
func (t *function) elem(e *ir.Elem) {
	t.define(e.Name)
	t.of(e.Name).elem = e
	if t.kernel == nil {
		for _, d := range e.Type.Shape {
			t.sizes = append(t.sizes, d.Name)
		}
	}
}

// put defines an array in a place.
func (t *function) put(e *ir.Elem, p place) {
	p = p.over(e.Type.Shape)
	e.Type.Place = p.ir()
	e.Written = true
	t.elem(e)
	t.of(e.Name).place = p
}

// exists defines an array in an existential block: row-major, or with existential offset and
// strides, too.
func (t *function) exists(e *ir.Elem, rowMajor bool) {
	var p place
	e.Type.Place, p = t.existential(e.Name, rowMajor, e.Type.Shape)
	e.Written = true
	t.elem(e)
	t.of(e.Name).place = p
}

// existsAs defines an array in an existential block, with a known index function.
func (t *function) existsAs(e *ir.Elem, known place) {
	mem := t.block(e.Name)
	t.define(mem)
	p := place{mem, known.fun, known.chain}.over(e.Type.Shape)
	e.Type.Place = &ir.Place{Exist: true, Mem: mem, Ix: p.chain}
	e.Written = true
	t.elem(e)
	t.of(e.Name).place = p
}

// existential makes an existential place: its written form, and the place in the scope that it
// opens.
func (t *function) existential(base string, rowMajor bool, shape []ir.Dim) (*ir.Place, place) {
	mem := t.block(base)
	t.define(mem)
	written := &ir.Place{Exist: true, Mem: mem}
	if rowMajor {
		return written, rowMajorIn(mem, shape)
	}
	off := t.unused.Fresh("off_" + base)
	t.define(off)
	bind := &ir.LMAD{Offset: &ir.Exist{Name: off}}
	use := &ir.LMAD{Offset: ir.Var(off)}
	known := lmad.LMAD{Offset: sym.Var(off)}
	for _, d := range shape {
		stride := t.unused.Fresh("s_" + base)
		t.define(stride)
		bind.Dims = append(bind.Dims, ir.LMADDim{Len: d.Exp(), Stride: &ir.Exist{Name: stride}})
		use.Dims = append(use.Dims, ir.LMADDim{Len: d.Exp(), Stride: ir.Var(stride)})
		known.Dims = append(known.Dims, lmad.Dim{Len: lmad.Size(d), Stride: sym.Var(stride)})
	}
	written.Ix = []ir.IxOp{bind}
	return written, place{mem, lmad.Of(known), []ir.IxOp{use}}
}

// block returns a new block its name.
func (t *function) block(array string) string { return t.unused.Fresh("m_" + array) }

// open starts a new body. It returns the statements of the body around, which close or the caller
// restores.
func (t *function) open() []*ir.Stmt {
	outer := t.out
	t.out = nil
	return outer
}

// close makes stmts the statements of b, without those hoisted out of it.
func (t *function) close(b *ir.Body, stmts []*ir.Stmt) {
	if t.kernel != nil {
		stmts = slices.DeleteFunc(stmts, func(s *ir.Stmt) bool { return t.kernel.hoisted[s] })
	}
	b.Stmts = stmts
}

func (t *function) emit(s *ir.Stmt) { t.out = append(t.out, s) }

// single makes sure that one LMAD describes result k of the body under construction, by a copy if
// necessary. It returns the result's name.
func (t *function) single(b *ir.Body, k int, why string) string {
	x := arrayName(b.Result[k])
	if p := t.of(x).place; p.mem == "" || p.single() {
		return x
	}
	c := t.copyOf(x, b.Result[k].Span(), why)
	b.Result[k] = &ir.Ref{Name: c}
	return c
}
