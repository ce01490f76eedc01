package host

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/runtime"
)

// An Array is an array on the device, row-major. It stays there, and can be an argument of any
// number of calls, until Free, or until a call consumes it. Its methods may be called from any
// goroutine.
type Array[T Element] struct {
	ctx   *runtime.Context
	shape []int64

	mu    sync.Mutex
	block *Block // nil once the array is gone
	gone  string // why
}

// NewArray copies data to the device that p is on. The data is row-major; without
// a shape the array has one dimension.
func NewArray[T Element](p *Program, data []T, shape ...int) (*Array[T], error) {
	if len(shape) == 0 {
		shape = []int{len(data)}
	}
	a := &Array[T]{ctx: p.ctx, shape: make([]int64, len(shape))}
	elems := int64(1)
	for i, d := range shape {
		if d < 0 {
			return nil, p.fail(Misuse, Pos{}, "a new array cannot have the shape %v", shape)
		}
		a.shape[i] = int64(d)
		elems = MulBytes(elems, int64(d))
	}
	if slices.Contains(shape, 0) {
		elems = 0
	}
	if int64(len(data)) != elems {
		return nil, p.fail(Misuse, Pos{}, "a new array of shape %v has %s elements, but %d were given", shape, number(elems), len(data))
	}
	b, err := p.ctx.Alloc(elems*primOf[T]().Size(), p.arrayTag())
	if err != nil {
		return nil, p.memory("a new array", Pos{}, err)
	}
	if err := p.ctx.Write(b, 0, memory(data)); err != nil {
		b.Release()
		return nil, fmt.Errorf("a new array: %w", err)
	}
	a.block = b
	return a, nil
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
	shape := make([]int, len(a.shape))
	for i, d := range a.shape {
		shape[i] = int(d)
	}
	return shape
}

// Len returns the number of elements.
func (a *Array[T]) Len() int {
	n := 1
	for _, d := range a.shape {
		n *= int(d)
	}
	return n
}

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
		return &Error{Kind: Misuse, File: "array", Msg: fmt.Sprintf("of shape %v has %d elements, but there is room for %d", a.shape, a.Len(), len(data))}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.block == nil {
		return &Error{Kind: Misuse, File: "array", Msg: a.gone}
	}
	to := memory(data)
	if err := a.ctx.Read(a.block, 0, to); err != nil {
		return fmt.Errorf("array: %w", err)
	}
	if primOf[T]() == ir.Bool {
		for i := range to { // Go knows no other true than 1
			to[i] &= 1
		}
	}
	return nil
}

// Free gives the memory back. An array that is nil, consumed or free already is
// left alone.
func (a *Array[T]) Free() {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.block != nil {
		a.leave("was freed")
	}
}

// leave ends the array; its reference is dropped.
func (a *Array[T]) leave(why string) {
	Drop(&a.block)
	a.gone = why
}

// anArray is an Array of any element type, as an argument.
type anArray interface {
	missing() bool
	place() (*runtime.Context, []int64)
	left() string
	elem() ir.Prim
	lend(c *Call, q *Param) (*Block, error)
	Free()
}

func (a *Array[T]) missing() bool { return a == nil }

func (a *Array[T]) place() (*runtime.Context, []int64) { return a.ctx, a.shape }

func (a *Array[T]) elem() ir.Prim { return primOf[T]() }

// left tells why the array is gone; "" if it is not.
func (a *Array[T]) left() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.gone
}

// lend returns a call a reference to the block. A consumed array loses its own;
// where others share the block they keep it, and the call gets a copy.
func (a *Array[T]) lend(c *Call, q *Param) (*Block, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.block == nil {
		return nil, c.p.fail(Misuse, q.Pos, "argument `%s` %s", q.Name, a.gone)
	}
	if !q.Consumed {
		return Keep(a.block), nil
	}
	b := Keep(a.block)
	if a.block.References() > 2 { // the array's, ours, and others
		own, err := c.duplicate(b, q)
		b.Release()
		if err != nil {
			return nil, err
		}
		b = own
	}
	a.leave("was consumed by a call")
	return b, nil
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
