package integer

import "math"

// MaxCoef bounds the constants that the provers compute with. It keeps their reasoning far from the
// ends of an int64.
const MaxCoef = 1 << 53

// FloorDiv returns a / b, rounded down.
func FloorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// GCD returns the greatest common divisor, 0 of zeros.
func GCD(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return Abs(a)
}

// Abs returns the absolute value; of the least int64, itself.
func Abs(x int64) int64 { return max(x, -x) }

// Apply evaluates an operation of the language on i64 numbers. ok is false if it fails, wraps, or
// is unknown to Apply. An operation with a single operand ignores y.
func Apply(op string, x, y int64) (v int64, ok bool) {
	switch op {
	case "+":
		return AddCoef(x, y)
	case "-":
		if y == math.MinInt64 {
			return 0, false
		}
		return AddCoef(x, -y)
	case "*":
		return MulCoef(x, y)
	case "min":
		return min(x, y), true
	case "max":
		return max(x, y), true
	case "abs":
		return Abs(x), x != math.MinInt64
	case "sign":
		return min(max(x, -1), 1), true
	case "&":
		return x & y, true
	case "|":
		return x | y, true
	case "^":
		return x ^ y, true
	}
	if y == 0 || x == math.MinInt64 {
		return 0, false
	}
	switch op {
	case "/":
		return x / y, true
	case "%":
		return x % y, true
	case "fdiv":
		return FloorDiv(x, y), true
	case "fmod":
		return x - y*FloorDiv(x, y), true
	}
	return 0, false
}
