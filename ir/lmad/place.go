package lmad

import (
	"fmt"
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// OfPlace returns the index function of an array of that shape in that place. A place without a
// chain, and no place, are row-major over the shape. The error describes a wrong chain; sizes are
// not compared with the shape.
//
// A "?name" of an existential place counts as the name that it binds.
func OfPlace(p *ir.Place, shape []ir.Dim) (Fun, error) {
	if p == nil || len(p.Ix) == 0 {
		return RowMajor(Sizes(shape)), nil
	}
	var f Fun
	for k, op := range p.Ix {
		var err error
		if k > 0 {
			err = f.extend(op)
		} else if f, err = start(op); err == nil {
			f.steps = make([]step, 0, len(p.Ix))
		}
		if err != nil {
			return Fun{}, err
		}
	}
	if f.Rank() != len(shape) {
		return Fun{}, fmt.Errorf("the index function has %s, the array has %s", dimensions(f.Rank()), dimensions(len(shape)))
	}
	return f, nil
}

// start returns the function that the first operation of a chain makes.
func start(op ir.IxOp) (Fun, error) {
	switch op := op.(type) {
	case *ir.Direct:
		return RowMajor(sym.OfAll(op.Sizes)), nil
	case *ir.LMAD:
		l := LMAD{Offset: sym.Of(op.Offset), Dims: make([]Dim, len(op.Dims))}
		for k, d := range op.Dims {
			l.Dims[k] = Dim{sym.Of(d.Len), sym.Of(d.Stride)}
		}
		return Of(l), nil
	}
	return Fun{}, fmt.Errorf("an index function starts with Direct or LMAD")
}

// extend applies one of the operations after the first.
func (f *Fun) extend(op ir.IxOp) error {
	switch op := op.(type) { // exhaustive
	case *ir.Direct:
		return fmt.Errorf("`Direct` may only be the first step of an index function")
	case *ir.LMAD:
		return fmt.Errorf("`LMAD` may only be the first step of an index function")
	case *ir.Permute:
		if err := CheckPerm(op.Perm, f.Rank()); err != nil {
			return err
		}
		f.permute(op.Perm)
	case *ir.IxReshape:
		f.reshape(sym.OfAll(op.Sizes))
	case *ir.IxSlice:
		if len(op.Items) != f.Rank() {
			return fmt.Errorf("Slice has %d items for %s", len(op.Items), dimensions(f.Rank()))
		}
		items := make([]item, len(op.Items))
		for k, it := range op.Items {
			items[k] = itemOf(it)
		}
		f.cut(items)
	}
	return nil
}

// CheckPerm returns an error for a wrong permutation of rank dimensions.
func CheckPerm(perm []int, rank int) error {
	if len(perm) != rank {
		return fmt.Errorf("a permutation of %d for %s", len(perm), dimensions(rank))
	}
	seen := make([]bool, rank)
	for _, c := range perm {
		if c < 0 || c >= rank {
			return fmt.Errorf("no dimension %d among %s", c, dimensions(rank))
		}
		if seen[c] {
			return fmt.Errorf("dimension %d occurs twice in the permutation", c)
		}
		seen[c] = true
	}
	return nil
}

func dimensions(n int) string {
	if n == 1 {
		return "1 dimension"
	}
	return fmt.Sprintf("%d dimensions", n)
}

// OfType returns the index function of an array of a verified type. It ignores a wrong place;
// OfPlace reports it.
func OfType(t ir.Type) Fun {
	f, err := OfPlace(t.Place, t.Shape)
	if err != nil {
		return RowMajor(Sizes(t.Shape))
	}
	return f
}

// Size returns a dim as a polynomial.
func Size(d ir.Dim) sym.Poly {
	if d.Name != "" {
		return sym.Var(d.Name)
	}
	return sym.Const(d.Const)
}

// Sizes returns a shape as polynomials.
func Sizes(shape []ir.Dim) []sym.Poly {
	out := make([]sym.Poly, len(shape))
	for k, d := range shape {
		out[k] = Size(d)
	}
	return out
}

// Bytes returns the bytes of an array whose elements lie one after another.
func Bytes(t ir.Type) sym.Poly {
	n := sym.Const(t.Prim.Size())
	for _, d := range Sizes(t.Shape) {
		n = n.Mul(d)
	}
	return n
}

// Chain returns the function in the user's form: Direct if it is row-major, else an LMAD, then the
// steps to further parts. OfPlace of the chain is an Equal function.
func (f Fun) Chain() []ir.IxOp {
	first := f.Parts[0]
	var out []ir.IxOp
	if first.IsRowMajor() {
		out = append(out, &ir.Direct{Sizes: exps(first.Shape())})
	} else {
		l := &ir.LMAD{Offset: first.Offset.Exp()}
		for _, d := range first.Dims {
			l.Dims = append(l.Dims, ir.LMADDim{Len: d.Len.Exp(), Stride: d.Stride.Exp()})
		}
		out = append(out, l)
	}
	for _, s := range f.steps {
		switch {
		case s.reshape != nil:
			out = append(out, &ir.IxReshape{Sizes: exps(s.reshape)})
		case s.perm != nil:
			out = append(out, &ir.Permute{Perm: slices.Clone(s.perm)})
		default:
			sl := &ir.IxSlice{}
			for _, it := range s.items {
				sl.Items = append(sl.Items, it.ir())
			}
			out = append(out, sl)
		}
	}
	return out
}
