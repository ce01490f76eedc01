package interference_test

import (
	"testing"

	"github.com/memc-lang/memc/analysis/interference"
)

// handed has a branch that gives an array which nobody reads behind it.
const handed = `entry main [n] (xs: [n]i32 @ ?m_xs, c: bool) : i32 = {
  let m_a = alloc n * 4
  let m_b = alloc n * 4
  let (s, unread: [n]i32 @ m_a) = if c {
    let a: [n]i32 @ m_a = map (i < n) { in xs[n - 1 - i] + 1 }
    let k = a[0]
    let b: [n]i32 @ m_b = map (j < n) { in xs[n - 1 - j] + k }
    in (b[0], a)
  } else {
    let d: [n]i32 @ m_a = map (l < n) { in xs[l] }
    in (0i32, d)
  }
  in s
}
`

// The result of a branch must exist when the branch ends, even if nobody reads it. Another array
// that is made before the result does not interfere.
func TestGivenIsNeeded(t *testing.T) {
	if w, bad := table(t, handed).Interfere("m_a", "m_b"); !bad || w.Why != interference.Statement {
		t.Errorf("m_a and m_b: %v %v, want a statement", bad, w)
	}
	text := `entry main [n] (xs: [n]i32 @ ?m_xs, c: bool) : i32 = {
  let m_a = alloc n * 4
  let m_b = alloc n * 4
  let (s, unread: [n]i32 @ m_a) = if c {
    let b: [n]i32 @ m_b = map (j < n) { in xs[n - 1 - j] }
    let k = b[0]
    let a: [n]i32 @ m_a = map (i < n) { in xs[n - 1 - i] + k }
    in (k, a)
  } else {
    let d: [n]i32 @ m_a = map (l < n) { in xs[l] }
    in (0i32, d)
  }
  in s
}
`
	if w, bad := table(t, text).Interfere("m_a", "m_b"); bad {
		t.Errorf("m_a and m_b interfere: %v", w)
	}
}

// Blocks that threads allocate for themselves interfere with all others, and no list contains them.
func TestThreadsOwnBlocks(t *testing.T) {
	x := table(t, `entry main [n] (xs: [n]i64) : [n]i64 = {
  let a = map (i < n) { in xs[n - 1 - i] }
  let b = map (j < n) {
    let k = xs[j] + 4
    let t = replicate (k) a[n - 1 - j]
    in t[0] + t[k - 1]
  }
  in b
}
`)
	if w, bad := x.Interfere("m_t", "m_b"); !bad || w.Why != interference.Threads {
		t.Errorf("m_t and m_b: %v %v, want threads", bad, w)
	}
	x.Each(func(m1, m2 string, _ interference.Witness) {
		if m1 == "m_t" || m2 == "m_t" {
			t.Errorf("%s and %s are listed", m1, m2)
		}
	})
}
