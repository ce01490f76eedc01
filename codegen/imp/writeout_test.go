package imp_test

import (
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/ir"
)

// A short loop is written out if its turns decide which elements of a thread's array are touched.
// Each of these loops has 5 turns; others have other numbers of turns.
func TestLoopsThatAreWrittenOut(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want int
	}{
		"by the index": {`let b = loop (u: *[8]f32 = a) for s < 5 { let v = u with [s] = xs[i] in v }`, 1},
		"computed":     {`let b = loop (u: *[8]f32 = a) for s < 5 { let r = if s < 2 then s else s + 1 let v = u with [r] = xs[i] in v }`, 1},
		"at one place": {`let b = loop (u: *[8]f32 = a) for s < 5 { let v = u with [3] = u[3] * xs[i] in v }`, 0},
		"by an inner":  {`let b = loop (u: *[8]f32 = a) for s < 5 { let x = loop (w: *[8]f32 = u) for r < 4 { let v = w with [r] = w[r] * xs[i] in v } in x }`, 0},
		"at times":     {`let b = loop (u: *[8]f32 = a) for s < 5 { let x = if s == 3 { let y = loop (w: *[8]f32 = u) for r < 4 { let v = w with [r] = w[r] * xs[i] in v } in y } else { in u } in x }`, 0},
		"both":         {`let b = loop (u: *[8]f32 = a) for s < 5 { let x = loop (w: *[8]f32 = u) for r < 4 { let v = w with [r] = w[s] * xs[i] in v } in x }`, 1},
		"to the next":  {`let (b, last) = loop (u: *[8]f32 = a, r = 0) for s < 5 { let v = u with [r % 8] = xs[i] in (v, r + 1) }`, 1},
		"two arrays":   {`let z = replicate (8) 1.0f32 let (b, last) = loop (u = a, w = z) for s < 5 { in (w, u) }`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			p := mustLower(t, "entry main [n] (xs: [n]f32) : [n]f32 = { let ys = map (i < n) { let a = replicate (8) 0.0f32 "+c.body+" in b[1] } in ys }")
			got := 0
			for _, k := range p.Kernels {
				imp.Each(k.Body, func(f *imp.For) {
					if f.Whole && ir.ExpString(f.Bound) == "5" {
						got++
					}
				})
			}
			if got != c.want {
				t.Errorf("%d loops are written out, want %d", got, c.want)
			}
		})
	}
	for turns, want := range map[string]bool{"16": true, "17": false} {
		p := mustLower(t, "entry main [n] (xs: [n]f32) : [n]f32 = { let ys = map (i < n) { let a = replicate (20) 0.0f32 let b = loop (u: *[20]f32 = a) for s < "+
			turns+" { let v = u with [s] = xs[i] in v } in b[1] } in ys }")
		for _, k := range p.Kernels {
			imp.Each(k.Body, func(f *imp.For) {
				if ir.ExpString(f.Bound) == turns && f.Whole != want {
					t.Errorf("a loop of %s turns is written out: %v", turns, f.Whole)
				}
			})
		}
	}
}
