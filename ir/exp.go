package ir

import (
	"math"
	"strconv"

	"github.com/memc-lang/memc/internal/diag"
)

// An Exp is a scalar expression. A Ref may also name an array or a block where
// an operand of any type is allowed (results of bodies, arguments, initial
// values); then its Prim is Unknown.
//
// T fields are filled in by ir/check's elaboration.
type Exp interface {
	Prim() Prim
	Span() diag.Span
	isExp()
}

type (
	// Lit is a literal. Text is the literal as written, without its suffix;
	// Bits is its value: the two's complement bits of an integer (sign-extended
	// to 64), the IEEE bits of a float in its own width, 0 or 1 for a bool. Bits
	// is valid once T is known.
	Lit struct {
		Text   string
		Suffix bool // a type suffix was written
		T      Prim
		Bits   uint64
		At     diag.Span
	}
	// Ref names a variable.
	Ref struct {
		Name string
		T    Prim
		At   diag.Span
	}
	// Exist is "?name" in an existential place: it binds a scalar of type i64.
	Exist struct {
		Name string
		At   diag.Span
	}
	// Index reads one element: as many indices as the array has dimensions.
	Index struct {
		Array   string
		Indices []Exp
		T       Prim
		At      diag.Span
	}
	// Unary applies "-", "!" or "~".
	Unary struct {
		Op string
		X  Exp
		T  Prim
		At diag.Span
	}
	// Binary applies one of + - * / % ** & | ^ << >> == != < <= > >= && ||.
	// T is the type of the result (Bool for comparisons).
	Binary struct {
		Op   string
		X, Y Exp
		T    Prim
		At   diag.Span
	}
	// Cond is "if C then X else Y"; only the taken side is evaluated.
	Cond struct {
		C, X, Y Exp
		T       Prim
		At      diag.Span
	}
	// Convert is f32(e) and its kin: T is the target type.
	Convert struct {
		X  Exp
		T  Prim
		At diag.Span
	}
	// Builtin calls one of the built-in functions (see Builtins).
	Builtin struct {
		Fn   string
		Args []Exp
		T    Prim
		At   diag.Span
	}
)

func (e *Lit) Prim() Prim     { return e.T }
func (e *Ref) Prim() Prim     { return e.T }
func (e *Exist) Prim() Prim   { return I64 }
func (e *Index) Prim() Prim   { return e.T }
func (e *Unary) Prim() Prim   { return e.T }
func (e *Binary) Prim() Prim  { return e.T }
func (e *Cond) Prim() Prim    { return e.T }
func (e *Convert) Prim() Prim { return e.T }
func (e *Builtin) Prim() Prim { return e.T }

func (e *Lit) Span() diag.Span     { return e.At }
func (e *Ref) Span() diag.Span     { return e.At }
func (e *Exist) Span() diag.Span   { return e.At }
func (e *Index) Span() diag.Span   { return e.At }
func (e *Unary) Span() diag.Span   { return e.At }
func (e *Binary) Span() diag.Span  { return e.At }
func (e *Cond) Span() diag.Span    { return e.At }
func (e *Convert) Span() diag.Span { return e.At }
func (e *Builtin) Span() diag.Span { return e.At }

func (*Lit) isExp()     {}
func (*Ref) isExp()     {}
func (*Exist) isExp()   {}
func (*Index) isExp()   {}
func (*Unary) isExp()   {}
func (*Binary) isExp()  {}
func (*Cond) isExp()    {}
func (*Convert) isExp() {}
func (*Builtin) isExp() {}

// IntLit gives an i64 literal.
func IntLit(v int64) *Lit {
	return &Lit{Text: strconv.FormatInt(v, 10), T: I64, Bits: uint64(v)}
}

// BoolLit gives a bool literal.
func BoolLit(b bool) *Lit {
	if b {
		return &Lit{Text: "true", T: Bool, Bits: 1}
	}
	return &Lit{Text: "false", T: Bool}
}

// Var gives a reference to a scalar of type i64, the type of sizes and indices.
func Var(name string) *Ref { return &Ref{Name: name, T: I64} }

// Int gives the value of an integer literal; ok is false for other literals.
func (e *Lit) Int() (v int64, ok bool) { return int64(e.Bits), e.T.Integer() }

// Float gives the value of a floating-point literal.
func (e *Lit) Float() float64 {
	if e.T == F32 {
		return float64(math.Float32frombits(uint32(e.Bits)))
	}
	return math.Float64frombits(e.Bits)
}

// A BuiltinSig tells what a built-in function takes and gives.
type BuiltinSig struct {
	Args int
	// Integer and Float tell which operand types it accepts.
	Integer, Float bool
	// Result is the result type; Unknown means the operands' own type.
	Result Prim
}

// Builtins holds the built-in functions of scalar expressions. All operands of
// one call have the same type.
var Builtins = map[string]BuiltinSig{
	"min": {2, true, true, Unknown}, "max": {2, true, true, Unknown},
	"abs": {1, true, true, Unknown}, "sign": {1, true, true, Unknown},
	"fdiv": {2, true, true, Unknown}, "fmod": {2, true, true, Unknown},
	"sqrt": {1, false, true, Unknown}, "rsqrt": {1, false, true, Unknown},
	"exp": {1, false, true, Unknown}, "log": {1, false, true, Unknown},
	"log2": {1, false, true, Unknown}, "log10": {1, false, true, Unknown},
	"sin": {1, false, true, Unknown}, "cos": {1, false, true, Unknown}, "tan": {1, false, true, Unknown},
	"asin": {1, false, true, Unknown}, "acos": {1, false, true, Unknown}, "atan": {1, false, true, Unknown},
	"atan2": {2, false, true, Unknown},
	"sinh":  {1, false, true, Unknown}, "cosh": {1, false, true, Unknown}, "tanh": {1, false, true, Unknown},
	"pow": {2, false, true, Unknown}, "floor": {1, false, true, Unknown}, "ceil": {1, false, true, Unknown},
	"round": {1, false, true, Unknown}, "trunc": {1, false, true, Unknown},
	"fma": {3, false, true, Unknown}, "isnan": {1, false, true, Bool}, "isinf": {1, false, true, Bool},
	"cbrt": {1, false, true, Unknown}, "log1p": {1, false, true, Unknown}, "expm1": {1, false, true, Unknown},
	"asinh": {1, false, true, Unknown}, "acosh": {1, false, true, Unknown}, "atanh": {1, false, true, Unknown},
	"erf": {1, false, true, Unknown}, "erfc": {1, false, true, Unknown},
	"gamma": {1, false, true, Unknown}, "lgamma": {1, false, true, Unknown},
	"hypot": {2, false, true, Unknown}, "copysign": {2, false, true, Unknown}, "nextafter": {2, false, true, Unknown},
	"popc": {1, true, false, I32}, "clz": {1, true, false, I32}, "ctz": {1, true, false, I32},
}
