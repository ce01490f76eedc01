package opencl

import (
	"regexp"
	"strings"
	"testing"

	"github.com/memc-lang/memc/ir"
)

// TestHelpers holds the expansion of scalar.h to what a preprocessor gives: every operation is
// there once, complete, and no macro of that file is left.
func TestHelpers(t *testing.T) {
	found := map[string]string{}
	for _, h := range scalarHelpers() {
		name := h.defines[0]
		if found[name] != "" {
			t.Errorf("%s is there twice", name)
		}
		found[name] = h.text
		if strings.Count(h.text, "{") != strings.Count(h.text, "}") || !strings.HasSuffix(h.text, "}") || strings.ContainsAny(h.text, "#\\") {
			t.Errorf("%s is not a function:\n%s", name, h.text)
		}
		for _, m := range regexp.MustCompile(`#define (MEMC_\w+)\(`).FindAllStringSubmatch(scalarSource, -1) {
			if strings.Contains(h.text, m[1]+"(") {
				t.Errorf("%s: %s is not expanded", name, m[1])
			}
		}
	}
	for fn, sig := range ir.Builtins {
		for _, p := range ir.Prims {
			if name := "memc_" + fn + "_" + p.String(); !sig.Bits && p != ir.Bool && (sig.Float && p.Float() || sig.Integer && p.Integer()) && found[name] == "" {
				t.Errorf("%s is not defined", name)
			}
		}
	}
	if want := "MEMC_FN int8_t memc_min_i8(int8_t a, int8_t b) { return a < b ? a : b; }"; found["memc_min_i8"] != want {
		t.Errorf("memc_min_i8 is\n%s", found["memc_min_i8"])
	}
}

// TestPreludeOfKernels tells that kernels begin with what they use, and what that uses.
func TestPreludeOfKernels(t *testing.T) {
	for text, want := range map[string]struct{ has, lacks string }{
		"":                             {"typedef char int8_t", "memc_fault"},
		"x = memc_max_i64(a, b);":      {"memc_max_i64", "memc_min_i64"},
		"h = memc_hypot_f16(a, b);":    {"float memc_single(", "memc_max_i64"},
		"y = memc_fmod_i32(a, b);":     {"memc_rem_i32", "memc_fdiv_i32"},
		"memc_fault(fault, 1, 0, 0);":  {"void memc_fault(", "memc_poke32"},
		"memc_raise_whole(f, memc_v);": {"MEMC_ELEMENT(float)", "memc_quotient_i64"},
	} {
		u := newUsage()
		u.note(text)
		got := u.prelude()
		if !strings.Contains(got, want.has) || strings.Contains(got, want.lacks) {
			t.Errorf("%q: the prelude should have %s, and not %s:\n%s", text, want.has, want.lacks, got)
		}
	}
}
