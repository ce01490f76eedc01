package exec

import (
	"fmt"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/runtime/host"
)

func (c *compiler) stmt(s imp.Stmt) (code, error) {
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
	case *imp.Inverse:
		return c.inverse(s)
	case *imp.Query:
		dst, err := c.scalar(s.Dst)
		return func(r *run, f *frame) error {
			f.sc[dst] = uint64(r.ctx.Device().Property(string(s.What)))
			return nil
		}, err
	case *imp.Free:
		return c.free(s)
	case *imp.Copy:
		return c.copy(s)
	case *imp.Launch:
		return c.launch(s)
	}
	return nil, fmt.Errorf("a host function cannot hold %T", s)
}

func (c *compiler) inverse(s *imp.Inverse) (code, error) {
	dst, err := c.scalar(s.Dst)
	if err != nil {
		return nil, err
	}
	args, err := c.exps([]ir.Exp{s.N, s.Total})
	return func(_ *run, f *frame) error {
		f.sc[dst] = uint64(host.Inverse(int64(args[0](f.sc)), int64(args[1](f.sc))))
		return nil
	}, err
}

func (c *compiler) setScalar(s *imp.Set) (code, error) {
	dst, err := c.scalar(s.Dst)
	if err != nil {
		return nil, err
	}
	e, err := c.exp(s.E)
	if err != nil {
		return nil, err
	}
	return func(_ *run, f *frame) error {
		f.sc[dst] = e(f.sc)
		return nil
	}, nil
}

func (c *compiler) check(s *imp.Check) (code, error) {
	cond, err := c.exp(s.Cond)
	if err != nil {
		return nil, err
	}
	args, err := c.exps(s.Args)
	if err != nil {
		return nil, err
	}
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
	}, nil
}

func (c *compiler) branch(s *imp.If) (code, error) {
	cond, err := c.exp(s.Cond)
	if err != nil {
		return nil, err
	}
	then, err := c.body(s.Then)
	if err != nil {
		return nil, err
	}
	els, err := c.body(s.Else)
	if err != nil {
		return nil, err
	}
	return func(r *run, f *frame) error {
		if cond(f.sc) != 0 {
			return then(r, f)
		}
		return els(r, f)
	}, nil
}

func (c *compiler) count(s *imp.For) (code, error) {
	v, err := c.scalar(s.Var)
	if err != nil {
		return nil, err
	}
	bound, err := c.exp(s.Bound)
	if err != nil {
		return nil, err
	}
	body, err := c.body(s.Body)
	if err != nil {
		return nil, err
	}
	return func(r *run, f *frame) error {
		n := int64(bound(f.sc))
		for i := int64(0); i < n; i++ {
			f.sc[v] = uint64(i)
			if err := body(r, f); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

func (c *compiler) while(s *imp.While) (code, error) {
	cond, err := c.exp(s.Cond)
	if err != nil {
		return nil, err
	}
	body, err := c.body(s.Body)
	if err != nil {
		return nil, err
	}
	return func(r *run, f *frame) error {
		for cond(f.sc) != 0 {
			if err := body(r, f); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// An arg is a compiled imp.Arg.
type arg struct {
	mem bool
	at  int
	e   scalar.Code
}

func (c *compiler) args(list []imp.Arg) ([]arg, error) {
	out := make([]arg, len(list))
	for i, a := range list {
		var err error
		if a.Mem != "" {
			out[i].mem = true
			out[i].at, err = c.mem(a.Mem)
		} else {
			out[i].e, err = c.exp(a.E)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (c *compiler) call(s *imp.Call) (code, error) {
	callee := c.p.funs[s.Func]
	if callee == nil {
		return nil, fmt.Errorf("function `%s` is called before it is compiled", s.Func.Name)
	}
	args, err := c.args(s.Args)
	if err != nil {
		return nil, err
	}
	if len(args) != len(callee.params) || len(s.Results) != len(callee.results) {
		return nil, fmt.Errorf("call of `%s` with %d arguments for %d results, it has %d and %d",
			s.Func.Name, len(args), len(s.Results), len(callee.params), len(callee.results))
	}
	results := make([]int, len(s.Results))
	for i, name := range s.Results {
		if callee.results[i].mem {
			results[i], err = c.mem(name)
		} else {
			results[i], err = c.scalar(name)
		}
		if err != nil {
			return nil, err
		}
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
	}, nil
}
