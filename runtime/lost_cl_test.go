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
		code  int
		waits bool
		lost  bool
	}{{-9999, false, true}, {-36, false, true}, {-34, false, true}, {-2, true, true}, {-14, true, true}, {-5, true, true},
		{-5, false, false}, {-4, true, false}, {-52, false, false}, {-6, true, false}} {
		if got := errors.Is(clError(x.code, x.waits), errLost); got != x.lost {
			t.Errorf("code %d, waits %v: lost is %v", x.code, x.waits, got)
		}
	}
	if err := noMemory(clErrors[-5]); !errors.Is(err, errNoMemory) || errors.Is(err, errLost) {
		t.Errorf("out of resources of an allocation: %v", err)
	}
}
