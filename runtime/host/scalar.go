package host

import (
	"github.com/memc-lang/memc/internal/base/scalar"
	bits64 "math/bits"
)

// Div is the language's integer division: it truncates. Where the divisor is 0
// the result is 0: a program that checks has reported that before.
func Div[T Integer](x, y T) T {
	if y == 0 {
		return 0
	}
	return x / y
}

// Rem is the remainder of Div.
func Rem[T Integer](x, y T) T {
	if y == 0 {
		return 0
	}
	return x % y
}

// Op is one of the language's other arithmetic operators, such as "**".
func Op[T Number](op string, x, y T) T {
	bx, p := bits(x)
	by, _ := bits(y)
	if p.Signed() && int64(by) < 0 && op == "**" {
		return value[T](0) // as in Div
	}
	return value[T](scalar.Binary(op, p)(bx, by))
}

// Neg is the language's unary minus.
func Neg[T Number](x T) T {
	b, p := bits(x)
	return value[T](scalar.Unary("-", p)(b))
}

// Compare is one of the language's comparisons, such as "<=".
func Compare[T Number](op string, x, y T) bool {
	bx, p := bits(x)
	by, _ := bits(y)
	return scalar.Binary(op, p)(bx, by) != 0
}

// Fn is one of the language's built-in functions, such as "sqrt". R is the type
// of its result.
func Fn[R, T Element](fn string, args ...T) R {
	given := make([]uint64, len(args))
	for i, a := range args {
		given[i], _ = bits(a)
	}
	p := primOf[T]()
	if p.Integer() && len(given) > 1 && given[1] == 0 && (fn == "fdiv" || fn == "fmod") {
		return value[R](0) // as in Div
	}
	return value[R](scalar.Builtin(fn, p)(given))
}

// Convert is the language's conversion: integers wrap, a float becomes an
// integer by truncation, saturating, with NaN giving 0.
func Convert[R, T Element](x T) R {
	b, p := bits(x)
	return value[R](scalar.Convert(p, primOf[R]())(b))
}

// If returns x where c holds, and y where not. Both are evaluated.
func If[T Element](c bool, x, y T) T {
	if c {
		return x
	}
	return y
}

// Inverse prepares divisions by n of numbers below total in kernels (imp.Inverse); 0
// tells that they are too large for that.
func Inverse(n, total int64) int64 {
	if n < 1 || n >= 1<<31 || total >= 1<<31 {
		return 0
	}
	log := int64(bits64.Len64(uint64(n - 1)))
	return (1<<log-n)<<32/n + 1 + log<<32
}
