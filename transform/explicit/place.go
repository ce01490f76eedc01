package explicit

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// A place says where an array lives: fun for reasoning, chain for printing (nil if fun is row-major
// over the array's own dims).
type place struct {
	mem   string
	fun   lmad.Fun
	chain []ir.IxOp
}

// longestChain is the greatest number of operations in a chain that is written as the source
// program suggests. A longer chain is easier to read in normal form.
const longestChain = 3

// rowMajorIn is the whole of a block.
func rowMajorIn(mem string, shape []ir.Dim) place {
	return place{mem: mem, fun: lmad.RowMajor(lmad.Sizes(shape))}
}

// derive returns the place of a view of p. step is the operation of the chain; shape and from are
// the dims of the view and of the source.
func (p place) derive(fun lmad.Fun, step ir.IxOp, from, shape []ir.Dim) place {
	chain := p.chain
	if chain == nil {
		chain = []ir.IxOp{&ir.Direct{Sizes: dimExps(from)}}
	}
	chain = append(append([]ir.IxOp(nil), chain...), step)
	if len(chain) > longestChain {
		chain = fun.Chain()
	}
	return place{p.mem, fun, chain}.over(shape)
}

// over returns the same place for an array of the given dims. They are equal to those of p but may
// have other names.
func (p place) over(shape []ir.Dim) place {
	sizes := lmad.Sizes(shape)
	if p.fun.IsRowMajor() {
		return place{mem: p.mem, fun: lmad.RowMajor(sizes)}
	}
	if sameSizes(p.fun.Shape(), sizes) {
		return p
	}
	items := make([]ir.Item, len(shape))
	for k, d := range shape {
		items[k] = ir.Item{Start: ir.IntLit(0), Len: d.Exp()}
	}
	fun := p.fun.Slice(items)
	return place{p.mem, fun, fun.Chain()}
}

// single reports whether one offset and one stride per dimension describe p.
func (p place) single() bool {
	_, ok := p.fun.Single()
	return ok
}

// ir returns the place as it stands in a type.
func (p place) ir() *ir.Place { return &ir.Place{Mem: p.mem, Ix: p.chain} }

func dimExps(shape []ir.Dim) []ir.Exp {
	out := make([]ir.Exp, len(shape))
	for k, d := range shape {
		out[k] = d.Exp()
	}
	return out
}

// exp returns a new expression that equals e: index functions share no nodes with the statement
// that they come from.
func exp(e ir.Exp) ir.Exp { return sym.Of(e).Exp() }

// items returns slice items whose expressions are new.
func items(its []ir.Item) []ir.Item {
	out := make([]ir.Item, len(its))
	for k, it := range its {
		if it.Fixed {
			out[k] = ir.Item{Fixed: true, Index: exp(it.Index)}
			continue
		}
		out[k] = ir.Item{Start: exp(it.Start), Len: exp(it.Len)}
		if it.Stride != nil {
			out[k].Stride = exp(it.Stride)
		}
	}
	return out
}

// bytes returns the size of arrays in bytes, with constants folded.
func bytes(prim ir.Prim, sizes []ir.Exp) ir.Exp {
	constant := prim.Size()
	var product ir.Exp
	times := func(e ir.Exp) {
		if l, ok := e.(*ir.Lit); ok {
			if v, ok := l.Int(); ok && (v == 0 || constant <= ir.MaxBytes/v) { // the run refuses larger ones
				constant *= v
				return
			}
		}
		if product == nil {
			product = e
			return
		}
		product = &ir.Binary{Op: "*", X: product, Y: e, T: ir.I64}
	}
	for _, e := range sizes {
		times(e)
	}
	switch {
	case product == nil:
		return ir.IntLit(constant)
	case constant == 1:
		return product
	}
	return &ir.Binary{Op: "*", X: product, Y: ir.IntLit(constant), T: ir.I64}
}
