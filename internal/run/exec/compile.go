package exec

import (
	"cmp"
	"fmt"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/runtime"
)

// A run is one call of an entry.
type run struct {
	p   *Prepared
	ctx *runtime.Context
}

// A frame holds the variables of one call of a host function. Every block in
// mem counts as one reference.
type frame struct {
	sc  []uint64
	mem []*runtime.Block
}

// set makes variable i a reference to b, which the caller hands over.
func (f *frame) set(i int, b *runtime.Block) {
	old := f.mem[i]
	f.mem[i] = b
	old.Release()
}

func (f *frame) release() {
	for i := range f.mem {
		f.set(i, nil)
	}
}

// A code is a compiled statement.
type code func(r *run, f *frame) error

// A slot is where a parameter or result lives in the frame.
type slot struct {
	mem bool
	at  int
}

// A fun is a compiled host function.
type fun struct {
	params, results []slot
	scalars, mems   int // sizes of the frame
	body            code
}

// run runs the function. References in args are handed over to it, whatever
// happens; those in the results are handed over to the caller.
func (fn *fun) run(r *run, args []operand) (res []operand, err error) {
	f := &frame{make([]uint64, fn.scalars), make([]*runtime.Block, fn.mems)}
	defer f.release()
	for i, s := range fn.params {
		if s.mem {
			f.set(s.at, args[i].block)
		} else {
			f.sc[s.at] = args[i].bits
		}
	}
	if err := fn.body(r, f); err != nil {
		return nil, err
	}
	res = make([]operand, len(fn.results))
	for i, s := range fn.results {
		if !s.mem {
			res[i].bits = f.sc[s.at]
			continue
		}
		if b := f.mem[s.at]; b != nil {
			b.Retain()
			res[i].block = b
		}
	}
	return res, nil
}

// An operand is an argument or result of a call.
type operand struct {
	block *runtime.Block
	bits  uint64
}

// A compiler compiles one function. Its methods remember the first error and go on, so that
// only compileFunc has to look for one; what they gave is then thrown away.
type compiler struct {
	err     error
	p       *Prepared
	scalars map[string]int
	mems    map[string]int
	env     scalar.Env
}

func (p *Prepared) compileFunc(f *imp.Func) (*fun, error) {
	c := &compiler{p: p, scalars: map[string]int{}, mems: map[string]int{}}
	c.env.Slot = func(name string) (int, bool) {
		i, ok := c.scalars[name]
		return i, ok
	}
	fn := &fun{}
	for _, s := range f.Params {
		if s.Mem {
			c.declare(c.mems, s.Name)
		} else {
			c.declare(c.scalars, s.Name)
		}
	}
	for _, v := range f.Vars {
		c.declare(c.scalars, v.Name)
	}
	for _, m := range f.Mems {
		c.declare(c.mems, m)
	}
	fn.params, fn.results, fn.body = c.slots(f.Params), c.slots(f.Results), c.body(f.Body)
	fn.scalars, fn.mems = len(c.scalars), len(c.mems)
	return fn, c.err
}

// fail remembers an error, if it is the first one.
func (c *compiler) fail(err error) code {
	c.err = cmp.Or(c.err, err)
	return nil
}

func (c *compiler) declare(table map[string]int, name string) {
	if _, ok := table[name]; !ok {
		table[name] = len(table)
	}
}

func (c *compiler) slots(list []imp.Slot) []slot {
	out := make([]slot, len(list))
	for i, s := range list {
		out[i] = slot{s.Mem, c.place(s.Mem, s.Name)}
	}
	return out
}

func (c *compiler) mem(name string) int    { return c.place(true, name) }
func (c *compiler) scalar(name string) int { return c.place(false, name) }

// place returns the index of a variable in the frame.
func (c *compiler) place(mem bool, name string) int {
	table, kind := c.scalars, "scalar"
	if mem {
		table, kind = c.mems, "memory"
	}
	i, ok := table[name]
	if !ok {
		c.fail(fmt.Errorf("%s variable `%s` is not declared", kind, name))
	}
	return i
}

func (c *compiler) exp(e ir.Exp) scalar.Code {
	run, err := scalar.Compile(e, c.env)
	c.fail(err)
	return run
}

func (c *compiler) exps(list []ir.Exp) []scalar.Code {
	out := make([]scalar.Code, len(list))
	for i, e := range list {
		out[i] = c.exp(e)
	}
	return out
}

// body compiles statements to one code that runs them in order.
func (c *compiler) body(list []imp.Stmt) code {
	codes := make([]code, len(list))
	for i, s := range list {
		codes[i] = c.stmt(s)
	}
	if len(codes) == 1 {
		return codes[0]
	}
	return func(r *run, f *frame) error {
		for _, run := range codes {
			if err := run(r, f); err != nil {
				return err
			}
		}
		return nil
	}
}
