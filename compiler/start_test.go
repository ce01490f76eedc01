package compiler_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/memc-lang/memc/compiler"
	"github.com/memc-lang/memc/internal/test/must"
)

// many returns a program of n entries with three kernels each; no two are alike, so a driver's cache
// cannot help.
func many(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `entry e%d [n] (xs: [n]f32, k: f32) : (ys: [n]f32, s: f32) = {
  let ys = map (i < n) { in xs[i] * k + %d.0 }
  let zs = scan (i < n) op (a, b) { in a + b } neutral (0.0) { in ys[i] }
  let s = reduce (j < n) op (a, b) { in a + b } neutral (0.0) { in zs[j] * zs[j] }
  in (ys, s)
}
`, i, i)
	}
	return b.String()
}

// The first call of an entry builds what it needs, and nothing of the others: an entry that the
// device's compiler must refuse is in nobody's way.
func TestFirstCall(t *testing.T) {
	c := open(t, compiler.Device{})
	p := compile(t, c, many(20))
	start := time.Now()
	one := must.Get(p.Call("e7", []float32{1, 2, 3}, 2))(t)
	lazy := time.Since(start)
	check(t, "ys", data[float32](t, one[0]), []float32{9, 11, 13})
	check(t, "s", one[1], float32(9*9+20*20+33*33))
	start = time.Now()
	must.Do(t, p.Build())
	if all := time.Since(start); lazy > all {
		t.Logf("the first call took %v, and building all entries %v: the driver has a cache, or others use this machine", lazy, all)
	}
}

// BenchmarkFirstResult measures the time from a text of 150 entries to the first result of one of
// them. PoCL keeps what it built: set POCL_CACHE_DIR to an empty directory, and -benchtime=1x.
func BenchmarkFirstResult(b *testing.B) {
	text := many(150)
	for _, all := range []bool{false, true} {
		b.Run(fmt.Sprintf("all=%v", all), func(b *testing.B) {
			for range b.N {
				c, err := compiler.Open(compiler.Device{})
				if err != nil {
					b.Skip(err)
				}
				p, err := c.Compile(text, compiler.Options{})
				if err == nil && all {
					err = p.Build()
				}
				if err == nil {
					_, err = p.Call("e7", []float32{1, 2, 3}, 2)
				}
				if err != nil {
					b.Fatal(err)
				}
				c.Close()
			}
		})
	}
}
