package interp

import (
	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// A semantics says what arrays are: values (value_arrays.go), or bytes in
// blocks (memory_arrays.go). Scalars, control and the order in which things
// happen are the same for both.
type semantics interface {
	// index compiles an element read of a.
	index(a *array, e *ir.Index, ix []scalar.Code) scalar.Code
	// creator compiles how el, whose variable is a, comes to be: it gets a
	// place for the shape, and its event begins.
	creator(fn *function, el *ir.Elem, a *array, at diag.Span) func(fr []uint64, shape []int64)
	// viewer compiles how el becomes a delayed array of src.
	viewer(fn *function, el *ir.Elem, a, src *array) viewer
	// binder compiles what happens when el, whose variable is a, is bound to a
	// value that exists; nil: nothing.
	binder(fn *function, el *ir.Elem, a *array) func(fr []uint64)
	// param gives the place of an argument of an entry.
	param(el *ir.Elem, a *array, shape []int64)
	// call compiles what is checked where a call begins, which consumes argument k if own[k];
	// nil: nothing.
	call(fn string, own []bool, args []operand, at diag.Span) func()
	// alloc makes a block in a space.
	alloc(name, space string, bytes scalar.Code, at diag.Span) func(fr []uint64) *block

	// consume makes dst the value that an update of src gives, before anything
	// is written.
	consume(dst, src *array, at diag.Span)
	// scratch makes the contents of a undefined.
	scratch(a *array)
	// get reads the element at pos of a, put writes it.
	get(a *array, pos int64, at diag.Span) uint64
	put(a *array, pos int64, bits uint64, g guard, at diag.Span)
	// gather reads all elements of a. Where strict is set an undefined one is
	// an error; otherwise undefinedness moves along.
	gather(a *array, into *elements, strict bool, at diag.Span)
	// moved records that elements read from a go elsewhere, and were not there already.
	moved(a *array, at diag.Span)
	// spread writes all elements of a.
	spread(a *array, from *elements, g guard, at diag.Span)
	// same reports whether src already lies where dst is.
	same(dst, src *array) bool
	// intact checks that nothing the guard names has overwritten a.
	intact(a *array, g guard, at diag.Span)

	// enter begins a kernel, leave ends it and completes its results; thread
	// tells which thread runs: its number, or one of the pseudo-threads.
	enter(k *kernel)
	leave(k *kernel)
	thread(t int64)
}

// Pseudo-threads of a kernel.
const (
	noThread   int64 = -1 // the host, or a combination of values
	combiner   int64 = -2 // writes the results of a reduction or scan
	histWriter int64 = -3 // writes the destinations of a histogram
)

// A viewer makes a delayed array, by each of the operations that do.
type viewer interface {
	alias(fr []uint64)
	reshape(fr []uint64, shape []int64, at diag.Span)
	rearrange(fr []uint64, perm []int)
	slice(fr []uint64, sel []selected)
}

// A guard is the range of event times of which no byte may be written twice:
// the results that are being made. A zero guard guards nothing.
type guard struct{ low, high uint32 }

// of gives the guard of the event that makes a.
func guardOf(a *array) guard { return guard{a.stamp, a.stamp} }
