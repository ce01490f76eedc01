package coalesce_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/oracle/erase"
	"github.com/memc-lang/memc/internal/oracle/memcheck"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/metrics"
	"github.com/memc-lang/memc/parser"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/coalesce"
	"github.com/memc-lang/memc/transform/explicit"
	"github.com/memc-lang/memc/transform/hoist"
)

// coalesced runs the passes up to a coalescing pass over a program and checks
// the result. It gives the program, its counts and the remarks of the last pass.
func coalesced(t *testing.T, src string, last *transform.Pass) (*ir.Program, metrics.Counts, []string) {
	t.Helper()
	file := diag.NewFile("test.ir", src)
	p, list := parser.Parse(file)
	if list.Failed() {
		t.Fatal(list.All[0])
	}
	if list := check.Program(p); list.Failed() {
		t.Fatal(list.All[0])
	}
	before := ir.Erase(p)
	remarks := &diag.List{File: file}
	for _, pass := range []*transform.Pass{explicit.Pass, hoist.Lift, last} {
		remarks.All = nil
		must.Do(t, pass.Run(p, transform.NewContext(pass.Name, remarks, transform.Unlimited)))
		if list := check.Verify(p); list.Failed() {
			t.Fatalf("after %s: %v\n%s", pass.Name, list.All[0], p)
		}
	}
	if err := erase.Equal(before, p); err != nil {
		t.Fatalf("%v\n%s", err, p)
	}
	for _, f := range memcheck.Check(p).Findings {
		t.Fatalf("%v\n%s", f.Diag, p)
	}
	var out []string
	for _, d := range remarks.All {
		out = append(out, d.Msg)
	}
	return p, metrics.Count(p), out
}

// Each refusal says which condition failed, and how.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"C1", `entry main [n] (xs: [n]i32) : ([n]i32, [n]i32) = {
			let a = map (i < n) { in xs[i] + 1 }
			let b = copy a
			let b1 = b with [0] = 7i32
			let c = map (j < n) { in a[j] * 2 }
			in (b1, c)
		}`, "[C1] `a` is copied to `b`: `b` is written there while `a` is still used (4:4)"},
		{"C2", `entry main [n] (xs: [n]i32) : [n]i32 = {
			let b = copy xs
			in b
		}`, "[C2] `xs` is copied to `b`: `xs` is a parameter, made by the caller"},
		{"C3", `entry main [n] (t: *[2][n]i32, xs: [n]i32) : [2][n]i32 = {
			let a = map (i < n) { in xs[i] + 1 }
			let k = t[1, 0]
			let b = map (j < n) { in a[j] + k }
			let t1 = t with [1, (0, n)] = a
			let t2 = t1 with [0, (0, n)] = b
			in t2
		}`, "[C3] `a` is copied to `t1`: `t` in `m_t` is read while `a` lives (3:4)"},
		{"C4", `entry main [n] (xs: [n]i32) : (k: i64, [k]i32) = {
			let a = map (i < n) { in xs[i] + 1 }
			let k = n / 2
			let half = a[(0, k)]
			let b = copy half
			in (k, b)
		}`, "[C4] `half` is copied to `b`: no place of `a` there would give `half` its new place"},
		{"C5 and C3", `entry main [m][n] (t: *[m][n]i64, xs: [n]i64) : ([m][n]i64, i64) = {
			let a = map (i < n) { in xs[i] * 2 }
			let z = t[0, 0]
			let r = a[0]
			let t1 = t with [r, (0, n)] = a
			in (t1, z)
		}`, "not known where `a` is made; besides, [C3] `t` in `m_t` is read while `a` lives"},
		{"C3, behind a motion that came to nothing", `entry main [n] (t: *[n][n]i64, v: [n]i64) : ([n][n]i64, i64) = {
			let row = map (j < n) { in v[j] * 2 + v[n - 1 - j] }
			let k = reduce (i < n) op (a, b) { in max(a, b) } neutral (0) { in v[i] }
			let s = reduce (i < n) op (a, b) { in a + b } neutral (0) { in t[i, 0] * row[i] }
			let t1 = t with [k, (0, n)] = row
			in (t1, s)
		}`, "[C3] `row` is copied to `t1`: `t` in `m_t` is read while `row` lives"},
		{"C5", `entry main [m][n] (t: *[m][n]i64, xs: [n]i64) : [m][n]i64 = {
			assert n > 0
			let a = map (i < n) { in xs[i] + 1 }
			let r = a[0]
			let t1 = t with [r, (0, n)] = a
			in t1
		}`, "[C5] `a` is copied to `t1`: the place needs `r`, which is not known where `a` is made"},
		{"sizes", `entry main [m][n] (xs: [m]i32, ys: [n]i32) : (k: i64, [m][k]i32) = {
			let a = map (i < m, i1 < 2) { in xs[i] + i32(i1) }
			let b = map (j < n, j1 < 3) { in ys[j] * i32(j1) }
			let k = 5
			let c: [m][k]i32 = concat@1 (a, b)
			in (k, c)
		}`, "[sizes] `b` is copied to `c`: the sizes of `b` and of the part of `c` are not provably equal"},
		{"sizes of an update", `entry main [m][n] (t: *[2][m]i32, xs: [n]i32) : ([2][m]i32, [m]i32) = {
			let a = map (i < n) { in xs[i] + 1 }
			let s = map (j < m) { in xs[j / 2] }
			assert a[0] == 1 && n == m
			let t1 = t with [1, (0, m)] = a
			in (t1, s)
		}`, "[sizes] `a` is copied to `t1`: only an assertion after the making of `a` shows that it fits in the part of `t1`"},
		{"sizes of a branch", `entry main [m][n][k] (t: *[m][n]i32, xs: [n]i32, ys: [k]i32, p: bool) : [m][n]i32 = {
			let r: [n]i32 = if p {
				let a = map (i < n) { in xs[i] + 1 }
				in a
			} else {
				let b = map (j < k) { in ys[j] + 1 }
				in b
			}
			let t1 = t with [0, (0, n)] = r
			in t1
		}`, "[sizes] `r` is copied to `t1`: the size of `b` is not known where `r` is made"},
		{"scattered", `entry main [n] (xs: [n]f32, k: i64) : [n][80]f32 = {
			let r = map (i < n) {
				let a = replicate (80) 0.0f32
				let b = loop (c: *[80]f32 = a) for t < k {
					let j = t % 80
					let c1 = c with [j] = c[j] + xs[i]
					in c1
				}
				in b
			}
			in r
		}`, "[access] `b` is copied to `r`: neighbouring threads would no longer touch neighbouring elements of `b`"},
		{"of a thread", `entry main [n] (xs: [n]f32, k: i64) : [n][40]f32 = {
			let r = map (i < n) {
				let a = replicate (40) 0.0f32
				let b = loop (c: *[40]f32 = a) for t < k {
					let j = t % 40
					let c1 = c with [j] = c[j] + xs[i]
					in c1
				}
				in b
			}
			in r
		}`, "[access] `b` is copied to `r`: a thread reads `b` several times, in its own memory"},
		{"spread out", `entry main [n] (xs: [n]f32, ys: [n][7]f32) : ([n]f32, [n][10]f32) = {
			let p = map (i < n, c < 3) { in xs[i] * f32(c) }
			let s = map (k < n) {
				let t = loop (u = 0.0f32) for j < n { in u + p[j, 0] * p[k, 1] }
				in t
			}
			let r: [n][10]f32 = concat@1 (p, ys)
			in (s, r)
		}`, "[access] `p` is copied to `r`: `p` is read in loops, and would be spread out"},
		// The reasons that are left when statements move up, not those that moving them mends.
		{"read in between, though its destination could be made earlier", `entry main [n] (v: [n]i64, o: i64) : ([2 * n]i64, [n]i64) = {
			let a = map (i < n) { in v[i] * 5 }
			let big = replicate (2 * n) 7
			let q = map (i < n) { in big[i] + 1 }
			let r = big with [(o, n)] = a
			in (r, q)
		}`, "[C3] `a` is copied to `r`: `big` in `m_big` is read while `a` lives (4:4)"},
		{"scattered, though its destination could be made earlier", `entry main [n] (x: [n]i64, o: i64) : [4 * n]i64 = {
			let a = map (i < n) { in x[i] + 1 }
			let b = map (i < n) { in x[i] * 5 }
			let ab = concat@0 (a, b)
			let big = replicate (4 * n) 0
			let big1 = big with [(o, 2 * n, 2)] = ab
			in big1
		}`, "[access] `ab` is copied to `big1`: neighbouring threads would no longer touch neighbouring elements of `ab`"},
		{"scattered, and its column comes later", `entry main [n][m] (x: *[m][n]i64, v: [m]i64) : [m][n]i64 = {
			let b = map (i < m) { in v[i] + 10 }
			let r = reduce (i < m) op (p, q) { in max(p, q) } neutral (0) { in b[i] }
			let x1 = x with [(0, m), r] = b
			in x1
		}`, "[access] `b` is copied to `x1`: neighbouring threads would no longer touch neighbouring elements of `b`"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, remarks := coalesced(t, c.src, coalesce.Pass)
			for _, r := range remarks {
				if strings.Contains(r, c.want) {
					return
				}
			}
			t.Errorf("no remark %q among\n%s", c.want, strings.Join(remarks, "\n"))
		})
	}
}

// One candidate of each kind: without its switch it is taken, with it it is not.
func TestSwitches(t *testing.T) {
	for _, c := range []struct {
		kind, src string
		on, off   metrics.Counts
	}{
		{"copy", `entry main [n] (xs: [n]i32) : [n]i32 = {
			let a = map (i < n) { in xs[i] + 1 }
			let b = copy a
			in b
		}`, metrics.Counts{Alloc: 1, Kernel: 1}, metrics.Counts{Alloc: 2, Copy: 1, Kernel: 1}},
		{"concat", `entry main [n] (xs: [n]i32) : (k: i64, [k]i32) = {
			let a = map (i < n) { in xs[i] + 1 }
			let k = n + n
			let b: [k]i32 = concat@0 (a, xs)
			in (k, b)
		}`, metrics.Counts{Alloc: 1, Copy: 1, Kernel: 1}, metrics.Counts{Alloc: 2, Copy: 2, Kernel: 1}},
		{"update", `entry main [n] (t: *[2][n]i32) : [2][n]i32 = {
			let a = iota n
			let b = map (i < n) { in i32(a[i]) }
			let t1 = t with [1, (0, n)] = b
			in t1
		}`, metrics.Counts{Alloc: 1, Kernel: 1}, metrics.Counts{Alloc: 2, Copy: 1, Kernel: 1}},
		{"kernel", `entry main [n] (xs: [n]i32) : [n][2]i32 = {
			let a = map (i < n) {
				let b = [xs[i], 1]
				in b
			}
			in a
		}`, metrics.Counts{Alloc: 1, Kernel: 1}, metrics.Counts{Alloc: 2, Copy: 1, Kernel: 1, Thread: 1}},
		{"buffer", `entry main [n] (xs: [n]i32, k: i64) : [n]i32 = {
			let r = loop (a = xs) for t < k {
				let b = map (i < n) { in a[i] + 1 }
				in b
			}
			in r
		}`, metrics.Counts{Alloc: 1, Kernel: 1}, metrics.Counts{Alloc: 2, Kernel: 1}},
		{"start", `entry main [n] (xs: [n]i32, k: i64) : [n]i32 = {
			let r = loop (a = xs) for t < k {
				let b = map (i < n) { in a[i] + 1 }
				in b
			}
			let c = copy r
			in c
		}`, metrics.Counts{Alloc: 1, Copy: 1, Kernel: 1}, metrics.Counts{Alloc: 2, Copy: 1, Kernel: 1}},
	} {
		t.Run(c.kind, func(t *testing.T) {
			if _, got, _ := coalesced(t, c.src, coalesce.Pass); got != c.on {
				t.Errorf("%+v, want %+v", got, c.on)
			}
			if _, got, _ := coalesced(t, c.src, coalesce.Pass.Variant([]string{c.kind})); got != c.off {
				t.Errorf("switched off: %+v, want %+v", got, c.off)
			}
		})
	}
}

// The limit stops the pass between two moves, and what is made so far is right.
func TestLimit(t *testing.T) {
	src := `entry main [n] (xs: [n]i32) : [n]i32 = {
		let a = map (i < n) { in xs[i] + 1 }
		let b = copy a
		let c = copy b
		in c
	}`
	for limit, want := range []int{2, 1, 0} {
		limited := *coalesce.Pass
		limited.Run = func(p *ir.Program, c *transform.Context) error {
			c.Limit = limit
			return coalesce.Pass.Run(p, c)
		}
		if _, got, _ := coalesced(t, src, &limited); got.Copy != want {
			t.Errorf("limit %d leaves %d copies, want %d", limit, got.Copy, want)
		}
	}
}

// Long chains and many parts of one array take their places, all of them, also where the parts are all made first:
// then each is held against as many accesses as there are parts (Note [Slots]).
func TestMany(t *testing.T) {
	const n = 400
	var copies, updates strings.Builder
	copies.WriteString("entry main [n] (xs: [n]i32) : [n]i32 = {\n let a0 = map (i < n) { in xs[i] + 1 }\n")
	updates.WriteString("entry main [n] (t0: *[" + itoa(n) + "][n]i32) : [" + itoa(n) + "][n]i32 = {\n")
	for k := 1; k <= n; k++ {
		copies.WriteString(" let a" + itoa(k) + " = copy a" + itoa(k-1) + "\n")
		updates.WriteString(" let row" + itoa(k) + " = replicate (n) " + itoa(k) + "i32\n")
		updates.WriteString(" let t" + itoa(k) + " = t" + itoa(k-1) + " with [" + itoa(k-1) + ", (0, n)] = row" + itoa(k) + "\n")
	}
	copies.WriteString(" in a" + itoa(n) + "\n}\n")
	updates.WriteString(" in t" + itoa(n) + "\n}\n")
	if _, got, _ := coalesced(t, copies.String(), coalesce.Pass); got.Copy != 0 || got.Alloc != 1 {
		t.Errorf("a chain of copies leaves %+v", got)
	}
	if _, got, _ := coalesced(t, updates.String(), coalesce.Pass); got.Copy != 0 || got.Alloc != 0 {
		t.Errorf("updates of all rows leave %+v", got)
	}
	const many = 700
	for what, c := range map[string]struct{ shape, dims, part string }{
		"rows":    {"[" + itoa(many) + "][n]i32", itoa(many) + ", n", "K, (0, n)"},
		"columns": {"[n][" + itoa(many) + "]i32", "n, " + itoa(many), "(0, n), K"},
	} {
		var first, then strings.Builder
		for k := range many {
			x := itoa(k)
			first.WriteString(" let r" + x + " = map (j" + x + " < n) { in xs[j" + x + "] * " + x + "i32 }\n")
			then.WriteString(" let t" + itoa(k+1) + " = t" + x + " with [" + strings.Replace(c.part, "K", x, 1) + "] = r" + x + "\n")
		}
		src := "entry main [n] (xs: [n]i32) : " + c.shape + " = {\n" + first.String() + " let t0 = scratch i32 (" + c.dims + ")\n" +
			then.String() + " in t" + itoa(many) + "\n}\n"
		if _, got, _ := coalesced(t, src, coalesce.Pass); got.Copy != 0 || got.Alloc != 1 {
			t.Errorf("%s that are stored after all are made leave %+v", what, got)
		}
	}
}

// In functions of any size, moves are proven no worse or refused. Here each a or b would hold all
// of c while t is held, and the size of t is unknown.
func TestPeakOfMany(t *testing.T) {
	const n = 2100 // more than 10,000 statements
	var src strings.Builder
	src.WriteString("entry main [n][k] (xs: [n]i32, ys: [k]i32) : i32 = {\n let s0 = 0i32\n let m = n + n\n")
	for i := range n {
		x := itoa(i)
		src.WriteString(" let a" + x + " = map (g" + x + " < n) { in xs[g" + x + "] + s" + x + " }\n")
		src.WriteString(" let t" + x + " = map (j" + x + " < k) { in ys[j" + x + "] + a" + x + "[0] }\n")
		src.WriteString(" let b" + x + " = map (h" + x + " < n) { in xs[h" + x + "] + t" + x + "[0] }\n")
		src.WriteString(" let c" + x + ": [m]i32 = concat@0 (a" + x + ", b" + x + ")\n let s" + itoa(i+1) + " = c" + x + "[0]\n")
	}
	src.WriteString(" in s" + itoa(n) + "\n}\n")
	file := diag.NewFile("test.ir", src.String())
	p, list := parser.Parse(file)
	if list.Failed() {
		t.Fatal(list.All[0])
	}
	if list := check.Program(p); list.Failed() {
		t.Fatal(list.All[0])
	}
	remarks := &diag.List{File: file}
	for _, pass := range []*transform.Pass{explicit.Pass, hoist.Lift, coalesce.Pass} {
		must.Do(t, pass.Run(p, transform.NewContext(pass.Name, remarks, transform.Unlimited)))
	}
	refused := 0
	for _, d := range remarks.All {
		if strings.Contains(d.Msg, "[peak]") {
			refused++
		}
	}
	if got := metrics.Count(p); refused != 2*n || got.Copy != 2*n {
		t.Errorf("%d moves are refused and %d copies left, want %d", refused, got.Copy, 2*n)
	}
}

func itoa(n int) string { return strconv.Itoa(n) }

// A guard stands before the first write that it guards, wherever moves and motions put that, and a
// check is made once.
func TestGuards(t *testing.T) {
	for _, c := range []struct{ name, src, order string }{
		{"a motion takes its check along", `entry main [n] (x: *[n][n]i64, v: [n]i64, i: i64) : [n][n]i64 = {
			let a = map (p < n) { in v[p] }
			let j = v[i]
			let r = replicate (n) 0
			let r1 = r with [(0, n)] = a
			let x1 = x with [j, (0, n)] = r1
			in x1
		}`, "j r1_part r a r1 x1"},
		{"three arrays deep", `entry main [n] (x: *[n][n][n]i64, v: [n]i64, i: i64, k: i64) : [n][n][n]i64 = {
			let a = map (p < n) { in v[p] }
			let b = replicate (n) 0
			let b1 = b with [(0, n)] = a
			let c = replicate (n, n) 1
			let c1 = c with [k, (0, n)] = b1
			let x1 = x with [i, (0, n), (0, n)] = c1
			in x1
		}`, "c1_part c b1_part b a b1 c1 x1"},
		{"two updates of one row", `entry main [n] (x: *[n][n]i64, v: [n]i64, i: i64) : [n][n]i64 = {
			let a = map (p < n) { in v[p] }
			let x1 = x with [i, (0, n)] = a
			let b = map (q < n) { in v[n - 1 - q] }
			let x2 = x1 with [i, (0, n)] = b
			in x2
		}`, "a_part a x1 b x2"},
		{"two updates of one row, under two names", `entry main [n] (x: *[n][n]i64, v: [n]i64, i: i64) : [n][n]i64 = {
			let j = i + 1
			let k = 1 + i
			let a = map (p < n) { in v[p] }
			let x1 = x with [j, (0, n)] = a
			let b = map (q < n) { in v[n - 1 - q] }
			let x2 = x1 with [k, (0, n)] = b
			in x2
		}`, "j k a_part a x1 b x2"},
		{"two rows", `entry main [n] (x: *[n][n]i64, v: [n]i64, i: i64) : [n][n]i64 = {
			let a = map (p < n) { in v[p] }
			let x1 = x with [i, (0, n)] = a
			let b = map (q < n) { in v[n - 1 - q] }
			let x2 = x1 with [i + 1, (0, n)] = b
			in x2
		}`, "a_part a x1 b_part b x2"},
		{"checked by a slice", `entry main [n] (x: *[n][n]i64, i: i64) : [n][n]i64 = {
			let old = x[i, (0, n)]
			let a = map (p < n) { in old[p] + 1 }
			let x1 = x with [i, (0, n)] = a
			in x1
		}`, "old a x1"},
		{"checked in one branch only", `entry main [n] (x: *[n][n]i64, v: [n]i64, i: i64, c: bool) : [n][n]i64 = {
			let s = if c {
				let w = x[i, (0, n)]
				in w[0]
			} else { in 0 }
			let a = map (p < n) { in v[p] + s }
			let x1 = x with [i, (0, n)] = a
			in x1
		}`, "s a_part a x1"},
		{"known", `entry main [n] (x: *[n][n]i64, v: [n]i64, i: i64) : [n][n]i64 = {
			assert i >= 0 && i < n
			let a = map (p < n) { in v[p] }
			let x1 = x with [i, (0, n)] = a
			in x1
		}`, "assert a x1"},
		{"not moved, not guarded", `entry main [n] (x: *[n][n]i64, v: [n]i64, i: i64) : [n][n]i64 = {
			let x1 = x with [i, (0, n)] = v
			in x1
		}`, "x1"},
		{"sizes of parts, once each", `entry main [n] (xs: [n]i64, k: i64) : (l: i64, [l]i64) = {
			assert k < 1048576
			let l = n + k + k
			let a = map (i < n) { in xs[i] + 1 }
			let b = map (j < k) { in j }
			let c = map (q < k) { in q + 1 }
			let y: [l]i64 = concat@0 (a, b, c)
			in (l, y)
		}`, "assert l m_y assert a b c y"},
	} {
		p, counts, _ := coalesced(t, c.src, coalesce.Pass)
		var order []string
		for _, s := range p.Funcs[0].Body.Stmts {
			if len(s.Pat) == 0 {
				order = append(order, "assert")
			} else {
				order = append(order, s.Pat[0].Name)
			}
		}
		if got := strings.Join(order, " "); got != c.order {
			t.Errorf("%s: %q, expected %q\n%s", c.name, got, c.order, p)
		}
		if c.name != "not moved, not guarded" && counts.Copy != 0 {
			t.Errorf("%s: %d copies\n%s", c.name, counts.Copy, p)
		}
	}
}
