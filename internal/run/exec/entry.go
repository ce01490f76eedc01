package exec

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/hostmem"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/host"
)

// A bound is the arguments of a call after they were checked: the values of the
// size variables, and the arguments in order.
type bound struct {
	sizes []int64
	args  []Arg
}

// An Arg is an argument or a result: a value, or an array on the device.
type Arg struct {
	Value value.Value
	Array *host.Raw // not nil: the array
}

// Values returns values as arguments.
func Values(list []value.Value) []Arg {
	args := make([]Arg, len(list))
	for i, v := range list {
		args[i].Value = v
	}
	return args
}

// typ returns the type: that of the value, or a value like the array without its elements.
func (a Arg) typ() value.Value {
	if a.Array != nil {
		return value.Value{Prim: a.Array.Prim(), Shape: a.Array.Shape()}
	}
	return a.Value
}

// bind checks arguments against the entry's parameters and takes the sizes from
// their shapes.
func (p *Prepared) bind(e *imp.Entry, args []Arg) (*bound, error) {
	if len(args) != len(e.Params) {
		return nil, p.misuse(diag.CallCount, noSpan, "`%s` takes %s, but %d %s given: expected %s", e.Name,
			count(len(e.Params), "argument"), len(args), plural(len(args), "was", "were"), signature(e))
	}
	entry := host.Entry{Name: e.Name, Sizes: e.Sizes, Params: make([]host.Param, len(args))}
	given := make([]host.Given, len(args))
	for i, q := range e.Params {
		if err := p.fits(q, args[i]); err != nil {
			return nil, err
		}
		entry.Params[i].Name, entry.Params[i].Consumed = q.Name, q.Unique
		if args[i].Array != nil {
			given[i].Array = args[i].Array
		}
		for _, d := range q.Shape {
			entry.Params[i].Shape = append(entry.Params[i].Shape, host.Dim{Name: d.Name, Size: d.Const})
		}
		given[i].Shape = args[i].typ().Shape
		if !q.Array && q.Prim == ir.I64 {
			given[i].Scalar, given[i].Value = true, int64(args[i].Value.Bits(0))
		}
	}
	if wrong := entry.Twice(given); wrong != nil {
		return nil, p.misuse(diag.ArrayTwice, e.Params[wrong.Param].Span, "%s", wrong.Msg)
	}
	sizes, wrong := entry.Bind(given)
	switch {
	case wrong == nil:
		return &bound{sizes, args}, nil
	case wrong.Param < 0:
		return nil, p.bug(noSpan, "%s", wrong.Msg)
	}
	return nil, p.fail(diag.ArgumentSize, e.Params[wrong.Param].Span, "%s", wrong.Msg)
}

// fits checks the type and rank of an argument, and that its data is whole.
func (p *Prepared) fits(q imp.EntryParam, a Arg) error {
	v := a.typ()
	if v.Prim != q.Prim || len(v.Shape) != len(q.Shape) || (v.Shape != nil) != q.Array {
		return p.misuse(diag.ArgumentType, q.Span, "argument `%s` is %s, but %s is expected", q.Name, v.Type(), typeOf(q))
	}
	if a.Array != nil {
		if gone := a.Array.Left(); gone != "" {
			return p.misuse(diag.ArrayGone, q.Span, "argument `%s` %s", q.Name, gone)
		}
		if !a.Array.On(p.ctx) {
			return p.misuse(diag.ArrayGone, q.Span, "argument `%s` lives in another context", q.Name)
		}
		return nil
	}
	if n := v.Elems(); n < 0 || int64(len(v.Data)) != n*v.Prim.Size() {
		return p.misuse(diag.BadValue, q.Span, "argument `%s` is %s, but holds %d bytes", q.Name, v.Type(), len(v.Data))
	}
	return nil
}

// block returns a reference to the block of an array argument, which is uploaded unless it is on the
// device.
func (r *run) block(i int, q imp.EntryParam, a Arg) (*runtime.Block, error) {
	if a.Array != nil {
		b, gone, err := a.Array.Lend(q.Unique, func(b *runtime.Block) (*runtime.Block, error) { return r.duplicate(i, q, b) })
		if gone != "" {
			return nil, r.p.misuse(diag.ArrayGone, q.Span, "argument `%s` %s", q.Name, gone)
		}
		return b, err
	}
	data := a.Value.Data
	block, err := r.ctx.Alloc(int64(len(data)), r.p.argTag+i)
	if err != nil {
		return nil, r.p.noMemory("argument `"+q.Name+"`", q.Span, err)
	}
	if err := r.ctx.Write(block, 0, data); err != nil {
		block.Release()
		return nil, fmt.Errorf("argument `%s`: %w", q.Name, err)
	}
	r.tell(nil, one(block))
	return block, nil
}

// duplicate copies the block of a consumed argument that others share.
func (r *run) duplicate(i int, q imp.EntryParam, b *runtime.Block) (*runtime.Block, error) {
	own, err := r.ctx.Alloc(b.Size(), r.p.argTag+i)
	if err != nil {
		return nil, r.p.noMemory("argument `"+q.Name+"`", q.Span, err)
	}
	whole := func(b *runtime.Block) runtime.Region { return runtime.Region{Block: b, Strides: []int64{1}} }
	if err := r.ctx.CopyStrided(r.p.copies, 1, []int64{b.Size()}, whole(own), whole(b)); err != nil {
		own.Release()
		return nil, fmt.Errorf("argument `%s`: %w", q.Name, err)
	}
	return own, nil
}

// entry uploads the arguments, runs the function, and reads the results, unless arrays are kept on
// the device.
func (r *run) entry(e *imp.Entry, b *bound, keep bool) ([]Arg, error) {
	given := make([]operand, 0, len(b.sizes)+len(b.args))
	handedOver := false
	defer func() {
		for _, g := range given {
			if !handedOver {
				g.block.Release()
			}
		}
	}()
	for _, s := range b.sizes {
		given = append(given, operand{bits: uint64(s)})
	}
	for i, q := range e.Params {
		if !q.Array {
			given = append(given, operand{bits: b.args[i].Value.Bits(0)})
			continue
		}
		block, err := r.block(i, q, b.args[i])
		if err != nil {
			return nil, err
		}
		given = append(given, operand{block: block})
	}
	fn := r.p.funs[e.Func]
	if fn == nil || len(fn.params) != len(given) {
		return nil, r.p.bug(noSpan, "entry `%s` does not fit its function", e.Name)
	}
	for range r.p.before {
		for _, g := range given {
			if g.block != nil {
				g.block.Retain()
			}
		}
		res, err := r.whole(fn, given)
		if err != nil {
			return nil, err
		}
		release(res)
	}
	handedOver = true
	res, err := r.whole(fn, given)
	if err != nil {
		return nil, err
	}
	defer release(res)
	return r.results(e, res, keep)
}

// whole runs a function to its end on the device, and tells how long that took. The function's
// parameters take over the blocks: each goes when the function is done with it.
func (r *run) whole(fn *fun, given []operand) ([]operand, error) {
	start := time.Now()
	res, err := fn.run(r, given)
	if err != nil {
		return nil, err
	}
	if err = r.pending(); err == nil {
		err = r.ctx.Finish()
	}
	if err != nil {
		release(res)
		return nil, err
	}
	if r.p.ran != nil {
		r.p.ran(time.Since(start))
	}
	return res, nil
}

func release(res []operand) {
	for _, o := range res {
		o.block.Release()
	}
}

// results reads the results back, or hands their blocks out.
func (r *run) results(e *imp.Entry, res []operand, keep bool) (out []Arg, err error) {
	out = make([]Arg, 0, len(e.Results))
	defer func() {
		for _, a := range out {
			if err != nil && a.Array != nil {
				a.Array.Free()
			}
		}
	}()
	for _, q := range e.Results {
		need := 1
		if q.Array {
			need += q.Rank
		}
		if len(res) < need {
			return out, r.p.bug(noSpan, "entry `%s` does not fit its function's results", e.Name)
		}
		if !q.Array {
			out = append(out, Arg{Value: value.Scalar(q.Prim, res[0].bits)})
			res = res[1:]
			continue
		}
		shape := make([]int64, q.Rank)
		for i := range shape {
			shape[i] = int64(res[1+i].bits)
		}
		a, err := r.array(q, shape, res[0].block, keep)
		if err != nil {
			return out, err
		}
		out = append(out, a)
		res = res[need:]
	}
	return out, nil
}

// array reads a row-major array, or keeps it. Its size is held against the block's before
// anything of that size is made here.
func (r *run) array(q imp.EntryResult, shape []int64, b *runtime.Block, keep bool) (Arg, error) {
	if b == nil {
		return Arg{}, errEmpty(r.p, q.Name)
	}
	if !fitsIn(shape, b.Size()/q.Prim.Size()) {
		return Arg{}, r.p.bug(noSpan, "result `%s` of shape %v does not fit its block of %d bytes", q.Name, shape, b.Size())
	}
	if keep {
		return Arg{Array: host.NewRaw(r.ctx, q.Prim, shape, host.Keep(b))}, nil
	}
	if err := hostmem.Room(b.Size()); err != nil {
		return Arg{}, fmt.Errorf("result `%s`: %w", q.Name, err)
	}
	v := value.New(q.Prim, shape)
	if err := r.ctx.Read(b, 0, v.Data); err != nil {
		return Arg{}, fmt.Errorf("result `%s`: %w", q.Name, err)
	}
	r.tell(one(b), nil)
	return Arg{Value: v}, nil
}

// fitsIn reports whether shape is a shape of at most room elements.
func fitsIn(shape []int64, room int64) bool {
	if slices.ContainsFunc(shape, func(d int64) bool { return d < 0 }) {
		return false
	}
	if slices.Contains(shape, 0) {
		return true
	}
	for _, d := range shape {
		room /= d // rounded down, so that it never promises too much
	}
	return room > 0
}

// noEntry names the entries that there are.
func (p *Prepared) noEntry(name string) error {
	var names []string
	for _, e := range p.prog.Entries {
		names = append(names, "`"+e.Name+"`")
	}
	if len(names) == 0 {
		return p.misuse(diag.NoEntry, noSpan, "there is no entry `%s`; the program has none", name)
	}
	return p.misuse(diag.NoEntry, noSpan, "there is no entry `%s`; there is %s", name, strings.Join(names, ", "))
}

func typeOf(q imp.EntryParam) string {
	var b strings.Builder
	for _, d := range q.Shape {
		b.WriteString("[" + d.String() + "]")
	}
	return b.String() + q.Prim.String()
}

func signature(e *imp.Entry) string {
	parts := make([]string, len(e.Params))
	for i, q := range e.Params {
		parts[i] = q.Name + ": " + typeOf(q)
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

func count(n int, noun string) string {
	return fmt.Sprintf("%d %s", n, plural(n, noun, noun+"s"))
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
