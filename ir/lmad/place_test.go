package lmad

import (
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

func vars(names ...string) []sym.Poly {
	out := make([]sym.Poly, len(names))
	for k, n := range names {
		if out[k] = sym.Var(n); n == "1" {
			out[k] = sym.Const(1)
		}
	}
	return out
}

func refs(names ...string) []ir.Exp { return exps(vars(names...)) }

func part(start, n ir.Exp) ir.Item { return ir.Item{Start: start, Len: n} }

// text writes a function for comparison: offset; (length : stride), ...
func (f Fun) text() string {
	var parts []string
	for _, l := range f.Parts {
		s := "(" + l.Offset.String() + ";"
		for _, d := range l.Dims {
			s += " " + d.Len.String() + ":" + d.Stride.String()
		}
		parts = append(parts, s+")")
	}
	return strings.Join(parts, " ")
}

// TestSpecExample is the thread's part of section 5 of the language:
// Direct(s, n) -> Permute(1, 0) -> Slice(i, (0, s)).
func TestSpecExample(t *testing.T) {
	p := &ir.Place{Mem: "m", Ix: []ir.IxOp{
		&ir.Direct{Sizes: refs("s", "n")},
		&ir.Permute{Perm: []int{1, 0}},
		&ir.IxSlice{Items: []ir.Item{{Fixed: true, Index: ir.Var("i")}, part(ir.IntLit(0), ir.Var("s"))}},
	}}
	f := must.Get(OfPlace(p, []ir.Dim{{Name: "s"}}))(t)
	if got, want := f.text(), "(i; s:n)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	whole := RowMajor(vars("s", "n")).Permute([]int{1, 0})
	if !FixOuter(whole, []string{"i"}).Equal(f) {
		t.Error("FixOuter of the expanded block gives another function")
	}
}

func TestReshape(t *testing.T) {
	nm := RowMajor(vars("n", "m"))
	rows := nm.Slice([]ir.Item{part(ir.Var("a"), ir.Var("k")), part(ir.IntLit(0), ir.Var("m"))})
	cols := nm.Slice([]ir.Item{part(ir.IntLit(0), ir.Var("n")), part(ir.Var("a"), ir.Var("k"))})
	for _, c := range []struct {
		what string
		f    Fun
		dims []sym.Poly
		want string
	}{
		{"flatten", nm, []sym.Poly{sym.Var("n").Mul(sym.Var("m"))}, "(0; m*n:1)"},
		{"flatten, size not provable", nm, vars("x"), "(0; x:1)"},
		{"split, sizes not provable", nm, vars("x", "y", "z"), "(0; x:y*z y:z z:1)"},
		{"contiguous rows", rows, vars("x"), "(a*m; x:1)"},
		{"columns stay", cols, vars("n", "1", "k"), "(a; n:m 1:k k:1)"},
		{"columns do not flatten", cols, vars("x"), "(a; n:m k:1) (0; x:1)"},
		{"outer dim matched, inner not provable", cols, vars("n", "x", "y"), "(a; n:m x:y y:1)"},
		{"inner dim matched, outer not provable", cols, vars("x", "y", "k"), "(a; x:m*y y:m k:1)"},
		{"transposed", nm.Permute([]int{1, 0}), vars("x"), "(0; m:1 n:m) (0; x:1)"},
		{"reversed", RowMajor(vars("n")).Slice([]ir.Item{{Start: ir.Var("e"), Len: ir.Var("n"),
			Stride: &ir.Unary{Op: "-", X: ir.IntLit(1), T: ir.I64}}}), vars("x", "y"), "(e; x:-y y:-1)"},
		{"there and back", nm.Permute([]int{1, 0}).Reshape(vars("x")), vars("m", "n"), "(0; m:1 n:m)"},
		{"one element", RowMajor(nil), vars("1", "1"), "(0; 1:1 1:1)"},
		{"to one element", nm, nil, "(0;)"},
		{"no element", cols, []sym.Poly{{}, sym.Var("x")}, "(a; 0:x x:1)"},
		{"repeated row", Of(LMAD{sym.Var("o"), []Dim{{sym.Var("n"), sym.Poly{}}, {sym.Var("k"), sym.Const(1)}}}),
			vars("x"), "(o; n:0 k:1) (0; x:1)"},
		{"repeated element", Of(LMAD{sym.Var("o"), []Dim{{sym.Var("n"), sym.Poly{}}, {sym.Var("k"), sym.Poly{}}}}),
			vars("x"), "(o; x:0)"},
	} {
		if got := c.f.Reshape(c.dims).text(); got != c.want {
			t.Errorf("%s: got %s, want %s", c.what, got, c.want)
		}
	}
}

func TestEqualIgnoresUnitStrides(t *testing.T) {
	a := Of(LMAD{sym.Poly{}, []Dim{{sym.Const(1), sym.Var("x")}, {sym.Var("n"), sym.Const(1)}}})
	b := RowMajor([]sym.Poly{sym.Const(1), sym.Var("n")})
	if !a.Equal(b) || !a.IsRowMajor() {
		t.Errorf("%s and %s differ", a.text(), b.text())
	}
	if !FixOuter(a, []string{"i"}).Equal(FixOuter(b, []string{"i"})) {
		t.Error("they differ once the unit dimension is fixed")
	}
	for _, c := range []Fun{
		RowMajor([]sym.Poly{sym.Const(1), sym.Var("m")}),
		RowMajor(vars("n")),
		Of(LMAD{sym.Const(1), b.Parts[0].Dims}),
		Of(LMAD{sym.Poly{}, []Dim{{sym.Const(1), sym.Var("n")}, {sym.Var("n"), sym.Const(2)}}}),
	} {
		if c.Equal(b) {
			t.Errorf("%s and %s are equal", c.text(), b.text())
		}
	}
}

// TestSubstMerges: a second part vanishes once sizes are known to be equal.
func TestSubstMerges(t *testing.T) {
	f := RowMajor(vars("n", "m", "k")).Permute([]int{1, 0, 2}).Reshape(vars("x", "y"))
	if len(f.Parts) != 2 {
		t.Fatalf("%s has not 2 parts", f.text())
	}
	to := map[string]sym.Poly{"x": sym.Var("m"), "y": sym.Var("k"), "n": sym.Const(1)}
	g := f.Subst(func(n string) (sym.Poly, bool) { p, ok := to[n]; return p, ok })
	if got, want := g.text(), "(0; m:k k:1)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := strings.Join(f.Names(), " "); got != "k m n x y" {
		t.Errorf("names %s", got)
	}
}

func TestChainForm(t *testing.T) {
	f := RowMajor(vars("n", "m"))
	if d, ok := f.Chain()[0].(*ir.Direct); !ok || len(f.Chain()) != 1 || len(d.Sizes) != 2 {
		t.Error("row-major is not written as Direct")
	}
	chain := f.Permute([]int{1, 0}).Reshape(vars("x")).Slice([]ir.Item{part(ir.Var("a"), ir.Var("b"))}).Chain()
	_, a := chain[0].(*ir.LMAD)
	_, b := chain[1].(*ir.IxReshape)
	_, c := chain[2].(*ir.IxSlice)
	if len(chain) != 3 || !a || !b || !c {
		t.Errorf("chain %v", chain)
	}
}

func TestOfPlaceErrors(t *testing.T) {
	direct := &ir.Direct{Sizes: refs("n", "m")}
	for _, c := range []struct {
		ix   []ir.IxOp
		rank int
		want string
	}{
		{[]ir.IxOp{direct}, 1, "the index function has 2 dimensions, the array has 1 dimension"},
		{[]ir.IxOp{direct, direct}, 2, "`Direct` may only be the first step"},
		{[]ir.IxOp{direct, &ir.LMAD{Offset: ir.IntLit(0)}}, 2, "`LMAD` may only be the first step"},
		{[]ir.IxOp{&ir.Permute{Perm: []int{0}}}, 1, "starts with Direct or LMAD"},
		{[]ir.IxOp{direct, &ir.Permute{Perm: []int{0}}}, 1, "a permutation of 1 for 2 dimensions"},
		{[]ir.IxOp{direct, &ir.Permute{Perm: []int{0, 2}}}, 2, "no dimension 2 among 2 dimensions"},
		{[]ir.IxOp{direct, &ir.Permute{Perm: []int{1, 1}}}, 2, "dimension 1 occurs twice"},
		{[]ir.IxOp{direct, &ir.IxSlice{Items: []ir.Item{part(ir.IntLit(0), ir.Var("n"))}}}, 1, "Slice has 1 items for 2 dimensions"},
	} {
		_, err := OfPlace(&ir.Place{Mem: "m", Ix: c.ix}, make([]ir.Dim, c.rank))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
		if f := OfType(ir.Array(ir.I32, make([]ir.Dim, c.rank), &ir.Place{Mem: "m", Ix: c.ix})); f.Rank() != c.rank {
			t.Errorf("%s: OfType has rank %d", c.want, f.Rank())
		}
	}
	f, err := OfPlace(nil, []ir.Dim{{Name: "n"}, {Const: 3}})
	if err != nil || f.text() != "(0; n:3 3:1)" {
		t.Errorf("no place: %s, %v", f.text(), err)
	}
	if _, ok := f.FlatOffset(vars("i")); ok {
		t.Error("FlatOffset of one index in two dimensions")
	}
	if p, _ := f.FlatOffset(vars("i", "j")); p.String() != "i*3 + j" {
		t.Errorf("FlatOffset is %s", p)
	}
}
