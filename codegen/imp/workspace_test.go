package imp_test

import (
	"strings"
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/test/must"
)

// A workspace has a room for each worker, not for each point: on a device no more work-items run than half
// of what it has room for, and a task has 32 rooms.
func TestWorkers(t *testing.T) {
	const head = `
entry main [n] (xs: [n]i64 @ ?m_xs, k: i64) : `
	const body = ` {
    let m_t = alloc@thread k * 8
    let a: [k]i64 @ m_t = iota k
    let s = loop (t = xs[i]) for j < k { in t * 3 + a[j] }
    in s
  }
`
	for _, c := range []struct {
		name, text string
		device     string // the groups that it launches, or what bounds them
		task       string // the rooms of a task
	}{
		{"map", head + `[n]i64 = {
  let m_ys = alloc n * 8
  let ys: [n]i64 @ m_ys = map (i < n)` + body + `  in ys
}`, "max(device_items_1_ / 2 / items_, 1)", "workers_ = min(per_, 32)"},
		{"reduction", head + `i64 = {
  let s0 = reduce (i < n) op (x, y) { in x + y } neutral (0)` + body + `  in s0
}`, "busy_ = device_items_1_ / 2", "workers_ = 1"},
		{"scan", head + `[n]i64 = {
  let m_ys = alloc n * 8
  let ys: [n]i64 @ m_ys = scan (i < n) op (x, y) { in x + y } neutral (0)` + body + `  in ys
}`, "groups_ = max(min((n_ + 1023) / 1024, 1024), 1)", "workers_ = 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, o := range []struct {
				opt  imp.Options
				want string
			}{{imp.Options{}, c.device}, {imp.Options{Tasks: true}, c.task}} {
				p := must.Get(lower("test.ir", c.text, o.opt))(t)
				var b strings.Builder
				must.Do(t, imp.Dump(&b, p))
				if !strings.Contains(b.String(), o.want) || !strings.Contains(b.String(), "m_t_work_ = alloc") {
					t.Errorf("it lacks %q:\n%s", o.want, b.String())
				}
			}
		})
	}
}
