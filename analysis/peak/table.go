package peak

import (
	"slices"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/analysis/peak/held"
	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/analysis/workers"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/index"
	"github.com/memc-lang/memc/ir/sym"
)

// A Region is a body on the host that is run as a whole or not at all.
type Region struct {
	held.Region
	IR *ir.Body
}

// Kind is the origin of a block.
type Kind uint8

// The kinds of blocks.
const (
	Allocated Kind = iota
	Given          // a parameter's
	Called         // made by a call, or held by it while it runs
)

// A Block is a real block, or stands for the memory that a call holds.
type Block struct {
	Name  string
	Kind  Kind
	Stmt  *ir.Stmt // the alloc, the call, or nil
	Body  *ir.Body // that holds Stmt
	Param int      // of a Given one
	// Kept: the caller keeps the contents.
	Kept   bool
	Region int
	Alloc  int // the point at which it is allocated
	First  int // of an allocated one, the first statement of its body that mentions it; else Alloc
	Last   int // the last point at which it is certainly held under its own name
	// Handed, if it is not 0, is the first point at which a loop's parameter has taken over. From
	// there up to Last, the loop's first iteration holds the block.
	Handed int
	Known  int // the first point at which its size can be computed
	Size   sym.Poly
	// Workers, if it is set, is the set of the block, and the threads of a single kernel use it. Then Terms
	// are of Work, the bytes that workers need (Note [Workers' blocks]).
	Workers *workers.Set
	Work    sym.Poly
	// registers: its parts will be in the threads' registers.
	registers bool
	// Unknown: Size is a name of its own, for memory of a callee or of threads.
	Unknown bool
	Terms   Vec
	// Takes: other arrays may lie in this Given or Called block, from its first byte on, once its
	// contents are dead. Only its first Room bytes belong to the function: the block may be larger,
	// and a caller may keep contents behind them.
	Takes bool
	Room  sym.Poly
}

// A Holder is an existential name that keeps a block.
type Holder struct {
	held.Holder
	Name   string
	region int
	// Many: there are more blocks than are listed.
	Many bool
}

// A Term is a coefficient times a monomial of Table.Monos, by number.
type Term = held.Term

// A Vec is a sum of terms.
type Vec = held.Vec

// A Table holds the facts about one function.
type Table struct {
	Func     *ir.Func
	Liveness *liveness.Table
	Aliases  *aliases.Table
	Accesses *accesses.Table
	Regions  []Region
	Blocks   []Block
	Holders  []Holder
	keepers  []*held.Holder // of Holders
	// Monos are the monomials of Vecs: products of names, or sizes of unknown sign, which count as
	// zero if they are negative.
	Monos []sym.Poly

	names    index.Names[named]
	mentions []*named // names that are mentioned, in the order of the text
	// expanded caches the expansions of scalars.
	expanded *index.Expansion
	mono     map[string]int
	unsure   map[int]bool    // monomials of Monos whose sign is not known
	atMost   map[string]bool // memo of AtMost
	written  *places.Written // compares expanded sizes
}

// Spans makes the table of an explicit function without Terms and Monos: who holds which block, and
// at which points.
func Spans(f *ir.Func, a *aliases.Table, l *liveness.Table, acc *accesses.Table) *Table {
	t := &Table{
		Func: f, Liveness: l, Aliases: a, Accesses: acc, Blocks: make([]Block, 0, len(a.BlockNames())),
		names: index.MakeNames[named](l.Function), mono: map[string]int{},
		unsure: map[int]bool{}, atMost: map[string]bool{}, written: places.NewWritten(f.Sizes, nil),
	}
	t.expanded = t.expansion(func(name string) places.Facts { return acc.Facts(l.Known(name)) })
	(&walk{Table: t, kept: map[int]kept{}}).function()
	return t
}

// Analyze makes the table of an explicit function.
func Analyze(f *ir.Func, a *aliases.Table, l *liveness.Table, acc *accesses.Table) *Table {
	t := Spans(f, a, l, acc)
	if !rules.Off("peak.equalSizes") {
		t.equalSizes()
	}
	t.findWorkers()
	for k := range t.Blocks {
		if !t.Blocks[k].Kept { // the caller keeps the other ones in any case
			t.Blocks[k].Terms = t.terms(&t.Blocks[k])
		}
	}
	return t
}

// maxSizes bounds how many different sizes of earlier blocks a size is compared with, per body.
const maxSizes = 4

// equalSizes gives one size to blocks of a body whose sizes are proven equal where the later one
// has been allocated, such as dims * k and rows * cols * k with dims == rows * cols. It replaces a
// size only by one that is known as early: a pass may move the later alloc up to where its size is
// known.
func (t *Table) equalSizes() {
	before := map[*ir.Body][]int{}
	for k := range t.Blocks {
		b := &t.Blocks[k]
		if b.Kind != Allocated {
			continue
		}
		facts := t.Accesses.Facts(b.Alloc + 1) // behind the alloc: the size is at most that of the largest block
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

// Block returns the number of a real block.
func (t *Table) Block(name string) (int, bool) {
	if n := t.names.Of(name); n != nil && n.block > 0 {
		return n.block - 1, true
	}
	return 0, false
}

// RegionAt returns the innermost region around a point.
func (t *Table) RegionAt(p int) int {
	// Regions are in the order of the text, so the last one that contains p is the innermost.
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
