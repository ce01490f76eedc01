package interp

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

func (fn *function) declareAll(pat []*ir.Elem) []target {
	out := make([]target, len(pat))
	for k, el := range pat {
		out[k] = fn.declare(el)
	}
	return out
}

// branch compiles an if.
func (fn *function) branch(s *ir.Stmt, op *ir.If) code {
	cond := fn.scalar(op.Cond)
	then, els := fn.compileBody(op.Then), fn.compileBody(op.Else)
	pat := fn.declareAll(s.Pat)
	yes, no := transfer(s.Span, pat, then.results), transfer(s.Span, pat, els.results)
	bind := fn.binders(pat)
	return func(fr []uint64) {
		if cond(fr) != 0 {
			then.run(fr)
			yes(fr, fr)
			then.release()
		} else {
			els.run(fr)
			no(fr, fr)
			els.release()
		}
		if bind != nil {
			bind(fr)
		}
	}
}

// A feedback gives a loop's parameters their next values. The values may read
// the parameters, so they go through temporaries.
type feedback struct {
	out, back func(dst, src []uint64)
	temps     []target
	bind      code
}

func (fn *function) feedback(at diag.Span, params []target, next []operand) feedback {
	if len(params) == 1 {
		direct := transfer(at, params, next)
		return feedback{out: direct, back: func(_, _ []uint64) {}, bind: fn.binders(params)}
	}
	temps, reads := fn.temporaries(params)
	return feedback{transfer(at, temps, next), transfer(at, params, reads), temps, fn.binders(params)}
}

func (f *feedback) run(fr []uint64) {
	f.out(fr, fr)
	f.back(fr, fr)
	forget(f.temps)
	if f.bind != nil {
		f.bind(fr)
	}
}

// loop compiles both forms of loop.
func (fn *function) loop(s *ir.Stmt, op *ir.Loop) code {
	// What only the initial values use is released once the parameters hold them;
	// the parameters themselves are the body's.
	initial := &initials{}
	fn.scope.initial = initial
	inits := make([]operand, len(op.Params))
	for k, p := range op.Params {
		inits[k] = fn.operand(p.Init)
	}
	var bound scalar.Code
	if op.While == "" {
		bound = fn.scalar(op.Bound)
	}
	params := make([]target, len(op.Params))
	outer, inner := fn.scope, &scope{at: before}
	fn.scope = inner
	for k, p := range op.Params {
		params[k] = fn.declare(p.Elem)
	}
	held := slices.Clone(inner.locals)
	fn.scope = outer
	first := fn.feedback(s.Span, params, inits)
	index := 0
	if op.While == "" {
		index = fn.scalarSlot(op.Var)
	} else {
		slot, ok := fn.scalars[op.While]
		if !ok {
			broken(s.Span, "`%s` is not a parameter of the loop", op.While)
		}
		index = slot
	}
	fn.scope.initial = nil
	b := fn.compileIn(inner, op.Body)
	b.locals = slices.DeleteFunc(b.locals, func(l *local) bool { return slices.Contains(held, l) })
	next := fn.feedback(s.Span, params, b.results)
	last := make([]operand, len(params))
	for k, p := range op.Params {
		last[k] = fn.operand(&ir.Ref{Name: p.Elem.Name, T: p.Elem.Type.Prim, At: s.Span})
	}
	pat := fn.declareAll(s.Pat)
	finish, bind := transfer(s.Span, pat, last), fn.binders(pat)
	m := fn.machine
	return func(fr []uint64) {
		if bound != nil {
			n := int64(bound(fr))
			first.run(fr)
			initial.release()
			for i := range n {
				m.step(len(b.stmts))
				fr[index] = uint64(i)
				for _, c := range b.stmts {
					c(fr)
				}
				next.run(fr)
				b.release()
			}
		} else {
			first.run(fr)
			initial.release()
			for fr[index] != 0 {
				m.step(len(b.stmts))
				b.run(fr)
				next.run(fr)
				b.release()
			}
		}
		finish(fr, fr)
		if bind != nil {
			bind(fr)
		}
		for _, l := range held {
			l.clear()
		}
	}
}

// initials are the variables of the body around a loop whose last use is in the
// loop's initial values.
type initials struct{ dead []*local }

func (i *initials) release() {
	for _, l := range i.dead {
		l.clear()
	}
}

// callFunction compiles a call: the arguments are bound in the callee's frame,
// its results in the caller's.
func (fn *function) callFunction(s *ir.Stmt, op *ir.Call) code {
	callee := fn.function(op.Fn, s.Span)
	args := fn.operands(op.Args)
	enter := transfer(s.Span, callee.params, args)
	pat := fn.declareAll(s.Pat)
	leave := transfer(s.Span, pat, callee.body.results)
	bind := fn.binders(pat)
	own := make([]bool, len(args))
	for k, p := range callee.params {
		own[k] = p.el.Type.Unique
	}
	check := fn.sem.call(op.Fn, own, args, s.Span)
	return func(fr []uint64) {
		if check != nil {
			check()
		}
		enter(callee.frame, fr)
		callee.entered()
		callee.body.run(callee.frame)
		leave(fr, callee.frame)
		callee.body.release()
		if bind != nil {
			bind(fr)
		}
	}
}
