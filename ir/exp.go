package ir

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/memc-lang/memc/ir/diag"
)

// An Exp is a scalar expression. A Ref may also name an array or a block, where an operand of any
// type is allowed (results of bodies, arguments, initial values); its Prim is then Unknown.
//
// ir/check's elaboration sets the T fields. After that nothing writes to an expression, and several
// places of a program, or several programs, may share it. The same holds for shapes and for places.
type Exp interface {
	Prim() Prim
	Span() diag.Span
	isExp()
}

type (
	// Lit is a literal. Text is the literal as written, without its suffix. Bits is its value: the
	// two's complement bits of an integer (sign-extended to 64), the IEEE bits of a float in its
	// own width, 0 or 1 for a bool. Bits is valid once T is known.
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
	// Index reads one element. It has one index per dimension of the array.
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
	// Cond is "if C then X else Y"; only the chosen side is evaluated.
	Cond struct {
		C, X, Y Exp
		T       Prim
		At      diag.Span
	}
	// Convert is f32(e) and similar conversions: T is the target type.
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

// IsRef reports whether an expression is just a name.
func IsRef(e Exp, name string) bool {
	r, ok := e.(*Ref)
	return ok && r.Name == name
}

// IntLit returns an i64 literal.
func IntLit(v int64) *Lit {
	return &Lit{Text: strconv.FormatInt(v, 10), T: I64, Bits: uint64(v)}
}

// BoolLit returns a bool literal.
func BoolLit(b bool) *Lit {
	if b {
		return &Lit{Text: "true", T: Bool, Bits: 1}
	}
	return &Lit{Text: "false", T: Bool}
}

// Var returns a reference to a scalar of type i64, the type of sizes and indices.
func Var(name string) *Ref { return &Ref{Name: name, T: I64} }

// Int returns the value of an integer literal; ok is false for other literals.
func (e *Lit) Int() (v int64, ok bool) { return int64(e.Bits), e.T.Integer() }

// Float returns the value of a floating-point literal.
func (e *Lit) Float() float64 {
	switch e.T {
	case F16:
		return HalfFloat(e.Bits)
	case F32:
		return float64(math.Float32frombits(uint32(e.Bits)))
	}
	return math.Float64frombits(e.Bits)
}

// A BuiltinSig describes the operands and the result of a built-in function.
type BuiltinSig struct {
	Args int
	// Integer and Float say which operand types the function accepts.
	Integer, Float bool
	// Result is the result type; Unknown means the operands' own type.
	Result Prim
	// Bits marks the functions between a float and the integer of its bits.
	Bits bool
}

// ResultOn returns the result type for operands of type t. Unknown stands for t itself.
func (s BuiltinSig) ResultOn(t Prim) Prim {
	if !s.Bits {
		return s.Result
	}
	switch t {
	case F16:
		return I16
	case F32:
		return I32
	case F64:
		return I64
	case I16, U16:
		return F16
	case I32, U32:
		return F32
	case I64, U64:
		return F64
	}
	return Unknown
}

// Builtins holds the built-in functions of scalar expressions. All operands of
// one call have the same type.
var Builtins = map[string]BuiltinSig{
	"min": {2, true, true, Unknown, false}, "max": {2, true, true, Unknown, false},
	"abs": {1, true, true, Unknown, false}, "sign": {1, true, true, Unknown, false},
	"fdiv": {2, true, true, Unknown, false}, "fmod": {2, true, true, Unknown, false},
	"sqrt": {1, false, true, Unknown, false}, "rsqrt": {1, false, true, Unknown, false},
	"exp": {1, false, true, Unknown, false}, "log": {1, false, true, Unknown, false},
	"log2": {1, false, true, Unknown, false}, "log10": {1, false, true, Unknown, false},
	"sin": {1, false, true, Unknown, false}, "cos": {1, false, true, Unknown, false}, "tan": {1, false, true, Unknown, false},
	"asin": {1, false, true, Unknown, false}, "acos": {1, false, true, Unknown, false}, "atan": {1, false, true, Unknown, false},
	"atan2": {2, false, true, Unknown, false},
	"sinh":  {1, false, true, Unknown, false}, "cosh": {1, false, true, Unknown, false}, "tanh": {1, false, true, Unknown, false},
	"pow": {2, false, true, Unknown, false}, "floor": {1, false, true, Unknown, false}, "ceil": {1, false, true, Unknown, false},
	"round": {1, false, true, Unknown, false}, "trunc": {1, false, true, Unknown, false},
	"fma": {3, false, true, Unknown, false}, "isnan": {1, false, true, Bool, false}, "isinf": {1, false, true, Bool, false},
	"cbrt": {1, false, true, Unknown, false}, "log1p": {1, false, true, Unknown, false}, "expm1": {1, false, true, Unknown, false},
	"asinh": {1, false, true, Unknown, false}, "acosh": {1, false, true, Unknown, false}, "atanh": {1, false, true, Unknown, false},
	"erf": {1, false, true, Unknown, false}, "erfc": {1, false, true, Unknown, false},
	"gamma": {1, false, true, Unknown, false}, "lgamma": {1, false, true, Unknown, false},
	"hypot": {2, false, true, Unknown, false}, "copysign": {2, false, true, Unknown, false}, "nextafter": {2, false, true, Unknown, false},
	"popc": {1, true, false, I32, false}, "clz": {1, true, false, I32, false}, "ctz": {1, true, false, I32, false},
	"tobits": {1, false, true, Unknown, true}, "frombits": {1, true, false, Unknown, true},
}

// BuiltinNames returns the names of the built-in functions, in order.
func BuiltinNames() []string { return slices.Sorted(maps.Keys(Builtins)) }
