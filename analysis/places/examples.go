package places

import (
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/ir/sym/integer"
)

// Note [Examples]
// ~~~~~~~~~~~~~~~
// Most questions about a program have the answer no, and a search that finds no proof takes
// longest. So the facts of a function carry a few examples: a number for every name, chosen at the
// name's first occurrence so that all facts known by then hold. If an example contradicts the
// claim, no proof exists, and none is sought. With n = 3 and m = 5, nobody proves that n >= m. If
// the rows 0 and 1 of two matrices are both at 0 .. 14 in an example, nobody proves that they are
// disjoint.
//
// If a further fact contradicts an example, the example is dropped from there on: n = 3, m = 5 is
// dropped in the branch where n > m. Examples only end searches early; if the search is right, no
// proof is lost. Facts about two runs (TwoRuns) carry no examples.
//
// A name is bound once in a function. So it has one number per example at all points; only the set
// of examples that hold differs from point to point.

// examples are numbers for the names of a function.
type examples struct {
	mu     sync.Mutex
	values map[string][nExamples]int64
	work   int // done for questions about the function: of allowance
	other  *other
}

const (
	nExamples = 5
	// maxNumber bounds the numbers of examples: within, no arithmetic of theirs wraps.
	maxNumber = 1 << 46
	// maxElements bounds the elements of an array that are compared one by one. Of a larger array, only
	// the first ones along each dimension are: an element in common refutes what a proof would show.
	maxElements = 128
)

// Start returns the empty facts with which a function of about that many names begins.
func Start(names int) Facts {
	if rules.Off("places.examples") {
		return Facts{examples: &examples{values: make(map[string][nExamples]int64, names)}}
	}
	return Facts{examples: &examples{values: make(map[string][nExamples]int64, names)}, holds: 1<<nExamples - 1}
}

// allowance returns the work that a question may take, and a function to report how much of it is
// left. If many questions about the function were hard, all get less. Then more claims count as not
// proven, and no program takes minutes.
func (f Facts) allowance() (work int, left func(int)) {
	x := f.examples
	if x == nil {
		return maxWork, func(int) {}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	work = maxWork
	if x.work > maxHard {
		work = maxTired
	}
	return work, func(left int) {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.work += work - left
	}
}

// first returns the numbers of a name. Two examples are small, so that arrays can be compared
// element by element. Two are large, so that quotients of quotients differ. In one, every name is
// 0; few programs exclude that.
func (x *examples) first(name string) [nExamples]int64 {
	n := uint64(14695981039346656037) // FNV-1a
	for k := range len(name) {
		n = (n ^ uint64(name[k])) * 1099511628211
	}
	return [nExamples]int64{
		2 + int64(n%4), 2 + int64(n>>8%5), 1<<20 + int64(n>>16%65537), 1<<12 + int64(n>>32%4099), 0,
	}
}

func (x *examples) of(name string, k int) int64 {
	return x.all(name)[k]
}

func (x *examples) all(name string) [nExamples]int64 {
	if x.other != nil {
		return x.other.all(name)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	v, known := x.values[name]
	if !known {
		v = x.first(name)
		x.values[name] = v
	}
	return v
}

// bind chooses the numbers of a defined name, and returns them. If it has numbers already, it keeps them.
func (f Facts) bind(name string, value func() column) column {
	if f.holds == 0 {
		return column{}
	}
	x := f.examples
	x.mu.Lock()
	v, known := x.values[name]
	x.mu.Unlock()
	if known {
		return column{v, 1<<nExamples - 1}
	}
	v, found := x.first(name), value()
	for k := range v {
		switch n, ok := found.in(k); {
		case ok:
			v[k] = n
		case !isName(name):
			v[k] = noNumber
		}
	}
	x.mu.Lock()
	x.values[name] = v
	x.mu.Unlock()
	return column{v, 1<<nExamples - 1}
}

// Any lets a name of which nothing is known, as a parameter, be negative in one of the examples with large
// numbers: nothing checks the sign of most indices that are parameters.
func (f Facts) Any(name string) {
	const large = 3
	f.bind(name, func() column {
		return column{values: [nExamples]int64{large: -f.examples.first(name)[large]}, known: 1 << large}
	})
}

// noNumber stands for the value of an opaque atom, if it is not known.
const noNumber = math.MinInt64

// isName tells a name from an opaque atom.
func isName(atom string) bool { return atom[0] != '`' && atom[0] != '=' }

// model returns an example as a model of the prover's, if it has numbers for all atoms.
func (f Facts) model(atoms map[string]bool, k int) (model, bool) {
	m := make(model, len(atoms))
	f.examples.mu.Lock()
	defer f.examples.mu.Unlock()
	for a := range atoms {
		v, ok := f.examples.values[a]
		if !ok && isName(a) {
			v, ok = f.examples.first(a), true
			f.examples.values[a] = v
		}
		if !ok || v[k] == noNumber {
			return nil, false
		}
		m[a] = v[k]
	}
	return m, true
}

// polyValue returns the value of a polynomial of the prover's.
func (f Facts) polyValue(p poly, k int) (int64, bool) {
	atoms := map[string]bool{}
	mention(p, atoms)
	if m, ok := f.model(atoms, k); ok {
		v, ok := m.value(p)
		return v, ok && moderate(v)
	}
	return 0, false
}

// agree drops the examples in which something does not hold, or is not known.
func (f Facts) agree(holds func(k int) bool) Facts {
	for k := range nExamples {
		if f.holds>>k&1 == 1 && !holds(k) {
			f.holds &^= 1 << k
		}
	}
	return f
}

// counter reports whether one of the examples contradicts something.
func (f Facts) counter(contradicts func(k int) bool) bool {
	for k := range nExamples {
		if f.holds>>k&1 == 1 && contradicts(k) {
			return true
		}
	}
	return false
}

// number returns the value of a polynomial in an example.
func (f Facts) number(p sym.Poly, k int) (int64, bool) {
	return f.evaluate(p, k, f.atom)
}

// atom returns the values of a name, or of an opaque atom's expression.
func (f Facts) atom(name string, e ir.Exp) column {
	if e == nil {
		return f.named(name)
	}
	return f.values(e)
}

// evaluate is number, given the values of names and of opaque atoms.
func (f Facts) evaluate(p sym.Poly, k int, values func(key string, e ir.Exp) column) (int64, bool) {
	v, ok := p.Value(func(key string, e ir.Exp) (int64, bool) {
		c := values(key, e)
		return c.in(k)
	})
	return v, ok && moderate(v)
}

// moderate reports whether a number is so small that arithmetic on a few of them does not wrap.
func moderate(v int64) bool { return v < maxNumber && v > -maxNumber }

// A column holds the values of something in all examples, as far as they are known.
type column struct {
	values [nExamples]int64
	known  uint8
}

func (c *column) in(k int) (int64, bool) { return c.values[k], c.known>>k&1 == 1 }

// where returns a column of the values that are known and allowed.
func (c column) where(allowed func(v int64) bool) column {
	for k, v := range c.values {
		if !allowed(v) {
			c.known &^= 1 << k
		}
	}
	return c
}

// each returns the column of what value finds in each example.
func each(value func(k int) (int64, bool)) (c column) {
	for k := range nExamples {
		v, ok := value(k)
		if c.values[k] = v; ok {
			c.known |= 1 << k
		}
	}
	return c
}

// column returns the values of a polynomial; mostly it is a name, which is looked up once.
func (f Facts) column(p sym.Poly) column {
	if f.holds == 0 {
		return column{}
	}
	if name, single := p.IsVar(); single {
		return f.named(name).where(moderate)
	}
	atoms := make([]string, 0, 4) // of most polynomials, with their values
	parts := make([]column, 0, 4)
	return each(func(k int) (int64, bool) {
		return f.evaluate(p, k, func(key string, e ir.Exp) column {
			n := slices.Index(atoms, key)
			if n < 0 {
				n = len(atoms)
				atoms, parts = append(atoms, key), append(parts, f.atom(key, e))
			}
			return parts[n]
		})
	})
}

// named returns the values of a name, or of a text that stands for one.
func (f Facts) named(name string) column {
	c := column{f.examples.all(name), 1<<nExamples - 1}
	return c.where(func(v int64) bool { return v != noNumber })
}

// exceeds reports whether a + c <= b does not hold in an example.
func (f Facts) exceeds(a, b sym.Poly, c int64, k int) bool {
	x, ok := f.number(a, k)
	y, ok2 := f.number(b, k)
	return ok && ok2 && x+c > y
}

// atMostIn reports whether a + c <= b holds in an example.
func (f Facts) atMostIn(a, b sym.Poly, c int64, k int) bool {
	x, ok := f.number(a, k)
	y, ok2 := f.number(b, k)
	return ok && ok2 && x+c <= y
}

// compare reports whether a = b in an example; both must have values.
func (f Facts) compare(a, b sym.Poly, k int) (equal, ok bool) {
	x, ok := f.number(a, k)
	y, ok2 := f.number(b, k)
	return x == y, ok && ok2
}

// little reports whether the product of sizes, none of them negative, is at most MaxBytes.
func (f Facts) little(sizes []sym.Poly, k int) bool {
	n := int64(1)
	for _, s := range sizes {
		v, ok := f.number(s, k)
		if hi, lo := bits.Mul64(uint64(n), uint64(v)); !ok || v < 0 || hi != 0 || lo > MaxBytes {
			return false
		}
		n *= v
	}
	return true
}

// values returns the values of an expression. An element read has one of few small numbers, chosen
// by its text.
func (f Facts) values(e ir.Exp) column {
	if e.Prim() != ir.I64 {
		return column{}
	}
	switch e := e.(type) {
	case *ir.Lit:
		return each(func(int) (int64, bool) { return int64(e.Bits), true })
	case *ir.Ref:
		return f.named(e.Name)
	case *ir.Index:
		return f.read(e, 4)
	case *ir.Convert:
		switch e.X.Prim() {
		case ir.I64:
		case ir.Bool:
			return f.read(e, 2)
		default:
			return f.read(e, 4)
		}
	case *ir.Unary:
		if e.Op == "-" {
			c := f.values(e.X)
			return each(func(k int) (int64, bool) { v, ok := c.in(k); return -v, ok })
		}
	case *ir.Binary:
		return f.applied(e.Op, e.X, e.Y)
	case *ir.Builtin:
		if len(e.Args) == 2 {
			return f.applied(e.Fn, e.Args[0], e.Args[1])
		}
	}
	return column{}
}

// read returns the values of what has so many different ones.
func (f Facts) read(e ir.Exp, different int64) column {
	c := f.named("?" + ir.ExpString(e))
	for k := range c.values {
		c.values[k] %= different
	}
	return c
}

func (f Facts) applied(op string, l, r ir.Exp) column {
	x, y := f.values(l).where(moderate), f.values(r).where(moderate)
	return each(func(k int) (int64, bool) {
		v, ok := x.in(k)
		w, ok2 := y.in(k)
		if !ok || !ok2 {
			return 0, false
		}
		n, ok := integer.Apply(op, v, w)
		return n, ok && moderate(n)
	})
}

// units returns the positions of an array's first elements in an example, sorted. Each element counts
// as per units, so that arrays whose elements differ in size can be compared.
func (f Facts) units(a lmad.Fun, per int64, k int) ([]int64, bool) {
	all := true
	c := a.Concrete(func(p sym.Poly) int64 {
		v, ok := f.number(p, k)
		all = all && ok
		return v
	})
	if !all || len(c.Parts) > 1 {
		return nil, false
	}
	out := []int64{c.Parts[0].Offset}
	for j, d := range c.Parts[0].Len {
		if out = spread(out, d, c.Parts[0].Stride[j]); len(out) == 0 {
			return nil, false
		}
	}
	if per > 1 {
		base := out
		out = nil
		for _, p := range base {
			for u := range per {
				out = append(out, p*per+u)
			}
		}
	}
	slices.Sort(out)
	return out, true
}

// spread returns positions and, for a further dimension, those that lie behind them, up to about
// maxElements in all. It returns none for a dimension without elements.
func spread(base []int64, n, stride int64) []int64 {
	if n <= 0 {
		return nil
	}
	out := base
	for i := int64(1); i < min(n, maxElements/int64(len(base))); i++ {
		for _, p := range base {
			out = append(out, p+i*stride)
		}
	}
	return out
}

// overlap reports whether two arrays have a unit in common in an example.
func (f Facts) overlap(a, b lmad.Fun, perA, perB int64, k int) bool {
	xs, ok := f.units(a, perA, k)
	ys, ok2 := f.units(b, perB, k)
	if !ok || !ok2 {
		return false
	}
	return common(xs, ys)
}
