package explain

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/memc-lang/memc/analysis/peak"
)

// A heldBlock is one line of the blocks held at the peak.
type heldBlock struct {
	name, size string
	kind       string
	bytes      int64
	line       int
	arrays     []string
	turns      bool   // the arrays lie there in turns
	earlier    string // blocks of earlier iterations, by the names that keep them
}

// WritePeak lists the blocks that every explicit function holds at its peak, for values of its sizes
// (1000 where none is given), and which refusals keep it there.
func (x *Explanation) WritePeak(w io.Writer) {
	var out strings.Builder
	for _, f := range x.last().Funcs {
		if f.Chart != nil {
			x.writePeak(&out, f)
		}
	}
	x.answer(w, out.String())
}

// answer writes what the functions with arrays gave.
func (x *Explanation) answer(w io.Writer, text string) {
	if text == "" {
		text = x.File + ": no entry has an array in memory\n"
	}
	io.WriteString(w, x.shown(text))
}

// value returns the value of a name in WritePeak.
func (x *Explanation) value(name string) (int64, bool) {
	if v, ok := x.Sizes[name]; ok {
		return v, true
	}
	return defaultSize, true
}

// defaultSize is the value of sizes that the reader gave none for; page.js has the same.
const defaultSize = 1000

func (x *Explanation) bytes(s Size) int64 { return max(0, peak.Value(s.poly, x.value)) }

func (x *Explanation) greatest(of []Size) int64 {
	var most int64
	for _, s := range of {
		most = max(most, x.bytes(s))
	}
	return most
}

func (x *Explanation) writePeak(w io.Writer, f *Facts) {
	c := f.Chart
	best, most := x.peakAt(c)
	fmt.Fprintf(w, "%s: the peak is %d bytes%s", f.Name, x.greatest(c.Peak), x.assumed(c))
	if bound := x.greatest(c.Bound); len(c.Bound) > 0 {
		fmt.Fprintf(w, "; the plan bound is %d", bound)
	}
	fmt.Fprintln(w)
	if best < 0 || most <= 0 {
		return
	}
	s := c.Segments[best]
	fmt.Fprintf(w, "  These blocks are held from line %d to line %d of the program after all passes (memc opt %s):\n", s.From, s.To, x.File)
	for _, h := range x.held(f, best) {
		h.write(w)
	}
	x.advice(w, f, best)
}

func (h heldBlock) write(w io.Writer) {
	if h.earlier != "" {
		fmt.Fprintf(w, "  %14d  %s: blocks of earlier iterations, kept by %s\n", h.bytes, h.size, h.earlier)
		return
	}
	what := quote(h.name) + " = " + h.size + ", " + strings.TrimSuffix(h.kind, " here")
	if h.name == h.size { // an unknown amount
		what = h.name
	}
	fmt.Fprintf(w, "  %14d  %s", h.bytes, what)
	if h.line > 0 {
		fmt.Fprintf(w, " at line %d of the source", h.line)
	}
	if len(h.arrays) > 0 {
		turns := ""
		if h.turns {
			turns = " in turns"
		}
		fmt.Fprintf(w, "; it holds%s %s", turns, list(h.arrays))
	}
	fmt.Fprintln(w)
}

// assumed names the values that a formula was evaluated for.
func (x *Explanation) assumed(c *Chart) string {
	names := map[string]bool{}
	for _, s := range c.Peak {
		for _, n := range s.poly.Names() {
			names[n] = true
		}
	}
	var parts []string
	for _, n := range slices.Sorted(keys(names)) {
		v, _ := x.value(n)
		parts = append(parts, fmt.Sprintf("%s = %d", n, v))
	}
	if len(parts) == 0 {
		return ""
	}
	return " for " + strings.Join(parts, ", ")
}

// peakAt returns the segment that holds most, and its bytes.
func (x *Explanation) peakAt(c *Chart) (best int, most int64) {
	sum := make([]int64, len(c.Segments)+1)
	for _, b := range c.Blocks {
		if b.From >= 0 {
			sum[b.From] += x.bytes(b.Size)
			sum[b.To+1] -= x.bytes(b.Size)
		}
	}
	best, now := -1, int64(0)
	for k, s := range c.Segments {
		now += sum[k]
		n := now
		if s.Kept != nil {
			n += x.bytes(*s.Kept)
		}
		if best < 0 || n > most {
			best, most = k, n
		}
	}
	return best, most
}

// held lists the blocks of a segment, the largest first.
func (x *Explanation) held(f *Facts, at int) []heldBlock {
	var out []heldBlock
	for _, b := range f.Chart.heldAt(at) {
		h := heldBlock{name: b.Name, size: b.Size.String(), kind: b.Kind, bytes: x.bytes(b.Size), line: b.Src}
		if facts := f.Blocks[b.Name]; facts != nil {
			if h.arrays = facts.Arrays; len(h.arrays) == 0 {
				h.arrays, h.turns = facts.Turns, true
			}
		}
		out = append(out, h)
	}
	if s := f.Chart.Segments[at]; s.Kept != nil {
		out = append(out, heldBlock{size: s.Kept.String(), bytes: x.bytes(*s.Kept), earlier: list(s.Holders)})
	}
	slices.SortStableFunc(out, func(a, b heldBlock) int { return int(min(1, max(-1, b.bytes-a.bytes))) })
	return out
}

// heldAt returns the blocks of a segment.
func (c *Chart) heldAt(at int) []ChartBlock {
	var out []ChartBlock
	for _, b := range c.Blocks {
		if b.From >= 0 && b.From <= at && at <= b.To {
			out = append(out, b)
		}
	}
	return out
}

// advice lists the refusals about blocks held at the peak: accepting them would lower it.
func (x *Explanation) advice(w io.Writer, f *Facts, at int) {
	names := map[string]bool{}
	for _, held := range f.Chart.heldAt(at) {
		names[held.Name] = true
		if b := f.Blocks[held.Name]; b != nil {
			for _, a := range b.Arrays {
				names[a] = true
			}
		}
	}
	said := false
	for _, r := range x.Remarks {
		if !r.Refused || r.Func != f.Name || !slices.ContainsFunc(r.Names, func(n string) bool { return names[n] }) {
			continue
		}
		if !said {
			fmt.Fprintln(w, "  The passes refused these rewrites of the blocks (memc explain CODE explains a code):")
			said = true
		}
		fmt.Fprintf(w, "    %s\n", r)
	}
}
