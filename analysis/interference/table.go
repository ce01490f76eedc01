package interference

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/index"
)

// Program holds the tables of a program's functions.
type Program struct{ tables map[string]*Table }

// Func returns the table of a function, or nil.
func (p *Program) Func(name string) *Table { return p.tables[name] }

// A Table answers questions about one function. It computes an answer at the first request, and
// keeps it. So a table must not be used concurrently, nor after the program has changed.
type Table struct {
	Func *ir.Func

	aliases  *aliases.Table
	live     *liveness.Table
	accesses *accesses.Table
	graph    *aliases.Graph

	reals   []string // in the order in which they are bound
	blocks  index.Names[block]
	holders []*holder
	inComp  [][]int // a component to the holders there
	kernels []kernelSpan
	inner   []kernelSpan // in the bodies of kernels of groups
	calls   []int        // the points of calls, ascending
	// groups are the blocks of groups, with their kernels.
	groups map[string]*ir.Stmt
	// threadOwn are the blocks that threads allocate for themselves, with the point of the kernel.
	// One name stands for many blocks, and they share with no other block.
	threadOwn map[string]int
	index     *tree
	crowded   func() bool

	answers
}

// answers are those that were asked for.
type answers struct {
	pairs     map[pair]answer
	verdicts  map[pair]*verdict // of two holders
	repeats   map[string]answer
	memo      map[int][]int // of components, by beside
	apartness map[question]bool
	both      map[pair]places.Facts // of two points in bodies that are not within each other
	entries   map[string][]entry
	lives     []liveness.Span // of components, from the first to the last point
	kept      int             // entries kept
}

// A block is what is known of a block's name.
type block struct {
	holder int // 1 + its number; 0: not known yet
	// Of a real block:
	order int // 1 + its number in reals
	comp  int // its component
	site  site
}

type pair struct{ a, b int }

type answer struct {
	witness Witness
	bad     bool
	// excuses say why each meeting is harmless. They are set only if all meetings are.
	excuses []Excuse
}

// Analyze makes the tables of all functions of an elaborated program.
func Analyze(p *ir.Program, a *aliases.Program, l *liveness.Program) *Program {
	out := &Program{tables: map[string]*Table{}}
	acc := accesses.Analyze(p, l)
	for _, f := range p.Funcs {
		out.tables[f.Name] = AnalyzeFunc(f, a.Func(f.Name), l.Func(f.Name), acc.Func(f.Name))
	}
	return out
}

// Accesses returns the table of accesses.
func (t *Table) Accesses() *accesses.Table { return t.accesses }

// AnalyzeFunc makes the table of one function.
func AnalyzeFunc(f *ir.Func, a *aliases.Table, l *liveness.Table, acc *accesses.Table) *Table {
	t := &Table{
		Func: f, aliases: a, live: l, accesses: acc, graph: a.BlockGraph(),
		blocks: index.MakeNames[block](l.Function), threadOwn: map[string]int{}, groups: map[string]*ir.Stmt{},
		answers: answers{
			pairs: map[pair]answer{}, verdicts: map[pair]*verdict{}, repeats: map[string]answer{}, entries: map[string][]entry{},
			memo: map[int][]int{}, apartness: map[question]bool{}, both: map[pair]places.Facts{},
		},
	}
	t.crowded = sync.OnceValue(t.isCrowded)
	t.findSites(f.Body, nil)
	t.makeHolders()
	t.findTouches()
	for _, m := range a.BlockNames() {
		if c, ok := t.graph.Component(m); ok && t.graph.Real(c) == m {
			t.addReal(m, c)
		}
	}
	for c := range t.graph.Len() { // blocks that calls may have made, without a name in the program
		if m := t.graph.Real(c); m != "" {
			t.addReal(m, c)
		}
	}
	return t
}

func (t *Table) addReal(m string, c int) {
	b := t.blocks.At(m)
	if t.groups[m] != nil {
		b.comp = c
	} else if b.order == 0 && !t.own(m) {
		t.reals = append(t.reals, m)
		b.comp, b.order = c, len(t.reals)
	}
}

func (t *Table) own(m string) bool { _, own := t.threadOwn[m]; return own }

// Interfere reports whether two blocks may not share storage, first byte on first byte, and why. If
// a block is existential, it reports this for any block that the name may stand for. If both are
// one block, it reports whether instances of that block may not share (Repeats).
//
// If a loop allocates one of the blocks and not the other, all instances of the one would share one
// storage, so Repeats counts, too.
func (t *Table) Interfere(m1, m2 string) (Witness, bool) {
	a, b := t.realsNamed(m1), t.realsNamed(m2)
	if m1 != m2 && (len(a) != 1 || len(b) != 1 || a[0] == b[0]) {
		for _, x := range a {
			if slices.Contains(b, x) {
				return Witness{Point: t.live.Stmt(t.blocks.Get(x).site.stmt).From, A: x, B: x, Why: SameBlock}, true
			}
		}
	}
	for _, x := range a {
		for _, y := range b {
			if r := t.real(x, y); r.bad {
				return r.witness, true
			}
		}
	}
	return Witness{}, false
}

// realsNamed returns the real blocks that a name may stand for.
func (t *Table) realsNamed(m string) []string {
	if t.blocks.Get(m).order > 0 {
		return []string{m}
	}
	return t.aliases.Blocks(m)
}

// real answers for two real blocks.
func (t *Table) real(m1, m2 string) answer {
	if m1 == m2 {
		return t.repeat(m1)
	}
	for _, m := range []string{m1, m2} {
		if at, own := t.threadOwn[m]; own {
			return answer{bad: true, witness: Witness{Point: at, A: m1, B: m2, Why: Threads}}
		}
	}
	i, j := t.blocks.Get(m1).order-1, t.blocks.Get(m2).order-1
	if i < 0 || j < 0 {
		return answer{}
	}
	key := pair{i, j}
	if r, ok := t.pairs[key]; ok {
		return r
	}
	r := t.contents(m1, m2)
	if !r.bad {
		for _, m := range t.hoisted(m1, m2) {
			if again := t.repeat(m); again.bad {
				r = again
				break
			}
		}
	}
	t.pairs[key] = r
	back := r
	back.witness.A, back.witness.B = r.witness.B, r.witness.A
	t.pairs[pair{j, i}] = back
	return r
}

// Neighbours returns the real blocks that interfere with a block, sorted. It includes the block
// itself if that repeats.
func (t *Table) Neighbours(m string) []string {
	in := map[string]bool{}
	for _, x := range t.realsNamed(m) {
		for _, y := range t.Beside(x) {
			in[y] = true
		}
		if t.repeat(x).bad {
			in[x] = true
		}
		for _, y := range t.reals {
			if !in[y] && slices.ContainsFunc(t.hoisted(x, y), func(m string) bool { return t.repeat(m).bad }) {
				in[y] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(in))
}

// Beside returns the other real blocks whose contents may not share storage with those of a real
// block, sorted. Like Each, it compares contents only: it omits blocks of other bodies that
// interfere only because one of the two repeats.
func (t *Table) Beside(m string) []string {
	var out []string
	added := map[int]bool{}
	add := func(comp int) {
		if added[comp] {
			return
		}
		added[comp] = true
		if r := t.graph.Real(comp); r != "" && r != m && !t.own(r) {
			out = append(out, r)
		}
	}
	for _, c := range t.graph.Reaching(t.blocks.Get(m).comp) {
		for _, x := range t.beside(c) {
			add(x)
		}
	}
	slices.Sort(out)
	return out
}

// beside returns the components that may not share with a component, and all that these choose among. Hundreds of names may stand for the same
// blocks, such as loop parameters that change places; then one of them that may not share is
// enough. Greater components come first, since they choose among smaller ones.
func (t *Table) beside(c int) []int {
	if b, known := t.memo[c]; known {
		return b
	}
	var b []int
	marked := map[int]bool{}
	mark := func(x int) {
		if !marked[x] {
			marked[x] = true
			b = append(b, x)
		}
	}
	for _, u := range t.inComp[c] {
		others := t.meets(u)
		slices.SortStableFunc(others, func(v, w int) int { return t.holders[w].comp - t.holders[v].comp })
		for _, v := range others {
			x := t.holders[v].comp
			if x < 0 || marked[x] {
				continue
			}
			if r := t.verdict(u, v); r.bad {
				t.graph.Below(x, mark)
			}
		}
	}
	t.memo[c] = b
	return b
}

// realsOf returns the real blocks that a holder may stand for, without those that threads allocate
// for themselves.
func (t *Table) realsOf(u int) []string {
	if c := t.holders[u].comp; c >= 0 {
		names, _ := t.graph.Reals(c, 0)
		return slices.DeleteFunc(slices.Clone(names), t.own)
	}
	return nil
}

// Each calls f for every two real blocks whose contents may not share storage, in the order in
// which they are bound. If both are m, they stand for two instances of m. Interfere also counts the
// consequences for other blocks; Each omits these.
func (t *Table) Each(f func(m1, m2 string, w Witness)) { t.Some(math.MaxInt, f) }

// Some is Each for the first n pairs that it finds, and reports whether these are all. To find all of
// them can take time in the square of the number of blocks.
func (t *Table) Some(n int, f func(m1, m2 string, w Witness)) (all bool) {
	pairs := map[pair]Witness{}
	for i, m := range t.reals {
		if r := t.repeat(m); r.bad {
			pairs[pair{i, i}] = r.witness
		}
	}
	bad := func(v verdict) bool { return v.bad }
	all = t.meetings(bad, func(p pair, v verdict) bool {
		if _, known := pairs[p]; !known {
			if len(pairs) >= n {
				return false
			}
			pairs[p] = v.witness
		}
		return true
	})
	for _, p := range sorted(pairs) {
		f(t.reals[p.a], t.reals[p.b], pairs[p])
	}
	return all
}

// meetings calls f for every wanted verdict on two holders, and for every two real blocks that
// these may stand for. Blocks are numbered in the order in which they are bound. Witnesses name an
// array of the first block first. If f returns false, meetings stops and returns false, too.
func (t *Table) meetings(wanted func(verdict) bool, f func(p pair, v verdict) bool) bool {
	for u := range t.holders {
		for _, v := range t.meets(u) {
			if v < u {
				continue
			}
			r := t.verdict(u, v)
			if !wanted(r) {
				continue
			}
			back := r
			back.witness.A, back.witness.B = r.witness.B, r.witness.A
			for _, x := range t.realsOf(u) {
				for _, y := range t.realsOf(v) {
					if i, j := t.blocks.Get(x).order-1, t.blocks.Get(y).order-1; i < j && !f(pair{i, j}, r) || i > j && !f(pair{j, i}, back) {
						return false
					}
				}
			}
		}
	}
	return true
}

func sorted[T any](pairs map[pair]T) []pair {
	return slices.SortedFunc(maps.Keys(pairs), func(p, q pair) int { return cmp.Or(p.a-q.a, p.b-q.b) })
}
