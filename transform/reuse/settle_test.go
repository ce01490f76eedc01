package reuse_test

import (
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/test/load"
	"github.com/memc-lang/memc/internal/test/must"
)

// A name that a loop or an if binds for a block goes if it always stands for the same block, and only then.
func TestBlocksThatStayTheSame(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"in place", `
  let y = loop (u = x) for t < k { let v = map (i < n) { in u[i] * 2 } in v }
  in y`, "(u: [n]f32 @ m_x = x)"},
		{"nested", `
  let y = loop (u = x) for t < k {
    let w = loop (v = u) for r < k { let z = map (i < n) { in v[i] * 2 } in z }
    in w
  }
  in y`, "(v: [n]f32 @ m_x = u)"},
		{"branch", `
  let y = loop (u = x) for t < k {
    let w = if t % 3 == 1 { let v = map (i < n) { in u[i] * 2 } in v } else { in u }
    in w
  }
  in y`, "let w: [n]f32 @ m_x = if"},
		{"two blocks", `
  let y = loop (u = x) for t < k { let v = map (i < n) { in u[(i + 1) % n] * 2 } in v }
  in y`, "(u: [n]f32 @ ?m_u = x"},
		{"other branch", `
  let y = loop (u = x) for t < k {
    let w = if t % 3 == 1 { let v = map (i < n) { in u[(i + 1) % n] * 2 } in v } else { in u }
    in w
  }
  in y`, "let (w: [n]f32 @ ?m_w, m_w_next: mem, m_w_other: mem) = if"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := load.Checked(t, "p.ir", "entry main [n] (x: *[n]f32, k: i64) : [n]f32 = {"+c.body+"\n}\n")
			must.Get(pipeline.Run(p, pipeline.DefaultPasses(), pipeline.Options{Verify: true, Memcheck: true}))(t)
			if text := p.String(); !strings.Contains(text, c.want) {
				t.Errorf("no %q in\n%s", c.want, text)
			}
		})
	}
}
