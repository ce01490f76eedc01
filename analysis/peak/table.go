package peak

import (
	"slices"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/analysis/peak/held"
	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/index"
	"github.com/memc-lang/memc/ir/sym"
)

// A Region is a body that is run as a whole or not at all, on the host.
type Region struct {
	held.Region
	IR *ir.Body
}

// Kind tells where a block comes from.
type Kind uint8

// The kinds of blocks.
const (
	Allocated Kind = iota
	Given          // a parameter's
	Called         // what a call made, or holds while it runs
)

// A Block is a real block, or what stands for memory that a call holds.
type Block struct {
	Name  string
	Kind  Kind
	Stmt  *ir.Stmt // the alloc, the call, or nil
	Body  *ir.Body // that holds Stmt
	Param int      // of a Given one
	// Kept tells that the caller keeps the contents.
	Kept   bool
	Region int
	Alloc  int // the point at which it is allocated
	First  int // of an allocated one, that of the first statement of its body that mentions it; else Alloc
	Last   int // the last point at which it is certainly held under its own name
	// Handed, where it is not 0, is the point from which on, up to Last, a loop's
	// parameter has taken over: there the loop's first iteration holds the block.
	Handed int
	Known  int // the first point at which its size can be computed
	Size   sym.Poly
	// Unknown tells that Size is a name of its own, for what a callee or threads hold or give.
	Unknown bool
	Terms   Vec
	// Takes tells of a Given or Called block that other arrays may lie in it, from its first
	// byte on, once its contents are dead. Only Room bytes of it are the function's: the block
	// may be larger, and a caller may keep something behind them.
	Takes bool
	Room  sym.Poly
}

// A Holder is an existential name that keeps a block.
type Holder struct {
	held.Holder
	Name   string
	region int
	// Many tells that there are more blocks than are listed.
	Many bool
}

// A Term is a coefficient times a monomial of Table.Monos, by number.
type Term = held.Term

// A Vec is a sum of terms.
type Vec = held.Vec

// A Table holds what was found in one function.
type Table struct {
	Func     *ir.Func
	Liveness *liveness.Table
	Aliases  *aliases.Table
	Accesses *accesses.Table
	Regions  []Region
	Blocks   []Block
	Holders  []Holder
	keepers  []*held.Holder // of Holders
	// Monos are the monomials of Vecs: products of names, or sizes whose sign is
	// not known, which count as zero where they are negative.
	Monos []sym.Poly

	names    map[string]*named
	mentions []*named // those that have one, in the order of the text
	// expanded holds what scalars come to, as far as it was asked for.
	expanded *index.Expansion
	mono     map[string]int
	unsure   map[int]bool    // monomials of Monos whose sign is not known
	atMost   map[string]bool // memo of AtMost
	apparent map[string]bool // memo of Covers: what is so by how sizes are written
}

// Spans makes the table of an explicit function without Terms and Monos: who holds
// what, from where to where.
func Spans(f *ir.Func, a *aliases.Table, l *liveness.Table, acc *accesses.Table) *Table {
	t := &Table{
		Func: f, Liveness: l, Aliases: a, Accesses: acc,
		names: make(map[string]*named, len(a.Names())+len(a.BlockNames())), mono: map[string]int{},
		unsure: map[int]bool{}, atMost: map[string]bool{}, apparent: map[string]bool{},
	}
	t.expanded = t.expansion(func(name string) places.Facts { return acc.Facts(l.Known(name)) })
	newWalk(t).function()
	return t
}

// Analyze makes the table of an explicit function.
func Analyze(f *ir.Func, a *aliases.Table, l *liveness.Table, acc *accesses.Table) *Table {
	t := Spans(f, a, l, acc)
	t.equalSizes()
	for k := range t.Blocks {
		if !t.Blocks[k].Kept { // the caller keeps it whatever is done
			t.Blocks[k].Terms = t.terms(&t.Blocks[k])
		}
	}
	return t
}

// maxSizes is with how many different sizes of blocks of its body before it a size is compared.
const maxSizes = 4

// equalSizes gives one size to blocks of a body whose sizes are proven to be equal where the
// later one has been allocated, such as dims * k and rows * cols * k where dims == rows * cols;
// of sizes that are known as early, since the later block may be allocated where its own is known.
func (t *Table) equalSizes() {
	before := map[*ir.Body][]int{}
	for k := range t.Blocks {
		b := &t.Blocks[k]
		if b.Kind != Allocated {
			continue
		}
		facts := t.Accesses.Facts(b.Alloc + 1) // it is no larger than a block can be
		others := before[b.Body]
		j := slices.IndexFunc(others, func(o int) bool {
			p := t.Blocks[o].Size
			return p.Equal(b.Size) || t.Blocks[o].Known <= b.Known && !facts.MayDiffer(p, b.Size) && t.Covers(facts, p, b.Size) && t.Covers(facts, b.Size, p)
		})
		if j >= 0 {
			b.Size = t.Blocks[others[j]].Size
			continue
		}
		before[b.Body] = append(others, k)[max(0, len(others)+1-maxSizes):]
	}
}

// Block gives the number of a real block.
func (t *Table) Block(name string) (int, bool) {
	if n := t.names[name]; n != nil && n.block > 0 {
		return n.block - 1, true
	}
	return 0, false
}

// RegionAt gives the innermost region of a point.
func (t *Table) RegionAt(p int) int {
	// Regions are in the order of the text; the last one that contains p is
	// innermost.
	lo, hi := 0, len(t.Regions)
	for lo+1 < hi {
		mid := (lo + hi) / 2
		if t.Regions[mid].Body.From <= p {
			lo = mid
		} else {
			hi = mid
		}
	}
	for t.Regions[lo].Body.To < p {
		lo = t.Regions[lo].Parent
	}
	return lo
}
