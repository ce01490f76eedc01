package interp

import (
	"strconv"
	"strings"

	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// statement compiles one statement. What an operation names is compiled before
// its pattern is declared; the places of the pattern, which may mention names
// that the pattern binds, after that.
func (fn *function) statement(s *ir.Stmt) code {
	switch op := s.Op.(type) {
	case *ir.Compute:
		return fn.compute(s, op)
	case *ir.Assert:
		return fn.assert(s, op)
	case *ir.Copy, *ir.Concat, *ir.Scratch, *ir.Range, *ir.Replicate, *ir.ArrayLit:
		return fn.fresh(s)
	case *ir.Alias, *ir.Reshape, *ir.Rearrange, *ir.Slice:
		return fn.delayed(s)
	case *ir.Update:
		return fn.update(s, op)
	case *ir.Alloc:
		return fn.alloc(s, op)
	case *ir.If:
		return fn.branch(s, op)
	case *ir.Loop:
		return fn.loop(s, op)
	case *ir.Call:
		return fn.callFunction(s, op)
	case *ir.Map:
		return fn.mapKernel(s, op)
	case *ir.Reduce:
		return fn.fold(s, op.Space, op.Op, op.Body, false)
	case *ir.Scan:
		return fn.fold(s, op.Space, op.Op, op.Body, true)
	case *ir.Scatter:
		return fn.scatter(s, op)
	case *ir.Hist:
		return fn.hist(s, op)
	case *ir.Into:
		return fn.into(s, op)
	case *ir.Put:
		return fn.put(s, op)
	}
	broken(s.Span, "the interpreter does not know %T", s.Op)
	return nil
}

// one returns the only element of the pattern.
func one(s *ir.Stmt) *ir.Elem {
	if len(s.Pat) != 1 {
		broken(s.Span, "%d names for one value", len(s.Pat))
	}
	return s.Pat[0]
}

func (fn *function) compute(s *ir.Stmt, op *ir.Compute) code {
	run := fn.scalar(op.E)
	t := fn.declare(one(s))
	if t.kind != ir.ScalarKind {
		broken(s.Span, "`%s` is not a scalar", t.el.Name)
	}
	slot := t.slot
	return func(fr []uint64) { fr[slot] = run(fr) }
}

func (fn *function) assert(s *ir.Stmt, op *ir.Assert) code {
	if sizes, ok := op.Sized(); ok {
		codes := fn.scalarsOf(sizes)
		return func(fr []uint64) {
			values := make([]int64, len(sizes))
			for k, n := range codes {
				at := s.Span
				if here := sizes[k].Span(); op.Threads && here.Known() {
					at = here
				}
				values[k] = nonNegative(at, int64(n(fr)))
			}
			if op.Threads {
				checkThreads(s.Span, values)
			} else {
				checkSize(s.Span, values, 1)
			}
		}
	}
	cond, values := fn.scalar(op.Cond), fn.scalarsOf(op.Values)
	return func(fr []uint64) {
		holds, msg := cond(fr) != 0, diag.Printable(op.Msg)
		for k, v := range values { // which may fail, too
			n := int64(scalar.Convert(op.Values[k].Prim(), ir.I64)(v(fr)))
			msg = strings.Replace(msg, "{}", strconv.FormatInt(n, 10), 1)
		}
		if !holds {
			if msg == "" {
				msg = diag.Printable(ir.ExpString(op.Cond))
			}
			fault(diag.FailedAssert, op.Cond.Span().Join(s.Span), "assertion failed: %s", msg)
		}
	}
}

func (fn *function) alloc(s *ir.Stmt, op *ir.Alloc) code {
	el := one(s)
	make := fn.sem.alloc(el.Name, op.Space, fn.bytes(op.Size), s.Span)
	blk := fn.declare(el).blk
	return func(fr []uint64) { hold(blk, make(fr)) }
}

// sizes compiles expressions that are sizes: they must not be negative.
func (fn *function) sizes(es []ir.Exp) func(fr []uint64, into []int64) {
	codes := fn.scalarsOf(es)
	return func(fr []uint64, into []int64) {
		for k, c := range codes {
			into[k] = nonNegative(es[k].Span(), int64(c(fr)))
		}
	}
}

// dims compiles the declared dimensions of an element, from the given one on.
func (fn *function) dims(t ir.Type, from int) []scalar.Code {
	var out []scalar.Code
	for _, d := range t.Shape[min(from, len(t.Shape)):] {
		out = append(out, fn.scalar(d.Exp()))
	}
	return out
}
