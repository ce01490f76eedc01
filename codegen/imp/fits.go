package imp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/sym"
)

// create binds a fresh array after the checks that come before the first write to it:
// its sizes are not negative, it is not too large, and it fits in its block.
func (b *block) create(s *ir.Stmt, e *ir.Elem) *array {
	shape, proven := b.f.shape(e.Type), b.proven(s)
	for _, n := range shape {
		if !proven {
			b.checkSize(n, s.Span)
		}
	}
	if !proven {
		b.checkLimit(shape, e.Type.Prim.Size(), tooLarge, s.Span)
	}
	a := b.bind(e)
	b.checkFits(e, a, s.Span)
	return a
}

// proven reports whether the sizes that a statement checks are known to be good.
func (b *block) proven(s *ir.Stmt) bool { return b.team && b.f.l.never.Sizes(s) }

// A limit is what is said of sizes beyond ir.MaxBytes, before the sizes.
type limit struct {
	code diag.Code
	text string
}

var (
	tooLarge = limit{diag.OutOfMemory, "out of memory: an array of shape"}
	tooMany  = limit{diag.TooManyThreads, "too many threads: an index space of shape"}
)

// An extent is the product of some dims, in the order of their names, times a constant
// number of bytes, that is at most ir.MaxBytes. Dims that are 0 count as 1.
type extent struct {
	names []string
	bytes int64
}

// extentOf returns the extent of an array, if its dims are names and constants.
func extentOf(shape []sym.Poly, size int64) (x extent, ok bool) {
	x.bytes = size
	for _, n := range shape {
		if c, known := n.IsConst(); known {
			if c = max(c, 1); x.bytes > ir.MaxBytes/c {
				return x, false
			}
			x.bytes *= c
		} else if name, known := n.IsVar(); known {
			x.names = append(x.names, name)
		} else {
			return x, false
		}
	}
	slices.Sort(x.names)
	return x, true
}

// holds reports whether x is within the limit because y is.
func (y extent) holds(x extent) bool {
	k := 0
	for _, n := range y.names {
		if k < len(x.names) && x.names[k] == n {
			k++
		}
	}
	return k == len(x.names) && x.bytes <= y.bytes
}

// An extentTable holds extents that are known to be within the limit, by each of their names.
type extentTable map[string][]extent

// hold reports whether x is within the limit because one of the others is, which has all names
// of x: it stands in the shortest of their lists.
func (m extentTable) hold(x extent) bool {
	least := m[x.names[0]]
	for _, n := range x.names[1:] {
		if len(m[n]) < len(least) {
			least = m[n]
		}
	}
	return slices.ContainsFunc(least, func(y extent) bool { return y.holds(x) })
}

// within records that an array exists, which is within the limit.
func (b *block) within(shape []sym.Poly, size int64) {
	x, ok := extentOf(shape, size)
	if !ok || len(x.names) == 0 || b.extents.hold(x) {
		return
	}
	if b.extents == nil {
		b.extents = extentTable{}
	}
	for k, n := range x.names {
		if k == 0 || n != x.names[k-1] {
			b.extents[n] = append(b.extents[n], x)
		}
	}
}

// checkLimit checks that a product is at most ir.MaxBytes: the product of some sizes, where a size
// of 0 counts as 1, and a number of bytes. It divides, since quotients do not wrap as the product
// would; rounding down loses nothing.
func (b *block) checkLimit(shape []sym.Poly, size int64, what limit, at diag.Span) {
	x, ok := extentOf(shape, size)
	if ok && len(x.names) == 0 || b.f.l.opt.Unsafe {
		return
	}
	for o := b; o != nil && ok; o = o.outer {
		if o.extents.hold(x) {
			return
		}
	}
	room := i64(ir.MaxBytes / size)
	args := make([]ir.Exp, len(shape))
	var first ir.Exp
	for k, n := range shape {
		args[k] = n.Exp()
		c, isConst := n.IsConst()
		switch {
		case first == nil && !isConst:
			first = args[k]
		case isConst && known(room) >= 0:
			room = i64(int64(known(room)) / max(c, 1))
		case isConst:
			room = quotient(room, i64(max(c, 1)))
		default:
			room = quotient(room, maximum(args[k], i64(1)))
		}
	}
	var cond ir.Exp = ir.BoolLit(false) // constants are too large
	if first != nil {
		if known(room) <= 0 { // it may be 0
			first = maximum(first, i64(1))
		}
		cond = binary("<=", first, room)
	}
	b.check(cond, b.f.l.fault(what.code, at, len(args), what.text+" ["+strings.TrimSpace(strings.Repeat("%d ", len(args)))+"]"), args...)
	b.within(shape, size)
}

// checkFits checks that a fresh array lies within its block, unless that is known
// (analysis/fits).
func (b *block) checkFits(e *ir.Elem, a *array, at diag.Span) {
	if b.f.l.opt.Unsafe || !b.f.l.unproven[e] {
		return
	}
	fun, bytes := a.fun, b.roomBytes(e.Type.Place)
	if bytes != nil {
		fun = b.fun(e.Type) // in the room, not in the workspace
	} else {
		bytes = b.sizeOf(a.mem)
	}
	cond, ok := fun.Fits(a.prim.Size(), bytes)
	if !ok {
		b.f.l.diags.Limitf(at, "the place of `%s` is too long to be checked", e.Name)
		return
	}
	mem := e.Type.Place.Mem
	b.check(b.shallow(cond), b.f.l.fault(diag.OutsideBlock, at, 1, fmt.Sprintf("`%s` does not fit in its block `%s`, which has %%d bytes", e.Name, mem)), bytes)
}

// sizeOf returns the size of the block that a variable holds. A kernel is told it by the
// host, but for blocks that its work-items allocate: their sizes go along with them.
func (b *block) sizeOf(mem string) ir.Exp {
	if b.k != nil && b.k.ptrs[mem] {
		return b.ownSize(mem)
	}
	host := b
	for host.k != nil {
		host = host.outer
	}
	v := host.declare(b.f.temp(mem+"_bytes"), ir.I64)
	host.add(&SizeOf{Dst: v.Name, Mem: mem})
	return v
}

// ownSize returns the variable that holds the size of a kernel's own memory variable.
func (b *block) ownSize(mem string) *ir.Ref {
	if b.k.sized[mem] == "" {
		b.k.sized[mem] = b.f.temp(mem + "_bytes")
	}
	return b.declare(b.k.sized[mem], ir.I64)
}

// carrySizes sets, in a complete kernel, the variables that hold the sizes of blocks:
// where a block is made, and where one variable gets that of another.
func (b *block) carrySizes(list []Stmt) []Stmt {
	for done := 0; done < len(b.k.sized); { // until no further variable is requested
		done = len(b.k.sized)
		Each(list, func(s *SetMem) {
			if b.k.sized[s.Dst] != "" && b.k.ptrs[s.Src] {
				b.ownSize(s.Src)
			}
		})
	}
	if len(b.k.sized) == 0 {
		return list
	}
	var out []Stmt
	for _, s := range list {
		for _, in := range lists(s) {
			*in = b.carrySizes(*in)
		}
		if s, ok := s.(*SetMem); ok {
			if name := b.k.sized[s.Dst]; name != "" {
				out = append(out, &Set{Dst: name, E: b.sizeOf(s.Src)})
			}
		}
		out = append(out, s)
		if p, ok := s.(*PtrAt); ok {
			if name := b.k.sized[p.Dst]; name != "" {
				out = append(out, &Set{Dst: name, E: p.Bytes})
			}
		}
		if a, ok := s.(*Alloc); ok {
			if name := b.k.sized[a.Mem]; name != "" {
				out = append(out, &SizeAs{Dst: name, Bytes: maximum(a.Bytes, i64(0))})
			}
		}
	}
	return out
}
