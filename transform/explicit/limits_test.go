package explicit_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/explicit"
)

// Arrays that the pass cannot place are refused as a known limitation, with the span of the array.
func TestLimitations(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"place of an explicit callee", `fun second [n] (xs: [n]i64 @ ?m -> Direct(n, 2) -> Slice((0, n), 0)) : i64 = { in xs[1] }
entry main [n] (ys: [n]i64) : i64 = {
  let r = second(ys)
  in r
}`, "3:18: limitation: `ys` does not have the layout that `second` expects"},
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

// An array gets a block in the kernel's body if its size is not known before the kernel, or if a
// loop of the kernel carries it on in the block in which it is made. The remark says why. Other
// arrays are expanded outside.
func TestOwnBlocks(t *testing.T) {
	for _, tc := range []struct{ name, text, remark string }{
		{"size by thread", `entry main [n] (xs: [n]i64) : [n]i64 = {
  let r = map (i < n) {
    let a = iota i
    let s = loop (p: i64 = 0) for j < i { in p + a[j] }
    in s
  }
  in r
}`, "3:5: remark: explicit: `a` is allocated by each thread: its size `i` is not known before the kernel"},
		{"size that may fail", `entry main [n] (xs: [n]i64, k: i64) : [n]i64 = {
  let r = map (i < n) {
    let h = n / k
    let a = iota h
    in a[0]
  }
  in r
}`, "4:5: remark: explicit: `a` is allocated by each thread: its size `h` is not known before the kernel"},
		{"size that is read", `entry main [n] (xs: [n]i64) : [n]i64 = {
  let r = map (i < n) {
    let h = xs[0]
    let a = iota h
    in a[0]
  }
  in r
}`, "4:5: remark: explicit: `a` is allocated by each thread: its size `h` is not known before the kernel"},
		{"carried", `entry main [n] (xs: [n]i64) : [n]i64 = {
  let r = map (i < n) {
    let (k, a: [k]i64) = loop (l = n, b: [l]i64 = xs) for t < i {
      let c = iota n
      in (n, c)
    }
    in a[0]
  }
  in r
}`, "4:7: remark: explicit: `c` is allocated by each thread: a loop carries it from one iteration to the next"},
		{"expanded", `entry main [n] (xs: [n]i64) : [n]i64 = {
  let r = map (i < n) {
    let h = n + 1
    let a = iota h
    in a[0]
  }
  in r
}`, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p, remarks := transformed(t, "t.ir", tc.text)
			own := 0
			ir.WalkStmts(p.Func("main").Body, func(s *ir.Stmt) bool {
				if m, ok := s.Op.(*ir.Map); ok {
					ir.WalkStmts(m.Body, func(s *ir.Stmt) bool {
						if _, ok := s.Op.(*ir.Alloc); ok {
							own++
						}
						return true
					})
				}
				return true
			})
			var all []string
			for _, d := range remarks.All {
				all = append(all, d.Error())
			}
			got := strings.Join(all, "\n")
			if tc.remark == "" && (own > 0 || strings.Contains(got, "by each thread")) || tc.remark != "" && (own != 1 || !strings.Contains(got, tc.remark)) {
				t.Errorf("%d blocks are allocated by threads; remarks:\n%s\nwanted: %s\n%s", own, got, tc.remark, p)
			}
		})
	}
}

// A thread has an array of 256 bytes in memory of its own, and no larger one.
func TestSmallArraysOfThreads(t *testing.T) {
	for elements, want := range map[string]bool{"[64]f32": true, "[65]f32": false, "[32]f64": true, "[256]bool": true, "[257]bool": false} {
		p, _ := transformed(t, "t.ir", `entry main [n] (xs: [n]i64) : [n]i64 = {
  let r = map (i < n) {
    let a: `+elements+` = scratch `+elements[strings.Index(elements, "]")+1:]+" ("+elements[1:strings.Index(elements, "]")]+`)
    let b = a with [xs[i]] = a[0]
    in if b[0] == b[1] then 1 else 0
  }
  in r
}`)
		if got := strings.Contains(p.String(), "alloc@thread"); got != want {
			t.Errorf("%s: alloc@thread: %v\n%s", elements, got, p)
		}
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
