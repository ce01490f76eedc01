package value

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/memc-lang/memc/ir"
)

// A Value is a scalar (Shape nil) or an array. Data holds the elements
// row-major, little-endian, each in its natural width.
type Value struct {
	Prim  ir.Prim
	Shape []int64
	Data  []byte
}

// New returns a zero array of that shape (nil: a scalar).
func New(p ir.Prim, shape []int64) Value {
	n := int64(1)
	for _, d := range shape {
		n *= d
	}
	return Value{p, shape, make([]byte, n*p.Size())}
}

// Scalar returns a scalar from its bits (see Bits).
func Scalar(p ir.Prim, bits uint64) Value {
	v := New(p, nil)
	v.SetBits(0, bits)
	return v
}

// Elems returns the number of elements; a scalar has one.
func (v Value) Elems() int64 {
	n := int64(1)
	for _, d := range v.Shape {
		n *= d
	}
	return n
}

// Bits returns element i as bits in a uint64: signed integers sign-extended,
// unsigned ones and bools zero-extended, floats as the IEEE bits of their width.
func (v Value) Bits(i int64) uint64 {
	switch d := v.Data[i*v.Prim.Size():]; v.Prim {
	case ir.I8:
		return uint64(int8(d[0]))
	case ir.U8, ir.Bool:
		return uint64(d[0])
	case ir.I16:
		return uint64(int16(binary.LittleEndian.Uint16(d)))
	case ir.U16, ir.F16:
		return uint64(binary.LittleEndian.Uint16(d))
	case ir.I32:
		return uint64(int32(binary.LittleEndian.Uint32(d)))
	case ir.U32, ir.F32:
		return uint64(binary.LittleEndian.Uint32(d))
	default:
		return binary.LittleEndian.Uint64(d)
	}
}

// SetBits sets element i.
func (v Value) SetBits(i int64, bits uint64) {
	switch d := v.Data[i*v.Prim.Size():]; v.Prim.Size() {
	case 1:
		d[0] = byte(bits)
	case 2:
		binary.LittleEndian.PutUint16(d, uint16(bits))
	case 4:
		binary.LittleEndian.PutUint32(d, uint32(bits))
	default:
		binary.LittleEndian.PutUint64(d, bits)
	}
}

// truths makes each true of a file's bools 1: a file may hold other bytes than 0 and 1.
func (v Value) truths() {
	for i, b := range v.Data {
		if v.Prim == ir.Bool && b != 0 {
			v.Data[i] = 1
		}
	}
}

// Float returns element i of a floating-point value.
func (v Value) Float(i int64) float64 {
	switch v.Prim {
	case ir.F16:
		return ir.HalfFloat(v.Bits(i))
	case ir.F32:
		return float64(math.Float32frombits(uint32(v.Bits(i))))
	}
	return math.Float64frombits(v.Bits(i))
}

// Type returns the type as text: "[3][4]f32".
func (v Value) Type() string {
	var b strings.Builder
	for _, d := range v.Shape {
		fmt.Fprintf(&b, "[%d]", d)
	}
	return b.String() + v.Prim.String()
}

// maxElems bounds the size of a value that is read, so that a wrong header is
// an error and not an attempt to allocate the address space.
const maxElems = 1 << 40

// checkedShape tells whether the product of dims is a sane number of elements. Where there is none, the
// other dims are the program's to refuse.
func checkedShape(dims []int64) error {
	most := int64(maxElems)
	for _, d := range dims {
		if d < 0 {
			return fmt.Errorf("negative dimension %d", d)
		}
		most /= max(d, 1)
	}
	if most == 0 && !slices.Contains(dims, 0) {
		return fmt.Errorf("shape %v is too large", dims)
	}
	return nil
}
