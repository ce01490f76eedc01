package host

import (
	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/runtime"
)

// A Block is a reference counted range of device memory.
type Block = runtime.Block

// Context is a device with its memory and statistics.
type Context = runtime.Context

// Stats is what was done on a context.
type Stats = runtime.Stats

// A Region is a strided place in a block, in elements.
type Region = runtime.Region

// At returns a place in a block, in elements.
func At(b *Block, offset int64, strides ...int64) Region {
	return Region{Block: b, Offset: offset, Strides: strides}
}

// Drop empties variables.
func Drop(vars ...**Block) {
	for _, v := range vars {
		b := *v
		*v = nil
		b.Release()
	}
}

// Set makes a variable another reference to a block.
func Set(v **Block, b *Block) { Move(v, Keep(b)) }

// Move makes a variable hold a reference that is handed over to it.
func Move(v **Block, b *Block) {
	old := *v
	*v = b
	old.Release()
}

// Keep adds a reference to a block, for whoever the block is handed to.
func Keep(b *Block) *Block {
	if b != nil {
		b.Retain()
	}
	return b
}

// MulBytes multiplies sizes of blocks. What is beyond an int64 stays so, in what is
// computed from it: a block beyond all memory is refused and does not become a small one.
func MulBytes(a, b int64) int64 { return scalar.MulBytes(a, b) }

// AddBytes adds sizes of blocks.
func AddBytes(a, b int64) int64 { return scalar.AddBytes(a, b) }

// NegBytes negates the size of a block.
func NegBytes(a int64) int64 { return scalar.NegBytes(a) }

// MaxBytes returns the larger of two sizes of blocks.
func MaxBytes(a, b int64) int64 { return scalar.MaxBytes(a, b) }

// MinBytes returns the smaller of two sizes of blocks.
func MinBytes(a, b int64) int64 { return scalar.MinBytes(a, b) }
