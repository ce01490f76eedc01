package scalar

import (
	"math"
	"math/bits"

	"github.com/memc-lang/memc/ir"
)

// Note [Sizes of blocks]
//
// The size of a block is computed without wrapping, so that a size beyond all memory is refused and
// does not become a small one. A value that an i64 cannot hold is one of three: large (above all
// sizes), small (below 0), or unknown, such as the sum of a large and a small one. Large and
// unknown blocks are refused. A small one has no bytes, and the statement that makes its array
// reports the negative size.
//
// A sum with a small operand stays small only if the other operands are sizes, at most ir.MaxBytes:
// however many are added, the sum is below 0.

const (
	large   = math.MaxInt64
	unknown = math.MaxInt64 - 1
	small   = math.MinInt64
)

// MulBytes multiplies sizes of blocks.
func MulBytes(a, b int64) int64 {
	switch {
	case a == 0 || b == 0:
		return 0
	case a == unknown || b == unknown:
		return unknown
	}
	neg := (a < 0) != (b < 0)
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	switch {
	case a == large || a == small || b == large || b == small || hi != 0 || lo >= 1<<63-1:
		if neg {
			return small
		}
		return large
	case neg:
		return -int64(lo)
	}
	return int64(lo)
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

// AddBytes adds sizes of blocks.
func AddBytes(a, b int64) int64 {
	if b == large || b == small {
		a, b = b, a
	}
	switch s := a + b; {
	case a == unknown || b == unknown:
		return unknown
	case a == large && b >= -ir.MaxBytes:
		return large
	case a == small && b <= ir.MaxBytes:
		return small
	case a == large || a == small:
		return unknown
	case a > 0 && b > 0 && (s < 0 || s >= unknown):
		return large
	case a < 0 && b < 0 && s >= 0:
		return small
	default:
		return s
	}
}

// NegBytes negates the size of a block.
func NegBytes(a int64) int64 {
	switch a {
	case unknown:
		return unknown
	case large:
		return small
	case small:
		return large
	}
	return -a
}

// MaxBytes returns the larger of two sizes of blocks.
func MaxBytes(a, b int64) int64 { return max(a, b) }

// MinBytes returns the smaller of two sizes of blocks.
func MinBytes(a, b int64) int64 {
	if a == unknown || b == unknown {
		return unknown
	}
	return min(a, b)
}

// Size names the operation on sizes of blocks that is done for an i64 operation: one of
// the functions above without "Bytes", in small letters, and its operands. For what is
// computed as elsewhere it is "". A difference is the sum with the negated operand.
func Size(e ir.Exp) (fn string, args []ir.Exp) {
	switch e := e.(type) {
	case *ir.Unary:
		if e.Op == "-" {
			return "neg", []ir.Exp{e.X}
		}
	case *ir.Binary:
		switch e.Op {
		case "*":
			return "mul", []ir.Exp{e.X, e.Y}
		case "+":
			return "add", []ir.Exp{e.X, e.Y}
		case "-":
			return "add", []ir.Exp{e.X, &ir.Unary{Op: "-", X: e.Y, T: ir.I64, At: e.At}}
		}
	case *ir.Builtin:
		if e.Fn == "max" || e.Fn == "min" {
			return e.Fn, e.Args
		}
	}
	return "", nil
}

// CompileBytes compiles the size of a block.
func CompileBytes(e ir.Exp, env Env) (Code, error) {
	if c, ok := e.(*ir.Cond); ok {
		cond, err := Compile(c.C, env)
		if err != nil {
			return nil, err
		}
		x, err := CompileBytes(c.X, env)
		if err != nil {
			return nil, err
		}
		y, err := CompileBytes(c.Y, env)
		return func(fr []uint64) uint64 {
			if cond(fr) != 0 {
				return x(fr)
			}
			return y(fr)
		}, err
	}
	fn, args := Size(e)
	if fn == "" {
		return Compile(e, env)
	}
	codes := make([]Code, len(args))
	for k, a := range args {
		var err error
		if codes[k], err = CompileBytes(a, env); err != nil {
			return nil, err
		}
	}
	x := codes[0]
	if fn == "neg" {
		return func(fr []uint64) uint64 { return uint64(NegBytes(int64(x(fr)))) }, nil
	}
	y := codes[1]
	op := map[string]func(a, b int64) int64{"mul": MulBytes, "add": AddBytes, "max": MaxBytes, "min": MinBytes}[fn]
	return func(fr []uint64) uint64 { return uint64(op(int64(x(fr)), int64(y(fr)))) }, nil
}
