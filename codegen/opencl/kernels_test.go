//go:build cgo

package opencl_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/codegen/opencl"
)

// own returns the kernels of a program's text, without the prelude.
func own(text string) string { return text[strings.Index(text, "__kernel"):] }

// TestElementsMayAlias checks that kernels read and write elements only by types
// that may alias each other: one place can hold two types, one after the other.
func TestElementsMayAlias(t *testing.T) {
	for _, path := range []string{"fixedbugs/two-types-one-place.ir", "imp/kernel-copies.ir", "lang/hist-in-local-memory.ir", "lang/hist/pos-several.ir", "lang/hist/pos-types.ir", "lang/reduce/pos-segments.ir"} {
		text := opencl.Kernels(lower(t, path, readFile(t, "../../testdata/"+path)))
		if !strings.Contains(text, "#define MEMC_ELEMENT(T) typedef T memc_any_##T __attribute__((may_alias));") ||
			!strings.Contains(text, "#define MEMC_AT(T, block, i) (((__global memc_any_##T *)(block))[i])") {
			t.Fatalf("%s: MEMC_AT does not use types that may alias", path)
		}
		// Pointers to words go to atomics only, blocks are bytes, and a tile has one type;
		// room is bytes.
		allowed := regexp.MustCompile(`^(memc_any_\w+|memc_(?:copied|packed)_##SIZE|uchar|int \*fault|int \*lock|u?int \*\)|ulong \*\)|u?int \*cell|ulong \*cell|int pending|T tile\[|ulong room\[)`)
		for _, m := range regexp.MustCompile(`__(?:global|local) (?:const )?(.*)`).FindAllStringSubmatch(own(text), -1) {
			if !allowed.MatchString(m[1]) {
				t.Errorf("%s: an access by a type that may not alias: %s", path, m[0])
			}
		}
	}
}

// TestOffsetTermsWrap checks that terms of an offset which may be too large, although their
// sum is not, are added with wrap-around: of elements that are moved one by one, and several
// at once.
func TestOffsetTermsWrap(t *testing.T) {
	for prim, kernel := range map[string]string{"i64": "main_ys_map(", "u8": "main_ys_map_wide("} {
		text := own(opencl.Kernels(lower(t, "rows.ir", "entry main [n] (xs: [n][16]"+prim+", m: i64, h: i64, k: i64) : (m1: i64, [m1][16]"+prim+") = {\n"+
			"  let v = xs[(h - k, m), (0, 16)]\n  let ys = map (i < m, j < 16) { in v[i, j] + 1"+prim+" }\n  in (m, ys)\n}\n")))
		if !strings.Contains(text, kernel) || !strings.Contains(text, "memc_mul_i64(h_, 16)") || strings.Contains(text, "h_ * 16") {
			t.Errorf("%s: the terms of an offset are added by signed arithmetic, or there is no %s:\n%s", prim, kernel, text)
		}
	}
}

// TestChosenByDevice checks that what a device's compiler chooses is no branch of a kernel, and that the last group of a
// sum combines the parts only on GPUs: PoCL takes long for branches with barriers, and for what no processor runs.
func TestChosenByDevice(t *testing.T) {
	text := own(opencl.Kernels(lower(t, "sums.ir", `entry main [n] (xs: [n]f32) : (f32, [n]f32) = {
  let s = reduce (i < n) op (a, b) { in a + b } neutral (0) { in xs[i] }
  let ys = scan (i < n) op (a, b) { in a + b } neutral (0) { in xs[i] }
  in (s, ys)
}
`)))
	if strings.Contains(text, "MEMC_JOIN") || strings.Contains(text, "if (MEMC_BATCHES)") {
		t.Errorf("a branch that is chosen by the device's compiler:\n%s", text)
	}
	// The ticket of a group, which only a reduction of one value takes.
	sum := text[strings.Index(text, "main_s_reduce("):]
	sum = sum[:max(strings.Index(sum, "atomic_inc"), 0)]
	if strings.LastIndex(sum, "#if MEMC_BATCHES") <= strings.LastIndex(sum, "#endif") {
		t.Errorf("processors take tickets:\n%s", text)
	}
}

const pairs = `entry main [n] (is: [n]i64, xs: [n]i16) : ([4]i32, [4]i16) = {
  let a = replicate (4) 0i32
  let b = replicate (4) 0i16
  let (a2, b2) = hist (a, b) (i < n) op (x, y, z, w) { in (x + z, max(y, w)) } neutral (0i32, 0i16) { in (is[i], 1i32, xs[i]) }
  in (a2, b2)
}
`

// TestLockFences checks that an atomic which holds a lock has a fence of the whole
// device behind the taking of the lock and one before its release.
func TestLockFences(t *testing.T) {
	text := opencl.Kernels(lower(t, "pairs.ir", pairs))
	fenced := regexp.MustCompile(`(?s)if \(atomic_cmpxchg\(lock, 0, 1\) == 0\) \{\s*memc_fence\(\);\n.*memc_fence\(\);\s*done = true;\s*atomic_xchg\(lock, 0\);`)
	if !fenced.MatchString(text) || !strings.Contains(text, "static inline void memc_fence(void)") {
		t.Errorf("no fences around what a lock guards:\n%s", own(text))
	}
}

// TestF64OfTypes checks that kernels ask for f64 where they compute with it, and
// not because a name or a comment says so.
func TestF64OfTypes(t *testing.T) {
	for text, want := range map[string]bool{
		"entry main [n] (double: [n]f32) : [n]f32 = {\n  let to_f64 = map (i < n) { in double[i] * 2.0 }\n  in to_f64\n}\n":           false,
		"entry main [n] (xs: [n]f64) : [n]f64 = {\n  let ys = copy xs\n  in ys\n}\n":                                                  false,
		"entry main [n] (xs: [n]f32, k: f64) : (f64, [n]f32) = {\n  let ys = map (i < n) { in xs[i] + 1.0 }\n  in (k * 2.0, ys)\n}\n": false,
		"entry main [n] (xs: [n]f64) : [n]f64 = {\n  let ys = map (i < n) { in xs[i] * 2.0 }\n  in ys\n}\n":                           true,
		"entry main [n] (xs: [n]i32) : [n]i32 = {\n  let ys = map (i < n) { in i32(f64(xs[i]) * 0.1) }\n  in ys\n}\n":                 true,
	} {
		low := lower(t, "f64.ir", text)
		if got := strings.Contains(opencl.Kernels(low), "#define MEMC_F64 1"); got != want || low.F64() != want {
			t.Errorf("f64 asked for: %v, F64: %v, want %v\n%s", got, low.F64(), want, text)
		}
	}
}

// TestKeptAcrossBarriers checks that kernels mark all variables that live across a barrier, and that
// a sum in a loop, which does not, is none of them.
func TestKeptAcrossBarriers(t *testing.T) {
	groups, _ := filepath.Glob("../../testdata/groups/*.ir")
	bugs, _ := filepath.Glob("../../testdata/fixedbugs/group-*.ir")
	paths, kept := append(groups, bugs...), 0
	for _, path := range append(paths, "../../testdata/lang/reduce/pos-segments.ir", "../../testdata/imp/pos-scans-in-one-pass.ir") {
		text := readFile(t, path)
		if strings.Contains(filepath.Base(path), "neg-") {
			continue
		}
		low := lower(t, path, text)
		texts := strings.Split(opencl.Kernels(low), "__kernel")
		for _, k := range low.Kernels {
			at := slices.IndexFunc(texts, func(s string) bool { return strings.Contains(s, "void "+k.Name+"(") })
			across := imp.AcrossBarriers(k.Body)
			for _, v := range k.Vars {
				declared := regexp.MustCompile(`(MEMC_KEPT )?\b` + opencl.CType(v.Prim) + ` ` + regexp.QuoteMeta(v.Name) + ` = `).FindStringSubmatch(texts[at])
				if !across[v.Name] || declared == nil {
					continue
				}
				if kept++; declared[1] == "" {
					t.Errorf("%s: %s: %s lives across a barrier and is not marked", path, k.Name, v.Name)
				}
			}
		}
	}
	if kept < 100 {
		t.Errorf("only %d variables live across barriers", kept)
	}
	sum := lower(t, "sum.ir", "entry main [n] (xs: [n]f32) : f32 = {\n  let s = reduce (i < n) op (a, b) { in a + b } neutral (0) { in xs[i] }\n  in s\n}\n")
	if text := own(opencl.Kernels(sum)); strings.Contains(text, "MEMC_KEPT float") {
		t.Errorf("a sum is marked, which no barrier stands behind:\n%s", text)
	}
}

// TestKernelsApart checks that the kernels of a program with several entries can be built for each
// entry alone: a kernel that two of them launch is built for both, and one of a heap always.
func TestKernelsApart(t *testing.T) {
	const text = `fun twice [n] (xs: [n]f32) : [n]f32 = {
  let ys = map (i < n) { in xs[i] * 2 }
  let zs = scan (i < n) op (a, b) { in a + b } neutral (0.0) { in ys[i] }
  let us = scan (i < n) op (a, b) { in a + b } neutral (0.0) { in zs[i] }
  in us
}

entry first [n] (xs: [n]f32) : [n]f32 = {
  let ys = twice(xs)
  in ys
}

entry second [n] (xs: [n]f32) : [n]f32 = {
  let us = twice(xs)
  let vs = map (i < n) { in us[i] - 1 }
  let ys = twice(vs)
  in ys
}

entry third (n: i64) : [n]i64 = {
  let ys = map (i < n) { in i }
  in ys
}
`
	p := lower(t, "apart.ir", text)
	kernels := opencl.Kernels(p)
	conditions := map[string]bool{}
	callers := p.Callers()
	for _, k := range p.Kernels {
		cond := "#if !defined(MEMC_ENTRY)"
		for _, n := range callers[k] {
			cond += " || MEMC_ENTRY == " + strconv.Itoa(n)
		}
		before, _, found := strings.Cut(kernels, "void "+k.Name+"(")
		if at := strings.LastIndex(before, "#if !defined(MEMC_ENTRY)"); !found || at < 0 || !strings.HasPrefix(before[at:], cond+"\n") {
			t.Errorf("kernel %s is not below %s", k.Name, cond)
		}
		conditions[cond] = true
	}
	for _, want := range []string{"#if !defined(MEMC_ENTRY) || MEMC_ENTRY == 0 || MEMC_ENTRY == 1", "#if !defined(MEMC_ENTRY) || MEMC_ENTRY == 2"} {
		if !conditions[want] {
			t.Errorf("no kernel is built for %s, only for %v", want, conditions)
		}
	}
	if one := opencl.Kernels(lower(t, "one.ir", "entry main (n: i64) : [n]i64 = {\n  let ys = map (i < n) { in i }\n  in ys\n}\n")); strings.Contains(one, "MEMC_ENTRY") {
		t.Error("the kernels of one entry are guarded")
	}
	if p.DeviceAllocator = "slab"; p.Apart() || strings.Contains(opencl.Kernels(p), "MEMC_ENTRY") {
		t.Error("the kernels of a program with a heap are guarded")
	}
}
