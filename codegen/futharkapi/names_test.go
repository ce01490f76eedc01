package futharkapi

import "testing"

// The names of opaque types in C are Futhark's, hashes included: users have
// them in their programs.
func TestOpaqueNames(t *testing.T) {
	for in, want := range map[string]string{
		"point":                   "opaque_point",
		"()":                      "opaque_unit",
		"[]point":                 "opaque_arr1d_point",
		"[][]f32":                 "opaque_arr2d_f32",
		"(i64, bool)":             "opaque_tup2_i64_bool",
		"[](i32, (f32, []f32))":   "opaque_arr1d_tup2_i32_tup2_f32_arr1d_f32",
		"rng.state":               "opaque_rng_state",
		"[]rng.state":             "opaque_arr1d_rng_state",
		"#foo (i32, []f32)":       "opaque_7e1a81531cc3c23bb9093ed822aec320",
		"{x: f32, y: f32}":        "opaque_5b8126def357ba47da6eec4c9ce2c015",
		"very_long_name_of_a_t_1": "opaque_very_long_name_of_a_t_1",
	} {
		if got := opaqueName(in); got != want {
			t.Errorf("%q is called %s, want %s", in, got, want)
		}
	}
	for _, in := range []string{"_t", "(i64, bool", "a.b.c", "3d", "t'", "", "[]", "(i64, bool) -> f32"} {
		if got := opaqueName(in); len(got) != len("opaque_")+32 || !validName(got) {
			t.Errorf("%q is called %s, want a hash", in, got)
		}
	}
}

func TestEncodedNames(t *testing.T) {
	for in, want := range map[string]string{
		"main": "main", "letter's": "letterzqs", "x'": "xzq", "a_b1": "a_b1", "+": "zp", "a.b": "azib", "2d": "z32Ud",
		"buzz'": "buzzzzzq", "Z'": "ZZzq", "a b": "az20Ub", "~": "z7eU", "¬'": "z0acUzq", "": "",
	} {
		if got := cName(in); got != want {
			t.Errorf("%q is called %s, want %s", in, got, want)
		}
	}
}
