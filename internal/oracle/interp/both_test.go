package interp

import "testing"

// Explicit programs, which must give the same by value and by memory.
var both = []program{
	{name: "spec's first program", src: `
		entry main [n] (xs0: [n]i32 @ ?m_xs0, i: i64) : (n1: i64, [n1]i32) = {
		  let m_xs = alloc n * 4
		  let xs: [n]i32 @ m_xs = map (t < n) { in xs0[t] + 1 }
		  let k = xs[i]
		  let n1 = n + 1
		  let m_ys = alloc n1 * 4
		  let ys: [n1]i32 @ m_ys = replicate (n1) k
		  in (n1, ys)
		}`, args: "[1, 2, 3] 0i64", want: "4i64 [2, 2, 2, 2]"},
	{name: "reuse of a block", src: `
		entry main [n] (xs: [n]i32 @ ?m_xs) : [n]i32 = {
		  let m = alloc n * 4
		  let ys: [n]i32 @ m = map (i < n) { in xs[i] * 2 }
		  let zs: [n]i32 @ m = map (j < n) { in ys[j] + 1 }
		  in zs
		}`, args: "[1, 2, 3]", want: "[3, 5, 7]"},
	{name: "column-major map and views", src: `
		entry main (n: i64, m: i64) : ([m][n]i64, [n]i64, i64) = {
		  let blk = alloc n * m * 8
		  let a: [n][m]i64 @ blk -> LMAD(0; (n : 1), (m : n)) = map (i < n, j < m) { in i * 10 + j }
		  let t = rearrange (1, 0) a
		  let col = a[(0, n), 1]
		  let back = a[(n - 1, n, -1), (0, m)]
		  let k = back[0, m - 1]
		  in (t, col, k)
		}`, args: "2i64 3i64", want: "[[0i64, 10i64], [1i64, 11i64], [2i64, 12i64]] [1i64, 11i64] 12i64"},
	{name: "concat, in place and moved", src: `
		entry main [n] (xs: [n]i32 @ ?m_xs) : (k: i64, [k]i32) = {
		  let k = n + n
		  let m = alloc k * 4
		  let a: [n]i32 @ m = map (i < n) { in xs[i] + 100 }
		  let c: [k]i32 @ m = concat@0 (a, xs)
		  in (k, c)
		}`, args: "[1, 2]", want: "4i64 [101, 102, 1, 2]"},
	{name: "concat along dimension 1", src: `
		entry main [n][m] (xs: [n][m]i32 @ ?m_xs) : (k: i64, [n][k]i32) = {
		  let k = m + m
		  let blk = alloc n * k * 4
		  let c: [n][k]i32 @ blk = concat@1 (xs, xs)
		  in (k, c)
		}`, args: "[[1, 2], [3, 4]]", want: "4i64 [[1, 2, 1, 2], [3, 4, 3, 4]]"},
	{name: "overlapping copy is exact", src: `
		entry main (n: i64) : [n]i64 = {
		  let m = alloc (n + 1) * 8
		  let a: [n]i64 @ m = iota n
		  let b: [n]i64 @ m -> LMAD(1; (n : 1)) = copy a
		  in b
		}`, args: "5i64", want: "[0i64, 1i64, 2i64, 3i64, 4i64]"},
	{name: "scratch, range, literal, replicate of an array", src: `
		entry main (n: i64) : ([n]i64, [3]i32, [2][3]i32, [2]i64) = {
		  let m0 = alloc n * 8
		  let s0: [n]i64 @ m0 = scratch i64 (n)
		  let s = loop (p: *[n]i64 @ m0 = s0) for i < n { let t = p with [i] = i * i in t }
		  let m1 = alloc 12
		  let l: [3]i32 @ m1 = [7, 8, 9]
		  let m2 = alloc 24
		  let r: [2][3]i32 @ m2 = replicate (2) l
		  let m3 = alloc 16
		  let q: [2]i64 @ m3 = [3 ..< 5]
		  in (s, l, r, q)
		}`, args: "3i64", want: "[0i64, 1i64, 4i64] [7, 8, 9] [[7, 8, 9], [7, 8, 9]] [3i64, 4i64]"},
	{name: "updates of slices", src: `
		entry main [n] (xs: *[n][4]i32 @ ?m_xs) : [n][4]i32 = {
		  let m = alloc 2 * 4
		  let z: [2]i32 @ m = [50, 60]
		  let a = xs with [0, (0, 2, 3)] = z
		  let b = a with [n - 1, 1] = 9i32
		  let row = b[0, (0, 4)]
		  let m2 = alloc 4 * 4
		  let r: [4]i32 @ m2 = copy row
		  let c = b with [1, (0, 4)] = r
		  in c
		}`, args: "[[1, 2, 3, 4], [5, 6, 7, 8]]", want: "[[50, 2, 3, 60], [50, 2, 3, 60]]"},
	{name: "existential if", src: `
		entry main [n] (xs: [n]i32 @ ?m_xs, b: bool) : ([n]i32, [2]i32) = {
		  let m1 = alloc n * 4
		  let ys: [n]i32 @ m1 -> LMAD(n - 1; (n : -1)) = copy xs
		  let m3 = alloc n * 4
		  let zs: [n]i32 @ ?m2 -> LMAD(?off; (n : ?s)) =
		    if b { in ys } else { let us: [n]i32 @ m3 = map (i < n) { in xs[i] * 2 } in us }
		  let vs: [n]i32 @ m2 -> LMAD(off; (n : s)) = map (j < n) { in zs[j] + 1 }
		  let front = vs[(0, 2)]
		  let m4 = alloc 8
		  let r: [2]i32 @ m4 = copy front
		  in (vs, r)
		}`, args: "[1, 2, 3] true", want: "[2, 3, 4] [2, 3]"},
	{name: "existential if, else", src: `
		entry main [n] (xs: [n]i32 @ ?m_xs, b: bool) : [n]i32 = {
		  let m1 = alloc n * 4
		  let ys: [n]i32 @ m1 = copy xs
		  let m3 = alloc n * 4
		  let zs: [n]i32 @ ?m2 = if b { in ys } else { let us: [n]i32 @ m3 = map (i < n) { in xs[i] * 2 } in us }
		  in zs
		}`, args: "[1, 2, 3] false", want: "[2, 4, 6]"},
	{name: "double buffer in a while loop", src: `
		entry main [n] (xs: [n]i32 @ ?m_xs) : ([n]i32, i64) = {
		  let m1 = alloc n * 4
		  let m2 = alloc n * 4
		  let a0: [n]i32 @ m1 = copy xs
		  let (r: [n]i32 @ ?ma, steps, going, x, y) =
		    loop (a: [n]i32 @ ?mp = a0, k: i64 = 0, go: bool = true, ms: mem = m1, md: mem = m2) while go {
		      let b: [n]i32 @ md = map (i < n) { in a[(i + 1) % n] + a[i] }
		      let k1 = k + 1
		      in (b, k1, k1 < 3, md, ms)
		    }
		  in (r, steps)
		}`, args: "[1, 2, 3]", want: "[17, 16, 15] 3i64"},
	{name: "calls", src: `
		fun twice [n] (xs: [n]i32 @ ?m, k: i32) : (n2: i64, [n2]i32) = {
		  let n2 = n * 2
		  let mr = alloc n2 * 4
		  let r: [n2]i32 @ mr = map (i < n2) { in xs[i / 2] * k }
		  in (n2, r)
		}
		entry main [n] (xs: [n]i32 @ ?m_xs) : (k2: i64, [k2]i32) = {
		  let (k1: i64, a: [k1]i32 @ ?ma) = twice(xs, 10i32)
		  let (k2: i64, b: [k2]i32 @ ?mb) = twice(a, 1i32)
		  in (k2, b)
		}`, args: "[1, 2]", want: "8i64 [10, 10, 10, 10, 20, 20, 20, 20]"},
	{name: "reduce of rows, with a mapped result", src: `
		entry main [n][m] (xs: [n][m]i32 @ ?m_xs) : ([n]i32, [n][m]i32, i32, i64) = {
		  let b1 = alloc n * 4
		  let b2 = alloc n * m * 4
		  let (s: [n]i32 @ b1, d: [n][m]i32 @ b2) =
		    reduce (i < n, j < m) op (a, b) { in a + b } neutral (0i32) { in (xs[i, j], xs[i, j] * 2) }
		  let (best, at) = reduce (k < n) commutative op (p, pi, q, qi) { let less = q < p in (if less then q else p, if less then qi else pi) }
		    neutral (1000i32, -1i64) { in (s[k], k) }
		  in (s, d, best, at)
		}`, args: "[[5, 6], [1, 2]]", want: "[11, 3] [[10, 12], [2, 4]] 3 1i64"},
	{name: "reduce and scan of arrays", src: `
		entry main [n][m] (xs: [n][m]i32 @ ?m_xs) : ([m]i32, [n][m]i32) = {
		  let b1 = alloc m * 4
		  let s: [m]i32 @ b1 = reduce (i < n) op (a, b) { in a + b } neutral (0i32) { let r = xs[i, (0, m)] in r }
		  let b2 = alloc n * m * 4
		  let c: [n][m]i32 @ b2 = scan (k < n) op (p, q) { in max(p, q) } neutral (0i32) { let t = xs[k, (0, m)] in t }
		  in (s, c)
		}`, args: "[[1, 5], [3, 4], [2, 9]]", want: "[6, 18] [[1, 5], [3, 5], [3, 9]]"},
	{name: "segmented scan", src: `
		entry main (n: i64) : [n][3]i64 = {
		  let m = alloc n * 3 * 8
		  let c: [n][3]i64 @ m = scan (i < n, j < 3) op (a, b) { in a * 2 + b } neutral (0) { in i + j }
		  in c
		}`, args: "2i64", want: "[[0i64, 1i64, 4i64], [1i64, 4i64, 11i64]]"},
	{name: "empty folds", src: `
		entry main (n: i64) : (i64, [2]i64, [n]i64) = {
		  let s = reduce (i < n) op (a, b) { in a + b } neutral (7) { in i }
		  let b1 = alloc 16
		  let r: [2]i64 @ b1 = reduce (k < 2, i1 < n) op (a1, x1) { in a1 + x1 } neutral (7) { in i1 + k }
		  let b2 = alloc n * 8
		  let c: [n]i64 @ b2 = scan (i2 < n) op (a2, x2) { in a2 + x2 } neutral (7) { in i2 }
		  in (s, r, c)
		}`, args: "0i64", want: "7i64 [7i64, 7i64] empty([0]i64)"},
	{name: "scatter", src: `
		entry main [n][k] (xs: *[n]i32 @ ?m_xs, at: [k]i64 @ ?m_at) : [n]i32 = {
		  let r = scatter xs (i < k) { in (at[i], i32(i) + 10) }
		  in r
		}`, args: "[1, 2, 3] [2i64, -1i64, 0i64, 3i64]", want: "[12, 2, 10]"},
	{name: "scatter into two of two dimensions", src: `
		entry main [n] (xs: *[n][n]i32 @ ?m_xs, ys: *[n][n]i32 @ ?m_ys) : ([n][n]i32, [n][n]i32) = {
		  let (a, b) = scatter (xs, ys) (i < n) { in (i, n - 1 - i, 100i32, 200i32) }
		  in (a, b)
		}`, args: "[[1, 2], [3, 4]] [[5, 6], [7, 8]]", want: "[[1, 100], [100, 4]] [[5, 200], [200, 8]]"},
	{name: "hist", src: `
		entry main [n][k] (xs: *[n]i32 @ ?m_xs, at: [k]i64 @ ?m_at) : [n]i32 = {
		  let r = hist xs (i < k) op (a, b) { in a + b } neutral (0i32) { in (at[i], 1i32) }
		  in r
		}`, args: "[100, 0, 0] [2i64, 2i64, 0i64, 2i64, 3i64]", want: "[101, 0, 3]"},
	{name: "fresh arrays in threads, expanded and in place", src: `
		entry main (n: i64) : ([n][3]i64, [n]i64) = {
		  let m = alloc n * 3 * 8
		  let e = alloc n * 3 * 8
		  let b = alloc n * 8
		  let (r: [n][3]i64 @ m, s: [n]i64 @ b) = map (i < n) {
		    let t0: [3]i64 @ e -> Direct(3, n) -> Permute(1, 0) -> Slice(i, (0, 3)) = scratch i64 (3)
		    let t = loop (p: *[3]i64 @ e -> Direct(3, n) -> Permute(1, 0) -> Slice(i, (0, 3)) = t0) for j < 3 { let u = p with [j] = i * 10 + j in u }
		    let w: [3]i64 @ m -> Direct(n, 3) -> Slice(i, (0, 3)) = copy t
		    in (w, t[0] + t[2])
		  }
		  in (r, s)
		}`, args: "2i64", want: "[[0i64, 1i64, 2i64], [10i64, 11i64, 12i64]] [2i64, 22i64]"},
	{name: "reshape", src: `
		entry main [n][m] (xs: [n][m]i32 @ ?m_xs) : (k: i64, [k]i32, [k]i32) = {
		  let k = n * m
		  let a = reshape (k) xs
		  let t = rearrange (1, 0) xs
		  let b = reshape (k) t
		  in (k, a, b)
		}`, args: "[[1, 2], [3, 4]]", want: "4i64 [1, 2, 3, 4] [1, 3, 2, 4]"},
	{name: "all widths", src: `
		entry main (n: i64) : ([n]i8, [n]u16, [n]f32, [n]f64, [n]bool, [n]u64) = {
		  let a = alloc n
		  let b = alloc n * 2
		  let c = alloc n * 4
		  let d = alloc n * 8
		  let e = alloc n
		  let f = alloc n * 8
		  let (p: [n]i8 @ a, q: [n]u16 @ b, r: [n]f32 @ c, s: [n]f64 @ d, t: [n]bool @ e, u: [n]u64 @ f) =
		    map (i < n) { in (i8(i) - 1i8, u16(i) - 1u16, f32(i) / 2.0f32, f64(i) / 2.0, i == 1, u64(i) - 1u64) }
		  in (p, q, r, s, t, u)
		}`, args: "2i64", want: "[-1i8, 0i8] [65535u16, 0u16] [0.0f32, 0.5f32] [0.0f64, 0.5f64] [false, true] [18446744073709551615u64, 0u64]"},
	{name: "aliases", src: `
		entry main [n] (xs: [n]i32 @ ?m_xs) : [n]i32 = {
		  let m = alloc n * 4
		  let k = m
		  let as = xs
		  let ys: [n]i32 @ k = map (i < n) { in as[i] + 1 }
		  in ys
		}`, args: "[1, 2]", want: "[2, 3]"},
	{name: "reads of all widths", src: `
		entry main [n] (a: [n]i8 @ ?ma, b: [n]i16 @ ?mb, c: [n]u16 @ ?mc, d: [n]u32 @ ?md, e: [n]bool @ ?me) : [n]i64 = {
		  let m = alloc n * 8
		  let r: [n]i64 @ m = map (i < n) { in i64(a[i]) + i64(b[i]) + i64(c[i]) + i64(d[i]) + i64(e[i]) }
		  in r
		}`, args: "[-1i8] [-300i16] [65535u16] [4294967295u32] [true]", want: "[4295032530i64]"},
	{name: "three dimensions, permuted", src: `
		entry main (n: i64) : ([4][n][3]i64, [3][n][2]i64) = {
		  let m = alloc n * 12 * 8
		  let a: [n][3][4]i64 @ m = map (i < n, j < 3, k < 4) { in i * 100 + j * 10 + k }
		  let t = rearrange (2, 0, 1) a
		  let v = a[(0, n), (0, 3), (1, 2)]
		  let w = rearrange (1, 0, 2) v
		  in (t, w)
		}`, args: "1i64", want: "[[[0i64, 10i64, 20i64]], [[1i64, 11i64, 21i64]], [[2i64, 12i64, 22i64]], [[3i64, 13i64, 23i64]]] " +
		"[[[1i64, 2i64]], [[11i64, 12i64]], [[21i64, 22i64]]]"},
	{name: "fill of a slice, column by column", src: `
		entry main (n: i64) : [n][2][2]i64 = {
		  let m = alloc n * 4 * 8
		  let a: [n][2][2]i64 @ m -> LMAD(0; (n : 1), (2 : n), (2 : 2 * n)) = replicate (n, 2, 2) 0
		  let z = alloc n * 2 * 8
		  let f: [n][2]i64 @ z = map (i < n, j < 2) { in i * 2 + j + 1 }
		  let b = a with [(0, n), 1, (0, 2)] = f
		  in b
		}`, args: "2i64", want: "[[[0i64, 0i64], [1i64, 2i64]], [[0i64, 0i64], [3i64, 4i64]]]"},
	{name: "existential loop", src: `
		entry main (n: i64) : [n]i64 = {
		  let m1 = alloc n * 8
		  let m2 = alloc n * 8
		  let a0: [n]i64 @ m1 -> LMAD(n - 1; (n : -1)) = iota n
		  let r: [n]i64 @ ?mr -> LMAD(?ro; (n : ?rs)) = loop (a: [n]i64 @ ?ma -> LMAD(?o; (n : ?s)) = a0) for k < 2 {
		    let c: [n]i64 @ m2 = map (i < n) { in a[i] * 10 }
		    let b: [n]i64 @ m1 = map (j < n) { in c[n - 1 - j] + 1 }
		    in b
		  }
		  in r
		}`, args: "3i64", want: "[11i64, 111i64, 211i64]"},
	{name: "swap of loop parameters", src: `
		entry main (n: i64) : (i64, i64) = {
		  let (a, b) = loop (p: i64 = 1, q: i64 = 2) for i < n { in (q, p + q) }
		  in (a, b)
		}`, args: "3i64", want: "5i64 8i64"},

	// Faults of the program are the same.
	{name: "index", src: `entry main [n] (xs: [n]i32 @ ?m, i: i64) : i32 = { in xs[i] }`, args: "[1, 2] 2i64",
		fails: "test.ir:1:.*index 2 is out of bounds for dimension 0 of `xs`, whose size is 2"},
	{name: "negative index", src: `entry main [n] (xs: [n][n]i32 @ ?m, i: i64) : i32 = { in xs[0, i] }`, args: "[[1]] -1i64",
		fails: "index -1 is out of bounds for dimension 1 of `xs`, whose size is 1"},
	{name: "slice", src: `
		entry main [n] (xs: [n]i32 @ ?m, i: i64) : i32 = { let ys = xs[(i, 2, 2)] in ys[0] }`, args: "[1, 2, 3] 1i64",
		fails: "slice start 1 length 2 stride 2 is out of bounds for dimension 0 of `xs`, whose size is 3"},
	{name: "update", src: `
		entry main [n] (xs: *[n]i32 @ ?m, i: i64) : [n]i32 = { let ys = xs with [i] = 0i32 in ys }`, args: "[1, 2] 5i64",
		fails: "index 5 is out of bounds for dimension 0 of `xs`, whose size is 2"},
	{name: "division", src: `entry main (a: i64, b: i64) : i64 = { in a / b }`, args: "1i64 0i64", fails: "division by zero in `a / b`"},
	{name: "division in a kernel", src: `
		entry main (n: i64) : i64 = {
		  let s = reduce (i < n) op (a, b) { in a + b } neutral (0) { in 6 % i }
		  in s
		}`, args: "3i64", fails: "division by zero in `6 % i`"},
	{name: "assert", src: `entry main (a: i64) : i64 = { assert a > 3 "a is small" in a }`, args: "1i64", fails: "assertion failed: a is small"},
	{name: "assert without text", src: `entry main (a: i64) : i64 = { assert a > 3 in a }`, args: "1i64", fails: "assertion failed: a > 3"},
	{name: "negative size", src: `
		entry main (n: i64) : i64 = {
		  let s = reduce (i < n) op (a, b) { in a + b } neutral (0) { in i }
		  in s
		}`, args: "-3i64", fails: "negative size -3"},
	{name: "arguments disagree", src: `entry main [n] (xs: [n]i32 @ ?m, ys: [n]i32 @ ?k) : i32 = { in xs[0] + ys[0] }`, args: "[1] [1, 2]",
		fails: "argument `ys` has size 2 in dimension 0, but `n` is 1 \\(from `xs`\\)"},
	{name: "scatter twice", src: `
		entry main [n] (xs: *[n]i32 @ ?m) : [n]i32 = { let r = scatter xs (i < n) { in (0, i32(i)) } in r }`, args: "[1, 2]",
		fails: "two threads write element 0 of `xs`"},
	{name: "stored twice", src: `
		entry main [n] (xs: *[n]i32 @ ?m) : [n]i32 = {
		  let r = map (i < n) into (xs) {
		    into xs [i] = 3
		    into xs [i] = 4
		    into xs [i + 1] = 5
		    in ()
		  }
		  in r
		}`, args: "[1, 2]", fails: "two threads write element 1 of `xs`"},
	{name: "huge array", src: `
		entry main (n: i64) : i64 = {
		  let m = alloc 8
		  let xs: [n][n]i64 @ m = replicate (n, n) 0
		  in xs[0, 0]
		}`, args: "1000000000i64", fails: "out of memory"},
}

func TestBoth(t *testing.T) {
	for _, c := range both {
		c.run(t, "value", ByValue, false)
		c.run(t, "memory", ByMemory, false)
	}
}

// Memory-agnostic programs, which run by value directly.
var agnostic = []program{
	{name: "loop over arrays", src: `
		entry main [n] (xs: [n]i32, k: i64) : [n]i32 = {
		  let r = loop (a: [n]i32 = xs) for i < k { let b = map (j < n) { in a[n - 1 - j] * 2 } in b }
		  in r
		}`, args: "[1, 2, 3] 3i64", want: "[24, 16, 8]"},
	{name: "game of life row", src: `
		entry main [n] (xs: [n]u8) : [n]u8 = {
		  let ys = map (i < n) {
		    let l = if i > 0 then xs[i - 1] else 0u8
		    let r = if i < n - 1 then xs[i + 1] else 0u8
		    in l ^ r
		  }
		  in ys
		}`, args: "[1u8, 0u8, 0u8, 1u8]", want: "[0u8, 1u8, 1u8, 0u8]"},
	{name: "concat without a name for the sum", src: `
		entry main [n] (xs: [n]i32) : (k: i64, [k]i32) = {
		  let k = n + 2
		  let l: [2]i32 = [8, 9]
		  let c: [k]i32 = concat@0 (xs, l)
		  in (k, c)
		}`, args: "[1]", want: "3i64 [1, 8, 9]"},
	{name: "fresh arrays in threads", src: `
		entry main (n: i64) : [n][3]i64 = {
		  let r = map (i < n) {
		    let t = iota 3
		    let u = t with [1] = i * 100
		    in u
		  }
		  in r
		}`, args: "2i64", want: "[[0i64, 0i64, 2i64], [0i64, 100i64, 2i64]]"},
	{name: "ranges of other types", src: `
		entry main (a: i32, b: i32) : (k: i64, [k]i32, [3]u8) = {
		  let k = i64(b - a)
		  let xs: [k]i32 = [a ..< b]
		  let ys: [3]u8 = iota 3
		  in (k, xs, ys)
		}`, args: "-1i32 2i32", want: "3i64 [-1i32, 0i32, 1i32] [0u8, 1u8, 2u8]"},
	{name: "negative range", src: `
		entry main (k: i64) : i64 = { let xs: [k]i64 = [5 ..< 5 + k] in k }`, args: "-3i64", fails: "negative size -3"},
	{name: "hist of pairs", src: `
		entry main [n] (xs: *[n]i32, ys: *[n]i64) : ([n]i32, [n]i64) = {
		  let (a, b) = hist (xs, ys) (i < 5) op (v, vi, w, wi) { let more = w > v in (if more then w else v, if more then wi else vi) }
		    neutral (0i32, -1) { in (i % 2, i32(i * 7 % 5), i) }
		  in (a, b)
		}`, args: "[0, 0] [-1i64, -1i64]", want: "[4, 2] [2i64, 1i64]"},
	{name: "scratch", src: `
		entry main (n: i64) : [n]i64 = {
		  let s = scratch i64 (n)
		  let r = loop (p: *[n]i64 = s) for i < n { let q = p with [i] = i in q }
		  in r
		}`, args: "3i64", want: "[0i64, 1i64, 2i64]"},
	{name: "a call consumes", src: `
		fun put [n] (xs: *[n]i32, v: i32) : *[n]i32 = { let ys = xs with [0] = v in ys }
		entry main [n] (xs: [n]i32) : ([n]i32, [n]i32) = {
		  let c = copy xs
		  let a = put(c, 7i32)
		  let b = put(a, 8i32)
		  in (xs, b)
		}`, args: "[1, 2]", want: "[1, 2] [8, 2]"},
	{name: "reshape of a view that is not contiguous", src: `
		entry main [n] (xs: [n][n]i32) : (k: i64, [k]i32) = {
		  let k = n * n
		  let t = rearrange (1, 0) xs
		  let r = reshape (k) t
		  in (k, r)
		}`, args: "[[1, 2], [3, 4]]", want: "4i64 [1, 3, 2, 4]"},
	{name: "sizes differ", src: `
		entry main [n][m] (xs: [n]i32, ys: [m]i32) : [n]i32 = {
		  let zs: *[n]i32 = copy xs
		  let r = zs with [(0, n)] = ys
		  in r
		}`, args: "[1, 2] [1]", fails: "sizes differ: .*: (1 and 2|2 and 1)"},
	{name: "reshape to another size", src: `
		entry main [n] (xs: [n]i32, k: i64) : [k]i32 = { let r = reshape (k) xs in r }`, args: "[1, 2] 3i64", fails: "sizes differ: .*: (2 and 3|3 and 2)"},
}

func TestByValue(t *testing.T) {
	for _, c := range agnostic {
		c.run(t, "value", ByValue, false)
	}
}

// TestUseAfterConsumption shows ByValue programs that the verifier refuses.
func TestUseAfterConsumption(t *testing.T) {
	for _, c := range []program{
		{name: "read of the consumed", src: `
			entry main [n] (xs: *[n]i32) : i32 = { let ys = xs with [0] = 5i32 in xs[0] + ys[0] }`, args: "[1]"},
		{name: "read through a view", src: `
			entry main [n] (xs: *[n]i32) : i32 = {
			  let v = xs[(0, n, 1)]
			  let ys = xs with [0] = 5i32
			  in v[0] + ys[0]
			}`, args: "[1]"},
		{name: "copied after scatter", src: `
			entry main [n] (xs: *[n]i32) : [n]i32 = {
			  let ys = scatter xs (i < n) { in (i, 1i32) }
			  let zs = copy xs
			  in zs
			}`, args: "[1]"},
	} {
		c.fails = "bug: use after consumption: `(xs|v)` is read"
		c.run(t, "value", ByValue, true)
	}
}
