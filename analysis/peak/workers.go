package peak

import (
	"github.com/memc-lang/memc/analysis/workers"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Workers' blocks]
//
// A kernel over n threads runs with at most [workers] of them at once (a work-item each, or a task). What
// a thread has for itself, outside of its registers, is needed once per worker:
//
//	min(n, [workers]) * bytes
//
// This is the size of an `alloc@thread`, and of a block that transform/workers turns into one. Where
// several kernels use a set of blocks, these count whole. A block whose parts turn out to be small enough for
// registers counts nothing in the plan bound. The planner counts it, since the program after it has it.

// Workers is the name that stands for the number of workers in a formula, and MostWorkers what it is taken
// for if sizes are known: the work-items that a large GPU runs at once.
const (
	Workers     = "[workers]"
	MostWorkers = 1 << 18
)

// Work returns the bytes that workers need for blocks of threads.
func Work(threads sym.Poly, bytes ir.Exp) sym.Poly {
	atOnce := &ir.Builtin{Fn: "min", Args: []ir.Exp{threads.Exp(), ir.Var(Workers)}, T: ir.I64}
	return sym.Of(atOnce).Mul(sym.Of(bytes))
}

// findWorkers finds the blocks that workers need instead of threads.
func (t *Table) findWorkers() {
	if rules.Off("peak.workers") {
		return
	}
	found := workers.Find(t.Func, t.Aliases)
	for k := range t.Blocks {
		b := &t.Blocks[k]
		if b.Kind != Allocated {
			continue
		}
		if in := found.Of(b.Name); in != nil && len(in.Kernels) == 1 {
			bytes := in.Kernels[0].Bytes(b.Name)
			b.Workers, b.Work = in, t.Expand(Work(in.Kernels[0].Threads, bytes))
			b.registers = ir.InRegisters(&ir.Alloc{Size: bytes, Space: ir.ThreadSpace})
		}
	}
}

// CountWhole counts blocks that hold a part per thread whole, as the program has them.
func (t *Table) CountWhole() {
	for k := range t.Blocks {
		if b := &t.Blocks[k]; b.Workers != nil {
			b.Workers, b.Work = nil, sym.Poly{}
			b.Terms = t.terms(b)
		}
	}
}
