package benchmarks

import (
	"math/bits"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
)

// The data of the Java Grande benchmarks (Smith, Bull, Obdrzalek, "A parallel Java
// Grande benchmark suite", SC 2001).

// seriesArgs asks for n pairs of coefficients.
func seriesArgs(n int64) func() []value.Value {
	return func() []value.Value { return []value.Value{i64(n)} }
}

// cryptArgs returns a text of n bytes, and schedules to encrypt and decrypt it.
func cryptArgs(n int64) func() []value.Value {
	return func() []value.Value {
		r := random(50)
		var key [8]uint16
		for i := range key {
			key[i] = uint16(r.next())
		}
		enc := schedule(key)
		words := func(ks [52]uint16) value.Value {
			return build(ir.U16, []int64{52}, func(i int64) uint64 { return uint64(ks[i]) })
		}
		return []value.Value{words(enc), words(inverseSchedule(enc)), r.ints(ir.U8, 0, 256, n)}
	}
}

// schedule makes the subkeys as Crypt does: eight words of the key, which turns by 25 bits
// before the next eight.
func schedule(key [8]uint16) (ks [52]uint16) {
	for i := range ks {
		ks[i] = key[i%8]
		if i%8 == 7 {
			old := key
			for j := range key {
				key[j] = old[(j+1)%8]>>9 | old[(j+2)%8]<<7
			}
		}
	}
	return ks
}

// inverseSchedule makes the subkeys that undo those of ks, in reverse: inverses of
// the factors, negatives of the summands, which change places but at both ends.
func inverseSchedule(ks [52]uint16) (inv [52]uint16) {
	for round := range 9 {
		from, to := ks[48-6*round:], inv[6*round:]
		a, b := 1, 2
		if round > 0 && round < 8 {
			a, b = 2, 1
		}
		to[0], to[1], to[2], to[3] = inverse(from[0]), -from[a], -from[b], inverse(from[3])
		if round < 8 {
			copy(to[4:6], ks[46-6*round:])
		}
	}
	return inv
}

// inverse is x to the power 65535 modulo 65537, where 0 stands for 65536.
func inverse(x uint16) uint16 {
	base, power := uint64(x), uint64(1)
	if x == 0 {
		base = 65536
	}
	for i := bits.Len(65535) - 1; i >= 0; i-- {
		power = power * power % 65537 * base % 65537
	}
	return uint16(power)
}
