//go:build !cgo

package runtime

import "testing"

func TestWithoutOpenCL(t *testing.T) {
	if all, err := Devices(); err != ErrNoOpenCL || all != nil {
		t.Errorf("Devices gives %v, %v; want ErrNoOpenCL", all, err)
	}
	if c, err := Open("", Options{}); err != ErrNoOpenCL || c != nil {
		t.Errorf("Open gives %v, %v; want ErrNoOpenCL", c, err)
	}
}
