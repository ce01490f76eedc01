package imp

import (
	"strconv"

	"github.com/memc-lang/memc/ir"
)

// raise leaves what a tile comes to (flag 1), or comes to with all before it (2), and
// raises its flag.
func (s *tileScan) raise(b *block, mems []string, tile ir.Exp, flag uint64, vals []ir.Exp) {
	if s.packed {
		word := &ir.Binary{Op: "|", X: wordLit(flag << 32), Y: wordOf(vals[0]), T: ir.U64}
		b.add(&Raise{Mem: s.flags, Off: tile, Val: word, Whole: true})
		return
	}
	s.storeAll(b, mems, tile, vals)
	b.add(&Raise{Mem: s.flags, Off: tile, Val: flagLit(strconv.FormatUint(flag, 10))})
}

// await waits for a tile's flag, and sets variables to it and to what the tile left.
func (s *tileScan) await(b *block, tile ir.Exp, flag *ir.Ref, seen []string) {
	if !s.packed {
		b.add(&Await{Dst: flag.Name, Mem: s.flags, Off: tile})
		b.when(equalTo(flag, flagLit("2")),
			func(in *block) { s.operator.set(in, seen, s.fresh(in, s.prefixes, tile)) },
			func(in *block) { s.operator.set(in, seen, s.fresh(in, s.sums, tile)) })
		return
	}
	word := b.temp("word", ir.U64)
	b.add(&Await{Dst: word.Name, Mem: s.flags, Off: tile, Whole: true})
	b.set(flag.Name, &ir.Convert{X: &ir.Binary{Op: ">>", X: word, Y: wordLit(32), T: ir.U64}, T: ir.I32})
	s.operator.set(b, seen, []ir.Exp{inWord(word, s.t[0])})
}

func wordLit(v uint64) *ir.Lit {
	return &ir.Lit{Text: strconv.FormatUint(v, 10), T: ir.U64, Bits: v}
}

// unsignedTypes have the sizes of values that a word holds.
var unsignedTypes = map[int64]ir.Prim{1: ir.U8, 2: ir.U16, 4: ir.U32}

// wordOf gives the bits of a value in the lower half of a word.
func wordOf(x ir.Exp) ir.Exp {
	bits := unsignedTypes[x.Prim().Size()]
	if x.Prim().Float() {
		x = &ir.Builtin{Fn: "tobits", Args: []ir.Exp{x}, T: signedTypes[x.Prim()]}
	}
	return &ir.Convert{X: &ir.Convert{X: x, T: bits}, T: ir.U64}
}

// signedTypes are what built-in tobits gives.
var signedTypes = map[ir.Prim]ir.Prim{ir.F16: ir.I16, ir.F32: ir.I32}

// inWord gives the value of type t in the lower half of a word.
func inWord(word ir.Exp, t ir.Prim) ir.Exp {
	x := ir.Exp(&ir.Convert{X: word, T: unsignedTypes[t.Size()]})
	if t.Float() {
		return &ir.Builtin{Fn: "frombits", Args: []ir.Exp{x}, T: t}
	}
	return &ir.Convert{X: x, T: t}
}
