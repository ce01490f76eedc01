//go:build cgo

package runtime

import (
	"errors"
	"testing"
)

// Which answers of a driver mean that the device is lost: NVIDIA's after a kernel broke
// down, a queue that is not valid any more; "out of resources" only of a wait.
func TestLostErrors(t *testing.T) {
	for _, x := range []struct {
		err  error
		lost bool
	}{{code("a", -9999, false), true}, {code("b", -36, false), true}, {code("c", -34, false), true}, {code("d", -2, true), true},
		{code("e", -14, true), true}, {code("f", -5, true), true}, {code("g", -5, false), false}, {code("h", -4, true), false},
		{code("i", -52, false), false}, {code("j", -6, true), false}} {
		if got := errors.Is(x.err, errLost); got != x.lost {
			t.Errorf("%v: lost is %v", x.err, got)
		}
	}
	if err := noMemory(-5); !errors.Is(err, errNoMemory) || errors.Is(err, errLost) {
		t.Errorf("out of resources of an allocation: %v", err)
	}
}
