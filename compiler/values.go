package compiler

import (
	"math"
	"slices"
	"unsafe"

	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime/host"
)

// Element is the Go types of scalars and of elements: i8 to i64, u8 to u64, f16 (host.Float16), f32,
// f64 and bool.
type Element = host.Element

// An Array is an array on a context's device. It stays there until Free, or until a call consumes it.
type Array struct{ a *driver.Array }

// Bytes is an array in the caller's memory as bytes: row-major, little-endian, each element in its
// natural width, a bool as 0 or 1. As an argument it stands for a slice of the type, and with a nil
// Shape for a scalar.
type Bytes struct {
	Type  string // "f32"
	Shape []int
	Data  []byte
}

// Size returns the bytes that data of the type and shape has, if it is the size of an array.
func (b Bytes) Size() (int, error) {
	p, known := primNamed(b.Type)
	n, ok := elems(wide(b.Shape))
	if !known || !ok {
		return 0, misuse(diag.BadValue, "there is no array of the type %q and the shape %v", b.Type, b.Shape)
	}
	return int(n * p.Size()), nil
}

// BytesOf returns a scalar, or a slice, as Bytes; of a slice, they share its memory. It returns no
// Bytes of anything else.
func BytesOf(x any) Bytes {
	for p, k := range kinds {
		if bits, ok := k.scalar(x); ok {
			return Bytes{Type: p.String(), Data: value.Scalar(p, bits).Data}
		}
		if data, n, ok := k.bytes(x); ok {
			return Bytes{Type: p.String(), Shape: []int{n}, Data: data}
		}
	}
	return Bytes{}
}

// Type returns the type of the elements, as the language writes it: "f32".
func (a *Array) Type() string { return a.a.Prim().String() }

// Shape returns the sizes of the dimensions, the outermost first.
func (a *Array) Shape() []int {
	shape := make([]int, len(a.a.Shape()))
	for i, d := range a.a.Shape() {
		shape[i] = int(d)
	}
	return shape
}

// Len returns the number of elements.
func (a *Array) Len() int { return int(value.Value{Shape: a.a.Shape()}.Elems()) }

// Data copies the elements to a new slice, such as []float32.
func (a *Array) Data() (data any, err error) {
	defer guard(&err)
	data, to := kinds[a.a.Prim()].make(a.Len())
	return data, wrap(a.a.Read(to))
}

// Read copies the elements to bytes of just their size, as in Bytes.
func (a *Array) Read(to []byte) (err error) {
	defer guard(&err)
	return wrap(a.a.Read(to))
}

// View returns the elements as in Bytes, where they lie, on the devices that are in this process's memory: "c" and the
// interpreters. They must not be changed, and stay when the array is freed. On OpenCL it returns nil.
func (a *Array) View() (data []byte, err error) {
	defer guard(&err)
	data, err = a.a.View()
	return data, wrap(err)
}

// Free gives the memory back. An array that is nil, consumed or free already is left alone.
func (a *Array) Free() {
	if a != nil {
		a.a.Free()
	}
}

// Data copies the elements of an array to a new slice. T must be the type of its elements.
func Data[T Element](a *Array) ([]T, error) {
	data, err := a.Data()
	if err != nil {
		return nil, err
	}
	list, ok := data.([]T)
	if !ok {
		var zero T
		return nil, misuse("", "an array of %s has no %T", a.Type(), zero)
	}
	return list, nil
}

// A kind is a Go type of elements.
type kind struct {
	bytes  func(slice any) ([]byte, int, bool) // of a slice, and its length
	make   func(n int) (slice any, bytes []byte)
	load   func(bits *uint64) any
	scalar func(x any) (uint64, bool)
}

func kindOf[T Element]() kind {
	bytes := func(list []T) []byte {
		var zero T
		return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), len(list)*int(unsafe.Sizeof(zero)))
	}
	return kind{
		bytes: func(slice any) ([]byte, int, bool) {
			list, ok := slice.([]T)
			return bytes(list), len(list), ok
		},
		make: func(n int) (any, []byte) {
			list := make([]T, n)
			return list, bytes(list)
		},
		load: func(bits *uint64) any { return *(*T)(unsafe.Pointer(bits)) }, // little-endian, as memc's runtime is
		scalar: func(x any) (bits uint64, ok bool) {
			v, ok := x.(T)
			*(*T)(unsafe.Pointer(&bits)) = v
			return bits, ok
		},
	}
}

var kinds = map[ir.Prim]kind{
	ir.I8: kindOf[int8](), ir.I16: kindOf[int16](), ir.I32: kindOf[int32](), ir.I64: kindOf[int64](),
	ir.U8: kindOf[uint8](), ir.U16: kindOf[uint16](), ir.U32: kindOf[uint32](), ir.U64: kindOf[uint64](),
	ir.F16: kindOf[host.Float16](), ir.F32: kindOf[float32](), ir.F64: kindOf[float64](), ir.Bool: kindOf[bool](),
}

// slice returns a slice, or Bytes, as a value. It shares the caller's memory.
func slice(x any) (v value.Value, ok bool) {
	if b, isBytes := x.(Bytes); isBytes {
		p, known := primNamed(b.Type)
		v = value.Value{Prim: p, Data: b.Data}
		if b.Shape != nil {
			v.Shape = wide(b.Shape)
		}
		return v, known
	}
	for p, k := range kinds {
		if data, n, ok := k.bytes(x); ok {
			return value.Value{Prim: p, Shape: []int64{int64(n)}, Data: data}, true
		}
	}
	return value.Value{}, false
}

func primNamed(name string) (ir.Prim, bool) {
	i := slices.IndexFunc(ir.Prims, func(p ir.Prim) bool { return p.String() == name })
	if i < 0 {
		return ir.Unknown, false
	}
	return ir.Prims[i], true
}

func wide(shape []int) []int64 {
	dims := make([]int64, len(shape))
	for i, d := range shape {
		dims[i] = int64(d)
	}
	return dims
}

// elems returns the number of elements of a shape; ok is false if it is none.
func elems(shape []int64) (n int64, ok bool) {
	n = 1
	for _, d := range shape {
		if d < 0 {
			return 0, false
		}
		n = scalar.MulBytes(n, d)
	}
	if slices.Contains(shape, 0) {
		n = 0
	}
	return n, n <= math.MaxInt64/8
}

// whole checks that a value has the bytes that its shape needs.
func whole(v value.Value) error {
	if n, ok := elems(v.Shape); !ok || n*v.Prim.Size() != int64(len(v.Data)) {
		return misuse(diag.BadValue, "an array of %s needs other data than the %d bytes that were given", v.Type(), len(v.Data))
	}
	return nil
}

// reshaped returns a shape for the elements of a value.
func reshaped(v value.Value, shape []int) ([]int64, error) {
	dims := wide(shape)
	if n, ok := elems(dims); !ok || n*v.Prim.Size() != int64(len(v.Data)) {
		return nil, misuse(diag.BadValue, "a new array cannot have the shape %v: %d elements were given", shape, int64(len(v.Data))/v.Prim.Size())
	}
	return dims, nil
}

// argument returns an argument for a parameter, of its type and rank.
func argument(q *ir.Elem, x any) (driver.Arg, error) {
	a, isArray := x.(*Array)
	if isArray && (a == nil || a.a == nil) {
		return driver.Arg{}, misuse(diag.CallCount, "argument `%s` is missing", q.Name)
	}
	var arg driver.Arg
	v, ok := number(q.Type.Prim, x)
	switch {
	case isArray:
		arg.Array = a.a
		v, ok = value.Value{Prim: a.a.Prim(), Shape: a.a.Shape()}, true
	case ok:
		arg.Value = v
	default:
		if v, ok = slice(x); ok {
			if err := whole(v); err != nil {
				return arg, err
			}
		}
		arg.Value = v
	}
	switch {
	case !ok:
		return arg, misuse(diag.ArgumentType, "argument `%s` is %T(%v), but %s is expected", q.Name, x, x, typeText(q.Type))
	case v.Prim != q.Type.Prim || len(v.Shape) != len(q.Type.Shape):
		return arg, misuse(diag.ArgumentType, "argument `%s` is %s, but %s is expected", q.Name, v.Type(), typeText(q.Type))
	}
	return arg, nil
}

// typeText returns a type as the program writes it, without its place.
func typeText(t ir.Type) string {
	t.Place = nil
	return t.String()
}

// number returns a scalar. An int becomes any type that holds it, and a float64 any type of floats.
func number(p ir.Prim, x any) (value.Value, bool) {
	if bits, ok := kinds[p].scalar(x); ok {
		return value.Scalar(p, bits), true
	}
	switch x := x.(type) {
	case int:
		bits := scalar.Convert(ir.I64, p)(uint64(x))
		if p.Integer() && (scalar.Convert(p, ir.I64)(bits) != uint64(x) || x < 0 && p.Unsigned()) || p == ir.Bool {
			return value.Value{}, false
		}
		return value.Scalar(p, bits), true
	case float64:
		return value.Scalar(p, scalar.Convert(ir.F64, p)(math.Float64bits(x))), p.Float()
	}
	return value.Value{}, false
}

// result returns a result: an *Array, or a scalar in its Go type.
func result(r driver.Arg) any {
	if r.Array != nil {
		return &Array{r.Array}
	}
	bits := r.Value.Bits(0)
	return kinds[r.Value.Prim].load(&bits)
}
