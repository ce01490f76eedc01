package scalar

import "github.com/memc-lang/memc/ir/diag"

// A Fault is what a failing operation panics with. The caller's top level
// recovers it and makes a diagnostic of it. Span is unknown where a plain
// function (Binary, Builtin) failed; compiled expressions fill it in.
type Fault struct {
	Code diag.Code
	Span diag.Span
	Msg  string
}

func (f *Fault) Error() string { return f.Msg }
