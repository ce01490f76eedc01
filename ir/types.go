package ir

import (
	"strconv"

	"github.com/memc-lang/memc/ir/diag"
)

// Kind tells scalars, arrays and memory blocks apart.
type Kind uint8

// NoKind is the kind of a type that was omitted and is not inferred yet.
const (
	NoKind Kind = iota
	ScalarKind
	ArrayKind
	MemKind
)

// A Type is the type of a name: a scalar, an array with its place, or a memory
// block. Place is nil for scalars, blocks, and arrays of memory-agnostic
// functions.
type Type struct {
	Kind   Kind
	Prim   Prim  // of the scalar or of the array's elements
	Shape  []Dim // outermost first; empty unless ArrayKind
	Unique bool  // "*": may be consumed (thesis 2.2)
	Place  *Place
	Space  string // of a block: "" is the device's default space
}

// Scalar returns the type of a scalar.
func Scalar(p Prim) Type { return Type{Kind: ScalarKind, Prim: p} }

// Mem is the type of a memory block.
var Mem = Type{Kind: MemKind}

// Array returns a nonunique array type.
func Array(p Prim, shape []Dim, place *Place) Type {
	return Type{Kind: ArrayKind, Prim: p, Shape: shape, Place: place}
}

// Rank returns the number of dimensions.
func (t Type) Rank() int { return len(t.Shape) }

// A Dim is the size of one dimension in elements: a name or, if Name is empty, a constant. As
// parsed it may be another expression, Written; elaboration gives that a name.
type Dim struct {
	Name    string
	Const   int64
	Written Exp
}

// String returns the dim as written.
func (d Dim) String() string {
	switch {
	case d.Written != nil:
		return ExpString(d.Written)
	case d.Name != "":
		return d.Name
	}
	return strconv.FormatInt(d.Const, 10)
}

// Exp returns the dim as a scalar expression of type i64.
func (d Dim) Exp() Exp {
	if d.Written != nil {
		return d.Written
	}
	if d.Name != "" {
		return &Ref{Name: d.Name, T: I64}
	}
	return IntLit(d.Const)
}

// DimExps returns dims as expressions.
func DimExps(shape []Dim) []Exp {
	out := make([]Exp, len(shape))
	for k, d := range shape {
		out[k] = d.Exp()
	}
	return out
}

// A Place says where an array lives: a memory block, and an index function written as a chain of
// operations applied from left to right. An empty chain is row-major over the array's own dims.
// Exist marks "?m": the place binds that name to the block of the value.
type Place struct {
	Exist bool
	Mem   string
	Ix    []IxOp
	Span  diag.Span
}

// An IxOp is one step of an index function (thesis figure 3.2). Offsets and
// strides count elements.
type IxOp interface{ isIxOp() }

type (
	// Direct is row-major over its sizes; it comes first in a chain.
	Direct struct{ Sizes []Exp }
	// LMAD is an offset and a (length : stride) pair per dimension; it comes first.
	LMAD struct {
		Offset Exp
		Dims   []LMADDim
	}
	// Permute makes new dimension k from old dimension Perm[k].
	Permute struct{ Perm []int }
	// IxReshape arranges the same elements, row-major, in new sizes.
	IxReshape struct{ Sizes []Exp }
	// IxSlice has one item per dimension.
	IxSlice struct{ Items []Item }
)

// LMADDim is one dimension of an LMAD, in elements.
type LMADDim struct{ Len, Stride Exp }

func (*Direct) isIxOp()    {}
func (*LMAD) isIxOp()      {}
func (*Permute) isIxOp()   {}
func (*IxReshape) isIxOp() {}
func (*IxSlice) isIxOp()   {}

// An Item selects along one dimension. If Fixed is set, it fixes Index and drops the dimension.
// Otherwise it selects Len elements from Start on, Stride apart (a nil Stride is 1).
type Item struct {
	Fixed              bool
	Index              Exp
	Start, Len, Stride Exp
	Span               diag.Span
}

// MaxBytes bounds the values of a run: a dim, the bytes of an array and of a block, and the number
// of threads of a kernel. It is far above the memory of any machine, and leaves room in an i64 for
// the products in positions of elements.
const MaxBytes = 1 << 47
