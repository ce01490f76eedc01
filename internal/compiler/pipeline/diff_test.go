package pipeline

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	before := "a\nb\nc\nd\ne\nf\ng\nh\ni\n"
	after := "a\nb\nc\nD\ne\nf\ng\nh\ni\nj\n"
	want := "@@ line 2 @@\n b\n c\n-d\n+D\n e\n f\n@@ line 8 @@\n h\n i\n+j"
	if got := Diff(before, after); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := Diff(before, before); got != "" {
		t.Errorf("equal texts differ: %q", got)
	}
}

// The lines kept and gone make the old text, those kept and new the new one.
func TestEditsRebuildBothTexts(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 500 {
		var a, b []string
		for range rng.Intn(12) {
			a = append(a, fmt.Sprint(rng.Intn(4)))
		}
		for range rng.Intn(12) {
			b = append(b, fmt.Sprint(rng.Intn(4)))
		}
		var old, now []string
		for _, e := range Edits(a, b) {
			if e.Sign != '+' {
				old = append(old, e.Text)
			}
			if e.Sign != '-' {
				now = append(now, e.Text)
			}
		}
		if strings.Join(old, " ") != strings.Join(a, " ") || strings.Join(now, " ") != strings.Join(b, " ") {
			t.Fatalf("%v -> %v: edits rebuild %v and %v", a, b, old, now)
		}
	}
}
