package exec

import (
	"fmt"
	"time"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
)

var noSpan diag.Span

// launch compiles a launch. A kernel's arguments are the fault buffer, if the program has one, the
// device heap, if the kernel allocates, then its parameters in order: a block as its buffer and its
// byte offset, a scalar in its natural width (a bool in one byte).
func (c *compiler) launch(s *imp.Launch) code {
	k := c.p.kernels[s.Kernel]
	if k == nil {
		return c.fail(fmt.Errorf("kernel %s is not of this program", s.Kernel.Name))
	}
	groups := c.exp(s.Groups)
	var items scalar.Code
	if s.Size != nil {
		items = c.exp(s.Size)
	}
	args := c.args(s.Args)
	params := s.Kernel.Params
	if len(args) != len(params) {
		return c.fail(fmt.Errorf("kernel %s has %d parameters, and is launched with %d arguments", s.Kernel.Name, len(params), len(args)))
	}
	for i, a := range args {
		if a.mem != params[i].Mem {
			return c.fail(fmt.Errorf("argument `%s` of kernel %s is of the wrong kind", params[i].Name, s.Kernel.Name))
		}
	}
	var copied scalar.Code
	if s.Copied != nil {
		copied = c.exp(s.Copied)
	}
	uses := kernelUses(s.Kernel)
	reads := make([]bool, len(params))
	for i, q := range params {
		reads[i] = q.Mem && s.Kernel.OnlyReads(q.Name)
	}
	moved := traffic(s.Kernel)
	allocates := len(s.Kernel.Held) > 0
	return func(r *run, f *frame) error {
		n := int64(groups(f.sc))
		if n <= 0 {
			return nil
		}
		given := r.p.faults.Arg(make([]runtime.Arg, 0, len(args)+2))
		if allocates {
			var err error
			if given, err = r.p.heap.Arg(given); err != nil {
				return err
			}
		}
		for i, a := range args {
			if params[i].Local {
				given = append(given, runtime.Arg{Local: max(1, int64(a.e(f.sc)))})
				continue
			}
			if !a.mem {
				given = append(given, runtime.Arg{Bits: a.e(f.sc), Size: int(params[i].Prim.Size())})
				continue
			}
			b := f.mem[a.at]
			if b == nil {
				return errEmpty(r.p, params[i].Name)
			}
			given = append(given, runtime.Arg{Block: b, ReadOnly: reads[i]})
		}
		size := int64(imp.GroupSize)
		if items != nil {
			size = int64(items(f.sc))
		}
		bytes := func() int64 { return moved(n*size, given[len(given)-len(args):]) }
		if err := r.timed(s.Kernel.Name, bytes, func() error { return r.ctx.Launch(k, n, size, given) }); err != nil {
			return r.p.noRoom(s.Kernel.Name, err)
		}
		r.tellLaunch(given, uses)
		if copied != nil {
			r.ctx.CountCopied(int64(copied(f.sc)))
		}
		if r.p.faults.Due() {
			return r.pending()
		}
		return nil
	}
}

// A Timing is how long the device worked on one launch, or one copy, by its own clock.
// Bytes counts each byte that it may touch once for reading and once for writing; where a
// loop decides which bytes of a block, all of them.
type Timing struct {
	Kernel string
	Took   time.Duration
	Bytes  int64
}

// timed makes a launch or a copy and, where somebody asks, tells how long it ran.
func (r *run) timed(name string, bytes func() int64, launch func() error) error {
	if r.p.profile == nil {
		return launch()
	}
	if _, err := r.ctx.Took(); err != nil {
		return err
	}
	if err := launch(); err != nil {
		return err
	}
	took, err := r.ctx.Took()
	r.p.profile(Timing{name, took, bytes()})
	return err
}
