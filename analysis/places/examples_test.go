package places

import (
	"math/rand/v2"
	"testing"

	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// exemplified is small with examples.
func exemplified(names ...string) Facts {
	f := small(names...)
	f.examples, f.holds = Start(0).examples, Start(0).holds
	return f.agree(func(k int) bool {
		for _, x := range names {
			if !f.ranges.of(x).allows(f.examples.of(x, k)) {
				return false
			}
		}
		return true
	})
}

// TestExamplesEndNoProof asks questions with examples and without: an example that
// contradicts what is asked must not take a proof away.
func TestExamplesEndNoProof(t *testing.T) {
	r := maker{rand.New(rand.NewPCG(12, *seed))}
	var some, ended, proved int
	for range 1500 {
		q := r.question()
		f := exemplified(oracleNames...)
		plain := small(oracleNames...)
		for _, x := range q.rels {
			f, plain = f.comparison(x.op, x.a.sym(), x.b.sym()), plain.comparison(x.op, x.a.sym(), x.b.sym())
		}
		if f.holds != 0 {
			some++
		}
		a, b, p := q.a.fun(), q.b.fun(), q.p.sym()
		for _, x := range []struct {
			what          string
			with, without bool
			contradicted  bool
		}{
			{"AtLeast", f.AtLeast(p, 0), plain.AtLeast(p, 0),
				f.counter(func(k int) bool { return f.exceeds(sym.Poly{}, p, 0, k) })},
			{"Disjoint", Disjoint(f, a, b, q.elemA, q.elemB), Disjoint(plain, a, b, q.elemA, q.elemB), false},
			{"Same", Same(f, a, b), Same(plain, a, b), false},
		} {
			if x.without && !x.with {
				t.Errorf("%s of %v, %v, %v where %v: proved without examples only", x.what, q.a, q.b, q.p, q.rels)
			}
			if x.with {
				proved++
			}
			if x.contradicted {
				ended++
			}
		}
	}
	if some < 50 || ended < 20 || proved < 300 {
		t.Errorf("of 1500 questions %d have examples; %d are contradicted, %d proved: the test says little", some, ended, proved)
	}
}

// TestExamplesFollowFacts checks that an example is dropped by what contradicts it, and
// that a name that is defined has its definition's value.
func TestExamplesFollowFacts(t *testing.T) {
	n, d := sym.Var("n"), sym.Var("d")
	f := Start(0).Size("n").Equal(d, n.Add(sym.Const(1)))
	for k := range nExamples {
		v, _ := f.number(n, k)
		if w, ok := f.number(d, k); !ok || w != v+1 {
			t.Errorf("example %d: n is %d, d is %d", k, v, w)
		}
	}
	if f.holds == 0 || f.Contradictory() {
		t.Error("no example is left of facts that hold in all")
	}
	if g := f.LessThan(d, n); g.holds != 0 {
		t.Error("n + 1 < n, and some example is left")
	}
	if f.AtLeast(n, 1) || !f.AtLeast(d, 1) {
		t.Error("n >= 1 is proved, or n + 1 >= 1 is not")
	}
	if f.holds&^f.Positive(n).holds == 0 {
		t.Error("n >= 1 leaves the example in which n is 0")
	}
}

// TestOverlapInModel asks a question without an answer where no example holds: a model must end the
// search that would take all work a question may take.
func TestOverlapInModel(t *testing.T) {
	v := sym.Var
	f := small("n", "g", "t", "x", "y", "l", "m")
	for name, below := range map[string]sym.Poly{"t": v("n"), "x": v("g"), "y": v("g"), "l": sym.Const(16), "m": sym.Const(16)} {
		f = f.WithBound(name, sym.Const(0), below)
	}
	f = f.AtMost(v("g"), sym.Const(1)).AtMost(sym.Const(2048), v("n"))
	f.examples, f.holds = Start(0).examples, 0
	g := v("g").Mul(sym.Const(1024))
	tile := func(off sym.Poly) lmad.Fun {
		return lmad.Of(lmad.LMAD{Offset: off, Dims: []lmad.Dim{{Len: sym.Const(2), Stride: sym.Const(2)}, {Len: sym.Const(2), Stride: sym.Const(1)}}})
	}
	at := g.Mul(v("g")).Mul(v("t")).Add(g.Mul(v("y"))).Add(v("x").Mul(sym.Const(1024))).Add(v("l").Mul(sym.Const(4))).Add(v("m").Mul(sym.Const(64)))
	if Disjoint(f, tile(sym.Const(0)), tile(at), 8, 8) {
		t.Error("the first tile is one of the others")
	}
	if f.examples.work > maxWork/10 {
		t.Errorf("the question took %d units of work", f.examples.work)
	}
}
