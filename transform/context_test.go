package transform

import (
	"testing"

	"github.com/memc-lang/memc/ir/diag"
)

func TestRewriteHonoursLimit(t *testing.T) {
	for _, tc := range []struct{ limit, asked, made int }{
		{Unlimited, 5, 5}, {0, 5, 0}, {2, 5, 2}, {7, 5, 5},
	} {
		remarks := &diag.List{}
		c := NewContext("p", remarks, tc.limit)
		made := 0
		for range tc.asked {
			if c.Rewrite(diag.Span{}, "step %d", made) {
				made++
			}
		}
		if made != tc.made || c.Rewrites != tc.made || len(remarks.All) != tc.made {
			t.Errorf("limit %d: %d granted, %d counted, %d remarks; want %d of each",
				tc.limit, made, c.Rewrites, len(remarks.All), tc.made)
		}
	}
}

func TestRemarkNamesItsPass(t *testing.T) {
	remarks := &diag.List{}
	c := NewContext("explicit", remarks, Unlimited)
	c.Remark(diag.Span{}, "copy of `%s`", "xs")
	if got, want := remarks.All[0].Msg, "explicit: copy of `xs`"; got != want {
		t.Errorf("remark %q, want %q", got, want)
	}
	if c.Rewrites != 0 {
		t.Errorf("a remark counted as %d rewrites", c.Rewrites)
	}
	NewContext("p", nil, Unlimited).Remark(diag.Span{}, "dropped") // nil Remarks is allowed
}
