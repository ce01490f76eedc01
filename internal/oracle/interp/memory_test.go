package interp

import (
	"strings"
	"testing"
)

// wrong holds programs that are right by value and wrong by memory, with the
// report. None may be refused by elaboration; most are fine for the verifier,
// too, which does not reason about overlap.
var wrong = []program{
	{name: "scratch is read", src: `
		entry main (n: i64) : i64 = {
		  let m = alloc n * 8
		  let s: [n]i64 @ m = scratch i64 (n)
		  let t = s with [0] = 1
		  in t[0] + t[1]
		}`, args: "2i64", fails: "test.ir:6:.*read of undefined memory: `t\\[..\\]` in block `m`, byte 8"},
	{name: "undefined elements move along", src: `
		entry main (n: i64) : i64 = {
		  let m = alloc n * 8
		  let s: [n]i64 @ m = scratch i64 (n)
		  let k = alloc n * 8
		  let c: [n]i64 @ k = copy s
		  in c[1]
		}`, args: "2i64", fails: "read of undefined memory: `c\\[..\\]` in block `k`, byte 8"},
	{name: "undefined result", src: `
		entry main (n: i64) : [n]i64 = {
		  let m = alloc n * 8
		  let s: [n]i64 @ m = scratch i64 (n)
		  in s
		}`, args: "1i64", fails: "read of undefined memory: `s"},
	{name: "block too small", src: `
		entry main (n: i64) : [n]i32 = {
		  let m = alloc n * 3
		  let s: [n]i32 @ m = replicate (n) 1i32
		  in s
		}`, args: "4i64", fails: "`s` does not fit in its block `m`, which has 12 bytes"},
	{name: "negative offset", src: `
		entry main (n: i64) : [n]i32 = {
		  let m = alloc n * 4
		  let s: [n]i32 @ m -> LMAD(-1; (n : 1)) = replicate (n) 1i32
		  in s
		}`, args: "4i64", fails: "`s` does not fit in its block `m`, which has 16 bytes"},
	{name: "overwritten", src: `
		entry main [n] (xs: [n]i32 @ ?m_xs) : i32 = {
		  let m = alloc n * 4
		  let a: [n]i32 @ m = copy xs
		  let b: [n]i32 @ m = map (i < n) { in xs[i] + 1 }
		  in a[0] + b[0]
		}`, args: "[1, 2]", fails: "test.ir:6:.*`a` was overwritten by `b`, made at line 5: block `m`, byte 0"},
	{name: "overwritten through a view", src: `
		entry main [n] (xs: [n]i32 @ ?m_xs) : i32 = {
		  let m = alloc n * 4
		  let a: [n]i32 @ m = copy xs
		  let v = a[(1, n - 1)]
		  let b: [n]i32 @ m = map (i < n) { in a[i] + 1 }
		  in v[0] + b[0]
		}`, args: "[1, 2]", fails: "`v` was overwritten by `b`"},
	{name: "a call consumes what shares bytes", src: `
		fun f [n] (z: *[n][2]i16 @ ?m_z, y: [2]i32 @ ?m_y) : [n]i32 @ ?m_f = {
		  let m_r = alloc n * 4
		  let r: [n]i32 @ m_r = map (t < n) { in y[0] }
		  in r
		}
		entry main (n: i64) : [n]i32 @ ?m_main = {
		  let m = alloc n * 4 + 8
		  let z: [n][2]i16 @ m = replicate (n, 2) 0i16
		  let y: [2]i32 @ m = replicate (2) 0
		  let r: [n]i32 @ ?m_r = f(z, y)
		  in r
		}`, args: "2i64", fails: "`f` consumes `z`, and `y` lies in the same bytes of block `m`"},
	{name: "overwritten by scratch", src: `
		entry main [n] (xs: [n]i32 @ ?m_xs) : i32 = {
		  let m = alloc n * 4
		  let a: [n]i32 @ m = copy xs
		  let b: [n]i32 @ m = scratch i32 (n)
		  let k = a[0] -- scratch leaves it as it is
		  let b1: [n]i32 @ m = b with [0] = k
		  in a[0]
		}`, args: "[1, 2]", fails: "`a` was overwritten by `b1`"},
	{name: "scratch over contents", src: `
		entry main [n] (xs: [n]i32 @ ?m_xs) : i32 = {
		  let m = alloc n * 4
		  let a: [n]i32 @ m = copy xs
		  let b: [n]i32 @ m = scratch i32 (n)
		  let b1: [n]i32 @ m = b with [0] = 7i32
		  in b1[1]
		}`, args: "[1, 2]", fails: "undefined"},
	{name: "overwritten argument", src: `
		entry main [n] (xs: [n]i32 @ ?m_xs) : i32 = {
		  let b: [n]i32 @ m_xs = replicate (n) 0i32
		  in xs[1]
		}`, args: "[1, 2]", fails: "`xs` was overwritten by `b`"},
	{name: "loop without a double buffer", src: `
		entry main [n] (xs: [n]i32 @ ?m_xs) : [n]i32 = {
		  let m = alloc n * 4
		  let a0: [n]i32 @ m = copy xs
		  let r: [n]i32 @ m = loop (a: [n]i32 @ m = a0) for k < 2 {
		    let b: [n]i32 @ m = map (i < n) { in a[(i + 1) % n] }
		    in b
		  }
		  in r
		}`, args: "[1, 2, 3]", fails: "two threads of a kernel touch one element: `b` is written by thread \\[1\\], `a` is read by thread \\[0\\] \\(block `m`, byte 4\\)"},
	{name: "a later thread writes what was read", src: `
		entry main [n] (xs: [n]i32 @ ?m_xs) : [n]i32 = {
		  let m = alloc n * 4
		  let a: [n]i32 @ m = copy xs
		  let b: [n]i32 @ m = map (i < n) { in if i == 0 then a[n - 1] else 0i32 }
		  in b
		}`, args: "[1, 2, 3]", fails: "`b` is written by thread \\[2\\], `a` is read by thread \\[0\\]"},
	{name: "an accumulator over what is read", src: `
		entry main [n] (xs: [n]i32 @ ?m_xs) : [n]i32 = {
		  let m = alloc n * 4
		  let a: [n]i32 @ m = copy xs
		  let z: [n]i32 @ m = copy a
		  let b: [n]i32 @ m = map (i < n) into (z op (x, y) { in x + y } neutral (0)) {
		    into z [i] = a[n - 1 - i]
		    in ()
		  }
		  in b
		}`, args: "[1, 2, 3]", fails: "two threads of a kernel touch one element"},
	{name: "two readers", src: `
		entry main [n] (xs: [n]i32 @ ?m_xs) : [n]i32 = {
		  let m = alloc n * 4
		  let a: [n]i32 @ m = copy xs
		  let b: [n]i32 @ m -> LMAD(n - 1; (n : -1)) = map (i < n) { in a[n - 1] }
		  in b
		}`, args: "[1, 2, 3]", fails: "two threads of a kernel touch one element"},
	{name: "two writers", src: `
		entry main (n: i64) : [n]i64 = {
		  let m = alloc n * 8
		  let e = alloc (n + 1) * 8
		  let b: [n]i64 @ m = map (i < n) {
		    let t: [2]i64 @ e -> LMAD(i; (2 : 1)) = replicate (2) i
		    in t[0]
		  }
		  in b
		}`, args: "2i64", fails: "`t` is written by thread \\[1\\], `t` is written by thread \\[0\\]"},
	{name: "a reduction's result in what is read", src: `
		entry main [n] (xs: [n][n]i32 @ ?m_xs) : [n]i32 = {
		  let m = alloc n * n * 4
		  let a: [n][n]i32 @ m = copy xs
		  let s: [n]i32 @ m = reduce (i < n, j < n) op (x, y) { in x + y } neutral (0i32) { in a[i, j] }
		  in s
		}`, args: "[[1, 2], [3, 4]]", fails: "`s` is written by the combining of values, `a` is read by thread \\[0, 0\\]"},
	{name: "two results in one place", src: `
		entry main (n: i64) : ([n]i64, [n]i64) = {
		  let m = alloc n * 8
		  let (a: [n]i64 @ m, b: [n]i64 @ m) = map (i < n) { in (i, i + 1) }
		  in (a, b)
		}`, args: "2i64", fails: "`a` and `b`, made by one operation, share memory: block `m`, byte 0"},
	{name: "a result over one that lies in place", src: `
		entry main (n: i64) : ([n][2]i64, [n]i64) = {
		  let m = alloc n * 16
		  let (a: [n][2]i64 @ m, b: [n]i64 @ m -> LMAD(0; (n : 2))) = map (i < n) {
		    let t: [2]i64 @ m -> Direct(n, 2) -> Slice(i, (0, 2)) = replicate (2) 7
		    in (t, i)
		  }
		  in (a, b)
		}`, args: "2i64", fails: "`t` was overwritten by `b`"},
	{name: "a scatter over what its threads read", src: `
		entry main [n] (xs: [n]i32 @ ?m_xs) : [n]i32 = {
		  let m = alloc n * 4
		  let a: [n]i32 @ m = copy xs
		  let d: [n]i32 @ m -> LMAD(n - 1; (n : -1)) = copy xs
		  let r = scatter d (i < n) { in (i, a[i]) }
		  in r
		}`, args: "[5, 5]", fails: "`a` was overwritten by `d`"},
	{name: "a histogram over what its threads read", src: `
		entry main [n] (xs: [n]i32 @ ?m_xs) : [n]i32 = {
		  let m = alloc n * 4
		  let d: [n]i32 @ m = replicate (n) 0i32
		  let v: [n]i32 @ m = copy d
		  let r = hist d (i < n) op (a, b) { in a + b } neutral (0i32) { in (0, v[i] + xs[i]) }
		  in r
		}`, args: "[1, 2, 3]", fails: "`r` is written by the histogram, `v` is read by thread \\[0\\]"},
	{name: "overlap by one element", src: `
		entry main (n: i64) : i64 = {
		  let m = alloc (n + 2) * 8
		  let a: [2]i64 @ m = iota 2
		  let b: [n]i64 @ m -> LMAD(1; (n : 1)) = iota n
		  in a[1] + b[0]
		}`, args: "2i64", fails: "`a` was overwritten by `b`, made at line 5: block `m`, byte 8"},
	{name: "undefined elements through replicate and a kernel", src: `
		entry main (n: i64) : i64 = {
		  let m = alloc n * 8
		  let s: [n]i64 @ m = scratch i64 (n)
		  let t = s with [0] = 3
		  let k = alloc n * 16
		  let r: [2][n]i64 @ k = replicate (2) t
		  let l = alloc n * 16
		  let u: [2][n]i64 @ l = map (i < 2) { let row = r[i, (0, n)] in row }
		  in u[1, 0] + u[1, 1]
		}`, args: "2i64", fails: "read of undefined memory: `u\\[..\\]` in block `l`, byte 24"},
	{name: "index function that is not injective", src: `
		entry main (n: i64) : [n]i64 = {
		  let m = alloc 8
		  let a: [n]i64 @ m -> LMAD(0; (n : 0)) = iota n
		  in a
		}`, args: "2i64", fails: "two elements of `a` share memory"},
	{name: "narrow over wide", src: `
		entry main (n: i64) : i64 = {
		  let m = alloc 8 * n
		  let a: [n]i64 @ m = iota n
		  let b: [1]u8 @ m -> LMAD(15; (1 : 1)) = replicate (1) 3u8
		  in a[1]
		}`, args: "2i64", fails: "`a` was overwritten by `b`, made at line 5: block `m`, byte 15"},
	{name: "block of negative size", src: `
		entry main (n: i64) : i64 = {
		  let m = alloc n - 5
		  let a: [1]u8 @ m = replicate (1) 3u8
		  in n
		}`, args: "2i64", fails: "`a` does not fit in its block `m`, which has 0 bytes"},
}

func TestReports(t *testing.T) {
	for _, c := range wrong {
		c.run(t, "memory", ByMemory, true)
	}
}

// The same programs in places of their own are right, so that the reports
// above are about memory alone.
func TestReportsAreAboutMemory(t *testing.T) {
	for _, c := range wrong {
		switch c.name {
		case "scratch is read", "scratch over contents", "undefined elements move along", "undefined result",
			"undefined elements through replicate and a kernel":
			continue // use of undefined contents is wrong by value, too
		}
		p := load(t, c.src, true)
		if _, err := ByValue(p, "main", values(t, c.args), Options{}); err != nil {
			t.Errorf("%s: by value: %v", c.name, err)
		}
	}
}

// TestLayoutIsChecked takes the existential offset and stride from a place
// after checking, as a wrong transformation might.
func TestLayoutIsChecked(t *testing.T) {
	p := load(t, `
		entry main (n: i64, c: bool) : [n]i64 = {
		  let m = alloc 8 * n
		  let a: [n]i64 @ m -> LMAD(n - 1; (n : -1)) = iota n
		  let k = alloc 8 * n
		  let b: [n]i64 @ k = iota n
		  let r: [n]i64 @ ?l -> LMAD(?off; (n : ?s)) = if c { in a } else { in b }
		  in r
		}`, false)
	stmts := p.Func("main").Body.Stmts
	stmts[len(stmts)-1].Pat[0].Type.Place.Ix = nil
	_, err := ByMemory(p, "main", values(t, "2i64 true"), Options{})
	const want = "`r` is not in the place of its type: it lies in block `m` at LMAD(1; (2 : -1)), and its type says `m` at LMAD(0; (2 : 1))"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
	if _, err := ByMemory(p, "main", values(t, "2i64 false"), Options{}); err != nil {
		t.Errorf("the other branch lies right, but: %v", err)
	}
}
