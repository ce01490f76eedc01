package lmad

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// A naive index function: a shape and a Go function, made by composition only.
type naive struct {
	shape []int64
	at    func(ix []int64) int64
}

func naiveLMAD(off int64, shape, strides []int64) naive {
	return naive{shape, func(ix []int64) int64 {
		r := off
		for k := range ix {
			r += ix[k] * strides[k]
		}
		return r
	}}
}

func naiveDirect(shape []int64) naive {
	return naive{shape, func(ix []int64) int64 {
		r := int64(0)
		for k := range ix {
			r = r*shape[k] + ix[k]
		}
		return r
	}}
}

func (f naive) permute(perm []int) naive {
	shape := make([]int64, len(perm))
	for k, c := range perm {
		shape[k] = f.shape[c]
	}
	return naive{shape, func(ix []int64) int64 {
		old := make([]int64, len(ix))
		for k, c := range perm {
			old[c] = ix[k]
		}
		return f.at(old)
	}}
}

func (f naive) reshape(shape []int64) naive {
	return naive{shape, func(ix []int64) int64 {
		flat := naiveDirect(shape).at(ix)
		old := make([]int64, len(f.shape))
		for k := len(old) - 1; k >= 0; k-- {
			old[k] = flat % f.shape[k]
			flat /= f.shape[k]
		}
		return f.at(old)
	}}
}

// naiveItem is start, len, stride; len -1 fixes the index.
type naiveItem [3]int64

func (f naive) slice(items []naiveItem) naive {
	var shape []int64
	for _, it := range items {
		if it[1] >= 0 {
			shape = append(shape, it[1])
		}
	}
	return naive{shape, func(ix []int64) int64 {
		old := make([]int64, len(items))
		k := 0
		for d, it := range items {
			old[d] = it[0]
			if it[1] >= 0 {
				old[d] += ix[k] * it[2]
				k++
			}
		}
		return f.at(old)
	}}
}

// each calls visit for every index of a shape, in row-major order.
func each(shape []int64, visit func(ix []int64)) {
	ix := make([]int64, len(shape))
	var rec func(k int)
	rec = func(k int) {
		if k == len(shape) {
			visit(ix)
			return
		}
		for ix[k] = 0; ix[k] < shape[k]; ix[k]++ {
			rec(k + 1)
		}
	}
	rec(0)
}

// env gives values to names, and evaluates.
type env map[string]int64

func (e env) poly(p sym.Poly) int64 {
	return p.Eval(func(x ir.Exp) int64 { return e[x.(*ir.Ref).Name] })
}

// A generator makes random chains, symbolic and concrete at once.
type generator struct {
	*rand.Rand
	env env
}

// number returns an expression of that value: a literal or a name.
func (g *generator) number(v int64) ir.Exp {
	if g.IntN(2) == 0 {
		return ir.IntLit(v)
	}
	name := fmt.Sprintf("v%d", v)
	if v < 0 {
		name = fmt.Sprintf("m%d", -v)
	}
	if g.IntN(4) == 0 { // the same value, not provably
		name += "x"
	}
	g.env[name] = v
	return ir.Var(name)
}

func (g *generator) numbers(vs []int64) []ir.Exp {
	out := make([]ir.Exp, len(vs))
	for k, v := range vs {
		out[k] = g.number(v)
	}
	return out
}

func (g *generator) shape(rank int) []int64 {
	out := make([]int64, rank)
	for k := range out {
		out[k] = g.Int64N(5)
		if g.IntN(3) > 0 {
			out[k] = max(out[k], 1)
		}
	}
	return out
}

// step adds a random operation to a chain.
func (g *generator) step(f naive) (ir.IxOp, naive) {
	rank := len(f.shape)
	switch g.IntN(3) {
	case 0:
		perm := g.Perm(rank)
		return &ir.Permute{Perm: perm}, f.permute(perm)
	case 1:
		shape, sizes := g.regroup(f.shape)
		return &ir.IxReshape{Sizes: sizes}, f.reshape(shape)
	}
	var items []naiveItem
	op := &ir.IxSlice{}
	for _, n := range f.shape {
		if n > 0 && g.IntN(4) == 0 {
			i := g.Int64N(n)
			items = append(items, naiveItem{i, -1})
			op.Items = append(op.Items, ir.Item{Fixed: true, Index: g.number(i)})
			continue
		}
		it := naiveItem{0, n, 1}
		if n > 0 {
			switch g.IntN(4) {
			case 0: // a part
				s := g.Int64N(n)
				it = naiveItem{s, g.Int64N(n - s + 1), 1}
			case 1: // backwards
				it = naiveItem{n - 1, n, -1}
			case 2: // every other
				it = naiveItem{0, (n + 1) / 2, 2}
			}
		}
		items = append(items, it)
		x := ir.Item{Start: g.number(it[0]), Len: g.number(it[1])}
		if it[2] != 1 || g.IntN(2) == 0 {
			x.Stride = g.number(it[2])
		}
		op.Items = append(op.Items, x)
	}
	return op, f.slice(items)
}

// regroup returns another shape of as many elements.
func (g *generator) regroup(old []int64) ([]int64, []ir.Exp) {
	total := int64(1)
	for _, n := range old {
		total *= n
	}
	var shape []int64
	for rest := total; ; {
		if len(shape) == 3 || rest <= 1 || g.IntN(4) == 0 {
			shape = append(shape, rest)
			break
		}
		d := 1 + g.Int64N(rest)
		for rest%d != 0 {
			d--
		}
		shape = append(shape, d)
		rest /= d
	}
	if g.IntN(3) == 0 { // around the old dims
		shape = slices.Clone(old)
		shape = slices.Insert(shape, g.IntN(len(shape)+1), 1)
	}
	return shape, g.numbers(shape)
}

func (g *generator) chain() (*ir.Place, naive) {
	p := &ir.Place{Mem: "m"}
	var f naive
	shape := g.shape(1 + g.IntN(3))
	if g.IntN(2) == 0 {
		f = naiveDirect(shape)
		p.Ix = append(p.Ix, &ir.Direct{Sizes: g.numbers(shape)})
	} else {
		op := &ir.LMAD{}
		strides := make([]int64, len(shape))
		for k, n := range shape {
			strides[k] = g.Int64N(13) - 4
			op.Dims = append(op.Dims, ir.LMADDim{Len: g.number(n), Stride: g.number(strides[k])})
		}
		off := g.Int64N(20)
		op.Offset = g.number(off)
		f = naiveLMAD(off, shape, strides)
		p.Ix = append(p.Ix, op)
	}
	for range g.IntN(5) {
		var op ir.IxOp
		op, f = g.step(f)
		p.Ix = append(p.Ix, op)
	}
	return p, f
}

func dims(shape []int64) []ir.Dim {
	out := make([]ir.Dim, len(shape))
	for k, n := range shape {
		out[k].Const = n
	}
	return out
}

// agree fails where f is not the naive function on its shape.
func agree(t *testing.T, what string, f Fun, e env, want naive) {
	t.Helper()
	c := f.Concrete(e.poly)
	if !slices.Equal(c.Shape(), want.shape) {
		t.Fatalf("%s: shape %v, want %v", what, c.Shape(), want.shape)
	}
	contiguous, next, first := true, int64(0), true
	each(want.shape, func(ix []int64) {
		w := want.at(ix)
		if got := c.Flat(ix); got != w {
			t.Fatalf("%s: position of %v is %d, want %d\n%+v", what, ix, got, w, c)
		}
		contiguous = contiguous && (first || w == next)
		first, next = false, w+1
		if l, ok := f.Single(); ok {
			at := make([]sym.Poly, len(ix))
			for k, i := range ix {
				at[k] = sym.Const(i)
			}
			if got := e.poly(l.At(at)); got != w {
				t.Fatalf("%s: At(%v) is %d, want %d", what, ix, got, w)
			}
		}
	})
	if c.Contiguous() && !contiguous {
		t.Fatalf("%s: said to be contiguous and is not", what)
	}
	if contiguous && len(c.Parts) == 1 && !c.Contiguous() {
		t.Fatalf("%s: contiguous and not said to be", what)
	}
}

func TestChainsAgreeWithComposition(t *testing.T) {
	single, several := 0, 0
	for seed := range uint64(20000) {
		g := &generator{rand.New(rand.NewPCG(seed, 1)), env{}}
		p, want := g.chain()
		what := fmt.Sprintf("seed %d", seed)
		f, err := OfPlace(p, dims(want.shape))
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		agree(t, what, f, g.env, want)
		if len(f.Parts) == 1 {
			single++
		} else {
			several++
		}
		back, err := OfPlace(&ir.Place{Mem: "m", Ix: f.Chain()}, dims(want.shape))
		if err != nil || !back.Equal(f) {
			t.Fatalf("%s: Chain gives another function: %v", what, err)
		}
		agree(t, what+" through Chain", back, g.env, want)

		// With all names known, merging can only get better.
		known := f.Subst(func(n string) (sym.Poly, bool) { v, ok := g.env[n]; return sym.Const(v), ok })
		agree(t, what+" with names known", known, nil, want)
		if len(known.Parts) > len(f.Parts) {
			t.Fatalf("%s: %d parts with names known, %d before", what, len(known.Parts), len(f.Parts))
		}
		if n := known.Names(); len(n) > 0 {
			t.Fatalf("%s: names %v left", what, n)
		}
	}
	if single < 1000 || several < 1000 {
		t.Errorf("%d single, %d several: the test is lopsided", single, several)
	}
}

func TestEqualIsSound(t *testing.T) {
	equal := 0
	for seed := range uint64(5000) {
		g := &generator{rand.New(rand.NewPCG(seed, 2)), env{}}
		p, want := g.chain()
		f, _ := OfPlace(p, dims(want.shape))
		op, other := g.step(want)
		q := &ir.Place{Mem: "m", Ix: append(slices.Clone(p.Ix), op)}
		h, err := OfPlace(q, dims(other.shape))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if f.Equal(h) {
			equal++
			agree(t, fmt.Sprintf("seed %d", seed), f, g.env, other)
		}
	}
	if equal < 50 {
		t.Errorf("only %d pairs were equal", equal)
	}
}

func TestPartsOfArrays(t *testing.T) {
	for seed := range uint64(3000) {
		g := &generator{rand.New(rand.NewPCG(seed, 3)), env{}}
		p, want := g.chain()
		rank := len(want.shape)
		if rank == 0 || slices.Contains(want.shape, 0) {
			continue
		}
		what := fmt.Sprintf("seed %d", seed)
		f, _ := OfPlace(p, dims(want.shape))
		d := g.IntN(rank)
		start := g.Int64N(want.shape[d])
		n := g.Int64N(want.shape[d] - start + 1)
		items := make([]naiveItem, rank)
		for k, n := range want.shape {
			items[k] = naiveItem{0, n, 1}
		}
		items[d] = naiveItem{start, n, 1}
		part := ConcatPart(f, d, sym.Of(g.number(start)), sym.Of(g.number(n)))
		agree(t, what+" concat", part, g.env, want.slice(items))

		outer := 1 + g.IntN(rank)
		var names []string
		for k := range rank {
			items[k] = naiveItem{0, want.shape[k], 1}
			if k < outer {
				name := fmt.Sprintf("i%d", k)
				g.env[name] = g.Int64N(want.shape[k])
				items[k] = naiveItem{g.env[name], -1}
				names = append(names, name)
			}
		}
		thread := FixOuter(f, names)
		agree(t, what+" thread", thread, g.env, want.slice(items))
	}
}
