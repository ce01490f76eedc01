package imp

import (
	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/ir"
)

// constants returns the bits of expressions, if all of them are constant.
func constants(es []ir.Exp) ([]uint64, bool) {
	out := make([]uint64, len(es))
	for k, e := range es {
		bits, ok := scalar.Constant(e)
		if !ok {
			return nil, false
		}
		out[k] = bits
	}
	return out, true
}

// upload writes constants to an array of the host, by way of a temporary block where the
// array's elements do not lie one behind the other.
func (b *block) upload(dst *array, values []uint64) {
	to := dst
	l, ok := dst.fun.Single()
	if ok = ok && l.Dims[0].Stride.Is(1); !ok {
		to = b.rowMajor("literal", dst.prim, dst.shape())
		l, _ = to.fun.Single()
	}
	b.add(&Upload{Mem: to.mem, Prim: to.prim, Off: b.shallow(l.Offset.Exp()), Values: values})
	if !ok {
		b.copy(dst, to)
		b.add(&Free{Mem: to.mem})
	}
}

// Bytes returns the elements as they lie in memory, in little-endian order.
func (u *Upload) Bytes() []byte {
	size := u.Prim.Size()
	out := make([]byte, 0, int64(len(u.Values))*size)
	for _, v := range u.Values {
		for k := range size {
			out = append(out, byte(v>>(8*k)))
		}
	}
	return out
}
