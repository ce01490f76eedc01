package interp

import (
	"fmt"

	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// fault stops the run with an error of the program.
func fault(code diag.Code, at diag.Span, format string, args ...any) {
	panic(&diag.Diagnostic{Severity: diag.Error, Code: code, Span: at, Msg: fmt.Sprintf(format, args...)})
}

// broken stops with a broken invariant: something that checking excludes.
func broken(at diag.Span, format string, args ...any) {
	panic(&diag.Diagnostic{Severity: diag.Bug, Span: at, Msg: fmt.Sprintf(format, args...)})
}

// limited stops with a known limitation.
func limited(at diag.Span, format string, args ...any) {
	panic(&diag.Diagnostic{Severity: diag.Limitation, Span: at, Msg: fmt.Sprintf(format, args...)})
}

// recovered makes a diagnostic of what a run panicked with. Nothing but a
// diagnostic leaves this package.
func recovered(file *diag.File, r any) *diag.Diagnostic {
	var d *diag.Diagnostic
	switch r := r.(type) {
	case *diag.Diagnostic:
		d = r
	case *scalar.Fault:
		d = &diag.Diagnostic{Severity: diag.Error, Code: r.Code, Span: r.Span, Msg: r.Msg}
	default:
		d = &diag.Diagnostic{Severity: diag.Bug, Msg: fmt.Sprintf("the interpreter failed: %v", r)}
	}
	d.File = file
	return d
}

func badIndex(at diag.Span, i int64, dimension int, array string, size int64) {
	fault(diag.IndexOutside, at, "index %d is out of bounds for dimension %d of `%s`, whose size is %d", i, dimension, array, size)
}

// outside reports index i of dimension d. The indices behind it are computed first, and may fail.
func outside(frame []uint64, a *array, e *ir.Index, ix []scalar.Code, d int, i int64) {
	for _, c := range ix[d+1:] {
		c(frame)
	}
	badIndex(e.Indices[d].Span(), i, d, a.name, a.dims[d].len)
}

func badSlice(at diag.Span, s selected, dimension int, array string, size int64) {
	fault(diag.SliceOutside, at, "slice start %d length %d stride %d is out of bounds for dimension %d of `%s`, whose size is %d",
		s.start, s.len, s.stride, dimension, array, size)
}

func sizesDiffer(at diag.Span, what string, a, b int64) {
	fault(diag.SizesDisagree, at, "sizes differ: %s: %d and %d", what, a, b)
}

// nonNegative refuses a negative size.
func nonNegative(at diag.Span, n int64) int64 {
	if n < 0 {
		fault(diag.NegativeSize, at, "negative size %d", n)
	}
	return n
}
