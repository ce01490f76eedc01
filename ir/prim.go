package ir

// Prim is a primitive (scalar) type. The zero Prim means "not known yet".
type Prim uint8

// The primitive types of the language (docs/ir.md, section Types).
const (
	Unknown Prim = iota
	I8
	I16
	I32
	I64
	U8
	U16
	U32
	U64
	F16
	F32
	F64
	Bool
)

var primNames = [...]string{"?", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64", "bool"}

// Prims lists every primitive type.
var Prims = []Prim{I8, I16, I32, I64, U8, U16, U32, U64, F16, F32, F64, Bool}

func (p Prim) String() string { return primNames[p] }

// PrimByName returns the type of that name, or Unknown.
func PrimByName(name string) Prim {
	for p, n := range primNames {
		if p > 0 && n == name {
			return Prim(p)
		}
	}
	return Unknown
}

// Size returns the size of an element in bytes; a bool takes one.
func (p Prim) Size() int64 {
	switch p {
	case I8, U8, Bool:
		return 1
	case I16, U16, F16:
		return 2
	case I32, U32, F32:
		return 4
	case I64, U64, F64:
		return 8
	}
	return 0
}

// Signed reports whether p is a signed integer type.
func (p Prim) Signed() bool { return p >= I8 && p <= I64 }

// Unsigned reports whether p is an unsigned integer type.
func (p Prim) Unsigned() bool { return p >= U8 && p <= U64 }

// Integer reports whether p is an integer type of either kind.
func (p Prim) Integer() bool { return p >= I8 && p <= U64 }

// Float reports whether p is a floating-point type.
func (p Prim) Float() bool { return p >= F16 && p <= F64 }

// Bits returns the width of p in bits; a bool counts as 8.
func (p Prim) Bits() int { return int(p.Size() * 8) }
