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
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/host"
)

// A bound is the arguments of a call after they were checked: the values of the
// size variables, and the arguments in order.
type bound struct {
	sizes []int64
	args  []value.Value
}

// bind checks arguments against the entry's parameters and takes the sizes from
// their shapes.
func (p *Prepared) bind(e *imp.Entry, args []value.Value) (*bound, error) {
	if len(args) != len(e.Params) {
		return nil, p.fail(noSpan, "`%s` takes %s, but %d %s given: expected %s", e.Name,
			count(len(e.Params), "argument"), len(args), plural(len(args), "was", "were"), signature(e))
	}
	entry := host.Entry{Name: e.Name, Sizes: e.Sizes, Params: make([]host.Param, len(args))}
	given := make([]host.Given, len(args))
	for i, q := range e.Params {
		if err := p.fits(q, args[i]); err != nil {
			return nil, err
		}
		entry.Params[i].Name = q.Name
		for _, d := range q.Shape {
			entry.Params[i].Shape = append(entry.Params[i].Shape, host.Dim{Name: d.Name, Size: d.Const})
		}
		given[i].Shape = args[i].Shape
		if !q.Array && q.Prim == ir.I64 {
			given[i].Scalar, given[i].Value = true, int64(args[i].Bits(0))
		}
	}
	sizes, wrong := entry.Bind(given)
	switch {
	case wrong == nil:
		return &bound{sizes, args}, nil
	case wrong.Param < 0:
		return nil, p.bug(noSpan, "%s", wrong.Msg)
	}
	return nil, p.fail(e.Params[wrong.Param].Span, "%s", wrong.Msg)
}

// fits checks the type and rank of an argument, and that its data is whole.
func (p *Prepared) fits(q imp.EntryParam, v value.Value) error {
	if v.Prim != q.Prim || len(v.Shape) != len(q.Shape) || (v.Shape != nil) != q.Array {
		return p.fail(q.Span, "argument `%s` is %s, but %s is expected", q.Name, v.Type(), typeOf(q))
	}
	if n := v.Elems(); n < 0 || int64(len(v.Data)) != n*v.Prim.Size() {
		return p.fail(q.Span, "argument `%s` is %s, but holds %d bytes", q.Name, v.Type(), len(v.Data))
	}
	return nil
}

// entry uploads the arguments, runs the function, and reads the results.
func (r *run) entry(e *imp.Entry, b *bound) ([]value.Value, error) {
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
			given = append(given, operand{bits: b.args[i].Bits(0)})
			continue
		}
		data := b.args[i].Data
		block, err := r.ctx.Alloc(int64(len(data)), r.p.argTag+i)
		if err != nil {
			return nil, r.p.noMemory("argument `"+q.Name+"`", q.Span, err)
		}
		given = append(given, operand{block: block})
		if err := r.ctx.Write(block, 0, data); err != nil {
			return nil, fmt.Errorf("argument `%s`: %w", q.Name, err)
		}
		r.tell(nil, one(block))
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
	return r.results(e, res)
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

// results reads the results back.
func (r *run) results(e *imp.Entry, res []operand) ([]value.Value, error) {
	out := make([]value.Value, 0, len(e.Results))
	for _, q := range e.Results {
		need := 1
		if q.Array {
			need += q.Rank
		}
		if len(res) < need {
			return nil, r.p.bug(noSpan, "entry `%s` does not fit its function's results", e.Name)
		}
		if !q.Array {
			out = append(out, value.Scalar(q.Prim, res[0].bits))
			res = res[1:]
			continue
		}
		shape := make([]int64, q.Rank)
		for i := range shape {
			shape[i] = int64(res[1+i].bits)
		}
		v, err := r.array(q, shape, res[0].block)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
		res = res[need:]
	}
	return out, nil
}

// array reads a row-major array. Its size is held against the block's before
// anything of that size is made here.
func (r *run) array(q imp.EntryResult, shape []int64, b *runtime.Block) (value.Value, error) {
	if b == nil {
		return value.Value{}, errEmpty(r.p, q.Name)
	}
	if !fitsIn(shape, b.Size()/q.Prim.Size()) {
		return value.Value{}, r.p.bug(noSpan, "result `%s` of shape %v does not fit its block of %d bytes", q.Name, shape, b.Size())
	}
	if err := hostmem.Room(b.Size()); err != nil {
		return value.Value{}, fmt.Errorf("result `%s`: %w", q.Name, err)
	}
	v := value.New(q.Prim, shape)
	if err := r.ctx.Read(b, 0, v.Data); err != nil {
		return value.Value{}, fmt.Errorf("result `%s`: %w", q.Name, err)
	}
	r.tell(one(b), nil)
	return v, nil
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
		return p.fail(noSpan, "there is no entry `%s`; the program has none", name)
	}
	return p.fail(noSpan, "there is no entry `%s`; there is %s", name, strings.Join(names, ", "))
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
