package scalar

import (
	"math"
	"math/bits"

	"github.com/memc-lang/memc/ir"
)

// Builtin returns the built-in function fn on arguments of type p, or nil where
// it does not take that type. The slice that the function is given is not
// kept.
func Builtin(fn string, p ir.Prim) func(args []uint64) uint64 {
	sig, ok := ir.Builtins[fn]
	if !ok || !(sig.Integer && p.Integer() || sig.Float && p.Float()) {
		return nil
	}
	switch sig.Args {
	case 1:
		if f := builtin1(fn, p); f != nil {
			return func(a []uint64) uint64 { return f(a[0]) }
		}
	case 2:
		if f := builtin2(fn, p); f != nil {
			return func(a []uint64) uint64 { return f(a[0], a[1]) }
		}
	case 3:
		switch p {
		case ir.F16:
			return func(a []uint64) uint64 { return putF16(fma32(getF16(a[0]), getF16(a[1]), getF16(a[2]))) }
		case ir.F32:
			return func(a []uint64) uint64 { return putF32(fma32(getF32(a[0]), getF32(a[1]), getF32(a[2]))) }
		}
		return func(a []uint64) uint64 { return putF64(math.FMA(getF64(a[0]), getF64(a[1]), getF64(a[2]))) }
	}
	return nil
}

func builtin1(fn string, p ir.Prim) func(x uint64) uint64 {
	switch {
	case fn == "tobits" || fn == "frombits":
		return reinterpret(p)
	case p == ir.F16 && fn == "isnan":
		return func(x uint64) uint64 { return Bits(x&0x7fff > 0x7c00) }
	case p == ir.F16 && fn == "isinf":
		return func(x uint64) uint64 { return Bits(x&0x7fff == 0x7c00) }
	case p == ir.F32 && fn == "isnan":
		return func(x uint64) uint64 { f := getF32(x); return Bits(f != f) }
	case p == ir.F32 && fn == "isinf":
		return func(x uint64) uint64 { return Bits(x&0x7fffffff == 0x7f800000) }
	case fn == "isnan":
		return func(x uint64) uint64 { f := getF64(x); return Bits(f != f) }
	case fn == "isinf":
		return func(x uint64) uint64 { return Bits(x&^(1<<63) == 0x7ff<<52) }
	case p.Float() && fn == "abs":
		mask := uint64(1)<<(p.Bits()-1) - 1
		return func(x uint64) uint64 { return x & mask }
	case p == ir.F16 && fn == "rsqrt":
		return func(x uint64) uint64 { return putF16(1 / float32(math.Sqrt(float64(getF16(x))))) }
	case p == ir.F32 && fn == "rsqrt":
		return func(x uint64) uint64 { return putF32(1 / float32(math.Sqrt(float64(getF32(x))))) }
	case p.Float():
		f := float1[fn]
		if f == nil {
			return nil
		}
		switch p {
		case ir.F16:
			return func(x uint64) uint64 { return putF16(float32(f(float64(getF16(x))))) }
		case ir.F32:
			return func(x uint64) uint64 { return putF32(float32(f(float64(getF32(x))))) }
		}
		return func(x uint64) uint64 { return putF64(f(getF64(x))) }
	}
	width := p.Bits()
	mask := ^uint64(0) >> (64 - width)
	switch fn {
	case "abs":
		if p.Unsigned() {
			return func(x uint64) uint64 { return x }
		}
		wrap := Wrap(p)
		return func(x uint64) uint64 {
			if int64(x) < 0 {
				return wrap(-x) // the minimum stays: it wraps
			}
			return x
		}
	case "sign":
		if p.Unsigned() {
			return func(x uint64) uint64 { return Bits(x != 0) }
		}
		return func(x uint64) uint64 { return Bits(int64(x) > 0) - Bits(int64(x) < 0) }
	case "popc":
		return func(x uint64) uint64 { return uint64(bits.OnesCount64(x & mask)) }
	case "clz":
		return func(x uint64) uint64 { return uint64(bits.LeadingZeros64(x&mask) - (64 - width)) }
	case "ctz":
		return func(x uint64) uint64 { return uint64(min(bits.TrailingZeros64(x&mask), width)) }
	}
	return nil
}

// float1 holds the functions of one float, computed in f64; an f32 result is
// the f64 result rounded, which is exact for sqrt, floor, ceil, round, trunc.
var float1 = map[string]func(float64) float64{
	"sqrt": math.Sqrt, "exp": math.Exp, "log": math.Log, "log2": math.Log2, "log10": math.Log10,
	"rsqrt": func(x float64) float64 { return 1 / math.Sqrt(x) },
	"sin":   math.Sin, "cos": math.Cos, "tan": math.Tan,
	"asin": math.Asin, "acos": math.Acos, "atan": math.Atan,
	"sinh": math.Sinh, "cosh": math.Cosh, "tanh": math.Tanh,
	"cbrt": math.Cbrt, "log1p": math.Log1p, "expm1": math.Expm1,
	"asinh": math.Asinh, "acosh": math.Acosh, "atanh": math.Atanh,
	"erf": math.Erf, "erfc": math.Erfc, "gamma": math.Gamma,
	"lgamma": func(x float64) float64 { y, _ := math.Lgamma(math.Max(x, -math.MaxFloat64)); return y }, // C: lgamma(-inf) is inf
	"floor":  math.Floor, "ceil": math.Ceil, "round": math.RoundToEven, "trunc": math.Trunc,
	"sign": func(x float64) float64 {
		switch {
		case x > 0:
			return 1
		case x < 0:
			return -1
		}
		return x // NaN and both zeros stay
	},
}

func builtin2(fn string, p ir.Prim) func(x, y uint64) uint64 {
	switch p {
	case ir.F16:
		if fn == "nextafter" {
			return nextHalf
		}
		return floatBuiltin2(fn, getF16, putF16)
	case ir.F32:
		return floatBuiltin2(fn, getF32, putF32)
	case ir.F64:
		return floatBuiltin2(fn, getF64, putF64)
	case ir.I8:
		return intBuiltin2[int8](fn)
	case ir.I16:
		return intBuiltin2[int16](fn)
	case ir.I32:
		return intBuiltin2[int32](fn)
	case ir.I64:
		return intBuiltin2[int64](fn)
	case ir.U8:
		return intBuiltin2[uint8](fn)
	case ir.U16:
		return intBuiltin2[uint16](fn)
	case ir.U32:
		return intBuiltin2[uint32](fn)
	case ir.U64:
		return intBuiltin2[uint64](fn)
	}
	return nil
}

func intBuiltin2[T integer](fn string) func(x, y uint64) uint64 {
	switch fn {
	case "min":
		return func(x, y uint64) uint64 { return uint64(min(T(x), T(y))) }
	case "max":
		return func(x, y uint64) uint64 { return uint64(max(T(x), T(y))) }
	case "fdiv":
		return func(x, y uint64) uint64 { return uint64(floorDiv(T(x), T(y))) }
	case "fmod":
		return func(x, y uint64) uint64 { return uint64(T(x) - T(y)*floorDiv(T(x), T(y))) }
	}
	return nil
}

func floatBuiltin2[T float](fn string, get func(uint64) T, put func(T) uint64) func(x, y uint64) uint64 {
	switch fn {
	case "min":
		return func(x, y uint64) uint64 {
			if a, b := get(x), get(y); a != a || b < a {
				return y
			}
			return x
		}
	case "max":
		return func(x, y uint64) uint64 {
			if a, b := get(x), get(y); a != a || a < b {
				return y
			}
			return x
		}
	case "fdiv":
		return func(x, y uint64) uint64 { return put(T(math.Floor(float64(get(x) / get(y))))) }
	case "fmod":
		return func(x, y uint64) uint64 {
			a, b := get(x), get(y)
			// The conversion T(...) forbids contracting to a fused operation.
			return put(a - T(b*T(math.Floor(float64(a/b)))))
		}
	case "pow":
		return func(x, y uint64) uint64 { return put(T(math.Pow(float64(get(x)), float64(get(y))))) }
	case "atan2":
		return func(x, y uint64) uint64 { return put(T(math.Atan2(float64(get(x)), float64(get(y))))) }
	case "hypot":
		return func(x, y uint64) uint64 { return put(T(math.Hypot(float64(get(x)), float64(get(y))))) }
	case "copysign":
		return func(x, y uint64) uint64 { return put(T(math.Copysign(float64(get(x)), float64(get(y))))) }
	case "nextafter":
		return func(x, y uint64) uint64 { return put(nextAfter(get(x), get(y))) }
	}
	return nil
}

// reinterpret takes the bits of a float for an integer of its width, or the
// other way about.
func reinterpret(p ir.Prim) func(uint64) uint64 {
	if p.Size() == 1 {
		return nil // there is no float of that width
	}
	if to := ir.Builtins["tobits"].ResultOn(p); to.Integer() {
		return Wrap(to)
	}
	mask := ^uint64(0) >> (64 - p.Bits())
	return func(x uint64) uint64 { return x & mask }
}

// nextHalf returns the neighbour of x toward y among the f16.
func nextHalf(x, y uint64) uint64 {
	a, b := getF16(x), getF16(y)
	switch {
	case a != a:
		return x
	case b != b || a == b:
		return y
	case a == 0:
		return y&0x8000 | 1
	case (a < b) == (a > 0):
		return x + 1
	}
	return x - 1
}

// nextAfter returns the neighbour of x toward y, in the type's own precision; y if they are equal, as
// in C.
func nextAfter[T float](x, y T) T {
	if x == y {
		return y
	}
	if _, single := any(x).(float32); single {
		return T(math.Nextafter32(float32(x), float32(y)))
	}
	return T(math.Nextafter(float64(x), float64(y)))
}

// fma32 rounds once. The product of two f32 is exact in f64; the sum is
// rounded to odd there, so that narrowing it cannot round a tie twice
// (Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums").
func fma32(x, y, z float32) float32 {
	p, c := float64(x)*float64(y), float64(z)
	s := p + c
	if math.IsInf(s, 0) || s != s {
		return float32(s)
	}
	t := s - p
	err := (p - (s - t)) + (c - t) // exact error of the sum (Knuth's TwoSum)
	if err != 0 && math.Float64bits(s)&1 == 0 {
		if (err > 0) == (s > 0) {
			s = math.Float64frombits(math.Float64bits(s) + 1)
		} else {
			s = math.Float64frombits(math.Float64bits(s) - 1)
		}
	}
	return float32(s)
}
