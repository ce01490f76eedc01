package explain

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// WriteFit tells of every entry whether it fits in a number of bytes, at which sizes it stops to fit,
// and which blocks stand in the way, the largest first. Arguments that the caller keeps count: they
// lie in the same memory.
func (x *Explanation) WriteFit(w io.Writer, limit int64) {
	var out strings.Builder
	for _, f := range x.last().Funcs {
		if f.Chart != nil && f.fn.Entry {
			(&fit{x: x, w: &out, f: f, limit: limit, kept: f.keptArguments(), peaks: map[string]int64{}}).write()
		}
	}
	x.answer(w, out.String())
}

// A fit is the question for one function.
type fit struct {
	x     *Explanation
	w     io.Writer
	f     *Facts
	limit int64
	kept  []ChartBlock // arguments
	// peaks of callees, by their names and what they are called with
	peaks map[string]int64
}

// maxSize is the largest size that is tried.
const maxSize = 1 << 40

// keptArguments returns the array parameters that the caller keeps.
func (f *Facts) keptArguments() []ChartBlock {
	var out []ChartBlock
	for _, e := range f.fn.Params {
		if e.Type.Kind == ir.ArrayKind && e.Type.Place != nil && f.aliases.Pinned(e.Type.Place.Mem) {
			out = append(out, ChartBlock{Name: e.Name, Size: size(lmad.Bytes(e.Type)).with(f.derived), Kind: "an argument"})
		}
	}
	return out
}

// need returns the bytes of the arguments and of the peak for values of sizes; what cannot be computed
// in 64 bits is more than any limit.
func (q *fit) need(values map[string]int64) int64 {
	args := sym.Const(0)
	for _, b := range q.kept {
		args = args.Add(b.Size.poly)
	}
	most := int64(0)
	for _, s := range append(slices.Clone(q.f.Chart.Peak), size(sym.Const(0))) {
		n, err := peak.Bytes(s.poly.Add(args), values)
		if err != nil {
			return math.MaxInt64
		}
		most = max(most, n)
	}
	return most
}

// names returns the names in the formulas: sizes and parameters without a value, and all.
func (q *fit) names() (free, all []string) {
	met := map[string]bool{}
	for _, s := range q.f.Chart.Peak {
		for _, n := range s.poly.Names() {
			met[n] = true
		}
	}
	for _, b := range q.kept {
		for _, n := range b.Size.poly.Names() {
			met[n] = true
		}
	}
	all = slices.Sorted(maps.Keys(met))
	for _, n := range all {
		_, given := q.x.Sizes[n]
		scalar := slices.Contains(q.f.fn.Sizes, n) || slices.ContainsFunc(q.f.fn.Params, func(e *ir.Elem) bool { return e.Name == n })
		if !given && scalar {
			free = append(free, n)
		}
	}
	return free, all
}

// asGiven gives every name the reader's value.
func (q *fit) asGiven(all []string) map[string]int64 {
	out := map[string]int64{}
	for _, n := range all {
		out[n], _ = q.x.value(n)
	}
	return out
}

// values gives every name its value, and some names another.
func (q *fit) values(all, of []string, v int64) map[string]int64 {
	out := q.asGiven(all)
	for _, n := range of {
		out[n] = v
	}
	q.calls(out)
	return out
}

// most finds the last value of some names that fits: it doubles until one does not, and bisects. 0: the
// least does not fit. A peak that falls again beyond is not seen.
func (q *fit) most(all, of []string) int64 {
	fits := func(v int64) bool { return q.need(q.values(all, of, v)) <= q.limit }
	low, high := int64(0), int64(1)
	for high <= maxSize && fits(high) {
		low, high = high, 2*high
	}
	if high > maxSize {
		return maxSize
	}
	for high-low > 1 {
		if mid := low + (high-low)/2; fits(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

func (q *fit) write() {
	free, all := q.names()
	now := q.values(all, nil, 0)
	need, verdict := q.need(now), "fits"
	if need > q.limit {
		verdict = "does not fit"
	}
	var at []string
	for _, n := range all {
		at = append(at, fmt.Sprintf("%s = %d", n, now[n]))
	}
	of := ""
	if len(at) > 0 {
		of = " for " + strings.Join(at, ", ")
	}
	fmt.Fprintf(q.w, "%s: %s in %d bytes: it needs %s%s, arguments included\n", q.f.Name, verdict, q.limit, amount(need), of)
	shown := now
	if len(free) > 0 {
		names, last := strings.Join(free, " = "), q.most(all, free)
		q.say(names, last)
		if need <= q.limit && last < maxSize {
			shown, of = q.values(all, free, last+1), fmt.Sprintf(" for %s = %d", names, last+1)
		}
		for _, n := range free {
			if len(free) > 1 {
				q.say(n, q.most(all, []string{n}))
			}
		}
	}
	if q.need(shown) > q.limit {
		q.inTheWay(shown, of)
	}
}

func amount(n int64) string {
	if n == math.MaxInt64 {
		return "more than 2^63"
	}
	return fmt.Sprint(n, " bytes")
}

// say tells up to which value of a name, or of several that are equal, the function fits.
func (q *fit) say(names string, last int64) {
	alone := ""
	if !strings.Contains(names, "=") {
		alone = ", all else as above"
	}
	switch last {
	case 0:
		fmt.Fprintf(q.w, "  it does not fit at %s = 1%s\n", names, alone)
	case maxSize:
		fmt.Fprintf(q.w, "  it fits at every %s that was tried, up to 2^40%s\n", names, alone)
	default:
		fmt.Fprintf(q.w, "  it fits up to %s = %d, and not at %d%s\n", names, last, last+1, alone)
	}
}

// inTheWay lists what the memory holds at the peak, arguments included, and the refusals about it.
func (q *fit) inTheWay(values map[string]int64, of string) {
	given := q.x.Sizes
	q.x.Sizes = values
	defer func() { q.x.Sizes = given }()
	best, _ := q.x.peakAt(q.f.Chart)
	var held []heldBlock
	if best >= 0 {
		held = q.x.held(q.f, best)
	}
	for _, b := range q.kept {
		held = append(held, heldBlock{name: b.Name, size: b.Size.String(), kind: b.Kind, bytes: q.x.bytes(b.Size)})
	}
	slices.SortStableFunc(held, func(a, b heldBlock) int { return int(min(1, max(-1, b.bytes-a.bytes))) })
	fmt.Fprintf(q.w, "  In the way%s, in the order of bytes:\n", of)
	for _, h := range held {
		h.write(q.w)
	}
	if best >= 0 {
		q.x.advice(q.w, q.f, best)
	}
}
