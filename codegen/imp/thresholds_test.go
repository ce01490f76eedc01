package imp_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memc-lang/memc/codegen/imp"
)

func TestTuning(t *testing.T) {
	const text = "few-elements 64 # a comment\n\n# another\n  tile-bytes 128\n"
	got, err := imp.ReadTuning(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(imp.Tuning{"few-elements": 64, "tile-bytes": 128}, got); d != "" {
		t.Error(d)
	}
	var b strings.Builder
	if err := got.Write(&b); err != nil || b.String() != "few-elements 64\ntile-bytes 128\n" {
		t.Errorf("Write gives %q, %v", b.String(), err)
	}
	for text, want := range map[string]string{
		"few-element=3":    "no threshold",
		"few-elements":     "expected NAME=VALUE",
		"few-elements=0":   "from 1 to",
		"tile-bytes=1000":  "from 4 to 172",
		"tile-bytes=seven": "whole number",
	} {
		if err := (imp.Tuning{}).Set(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Set(%q) gives %v, expected %q", text, err, want)
		}
	}
}

// A line of a file is told the form that the file has.
func TestTuningLine(t *testing.T) {
	_, err := imp.ReadTuning(strings.NewReader("few-elements 64\ntile-bytes=128\n"))
	if want := `line 2: "tile-bytes=128": expected NAME VALUE`; err == nil || err.Error() != want {
		t.Errorf("%v, expected %q", err, want)
	}
}

func TestThresholds(t *testing.T) {
	for _, h := range imp.Thresholds {
		if h.Least < 0 || h.Least > h.Default || h.Default > h.Most {
			t.Errorf("%s: %d is not from %d to %d", h.Name, h.Default, h.Least, h.Most)
		}
	}
	const text = `entry main [n] (xs: [n]f32) : [n]f32 = {
  let ys = scan (i < n) op (a, b) { in a + b } neutral (0) { in xs[i] }
  in ys
}`
	kernels := func(opt imp.Options) *imp.Program {
		p, err := lower(t.Name(), text, opt)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p, q := kernels(imp.Options{}), kernels(imp.Options{Tuning: imp.Tuning{"tile-bytes": 64}})
	if d := cmp.Diff([]string{"tile-work", "moved-bytes", "tile-bytes", "scan-work", "max-groups"}, p.Thresholds, cmp.Transformer("set", func(list []string) map[string]bool {
		set := map[string]bool{}
		for _, n := range list {
			set[n] = true
		}
		return set
	})); d != "" {
		t.Error(d)
	}
	if dumped(t, p) == dumped(t, q) {
		t.Error("a threshold that the program depends on changes nothing")
	}
}

// Neighbours of one byte are moved a word at a time, beside those of two bytes as well.
func TestMovesWords(t *testing.T) {
	const text = `entry main [n][m] (xs: [n][m]u8, zs: [n][m]u16) : [m]u16 = {
  let s = reduce (j < m, k < n) op (a, b) { in a + b } neutral (0) { in u16(xs[k, j]) + zs[k, j] }
  in s
}`
	p, err := lower(t.Name(), text, imp.Options{Tuning: imp.Tuning{"moved-bytes": 1}})
	if err != nil {
		t.Fatal(err)
	}
	moves := 0
	for _, k := range p.Kernels {
		imp.Each(k.Body, func(m *imp.Move) {
			moves++
			if m.Len*m.Prim.Size() < 4 {
				t.Errorf("%s moves %d elements of %s", k.Name, m.Len, m.Prim)
			}
		})
	}
	if moves == 0 {
		t.Error("no kernel moves several elements at once")
	}
}
