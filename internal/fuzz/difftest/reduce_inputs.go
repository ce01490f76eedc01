package difftest

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
)

// inputs keeps one input where one is enough, makes its sizes smaller, and its
// elements 0.
func (r *reducer) inputs() {
	with := func(inputs [][]value.Value) bool {
		if r.spent() {
			return false
		}
		r.tries++
		s := &Subject{Name: r.best.Name, Text: r.best.Text, Entry: r.best.Entry, Inputs: inputs}
		if !r.fails(s) {
			return false
		}
		r.keep(s)
		return true
	}
	for k := len(r.best.Inputs) - 1; k >= 0 && len(r.best.Inputs) > 1; k-- {
		if one := [][]value.Value{r.best.Inputs[k]}; with(one) {
			break
		}
	}
	f := r.prog.Func(r.best.Entry)
	if f == nil {
		return
	}
	for _, n := range f.Sizes {
		for to := range int64(3) {
			if smaller, ok := setSize(r.best.Inputs, f, n, to); ok && with(smaller) {
				break
			}
		}
	}
	for i, args := range r.best.Inputs {
		for k, v := range args {
			if slices.ContainsFunc(v.Data, func(b byte) bool { return b != 0 }) {
				inputs := slices.Clone(r.best.Inputs)
				inputs[i] = slices.Clone(r.best.Inputs[i])
				inputs[i][k] = value.New(v.Prim, v.Shape)
				with(inputs)
			}
		}
	}
}

// setSize cuts all arrays with a size variable to a smaller size.
func setSize(inputs [][]value.Value, f *ir.Func, name string, to int64) ([][]value.Value, bool) {
	var out [][]value.Value
	some := false
	for _, args := range inputs {
		next := slices.Clone(args)
		for k, p := range f.Params {
			if k >= len(args) || args[k].Shape == nil {
				continue
			}
			shape := slices.Clone(args[k].Shape)
			for j, d := range p.Type.Shape {
				if d.Name == name && shape[j] > to {
					shape[j] = to
					some = true
				}
			}
			next[k] = cutTo(args[k], shape)
		}
		out = append(out, next)
	}
	return out, some
}

// cutTo returns the elements of v that a shape has room for.
func cutTo(v value.Value, shape []int64) value.Value {
	if v.Shape == nil || slices.Equal(v.Shape, shape) {
		return v
	}
	out := value.New(v.Prim, shape)
	for i := range out.Elems() {
		from, rest, inside := int64(0), i, true
		step := int64(1)
		for k := len(shape) - 1; k >= 0; k-- {
			x := rest % shape[k]
			rest /= shape[k]
			inside = inside && x < v.Shape[k]
			from += x * step
			step *= v.Shape[k]
		}
		if inside {
			out.SetBits(i, v.Bits(from))
		}
	}
	return out
}
