package host

import (
	"math"

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

// At gives a place in a block, in elements.
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

// MulBytes multiplies sizes. It saturates, so that a size beyond all memory is
// refused and does not wrap to a small one.
func MulBytes(a, b int64) int64 {
	if a > 0 && b > 0 && a > math.MaxInt64/b {
		return math.MaxInt64
	}
	return a * b
}

// AddBytes adds sizes, and saturates as MulBytes does.
func AddBytes(a, b int64) int64 {
	if a > 0 && b > math.MaxInt64-a {
		return math.MaxInt64
	}
	return a + b
}
