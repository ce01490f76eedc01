//go:build cgo

package exec

import (
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/runtime"
)

// Wrong arguments are told before kernels are built: here they cannot be.
func TestArgumentsBeforeBuild(t *testing.T) {
	c := open(t, runtime.Options{})
	_, err := Run(c, program(addFunc()), "this is no OpenCL C", "main", []value.Value{i32(1), i32(1)}, Options{})
	if err == nil || !strings.Contains(err.Error(), "argument `xs` is i32, but [n]i32 is expected") {
		t.Errorf("a wrong argument: %v", err)
	}
	_, err = Run(c, program(addFunc()), "this is no OpenCL C", "nosuch", nil, Options{})
	if err == nil || !strings.Contains(err.Error(), "there is no entry `nosuch`") {
		t.Errorf("a wrong entry: %v", err)
	}
}
