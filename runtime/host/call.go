package host

import (
	"errors"
	"fmt"
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
)

// A Call is one call of an entry.
type Call struct {
	p      *Program
	built  *runtime.Program // the entry's kernels
	end    func()
	sizes  []int64
	lent   []*Block // by parameter; nil for scalars
	out    []*Raw
	failed error // of a result
}

// Begin checks the arguments of an entry, waits for its turn on the device, and
// takes the arguments' blocks. args are arrays and scalars in the order of the
// parameters.
func (p *Program) Begin(e *Entry, args ...any) (*Call, error) {
	if len(args) != len(e.Params) {
		return nil, p.bug("`%s` is called with %d arguments", e.Name, len(args))
	}
	given := make([]Given, len(args))
	for i, a := range args {
		q := &e.Params[i]
		typed, isArray := a.(anArray)
		if !isArray {
			given[i].Value, given[i].Scalar = a.(int64)
			continue
		}
		arr := typed.array()
		if arr == nil {
			return nil, p.fail(Misuse, diag.CallCount, q.Pos, "argument `%s` is missing", q.Name)
		}
		shape := arr.shape
		if !arr.On(p.ctx) {
			return nil, p.fail(Misuse, diag.ArrayGone, q.Pos, "argument `%s` lives in another context (see Options.Context)", q.Name)
		}
		if len(shape) != len(q.Shape) {
			return nil, p.fail(Misuse, diag.ArgumentType, q.Pos, "argument `%s` is %s, but %s is expected", q.Name, typeText(arr.prim, shape), q.Type)
		}
		if why := arr.Left(); why != "" {
			return nil, p.fail(Misuse, diag.ArrayGone, q.Pos, "argument `%s` %s", q.Name, why)
		}
		given[i].Array, given[i].Shape = arr, shape
	}
	if wrong := e.Twice(given); wrong != nil {
		return nil, p.fail(Misuse, diag.ArrayTwice, e.Params[wrong.Param].Pos, "%s", wrong.Msg)
	}
	sizes, wrong := e.Bind(given)
	if wrong != nil {
		if wrong.Param < 0 {
			return nil, p.bug("%s", wrong.Msg)
		}
		return nil, p.fail(Fault, diag.ArgumentSize, e.Params[wrong.Param].Pos, "%s", wrong.Msg)
	}
	c := &Call{p: p, sizes: sizes, lent: make([]*Block, len(args)), end: p.ctx.Begin()}
	if p.closed {
		c.End()
		return nil, p.fail(Misuse, "", Pos{}, "the program is closed")
	}
	var err error
	if c.built, err = p.unit(e.Number); err != nil {
		c.End()
		return nil, fmt.Errorf("%s: %w", p.src.File, err)
	}
	for i, a := range args {
		arr, isArray := a.(anArray)
		if !isArray {
			continue
		}
		if c.lent[i], err = arr.array().lend(c, &e.Params[i]); err != nil {
			c.End()
			return nil, err
		}
	}
	return c, nil
}

func typeText(p ir.Prim, shape []int64) string {
	text := ""
	for _, d := range shape {
		text += fmt.Sprintf("[%d]", d)
	}
	return text + p.String()
}

// Size returns the value of a size variable, by its number in Entry.Sizes.
func (c *Call) Size(i int) int64 { return c.sizes[i] }

// Device returns a property of the device: "items" or "wave" (imp.Property).
func (c *Call) Device(property string) int64 { return c.p.ctx.Device().Property(property) }

// Block returns the block of the argument with that number.
func (c *Call) Block(i int) *Block { return c.lent[i] }

// End gives the device to the next call and drops the arguments' blocks. After a
// failure the results made so far are freed.
func (c *Call) End() {
	for i := range c.lent {
		Drop(&c.lent[i])
	}
	if c.failed != nil {
		for _, a := range c.out {
			a.Free()
		}
	}
	c.end()
}

// Finish waits until all is done and gives the error to tell, if any: what a
// kernel found comes before what the host made of its results.
func (c *Call) Finish(err error) error {
	if earlier := c.pending(); earlier != nil {
		return earlier
	}
	if err != nil {
		return err
	}
	return c.p.ctx.Finish()
}

// pending waits for the kernels launched so far and gives what one of them
// reported.
func (c *Call) pending() error {
	code, args, err := c.p.faults.Pending()
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", c.p.src.File, err)
	case code != 0:
		return c.Fault(code, args...)
	}
	return nil
}

// Fault is the error of a failing check.
func (c *Call) Fault(code int, args ...int64) error {
	if code <= 0 || code >= len(c.p.src.Faults) || c.p.src.Faults[code].Args > len(args) {
		return c.p.bug("a kernel reported fault %d, which there is not", code)
	}
	f := c.p.src.Faults[code]
	if f.Heap {
		e := c.p.fail(OutOfMemory, f.Code, f.Pos, "%s", runtime.CheckWords(f.Format, args[:f.Args], c.p.heap.Size()))
		e.Notes = []string{"a larger Options.DeviceHeap may help"}
		return e
	}
	return c.p.fail(Fault, f.Code, f.Pos, "%s", runtime.CheckWords(f.Format, args[:f.Args], -1))
}

// Alloc makes a block for a variable; what it held is dropped before.
func (c *Call) Alloc(v **Block, bytes int64, site int) error {
	Drop(v)
	b, err := c.p.ctx.Alloc(max(0, bytes), c.p.tagBase+site)
	if err != nil {
		s := c.p.src.Sites[site]
		return c.p.memory(s.Name, s.Pos, err)
	}
	*v = b
	return nil
}

// errEmpty is the use of a variable that holds no block: a mistake of memc's.
var errEmpty = errors.New("a memory variable holds no block")

// Launch runs a kernel with that many work-groups. Arguments are blocks and
// scalars, in the order of the kernel's parameters.
func (c *Call) Launch(kernel string, groups int64, args ...any) error {
	if groups <= 0 {
		return nil
	}
	given := c.p.faults.Arg(make([]runtime.Arg, 0, len(args)+2))
	if slices.Contains(c.p.src.HeapKernels, kernel) {
		var err error
		if given, err = c.p.heap.Arg(given); err != nil {
			return fmt.Errorf("%s: %w", c.p.src.File, err)
		}
	}
	reads := c.p.src.Reads[kernel]
	items := c.p.src.GroupSize
	for i, a := range args {
		if b, ok := a.(*Block); ok {
			if b == nil {
				return c.p.bug("argument %d of kernel %s: %v", i, kernel, errEmpty)
			}
			given = append(given, runtime.Arg{Block: b, ReadOnly: slices.Contains(reads, i)})
			continue
		}
		if n, ok := a.(Items); ok {
			items = int64(n)
			continue
		}
		if n, ok := a.(Local); ok {
			given = append(given, runtime.Arg{Local: max(1, int64(n))})
			continue
		}
		bits, p := bits(a)
		if p == ir.Unknown {
			return c.p.bug("argument %d of kernel %s is %T", i, kernel, a)
		}
		given = append(given, runtime.Arg{Bits: bits, Size: int(p.Size())})
	}
	k, err := c.built.Kernel(kernel)
	if err != nil {
		return c.p.bug("%v", err)
	}
	if err := c.p.ctx.Launch(k, groups, items, given); err != nil {
		return c.p.memory("kernel "+kernel, Pos{}, err)
	}
	if c.p.faults.Due() {
		return c.pending()
	}
	return nil
}

// Items, before the arguments of a kernel, is how many work-items its work-groups have; else
// they have Source.GroupSize.
type Items int64

// Local, as an argument of a kernel, is so many bytes of local memory for each work-group.
type Local int64

// CountCopied counts bytes that a kernel of that many work-groups moves for array
// results of its body.
func (c *Call) CountCopied(groups, bytes int64) {
	if groups > 0 {
		c.p.ctx.CountCopied(bytes)
	}
}

// Copy copies an array of that shape and size of elements between two places,
// exactly, also where they overlap.
func (c *Call) Copy(elem int64, shape []int64, dst, src Region) error {
	if dst.Block == nil || src.Block == nil {
		return c.p.bug("copy: %v", errEmpty)
	}
	if err := c.p.ctx.CopyStrided(CopyKernels(c.built), elem, shape, dst, src); err != nil {
		return c.p.memory("a copy", Pos{}, err)
	}
	return nil
}

// Load reads an element of a block into a variable. It waits for the device, and
// gives what a kernel has reported first.
func Load[T Element](c *Call, v *T, b *Block, index int64) error {
	return Fetch(c, From(v, b, index))
}

// A Fetched is an element on its way to a variable.
type Fetched struct {
	elem runtime.Elem
	set  func(bits uint64)
}

// From is the element of a block with that index, on its way to a variable.
func From[T Element](v *T, b *Block, index int64) Fetched {
	return Fetched{
		runtime.Elem{Block: b, Index: index, Size: int(primOf[T]().Size())},
		func(bits uint64) { *v = value[T](bits) },
	}
}

// Fetch is Load of several elements; the device is waited for once.
func Fetch(c *Call, list ...Fetched) error {
	elems := make([]runtime.Elem, len(list))
	for i, f := range list {
		if elems[i] = f.elem; f.elem.Block == nil {
			return c.p.bug("load: %v", errEmpty)
		}
	}
	code, args, err := c.p.faults.Fetch(c.p.ctx, elems)
	switch {
	case code != 0:
		return c.Fault(code, args...)
	case err != nil:
		return fmt.Errorf("%s: %w", c.p.src.File, err)
	}
	for i, f := range list {
		f.set(elems[i].Bits)
	}
	return nil
}

// Slots returns the block of the program's slots (runtime.NewFaultBuffer).
func (c *Call) Slots() *Block { return c.p.faults.Slots() }

// Store writes an element of a block.
func Store[T Element](c *Call, b *Block, index int64, x T) error {
	if b == nil {
		return c.p.bug("store: %v", errEmpty)
	}
	bits, p := bits(x)
	if err := c.p.ctx.WriteElem(b, index, int(p.Size()), bits); err != nil {
		return fmt.Errorf("%s: %w", c.p.src.File, err)
	}
	return nil
}

// Upload writes elements of a size, byte by byte, from that index of a block on.
func Upload(c *Call, b *Block, index int64, size int, data string) error {
	if b == nil {
		return c.p.bug("upload: %v", errEmpty)
	}
	if err := c.p.ctx.WriteElems(b, index, size, []byte(data)); err != nil {
		return fmt.Errorf("%s: %w", c.p.src.File, err)
	}
	return nil
}

// Result hands a block out as an array of that shape, which takes a reference of
// its own. It is nil where the block cannot hold it; Err tells then.
func Result[T Element](c *Call, b *Block, shape ...int64) *Array[T] {
	if b == nil || !fits(shape, b.Size()/primOf[T]().Size()) {
		c.failed = c.p.bug("a result of shape %v does not fit its block", shape)
		return nil
	}
	a := &Array[T]{Raw{ctx: c.p.ctx, prim: primOf[T](), shape: shape, block: Keep(b)}}
	c.out = append(c.out, &a.raw)
	return a
}

// Err tells whether a Result failed; End frees the others then.
func (c *Call) Err() error { return c.failed }

// fits reports whether shape is a shape of at most room elements.
func fits(shape []int64, room int64) bool {
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
