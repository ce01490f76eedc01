package places

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym/integer"
)

// ring returns facts about d rows of n elements, of which t counts the steps.
func ring(t *testing.T, conditions string) Facts {
	t.Helper()
	f := Start(4).Exists([]ir.Dim{{Name: "d"}, {Name: "n"}}).Exists([]ir.Dim{{Name: "m"}, {Name: "n"}})
	for c := range strings.SplitSeq(conditions, ";") {
		f = f.FromCondition(exp(t, c))
	}
	return f
}

// Rows of a ring are apart if their steps differ by no multiple of its length.
func TestRings(t *testing.T) {
	for _, c := range []struct {
		facts, a, b string
		want        bool
	}{
		{"d >= 0", "t%2", "1 - t%2", true},
		{"d >= 0", "t%2", "(t + 1)%2", true},
		{"d >= 0", "t%2", "(t + 2)%2", false},
		{"d >= 0", "t%2", "2 - t%2", false}, // row 1, if t is odd
		{"t >= 0 && t < 9", "t%2", "2", true},
		{"d >= 0", "t%2 + 1", "0", false}, // t may be negative
		{"t >= 0 && t < 9", "t%2 + 1", "0", true},
		{"t >= 0 && t < 9", "(t + 2)%3", "t%3", true},
		{"t >= 0 && t < 9", "(t + 2)%3", "(t + 1)%3", true},
		{"t >= 0 && t < 9", "(t + 3)%3", "t%3", false},
		{"t >= 0 && t < 9", "2*t%4", "(2*t + 1)%4", true},
		{"t >= 0 && t < 9", "2*t%4", "(2*t + 2)%4", true},
		{"t >= 0 && t < 9", "3*t%4", "(t + 2)%4", false}, // both 1, if t is 3
		{"t >= 0 && t < 9 && d >= 2", "t%d", "(t + 1)%d", true},
		{"t >= 0 && t < 9 && d >= 1", "t%d", "(t + 1)%d", false},
		{"t >= 0 && t < 9 && d >= 2", "t%d", "(t + d - 1)%d", true},
		{"t >= 0 && t < 9 && d >= 2", "t%d", "(t + d)%d", false},
		{"t >= 0 && t < 9 && d >= 2", "t%d", "(t + 2)%d", false},
		{"t >= 0 && t < 9 && d >= 3", "t%d", "(t + 2)%d", true},
		{"t >= 0 && t < 9 && d >= 2", "fmod(t, d)", "fmod(t + 1, d)", true},
		{"t >= 0 && t < 9 && d >= 2", "fmod(t, d)", "fmod(t + d, d)", false},
		{"d >= 0", "t & 1", "1 - (t & 1)", true},
		{"d >= 0", "(t & 1) + 1", "0", true},
		{"d >= 0", "t & 3", "(t + 2) & 3", true},
		{"d >= 0", "t & 3", "(t + 4) & 3", false},
		{"d >= 0", "t & 3", "fmod(t + 2, 4)", true},
		{"d >= 0", "t & 2", "(t + 1) & 2", false}, // no remainder
		{"r == t%3", "r", "(t + 1)%3", true},
		{"r == t%3; s == (t + 1)%3", "r", "s", true},
		{"r == t%3; s == (t + 3)%3", "r", "s", false},
	} {
		f := ring(t, "t > -1000 && t < 1000; "+c.facts)
		a, b := fun(t, "("+c.a+")*n; n : 1"), fun(t, "("+c.b+")*n; n : 1")
		if got := Disjoint(f, a, b, 4, 4); got != c.want {
			t.Errorf("%s |- rows %s and %s are disjoint: %v, want %v", c.facts, c.a, c.b, got, c.want)
		}
		if got := f.Different(poly64(t, c.a), poly64(t, c.b)); got != c.want {
			t.Errorf("%s |- %s != %s: %v, want %v", c.facts, c.a, c.b, got, c.want)
		}
	}
}

// A turn is (of*t + plus + ds*d) op by, or less that.
type turn struct {
	of, plus, ds int64
	by, op       string
	less         int64 // 0: the remainder itself
}

func (r turn) String() string {
	x := fmt.Sprintf("%d*t + %d + %d*d", r.of, r.plus, r.ds)
	s := fmt.Sprintf("(%s) %% %s", x, r.by)
	switch {
	case r.mask():
		s = fmt.Sprintf("((%s) & %d)", x, r.by[0]-'1')
	case r.op != "%":
		s = fmt.Sprintf("fmod(%s, %s)", x, r.by)
	}
	if r.less > 0 {
		s = fmt.Sprintf("%d - %s", r.less, s)
	}
	return s
}

// mask reports whether the turn is written x & (by - 1), and not as fmod.
func (r turn) mask() bool { return r.op == "&" && (r.by == "2" || r.by == "4") }

func (r turn) at(t, d int64) (int64, bool) {
	by := d
	if r.by != "d" {
		by = int64(r.by[0] - '0')
	}
	op := r.op
	if op == "&" {
		op = "fmod"
	}
	v, ok := integer.Apply(op, r.of*t+r.plus+r.ds*d, by) // the operand wraps as a program's does
	if r.less > 0 {
		v = r.less - v
	}
	return v, ok
}

func randomTurn(r *rand.Rand) turn {
	pick := func(xs ...int64) int64 { return xs[r.IntN(len(xs))] }
	return turn{
		pick(1, 1, 1, 2, 3, -1), pick(0, 1, 2, 3, -1), pick(0, 0, 0, 1), []string{"2", "3", "4", "d", "d"}[r.IntN(5)],
		[]string{"%", "%", "fmod", "&"}[r.IntN(4)], pick(0, 0, 0, 1, 2),
	}
}

// No claim on two rows of random turns is wrong for small steps, or for steps at the ends of an i64.
func TestRandomRings(t *testing.T) {
	r := rand.New(rand.NewPCG(*seed, 5))
	steps := []int64{math.MinInt64, math.MinInt64 + 1, math.MaxInt64 - 2, math.MaxInt64 - 1, math.MaxInt64}
	for s := int64(-7); s <= 12; s++ {
		steps = append(steps, s)
	}
	var all tally
	for range 600 {
		a, b := randomTurn(r), randomTurn(r)
		if r.IntN(3) > 0 { // a row of the same ring, mostly
			b.of, b.ds, b.by, b.less = a.of, a.ds, a.by, a.less
		}
		least := []int64{math.MinInt64, 0, 0}[r.IntN(3)]
		rows := 1 + r.Int64N(3)
		f := ring(t, fmt.Sprintf("d >= %d", rows))
		if least == 0 {
			f = f.Turn("t").NonNegative(poly64(t, "t"))
		}
		claimed := Disjoint(f, fun(t, "("+a.String()+")*n; n : 1"), fun(t, "("+b.String()+")*n + n - 1"), 8, 8)
		seen := true
		for _, s := range steps {
			for d := rows; d < rows+5 && s >= least && (least < 0 || s < maxTurns); d++ {
				x, ok := a.at(s, d)
				y, ok2 := b.at(s, d)
				if ok && ok2 && x == y && x >= 0 {
					seen = false
					if claimed {
						t.Fatalf("t >= %d, d >= %d |- rows %v and %v are disjoint: wrong for t = %d, d = %d", least, rows, a, b, s, d)
					}
				}
			}
		}
		all.count(claimed, seen)
		if seen && !claimed && *showMissed {
			t.Logf("missed: t >= %d, d >= %d |- rows %v and %v are disjoint", least, rows, a, b)
		}
	}
	all.log(t, "rings")
	if all.claimed < 100 {
		t.Errorf("only %d claims", all.claimed)
	}
}
