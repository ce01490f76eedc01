package ir

import "github.com/memc-lang/memc/ir/diag"

// An Op is the right-hand side of a statement: one Go type per operation.
// Switches over Op are kept exhaustive by TestOpsCovered.
type Op interface{ isOp() }

// Operations that produce scalars, or check one.
type (
	// Compute evaluates a scalar expression. As parsed it also stands for
	// "let y = x" with x an array or a block; elaboration turns that into Alias.
	Compute struct{ E Exp }
	// Assert stops the run with Msg if Cond is false. Each "{}" in Msg stands for the next of Values,
	// which are integers; without values, Msg is only a text. If Size is set, Cond is e >= 0, and the run
	// stops as it does for an array of size e. If Threads is set, Cond is n * m * .. >= 0, and the
	// run stops as it does for a kernel with these bounds.
	Assert struct {
		Cond          Exp
		Msg           string
		Values        []Exp
		Size, Threads bool
	}
)

// Operations that make a fresh array: they write into the place of their
// pattern, which may be any block in scope.
type (
	Copy   struct{ X string }
	Concat struct {
		Dim  int // the dimension joined along
		Args []string
	}
	// Scratch leaves its contents undefined.
	Scratch struct {
		Prim Prim
		Dims []Exp
	}
	// Range holds Lo, Lo+1, .., Hi-1. "iota n" is [0 ..< n] and keeps its form
	// in Iota.
	Range struct {
		Lo, Hi Exp
		Iota   bool
	}
	// Replicate repeats a scalar or an array (a Ref) over new outer dims.
	Replicate struct {
		Dims []Exp
		X    Exp
	}
	ArrayLit struct{ Elems []Exp }
)

// Operations that make a delayed array: the same block, another index function.
type (
	// Alias is another name for an array or a block.
	Alias   struct{ X string }
	Reshape struct {
		X    string
		Dims []Exp
	}
	Rearrange struct {
		X    string
		Perm []int
	}
	// Slice has at least one item that is not Fixed.
	Slice struct {
		X     string
		Items []Item
	}
)

// Update writes Value (a scalar, or a Ref to an array) into a slice of X, which
// it consumes; the result has X's block and index function.
type Update struct {
	X     string
	Items []Item
	Value Exp
}

// Alloc makes a memory block of Size bytes.
type Alloc struct {
	Size  Exp
	Space string
}

// Structured control, and calls.
type (
	If struct {
		Cond       Exp
		Then, Else *Body
	}
	// Loop runs its body for Var = 0 .. Bound-1, or while the parameter named While is true (then
	// Var is empty). The body's results are the parameters' next values. As parsed, a while loop
	// may have a condition over its parameters, Cond, in place of While; elaboration turns it into
	// a parameter.
	Loop struct {
		Params []Param
		Var    string
		Bound  Exp
		While  string
		Cond   Exp
		Head   diag.Span // of Var, While or Cond
		Body   *Body
	}
	Call struct {
		Fn   string
		Args []Exp
	}
)

// A Param is a loop parameter with its initial value.
type Param struct {
	Elem *Elem
	Init Exp
}

// A Bound is one dimension of a kernel: Var runs over 0 .. Size-1.
type Bound struct {
	Var  string
	Size Exp
	Span diag.Span // of Var
}

// A Space is the index space of a kernel, outermost first.
type Space []Bound

// Sizes returns the bounds as expressions.
func (s Space) Sizes() []Exp {
	out := make([]Exp, len(s))
	for k, b := range s {
		out[k] = b.Size
	}
	return out
}

// An Operator is the combining function of a reduction, scan or histogram. It
// has 2k parameters, k accumulated values followed by k new ones.
type Operator struct {
	Commutative bool
	Params      []*Elem
	Body        *Body
	Neutral     []Exp
}

// Kernels: the parallel expressions.
type (
	Map struct {
		Space Space
		Body  *Body
	}
	// Reduce combines along the last bound. It combines the first len(Neutral) results of the body,
	// and maps the others over all bounds. As parsed it may combine along the last Over bounds at
	// once; elaboration replaces these by one bound.
	Reduce struct {
		Space Space
		Over  int
		Op    Operator
		Body  *Body
	}
	// Scan is the inclusive prefix form of Reduce.
	Scan struct {
		Space Space
		Over  int
		Op    Operator
		Body  *Body
	}
	// Scatter writes values at indices of Dests, which it consumes. The body's results are the
	// indices, then one value per destination. Writes out of range do nothing. Threads write
	// different elements, unless Any is set: then an element keeps one of the values written to it.
	Scatter struct {
		Dests []string
		Space Space
		Any   bool
		Body  *Body
	}
	// Hist combines values into Dests[index] with an operator.
	Hist struct {
		Dests []string
		Space Space
		Op    Operator
		Body  *Body
	}
	// Into is a map whose threads write elements of accumulators by Put, any number of times. It
	// consumes the accumulators' arrays, and gives them back. Its body has no results.
	Into struct {
		Space Space
		Accs  []Accumulator
		Body  *Body
	}
)

// An Accumulator is arrays of one shape that the threads of an Into write, and do not read. With an
// operator, values are combined with the elements, as Hist does. Without one they are stored:
// several threads may write one element only if Any is set, as in Scatter.
type Accumulator struct {
	Dests []string
	Any   bool
	Op    *Operator
}

// Put writes one value per array into the element of an accumulator at Index, in the body of an
// Into. It writes nothing where the index is out of range.
type Put struct {
	Dests  []string // all of the accumulator
	Index  []Exp
	Values []Exp
}

func (*Compute) isOp()   {}
func (*Assert) isOp()    {}
func (*Copy) isOp()      {}
func (*Concat) isOp()    {}
func (*Scratch) isOp()   {}
func (*Range) isOp()     {}
func (*Replicate) isOp() {}
func (*ArrayLit) isOp()  {}
func (*Alias) isOp()     {}
func (*Reshape) isOp()   {}
func (*Rearrange) isOp() {}
func (*Slice) isOp()     {}
func (*Update) isOp()    {}
func (*Alloc) isOp()     {}
func (*If) isOp()        {}
func (*Loop) isOp()      {}
func (*Call) isOp()      {}
func (*Map) isOp()       {}
func (*Reduce) isOp()    {}
func (*Scan) isOp()      {}
func (*Scatter) isOp()   {}
func (*Hist) isOp()      {}
func (*Into) isOp()      {}
func (*Put) isOp()       {}

// MaxValues bounds the values of an assertion: that many numbers tell of a fault.
const MaxValues = 4

// Sized returns the size that the assertion is about, or the bounds of a kernel.
func (a *Assert) Sized() (sizes []Exp, ok bool) {
	b, ok := a.Cond.(*Binary)
	if !ok || !a.Size && !a.Threads || b.Op != ">=" {
		return nil, false
	}
	if zero, ok := b.Y.(*Lit); !ok || zero.Bits != 0 {
		return nil, false
	}
	if a.Threads {
		return factors(b.X), true
	}
	return []Exp{b.X}, true
}

func factors(e Exp) []Exp {
	if b, ok := e.(*Binary); ok && b.Op == "*" {
		return append(factors(b.X), factors(b.Y)...)
	}
	return []Exp{e}
}
