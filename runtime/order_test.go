package runtime

import (
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

// marking is a driver whose commands are done up to a number.
type marking struct {
	linker
	left, upTo int
}

func (d *marking) mark(int) (event, error) { d.left++; return d.left, nil }
func (d *marking) done(ev event) bool      { return ev.(int) <= d.upTo }
func (d *marking) drop(event)              {}

// TestForgottenMarks waits for a command whose mark a lane has forgotten, since it is done:
// later commands, whose marks are left, are none of its business.
func TestForgottenMarks(t *testing.T) {
	d := &marking{upTo: maxMarks}
	l := &lane{link: d, eager: true, after: map[*lane]int64{}}
	var first, last stamp
	for i := range maxMarks + 1 {
		s := must.Get(l.stamp())(t)
		if last = s; i == 0 {
			first = s
		}
	}
	if ev, err := first.event(); ev != nil || err != nil {
		t.Errorf("the first of %d commands waits for event %v, %v", maxMarks+1, ev, err)
	}
	if ev, err := last.event(); ev != d.left || err != nil {
		t.Errorf("the last of %d commands waits for event %v, %v, want %d", maxMarks+1, ev, err, d.left)
	}
}
