package imp

import (
	"strconv"

	"github.com/memc-lang/memc/ir"
)

// Note [Flags that carry values]
//
// A tile publishes its value in words of 64 bits, which are read and written as a whole: the lower
// half of each word holds 32 bits of the value, the upper half the tile's flag. A word is written
// once with each flag. So if a reader finds the same flag in all words, it has the value that was
// written with that flag. Neither side needs a fence, or a second access.

// words is the number of words that carry a value.
func (s *tileScan) words() (n int64) {
	for _, t := range s.t {
		n += wordsOf(t)
	}
	return n
}

func wordsOf(t ir.Prim) int64 { return (t.Size() + 3) / 4 }

// firstWord is the offset of a tile's first word.
func (s *tileScan) firstWord(tile ir.Exp) ir.Exp { return times(tile, i64(s.words())) }

// raise publishes the total of a tile (flag 1), or of the tile and all before it (2).
func (s *tileScan) raise(b *block, tile ir.Exp, flag uint64, vals []ir.Exp) {
	at := s.firstWord(tile)
	k := int64(0)
	for _, v := range vals {
		bits := bitsOf(v)
		for i := range wordsOf(v.Prim()) {
			half := bits
			if wordsOf(v.Prim()) > 1 {
				half = lowHalf(shifted(">>", bits, 32*i))
			}
			b.add(&Raise{Mem: s.flags, Off: index(add(at, i64(k))), Val: &ir.Binary{Op: "|", X: wordLit(flag << 32), Y: half, T: ir.U64}})
			k++
		}
	}
}

// await waits for a tile's flag, and sets variables to the flag and to the values that came with it.
func (s *tileScan) await(b *block, tile ir.Exp, flag *ir.Ref, seen []string) {
	wait := &Await{Mem: s.flags, Off: index(s.firstWord(tile))}
	var words []ir.Exp
	for range s.words() {
		w := b.temp("word", ir.U64)
		words, wait.Dsts = append(words, w), append(wait.Dsts, w.Name)
	}
	b.add(wait)
	b.set(flag.Name, &ir.Convert{X: shifted(">>", words[0], 32), T: ir.I32})
	vals := make([]ir.Exp, s.arity)
	for i, t := range s.t {
		bits := words[0]
		if wordsOf(t) > 1 {
			bits = &ir.Binary{Op: "|", X: lowHalf(bits), Y: shifted("<<", words[1], 32), T: ir.U64}
		}
		vals[i] = ofBits(bits, t)
		words = words[wordsOf(t):]
	}
	s.operator.set(b, seen, vals)
}

func wordLit(v uint64) *ir.Lit {
	return &ir.Lit{Text: strconv.FormatUint(v, 10), T: ir.U64, Bits: v}
}

func lowHalf(x ir.Exp) ir.Exp {
	return &ir.Binary{Op: "&", X: x, Y: wordLit(1<<32 - 1), T: ir.U64}
}

func shifted(op string, x ir.Exp, by int64) ir.Exp {
	if by == 0 {
		return x
	}
	return &ir.Binary{Op: op, X: x, Y: wordLit(uint64(by)), T: ir.U64}
}

// Integers of the sizes of values.
var (
	unsignedTypes = map[int64]ir.Prim{1: ir.U8, 2: ir.U16, 4: ir.U32, 8: ir.U64}
	signedTypes   = map[int64]ir.Prim{2: ir.I16, 4: ir.I32, 8: ir.I64} // the result of the built-in tobits
)

// bitsOf returns the bits of a value as a u64.
func bitsOf(x ir.Exp) ir.Exp {
	size := x.Prim().Size()
	if x.Prim().Float() {
		x = &ir.Builtin{Fn: "tobits", Args: []ir.Exp{x}, T: signedTypes[size]}
	}
	return convert(convert(x, unsignedTypes[size]), ir.U64)
}

// ofBits returns the value of type t whose bits are the lowest ones of a u64.
func ofBits(bits ir.Exp, t ir.Prim) ir.Exp {
	x := convert(bits, unsignedTypes[t.Size()])
	if t.Float() {
		return &ir.Builtin{Fn: "frombits", Args: []ir.Exp{x}, T: t}
	}
	return convert(x, t)
}
