package host

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
)

// An Array is an array on the device, row-major. It stays there, and can be an argument of any
// number of calls, until Free, or until a call consumes it. Its methods may be called from any
// goroutine.
type Array[T Element] struct{ raw Raw }

// A Raw is an Array whose element type is known only when the program runs.
type Raw struct {
	ctx   *runtime.Context
	prim  ir.Prim
	shape []int64

	mu    sync.Mutex
	block *Block // nil once the array is gone
	gone  string // why
}

// NewRaw returns an array of that shape in a block, whose reference it takes over.
func NewRaw(ctx *runtime.Context, prim ir.Prim, shape []int64, b *Block) *Raw {
	return &Raw{ctx: ctx, prim: prim, shape: shape, block: b}
}

// NewArray copies data to the device that p is on. The data is row-major; without
// a shape the array has one dimension.
func NewArray[T Element](p *Program, data []T, shape ...int) (*Array[T], error) {
	if len(shape) == 0 {
		shape = []int{len(data)}
	}
	dims := make([]int64, len(shape))
	elems := int64(1)
	for i, d := range shape {
		if d < 0 {
			return nil, p.fail(Misuse, diag.BadValue, Pos{}, "a new array cannot have the shape %v", shape)
		}
		dims[i] = int64(d)
		elems = MulBytes(elems, int64(d))
	}
	if slices.Contains(shape, 0) {
		elems = 0
	}
	if int64(len(data)) != elems {
		return nil, p.fail(Misuse, diag.BadValue, Pos{}, "a new array of shape %v has %s elements, but %d were given", shape, number(elems), len(data))
	}
	b, err := p.ctx.Alloc(elems*primOf[T]().Size(), p.arrayTag())
	if err != nil {
		return nil, p.memory("a new array", Pos{}, err)
	}
	if err := p.ctx.Write(b, 0, memory(data)); err != nil {
		b.Release()
		return nil, fmt.Errorf("a new array: %w", err)
	}
	return &Array[T]{Raw{ctx: p.ctx, prim: primOf[T](), shape: dims, block: b}}, nil
}

// number words a saturated product.
func number(n int64) string {
	if n == math.MaxInt64 {
		return "too many"
	}
	return fmt.Sprint(n)
}

// Shape returns the sizes of the dimensions, the outermost first.
func (a *Array[T]) Shape() []int {
	shape := make([]int, len(a.raw.shape))
	for i, d := range a.raw.shape {
		shape[i] = int(d)
	}
	return shape
}

// Len returns the number of elements.
func (a *Array[T]) Len() int { return int(a.raw.elems()) }

// Data copies the elements to a new slice, row-major.
func (a *Array[T]) Data() ([]T, error) {
	data := make([]T, a.Len())
	if err := a.Read(data); err != nil {
		return nil, err
	}
	return data, nil
}

// Read copies the elements to a slice of just their number.
func (a *Array[T]) Read(data []T) error {
	if len(data) != a.Len() {
		return a.raw.misuse(diag.BadValue, fmt.Sprintf("of shape %v has %d elements, but there is room for %d", a.raw.shape, a.Len(), len(data)))
	}
	return a.raw.Read(memory(data))
}

// Free gives the memory back. An array that is nil, consumed or free already is
// left alone.
func (a *Array[T]) Free() {
	if a != nil {
		a.raw.Free()
	}
}

// array returns the array without its type; nil if there is none.
func (a *Array[T]) array() *Raw {
	if a == nil {
		return nil
	}
	return &a.raw
}

// anArray is an Array of any element type, as an argument.
type anArray interface{ array() *Raw }

// Prim returns the type of the elements.
func (a *Raw) Prim() ir.Prim { return a.prim }

// Shape returns the sizes of the dimensions, which must not be changed.
func (a *Raw) Shape() []int64 { return a.shape }

// On reports whether the array can be an argument of programs on a context.
func (a *Raw) On(ctx *runtime.Context) bool { return a.ctx.Shares(ctx) }

func (a *Raw) elems() int64 {
	n := int64(1)
	for _, d := range a.shape {
		n *= d
	}
	return n
}

func (a *Raw) misuse(code diag.Code, what string) error {
	return &Error{Kind: Misuse, Code: code, File: "array", Msg: what}
}

// Read copies the elements to bytes of just their size.
func (a *Raw) Read(to []byte) error {
	if n := a.elems() * a.prim.Size(); int64(len(to)) != n {
		return a.misuse(diag.BadValue, fmt.Sprintf("has %d bytes, but there is room for %d", n, len(to)))
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.block == nil {
		return a.misuse(diag.ArrayGone, a.gone)
	}
	if err := a.ctx.Read(a.block, 0, to); err != nil {
		return fmt.Errorf("array: %w", err)
	}
	if a.prim == ir.Bool {
		for i := range to { // Go knows no other true than 1
			to[i] &= 1
		}
	}
	return nil
}

// Free gives the memory back, unless the array is gone already.
func (a *Raw) Free() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.block != nil {
		a.leave("was freed")
	}
}

// leave ends the array; its reference is dropped.
func (a *Raw) leave(why string) {
	Drop(&a.block)
	a.gone = why
}

// Left tells why the array is gone; "" if it is not.
func (a *Raw) Left() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.gone
}

// Lend returns a reference to the block for a call, or why there is none. A consumed array loses its
// own; where others share the block they keep it, and the call gets what duplicate makes of it.
func (a *Raw) Lend(consumed bool, duplicate func(*Block) (*Block, error)) (_ *Block, gone string, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.block == nil {
		return nil, a.gone, nil
	}
	b := Keep(a.block)
	if !consumed {
		return b, "", nil
	}
	if b.References() > 2 { // the array's, ours, and others
		own, err := duplicate(b)
		b.Release()
		if err != nil {
			return nil, "", err
		}
		b = own
	}
	a.leave("was consumed by a call")
	return b, "", nil
}

// lend returns a call a reference to the block of an argument.
func (a *Raw) lend(c *Call, q *Param) (*Block, error) {
	b, gone, err := a.Lend(q.Consumed, func(b *Block) (*Block, error) { return c.duplicate(b, q) })
	if gone != "" {
		return nil, c.p.fail(Misuse, diag.ArrayGone, q.Pos, "argument `%s` %s", q.Name, gone)
	}
	return b, err
}

// duplicate copies a block.
func (c *Call) duplicate(b *Block, q *Param) (*Block, error) {
	n := b.Size()
	own, err := c.p.ctx.Alloc(n, c.p.arrayTag())
	if err != nil {
		return nil, c.p.memory("argument `"+q.Name+"`", q.Pos, err)
	}
	if err := c.Copy(1, []int64{n}, At(own, 0, 1), At(b, 0, 1)); err != nil {
		own.Release()
		return nil, err
	}
	return own, nil
}
