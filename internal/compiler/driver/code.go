package driver

import (
	"errors"

	"github.com/memc-lang/memc/internal/base/hostmem"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/host"
)

// CodeOf returns the code of an error, "" if it has none: one of a device, or a bug. That of what is behind an
// error counts: text that is too long for this machine is no malformed text.
func CodeOf(err error) diag.Code {
	var short *hostmem.Short
	var oom *runtime.OutOfMemory
	var d *diag.Diagnostic
	var h *host.Error
	var coded *diag.Coded
	switch {
	case errors.As(err, &d):
		return d.Code
	case errors.As(err, &oom), errors.As(err, &short):
		return diag.OutOfMemory
	case errors.As(err, &h):
		return h.Code
	case errors.As(err, &coded):
		return coded.Code
	}
	return ""
}
