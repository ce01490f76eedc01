package benchmarks

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
)

func init() {
	sorted := func(keys value.Value) []value.Value {
		xs := toInts(keys)
		slices.Sort(xs)
		return []value.Value{fromInts(ir.U32, xs, keys.Shape[0])}
	}
	oracles["radix-sort"] = func(args []value.Value) []value.Value { return sorted(args[0]) }
	oracles["radix-sort-digits"] = func(args []value.Value) []value.Value { return sorted(args[1]) }
	oracles["radix-sort-groups"] = oracles["radix-sort-digits"]
}
