package interp

import (
	"context"
	"strconv"
	"strings"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
)

// Options steer a run. The zero Options are good.
type Options struct {
	// Stats, where it is set, gets the statistics of the run.
	Stats *Stats
	// Context, where it is set, stops the run when it is done.
	Context context.Context
	// MaxSteps bounds the work: the iterations of loops, threads, the statements in them,
	// and what is copied; 0: no bound.
	MaxSteps int64
	// MaxBytes bounds the memory that arrays hold at one time; 0: what the machine can.
	MaxBytes int64
	// Wraps, where it is set, counts the operations + - * on i64 that wrapped around.
	Wraps *int64
	// Barriers, where it is set, tells where the threads of groups meet. By memory, two of
	// them may not touch one element between two barriers, if one of them writes.
	Barriers Barriers
}

// Barriers tells where the threads of a group meet: before a statement of its body, or at
// the end of its body or of one within, before the results are evaluated.
type Barriers interface {
	Meets(s *ir.Stmt) bool
	MeetsWithin(s *ir.Stmt) bool // after the reads for a fresh array
	MeetsAtEnd(b *ir.Body) bool
}

// Stats are the statistics of a run. A block counts as held from its allocation to the last use of
// every name that may refer to it. Arguments of the entry belong to the caller, and are held to the
// end. A variable that a loop or kernel body declares is held until the body's next run at the
// latest. By value, every fresh array is a block of its own and Allocs stays 0.
type Stats struct {
	PeakBytes   int64
	Allocs      int64 // how often alloc ran
	CopiedBytes int64 // moved by copy, concat, array updates and array results of kernel bodies
	// Spent: the run ended because it needed more steps or memory than it was given, or
	// than the machine has.
	Spent bool
}

// ByValue runs an entry of an elaborated program as a pure functional program:
// places, blocks and allocations are ignored. That is the program's meaning.
func ByValue(p *ir.Program, entry string, args []value.Value, opt Options) ([]value.Value, error) {
	m := newMachine(opt)
	return m.call(p, &valueArrays{m}, entry, args, opt)
}

// ByMemory runs an entry of an elaborated, explicit program in real blocks,
// and reports every use of memory that makes the program mean anything else
// than it means by value.
func ByMemory(p *ir.Program, entry string, args []value.Value, opt Options) ([]value.Value, error) {
	m := newMachine(opt)
	mem := newMemoryArrays(m, p)
	mem.barriers = opt.Barriers
	return m.call(p, mem, entry, args, opt)
}

// call runs the entry from outside. It is the only place that recovers.
func (m *machine) call(p *ir.Program, sem semantics, entry string, args []value.Value, opt Options) (out []value.Value, err error) {
	defer func() {
		if opt.Stats != nil {
			*opt.Stats = m.stats
		}
		if r := recover(); r != nil {
			d := recovered(p.File, r)
			p.SpeakIn(d)
			out, err = nil, d
		}
	}()
	f := p.Func(entry)
	switch {
	case f == nil:
		fault(diag.NoEntry, diag.Span{}, "there is no entry `%s`", entry)
	case !f.Entry:
		fault(diag.NoEntry, f.Span, "`%s` is a fun, not an entry: it cannot be called from outside", entry)
	}
	m.look()
	c := &compiler{machine: m, prog: p, sem: sem, funcs: map[string]*function{}, table: check.Obligations(p)}
	fn := c.function(entry, f.Span)
	fn.arguments(args)
	fn.body.run(fn.frame)
	for k, o := range fn.body.results {
		out = append(out, fn.export(o, f.Results[k].Type.Prim))
	}
	return out, nil
}

// arguments binds the parameters of an entry to values from outside.
func (fn *function) arguments(args []value.Value) {
	f := fn.f
	if len(args) != len(f.Params) {
		fault(diag.CallCount, f.Span, "arguments of `%s`: %d given, %d expected", f.Name, len(args), len(f.Params))
	}
	for k, t := range fn.params {
		v, el := args[k], t.el
		if t.kind == ir.MemKind {
			fault(diag.ArgumentType, el.Span, "`%s`: a block cannot come from outside", el.Name)
		}
		if v.Prim != el.Type.Prim || len(v.Shape) != el.Type.Rank() || t.kind == ir.ArrayKind && v.Shape == nil {
			fault(diag.ArgumentType, el.Span, "argument `%s` of `%s` is %s, expected %s", el.Name, f.Name, v.Type(), expected(el.Type))
		}
		if t.kind == ir.ScalarKind {
			fn.frame[t.slot] = v.Bits(0)
		}
	}
	fn.agree(args)
	for k, t := range fn.params {
		v, el := args[k], t.el
		if t.kind == ir.ScalarKind {
			continue
		}
		checkSize(el.Span, v.Shape, el.Type.Prim.Size()) // of an empty array, too
		fn.sem.param(el, t.arr, v.Shape)
		t.arr.mem.refs++ // the caller's, which holds it until the entry ends
		fn.sem.spread(t.arr, &elements{data: v.Data}, guard{}, el.Span)
	}
	fn.entered()
}

// agree demands that the sizes of the arguments agree, with the messages of a compiled program.
func (fn *function) agree(args []value.Value) {
	type size struct {
		n    int64
		from string
	}
	bound := map[string]size{}
	for k, el := range fn.f.Params {
		if el.Type.Kind == ir.ScalarKind && el.Type.Prim == ir.I64 {
			bound[el.Name] = size{n: int64(args[k].Bits(0))}
		}
	}
	for k, el := range fn.f.Params {
		for j, d := range el.Type.Shape {
			have := args[k].Shape[j]
			switch want, known := bound[d.Name]; {
			case d.Name == "" && have != d.Const:
				fault(diag.ArgumentSize, el.Span, "argument `%s` has size %d in dimension %d, but %d is expected", el.Name, have, j, d.Const)
			case d.Name == "":
			case !known:
				bound[d.Name] = size{have, " (from `" + el.Name + "`)"}
			case have != want.n:
				fault(diag.ArgumentSize, el.Span, "argument `%s` has size %d in dimension %d, but `%s` is %d%s", el.Name, have, j, d.Name, want.n, want.from)
			}
		}
	}
}

func expected(t ir.Type) string {
	var s strings.Builder
	for _, d := range t.Shape {
		s.WriteString("[" + d.String() + "]")
	}
	return s.String() + t.Prim.String()
}

// entered binds the size variables from the arguments, which must agree, and
// then the places of the parameters.
func (fn *function) entered() {
	sizes := make(map[string]bool, len(fn.f.Sizes))
	for _, s := range fn.f.Sizes {
		sizes[s] = true
	}
	for _, t := range fn.params {
		if t.kind != ir.ArrayKind {
			continue
		}
		for k, d := range t.el.Type.Shape {
			if sizes[d.Name] {
				sizes[d.Name] = false
				fn.frame[fn.scalars[d.Name]] = uint64(t.arr.dims[k].len)
			}
		}
	}
	for _, b := range fn.bind {
		b(fn.frame)
	}
}

// export returns a result of the entry as a value.
func (fn *function) export(o operand, p ir.Prim) value.Value {
	switch o.kind {
	case ir.ScalarKind:
		return value.Scalar(p, o.code(fn.frame))
	case ir.ArrayKind:
		shape := make([]int64, len(o.arr.dims))
		for k, d := range o.arr.dims {
			shape[k] = d.len
		}
		fn.claim(checkSize(o.at, shape, o.arr.size)*o.arr.size, o.at)
		v := value.New(o.arr.prim, shape)
		fn.sem.gather(o.arr, &elements{data: v.Data}, true, o.at)
		return v
	}
	limited(o.at, "a block cannot be handed out by an entry")
	return value.Value{}
}

func itoa(n int) string { return strconv.Itoa(n) }
