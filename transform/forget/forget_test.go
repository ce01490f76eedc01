package forget_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memc-lang/memc/internal/test/load"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/forget"
)

const functions = `fun next [n] (m: mem, xs: [n]i32 @ ?m_xs) : [n]i32 @ m = {
  let ys: [n]i32 @ m = map (i < n) { in xs[i] + 1 }
  in ys
}

fun chosen [n] (xs: [n]i32 @ ?m_xs, k: i64) : [n]i32 @ ?m_r = {
  let m_a = alloc n * 4
  let m_b = alloc n * 4
  let m: mem = if xs[k] > 1 { in m_a } else { in m_b }
  let ys: [n]i32 @ m = map (i < n) { in xs[i] + 1 }
  in ys
}

entry first [n] (xs: [n]i32 @ ?m_xs) : [n]i32 = {
  let m = alloc n * 4
  let ys: [n]i32 @ m = next(m, xs)
  in ys
}

entry second [n] (xs: [n]i32 @ ?m_xs, k: i64) : [n]i32 = {
  let ys: [n]i32 @ ?m_ys = chosen(xs, k)
  in ys
}
`

// Functions that call one another forget their memory together, or keep it; the remarks name each.
func TestTogether(t *testing.T) {
	for _, c := range []struct {
		limit    int
		explicit []string
		remarks  []string
	}{
		{transform.Unlimited, []string{"chosen", "second"}, []string{
			"forget: `next` forgets where its arrays lie",
			"forget: `first` forgets it, too: it calls `next` or is called, perhaps through others",
			"forget: [choice] `chosen` keeps its memory: in `chosen`, a statement that only chooses blocks may stop the run",
			"forget: [choice] `second` keeps its memory: in `chosen`, a statement that only chooses blocks may stop the run",
		}},
		{0, []string{"next", "chosen", "first", "second"}, []string{
			"forget: [choice] `chosen` keeps its memory: in `chosen`, a statement that only chooses blocks may stop the run",
			"forget: [choice] `second` keeps its memory: in `chosen`, a statement that only chooses blocks may stop the run",
		}},
	} {
		p := load.Checked(t, "test.ir", functions)
		ctx := transform.NewContext("forget", &diag.List{File: p.File}, c.limit)
		must.Do(t, forget.Pass.Run(p, ctx))
		if list := check.Verify(p); list.Failed() {
			t.Fatalf("%v\n%s", list.All[0], p)
		}
		var explicit, remarks []string
		for _, f := range p.Funcs {
			if ir.IsExplicit(f) {
				explicit = append(explicit, f.Name)
			}
		}
		for _, d := range ctx.Remarks.All {
			remarks = append(remarks, d.Msg)
		}
		if !slices.Equal(explicit, c.explicit) {
			t.Errorf("%v are explicit, not %v", explicit, c.explicit)
		}
		if d := cmp.Diff(c.remarks, remarks); d != "" {
			t.Error(d)
		}
	}
}

// A value that depends on where an array lies has none without its place: the function keeps its memory.
func TestValueOfPlace(t *testing.T) {
	p := load.Checked(t, "test.ir", `entry main [n] (xs: [n]i32 @ ?m_xs, first: bool) : (i64, [2]i32) = {
  let part: [2]i32 @ ?m_part -> LMAD(?off; (2 : 1)) = if first {
    let a = xs[(0, 2)]
    in a
  } else {
    let a = xs[(2, 2)]
    in a
  }
  let m = alloc 8
  let ys: [2]i32 @ m = copy part
  in (off * 2, ys)
}
`)
	ctx := transform.NewContext("forget", &diag.List{File: p.File}, transform.Unlimited)
	must.Do(t, forget.Pass.Run(p, ctx))
	want := "forget: [place] `main` keeps its memory: in `main`, a value depends on where an array lies"
	if got := ctx.Remarks.All[0].Msg; got != want || !ir.IsExplicit(p.Funcs[0]) {
		t.Errorf("%s\n%s", got, p)
	}
}
