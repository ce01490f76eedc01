package interp

import (
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

// TestLoopMemory counts what a loop holds as the host does: the last use of m_a is an
// initial value, and nothing uses p in the loop, so that an iteration holds but what
// it makes itself.
func TestLoopMemory(t *testing.T) {
	p := load(t, `
		entry main (n: i64) : i32 = {
		  let m_a = alloc n * 4
		  let a: [n]i32 @ m_a = replicate (n) 0i32
		  let m_b = alloc n * 4
		  let b: [n]i32 @ m_b = replicate (n) 0i32
		  let (r: [n]i32 @ ?m_r, s) = loop (p: [n]i32 @ ?m_p = b, q: i32 = a[0]) for i < n {
		    let m_c = alloc n * 4
		    let c: [n]i32 @ m_c = replicate (n) q
		    in (c, c[0])
		  }
		  in s
		}`, false)
	var s Stats
	must.Get(ByMemory(p, "main", values(t, "3i64"), Options{Stats: &s}))(t)
	if s.PeakBytes != 24 { // a and b; the loop holds 12 at a time
		t.Errorf("the run holds %d bytes, want 24", s.PeakBytes)
	}
}

// TestLoopOfBlocks lets go of what a loop's parameters, blocks alone, have given to one
// another: m_a is held until the loop ends, and not beside m_c.
func TestLoopOfBlocks(t *testing.T) {
	p := load(t, `
		entry main (n: i64) : [n]i32 = {
		  let m_a = alloc n * 8
		  let m_b = alloc n * 4
		  let (m_x, m_y) = loop (m_p: mem = m_a, m_q: mem = m_b) for i < 0 { in (m_q, m_p) }
		  let b: [n]i32 @ m_x = replicate (n) 0i32
		  let m_c = alloc n * 12
		  let c: [n]i32 @ m_c = replicate (n) 0i32
		  in c
		}`, false)
	var s Stats
	must.Get(ByMemory(p, "main", values(t, "3i64"), Options{Stats: &s}))(t)
	if s.PeakBytes != 36 { // m_a and m_b; m_c
		t.Errorf("the run holds %d bytes, want 36", s.PeakBytes)
	}
}
