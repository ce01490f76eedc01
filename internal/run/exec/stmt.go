package exec

import (
	"fmt"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/runtime/host"
)

func (c *compiler) stmt(s imp.Stmt) code {
	switch s := s.(type) {
	case *imp.Set:
		return c.setScalar(s)
	case *imp.Check:
		return c.check(s)
	case *imp.If:
		return c.branch(s)
	case *imp.For:
		return c.count(s)
	case *imp.While:
		return c.while(s)
	case *imp.Call:
		return c.call(s)
	case *imp.Fetch:
		return c.fetch(s)
	case *imp.Slots:
		return c.bindSlots(s)
	case *imp.Upload:
		return c.upload(s)
	case *imp.Store:
		return c.store(s)
	case *imp.SetMem:
		return c.setMem(s)
	case *imp.Alloc:
		return c.alloc(s)
	case *imp.SizeOf:
		return c.sizeOf(s)
	case *imp.SizeAs:
		return c.sizeAs(s)
	case *imp.Inverse:
		return c.inverse(s)
	case *imp.Query:
		dst := c.scalar(s.Dst)
		return func(r *run, f *frame) error {
			f.sc[dst] = uint64(r.ctx.Device().Property(string(s.What)))
			return nil
		}
	case *imp.Free:
		return c.free(s)
	case *imp.Copy:
		return c.copy(s)
	case *imp.Launch:
		return c.launch(s)
	}
	return c.fail(fmt.Errorf("a host function cannot hold %T", s))
}

func (c *compiler) inverse(s *imp.Inverse) code {
	dst := c.scalar(s.Dst)
	args := c.exps([]ir.Exp{s.N, s.Total})
	return func(_ *run, f *frame) error {
		f.sc[dst] = uint64(host.Inverse(int64(args[0](f.sc)), int64(args[1](f.sc))))
		return nil
	}
}

func (c *compiler) setScalar(s *imp.Set) code {
	dst, e := c.scalar(s.Dst), c.exp(s.E)
	return func(_ *run, f *frame) error {
		f.sc[dst] = e(f.sc)
		return nil
	}
}

func (c *compiler) check(s *imp.Check) code {
	cond, args := c.exp(s.Cond), c.exps(s.Args)
	fault := s.Code
	return func(r *run, f *frame) error {
		if cond(f.sc) != 0 {
			return nil
		}
		vals := make([]int64, len(args))
		for i, a := range args {
			vals[i] = int64(a(f.sc))
		}
		return r.p.fault(fault, vals)
	}
}

func (c *compiler) branch(s *imp.If) code {
	cond, then, els := c.exp(s.Cond), c.body(s.Then), c.body(s.Else)
	return func(r *run, f *frame) error {
		if cond(f.sc) != 0 {
			return then(r, f)
		}
		return els(r, f)
	}
}

func (c *compiler) count(s *imp.For) code {
	v, bound, body := c.scalar(s.Var), c.exp(s.Bound), c.body(s.Body)
	return func(r *run, f *frame) error {
		n := int64(bound(f.sc))
		for i := range n {
			f.sc[v] = uint64(i)
			if err := body(r, f); err != nil {
				return err
			}
		}
		return nil
	}
}

func (c *compiler) while(s *imp.While) code {
	cond, body := c.exp(s.Cond), c.body(s.Body)
	return func(r *run, f *frame) error {
		for cond(f.sc) != 0 {
			if err := body(r, f); err != nil {
				return err
			}
		}
		return nil
	}
}

// An arg is a compiled imp.Arg.
type arg struct {
	mem bool
	at  int
	e   scalar.Code
}

func (c *compiler) args(list []imp.Arg) []arg {
	out := make([]arg, len(list))
	for i, a := range list {
		if a.Mem != "" {
			out[i].mem = true
			out[i].at = c.mem(a.Mem)
		} else {
			out[i].e = c.exp(a.E)
		}
	}
	return out
}

func (c *compiler) call(s *imp.Call) code {
	callee := c.p.funs[s.Func]
	if callee == nil {
		return c.fail(fmt.Errorf("function `%s` is called before it is compiled", s.Func.Name))
	}
	args := c.args(s.Args)
	if len(args) != len(callee.params) || len(s.Results) != len(callee.results) {
		return c.fail(fmt.Errorf("call of `%s` with %d arguments for %d results, it has %d and %d",
			s.Func.Name, len(args), len(s.Results), len(callee.params), len(callee.results)))
	}
	results := make([]int, len(s.Results))
	for i, name := range s.Results {
		results[i] = c.place(callee.results[i].mem, name)
	}
	return func(r *run, f *frame) error {
		given := make([]operand, len(args))
		for i, a := range args {
			if !a.mem {
				given[i].bits = a.e(f.sc)
			}
		}
		// References come last: an expression may fail, and would lose them.
		for i, a := range args {
			if a.mem && f.mem[a.at] != nil {
				f.mem[a.at].Retain()
				given[i].block = f.mem[a.at]
			}
		}
		res, err := callee.run(r, given)
		if err != nil {
			return err
		}
		for i, at := range results {
			if callee.results[i].mem {
				f.set(at, res[i].block)
			} else {
				f.sc[at] = res[i].bits
			}
		}
		return nil
	}
}
