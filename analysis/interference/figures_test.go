package interference_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memc-lang/memc/analysis/interference"
)

// found lists the pairs that interfere, with the kind of reason, and those that are excused ("=").
// Pairs with a block of the caller are omitted.
func found(t *interference.Table) string {
	var out []string
	name := func(m string) string { return strings.TrimPrefix(m, "m_") }
	t.Each(func(m1, m2 string, w interference.Witness) {
		if w.Why != interference.Caller {
			out = append(out, fmt.Sprintf("%s-%s %v", name(m1), name(m2), w.Why))
		}
	})
	for _, p := range t.Excused() {
		out = append(out, fmt.Sprintf("%s=%s", name(p.M1), name(p.M2)))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// The figures of chapter 6, and what sections 5.9, 5.10 and 9.2 say about
// analyses: each with its counterpart, in the same file or the next.
func TestFigures(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"both-live", "a-b live"}, // c with neither
		{"unique-parameter", "own=x, x-y live"},

		// Chapter 6: results, loops, several live intervals.
		{"last-use-in-result", "dst0-dst1 live"},
		{"last-use-before-result", ""},
		{"loop-outer-array", "t-u live, t-v live, t-w statement, u=v, u=w, v=w"},
		{"loop-own-array", "t=u, u=v"}, // t and v not: t is replaced
		{"loop-temporary-last-use", "xs0=ys, ys-ts0 live, ys=ts1"},
		{"loop-temporary-last-use-overridden", "xs0-ts0 live, xs0-ts1 live, xs0-ys live, ys-ts0 live, ys=ts1"},

		// Interference exceptions.
		{"access-same-element", "xs=ys"},
		{"access-other-element", "ar-br live, ar-bs live, ar-cr live, ar-cs live, as-ar threads, br-cr live, br-cs live, bs-br threads, cs-cr threads"},
		{"access-element-size", "us=vs, xs-ys threads, ys-us live, ys-vs live"},
		{"access-layout", "us=vs, xs-ys threads, ys-us live, ys-vs live"},
		{"access-copy", "us-vs statement, xs=ys, ys-us live, ys-vs live"},
		{"access-nested-loop", "us-vs threads, xs=ys, ys-us live, ys-vs live"},
		{"access-in-loop", "ps-qs live, us=vs, vs-ps live, vs-qs live, xs=ys, ys-ps live, ys-qs live, ys-us live, ys-vs live"},
		{"access-disjoint-places", "us-vs threads, xs=ys, ys-us live, ys-vs live"},
		{"access-staged", "us-vs statement, xs=ys, ys-us live, ys-vs live"},

		// Section 9.2: the table of figure 9.6, across iterations, branches, first-order loops.
		{"greedy-table", "xs0-xs1 live, xs0-xs2 live, xs0-xs3 threads, xs1-xs2 threads, xs2-xs3 threads"},
		{"loop-in-place", "a0=b1"},
		{"loop-not-in-place", "a0-b1 threads, b1-b1 iterations"},
		{"branch-conditional-last-use", ""},
		{"branch-used-behind", "xs-then live"},
		{"branch-within-branch", ""},
		{"first-order-loops", "xss-ys live"},

		// Sections 5.9 and 5.10: threads.
		{"threads-same-structure", "r0-out threads, r1-out threads"},
		{"threads-other-structure", "r0-out threads, r0-r1 threads, r1-out threads"},
		{"threads-max-trick", "r0=out, r1=out"},
		{"threads-element-size", "r0-out threads, r0-r1 threads, r0-r2 threads, r1-out threads, r2-out threads"},

		{"blocks-rotate", "m0=m1, m0=m2"},
		{"kernel-loop", "t-r threads, ys-r threads, ys=t"},
		{"views-and-updates", "xs-c live"},
	} {
		if got := found(file(t, c.file)); got != c.want {
			t.Errorf("%s:\n got  %s\n want %s", c.file, got, c.want)
		}
	}
}

// Existential blocks, one block asked for twice, and blocks of the caller.
func TestQuestions(t *testing.T) {
	x := file(t, "loop-not-in-place")
	for _, c := range []struct {
		m1, m2 string
		why    interference.Why
		want   bool
	}{
		{"m_b1", "m_b1", interference.Iterations, true},
		{"m_a0", "m_a0", 0, false},
		{"m_b0", "m_a1", interference.SameBlock, true},
		{"m_a0", "m_a1", interference.SameBlock, true},
		{"m_b1", "m_ns", interference.Caller, true},
		{"m_b0", "m_ns", interference.Caller, true},
	} {
		w, bad := x.Interfere(c.m1, c.m2)
		if bad != c.want || bad && w.Why != c.why {
			t.Errorf("%s and %s: %v %v (%v)", c.m1, c.m2, bad, w.Why, w)
		}
	}
	if got := fmt.Sprint(x.Neighbours("m_b1")); got != "[m_a0 m_b1 m_ns]" {
		t.Errorf("neighbours of m_b1 are %s", got)
	}
	if _, repeats := file(t, "loop-in-place").Repeats("m_b1"); repeats {
		t.Error("the iterations of loop-in-place do not meet")
	}
	w, _ := file(t, "both-live").Interfere("m_a", "m_b")
	if got, want := w.String(), "a and b are both needed at point 7"; got != want {
		t.Errorf("witness %q, want %q", got, want)
	}
}

// Excuses tell how a meeting was found harmless.
func TestExcuses(t *testing.T) {
	x := file(t, "access-copy")
	es := x.Excuses("m_xs", "m_ys")
	if len(es) != 1 || es[0].Reason != interference.InPlace || es[0].String() != "xs is used last where it is copied to ys, at the same place" {
		t.Errorf("excuses %v", es)
	}
	back := x.Excuses("m_ys", "m_xs")
	if len(back) != 1 || back[0].First != "xs" {
		t.Errorf("excuses the other way %v", back)
	}
	if es := file(t, "access-same-element").Excuses("m_xs", "m_ys"); len(es) != 1 || es[0].Reason != interference.OwnElements {
		t.Errorf("excuses %v", es)
	}
}
