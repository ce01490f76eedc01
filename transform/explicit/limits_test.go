package explicit_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/diag"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/explicit"
)

// What the pass cannot place is refused as a known limitation, with the span of
// the array concerned.
func TestLimitations(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"size by thread", `entry main [n] (xs: [n]i64) : [n]i64 = {
  let r = map (i < n) {
    let a = iota i
    let s = loop (p: i64 = 0) for j < i { in p + a[j] }
    in s
  }
  in r
}`, "3:5: limitation: size of `a` varies by thread; needs the device heap"},
		{"size that may fail", `entry main [n] (xs: [n]i64, k: i64) : [n]i64 = {
  let r = map (i < n) {
    let h = n / k
    let a = iota h
    in a[0]
  }
  in r
}`, "4:5: limitation: size of `a` varies by thread; needs the device heap"},
		{"size that is read", `entry main [n] (xs: [n]i64) : [n]i64 = {
  let r = map (i < n) {
    let h = xs[0]
    let a = iota h
    in a[0]
  }
  in r
}`, "4:5: limitation: size of `a` varies by thread; needs the device heap"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := parse(t, "t.ir", tc.text)
			err := explicit.Pass.Run(p, transform.NewContext("explicit", nil, transform.Unlimited))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("got %v, want %s", err, tc.want)
			}
			var list *diag.List
			if !errors.As(err, &list) || diag.ExitCode(list) != diag.ExitLimitation {
				t.Errorf("exit code %d", diag.ExitCode(err))
			}
		})
	}
}

// Copies that the pass has to insert are told, with the reason.
func TestRemarksTellCopies(t *testing.T) {
	_, remarks := transformed(t, "t.ir", `entry main [n][m] (xs: [n][m]i32, k: i64) : i32 = {
  let t = rearrange (1, 0) xs
  let f: [6]i32 = reshape (6) t
  let r = loop (ys: [6]i32 = f) for i < k {
    let zs = map (j < 6) { in ys[5 - j] }
    in zs
  }
  in r[0]
}`)
	var all []string
	for _, d := range remarks.All {
		all = append(all, d.Error())
	}
	got := strings.Join(all, "\n")
	for _, want := range []string{"t.ir:1:1: remark: explicit: `main` gets its memory", "4:30: remark: explicit: `f` is copied: "} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}
