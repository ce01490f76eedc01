package parser

import (
	"strconv"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// typ reads a type.
func (r *reader) typ() ir.Type {
	if r.accept(kMem) {
		t := ir.Mem
		if r.accept(kAt) {
			t.Space = r.name("a memory space")
			r.words.last(aSpace)
		}
		return t
	}
	var t ir.Type
	t.Unique = r.accept(kStar)
	for r.accept(kLBrack) {
		t.Shape = append(t.Shape, r.dim())
		r.expect(kRBrack, "write every dim in brackets of its own: [n][m]f32")
	}
	t.Prim = r.prim("a type", "a type is a scalar type, dims in brackets and a scalar type, or mem")
	t.Kind = ir.ScalarKind
	if len(t.Shape) > 0 {
		t.Kind = ir.ArrayKind
	} else if t.Unique {
		r.failAt(diag.MarkOnScalar, r.from(r.last-len(t.Prim.String())), "only an array can be consumed: *[n]"+t.Prim.String(), "`*` before a scalar type")
	}
	if r.tok.kind == kAt {
		if t.Kind != ir.ArrayKind {
			r.failAt(diag.MarkOnScalar, r.spanOf(r.tok), "only an array has a place: [n]"+t.Prim.String()+" @ m", "a place after a scalar type")
		}
		t.Place = r.place()
	}
	return t
}

// prim reads a scalar type.
func (r *reader) prim(what, hint string) ir.Prim {
	if r.tok.kind != kPrim {
		r.unexpected(what, hint)
	}
	return ir.PrimByName(r.text(r.take()))
}

// dim reads a name, an integer, or another expression, which the front end names.
func (r *reader) dim() ir.Dim {
	t := r.tok
	if t.kind == kNumber && r.fol.kind == kRBrack {
		r.take()
		digits, base := r.text(t), 10
		if hex, ok := hexDigits(digits); ok {
			digits, base = hex, 16
		}
		n, err := strconv.ParseInt(digits, base, 64)
		if err != nil {
			r.failAt(diag.BadDim, r.spanOf(t), "a dim is a name, an integer or an expression of type i64", "`%s` is not a size", clip(r.text(t)))
		}
		return ir.Dim{Const: n}
	}
	if t.kind == kRBrack {
		r.unexpected("a dim: a name, an integer or an expression", "")
	}
	e := r.exp()
	if ref, ok := e.(*ir.Ref); ok {
		return ir.Dim{Name: ref.Name}
	}
	return ir.Dim{Written: e}
}

// place reads "@ m -> Direct(n) -> ...".
func (r *reader) place() *ir.Place {
	start := r.tok.start
	r.expect(kAt, "")
	p := &ir.Place{Exist: r.accept(kQuery)}
	p.Mem = r.name("a memory block")
	outer := r.exist
	r.exist = p.Exist
	for first := true; r.accept(kArrow); first = false {
		p.Ix = append(p.Ix, r.ixop(first))
	}
	r.exist = outer
	p.Span = r.from(start)
	ir.PlaceExps(p, r.alone)
	return p
}

// alone refuses an expression of a place that computes with a name which the place binds.
func (r *reader) alone(e ir.Exp) {
	ir.WalkExp(e, func(x ir.Exp) bool {
		if x, ok := x.(*ir.Exist); ok && x != e {
			r.failAt(diag.BadIndexFun, x.At, "bind the whole offset or stride, as in LMAD(?off; (n : ?s))", "`?%s` is a part of an expression, so its value is not known", x.Name)
		}
		return true
	})
}

const ixHint = "one of Direct, LMAD, Permute, Reshape, Slice"

func (r *reader) ixop(first bool) ir.IxOp {
	t := r.tok
	word := r.text(t)
	begins := word == "Direct" || word == "LMAD"
	switch word {
	case "Direct", "LMAD", "Permute", "Reshape", "Slice":
		if begins != first {
			hint := "the first step may be Direct or LMAD, and no other step"
			r.failAt(diag.BadIndexFun, r.spanOf(t), hint, "`%s` is not possible here in an index function", word)
		}
	default:
		r.unexpected("an index function", ixHint)
	}
	r.take()
	switch word {
	case "Direct":
		return &ir.Direct{Sizes: r.exps()}
	case "LMAD":
		return r.lmad()
	case "Permute":
		return &ir.Permute{Perm: r.ints()}
	case "Reshape":
		return &ir.IxReshape{Sizes: r.exps()}
	}
	r.expect(kLParen, "one item per dimension: Slice(i, (start, length))")
	items, _ := r.items(kRParen)
	return &ir.IxSlice{Items: items}
}

func (r *reader) lmad() ir.IxOp {
	const form = "LMAD(offset; (length : stride), ...)"
	l := &ir.LMAD{}
	r.expect(kLParen, form)
	l.Offset = r.exp()
	if r.accept(kRParen) {
		return l
	}
	r.expect(kSemicolon, form)
	r.list(kRParen, func() {
		r.expect(kLParen, form)
		n := r.exp()
		r.expect(kColon, form)
		l.Dims = append(l.Dims, ir.LMADDim{Len: n, Stride: r.exp()})
		r.expect(kRParen, form)
	})
	return l
}

// exps reads "(e, ...)".
func (r *reader) exps() []ir.Exp {
	r.expect(kLParen, "")
	var es []ir.Exp
	r.list(kRParen, func() { es = append(es, r.exp()) })
	return es
}

// ints reads "(c, ...)".
func (r *reader) ints() []int {
	r.expect(kLParen, "")
	var cs []int
	r.list(kRParen, func() { cs = append(cs, r.dimension()) })
	return cs
}

// dimension reads the number of a dimension.
func (r *reader) dimension() int {
	n, err := strconv.Atoi(r.text(r.tok))
	if r.tok.kind != kNumber || err != nil {
		r.unexpected("the number of a dimension", "dimensions are numbered from 0, the outermost")
	}
	r.take()
	return n
}

// items reads the items of a slice up to and including close, and gives the
// height of the highest expression in them.
func (r *reader) items(close kind) (items []ir.Item, height int) {
	r.list(close, func() {
		it, h := r.item()
		items, height = append(items, it), max(height, h)
	})
	return items, height
}

// item reads "e", "(start, length)" or "(start, length, stride)".
func (r *reader) item() (ir.Item, int) {
	start := r.tok.start
	var x node
	if r.tok.kind == kLParen {
		r.take()
		x = r.sub()
		if r.accept(kComma) {
			it := ir.Item{Start: x.e, Len: r.exp()}
			if r.accept(kComma) {
				it.Stride = r.exp()
			}
			r.expect(kRParen, "an item is (start, length) or (start, length, stride)")
			it.Span = r.from(start)
			return it, 0 // no part of a higher expression
		}
		r.expect(kRParen, "")
		x = r.climb(x, start, 1) // a parenthesis that began an expression
	} else {
		x = r.sub()
	}
	return ir.Item{Fixed: true, Index: x.e, Span: r.from(start)}, x.height
}
