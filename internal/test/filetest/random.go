package filetest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
)

// Note [Random inputs]
//
//	-- random input (n = 1000, m = 3) { [n][m]f32 in -1 ..< 1, [n]i64 in 0 ..< m, n }
//
// Sizes are set in parentheses, with `seed` among them to get other values. An item is a type,
// perhaps with bounds, or a size, or any value. The values are made when the block is read, and are
// always the same. Without bounds a float lies in 0 ..< 1 and an integer anywhere in its type.

// maxRandom bounds the elements of a random input.
const maxRandom = 1 << 24

var (
	randomForm = regexp.MustCompile(`^random\s+input\s*(?:\(([^)]*)\))?\s*(\{.*)$`)
	typeForm   = regexp.MustCompile(`^((?:\[\s*\w+\s*\])*)(i8|i16|i32|i64|u8|u16|u32|u64|f16|f32|f64|bool)\b(?:\s+in\s+(\S+)\s+\.\.<\s+([^\s,]+))?`)
	dimForm    = regexp.MustCompile(`\w+`)
)

// A generator makes random values.
type generator struct {
	sizes map[string]int64
	rng   *rand.Rand
	left  int64 // elements that may still be made
}

// randomSizes reads "n = 1000, seed = 3".
func randomSizes(text string) (*generator, error) {
	g := &generator{sizes: map[string]int64{}, left: maxRandom}
	seed := uint64(0)
	for _, s := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' }) {
		name, number, ok := strings.Cut(s, "=")
		n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
		if !ok || err != nil || n < 0 {
			return nil, fmt.Errorf("malformed size %q of a random input, expected: n = 1000", strings.TrimSpace(s))
		}
		if name = strings.TrimSpace(name); name == "seed" {
			seed = uint64(n)
		} else {
			g.sizes[name] = n
		}
	}
	g.rng = rand.New(rand.NewPCG(seed, 1))
	return g, nil
}

// values makes the values that the items describe, as the text of an input.
func (g *generator) values(items string) (string, error) {
	var out strings.Builder
	for rest := strings.TrimLeft(items, " \t\n,"); rest != ""; rest = strings.TrimLeft(rest, " \t\n,") {
		if m := typeForm.FindStringSubmatch(rest); m != nil {
			v, err := g.value(m[1], ir.PrimByName(m[2]), m[3], m[4])
			if err != nil {
				return "", err
			}
			if err := value.WriteBinary(&out, v); err != nil {
				return "", err
			}
			rest = rest[len(m[0]):]
			continue
		}
		n := literalEnd(rest)
		text := rest[:n]
		if size, ok := g.sizes[text]; ok {
			text = strconv.FormatInt(size, 10)
		}
		out.WriteString(" " + text + " ")
		rest = rest[n:]
	}
	return out.String(), nil
}

// literalEnd returns where a value ends: at a space or comma outside of brackets.
func literalEnd(s string) int {
	depth := 0
	for i, c := range s {
		switch c {
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		case ' ', '\t', '\n', ',':
			if depth <= 0 {
				return i
			}
		}
	}
	return len(s)
}

// value makes one value.
func (g *generator) value(dims string, p ir.Prim, lo, hi string) (value.Value, error) {
	var shape []int64
	n := int64(1)
	for _, d := range dimForm.FindAllString(dims, -1) {
		k, err := g.number(d)
		if err != nil || k < 0 || k != math.Trunc(k) {
			return value.Value{}, fmt.Errorf("`%s` is not a size of the random input: say (%s = 1000)", d, d)
		}
		if shape = append(shape, int64(k)); k > 0 && n > g.left/int64(k) {
			return value.Value{}, fmt.Errorf("a random input has at most %d elements", maxRandom)
		}
		n *= int64(k)
	}
	g.left -= n
	draw, err := g.draw(p, lo, hi)
	if err != nil {
		return value.Value{}, err
	}
	v := value.New(p, shape)
	for i := range n {
		v.SetBits(i, draw())
	}
	return v, nil
}

func (g *generator) number(text string) (float64, error) {
	if n, ok := g.sizes[text]; ok {
		return float64(n), nil
	}
	return strconv.ParseFloat(text, 64)
}

// draw returns a function that draws the bits of elements between bounds.
func (g *generator) draw(p ir.Prim, lo, hi string) (func() uint64, error) {
	if lo == "" && !p.Float() {
		if p == ir.Bool {
			return func() uint64 { return g.rng.Uint64() & 1 }, nil
		}
		return g.rng.Uint64, nil
	}
	a, b := 0.0, 1.0
	if lo != "" {
		var err, err2 error
		a, err = g.number(lo)
		b, err2 = g.number(hi)
		if err != nil || err2 != nil || !(a < b) || p == ir.Bool || p.Unsigned() && a < 0 {
			return nil, fmt.Errorf("malformed bounds `%s ..< %s` of %s in a random input", lo, hi, p)
		}
	}
	switch p {
	case ir.F16:
		return func() uint64 { return ir.HalfBits(a + g.rng.Float64()*(b-a)) }, nil
	case ir.F32:
		return func() uint64 {
			for {
				if f := float32(a + g.rng.Float64()*(b-a)); float64(f) < b { // rounding may reach the bound
					return uint64(math.Float32bits(f))
				}
			}
		}, nil
	case ir.F64:
		return func() uint64 { return math.Float64bits(a + g.rng.Float64()*(b-a)) }, nil
	}
	from, count := int64(a), uint64(int64(b)-int64(a))
	if a != math.Trunc(a) || b != math.Trunc(b) || b-a > 1<<62 {
		return nil, fmt.Errorf("malformed bounds `%s ..< %s` of %s in a random input", lo, hi, p)
	}
	return func() uint64 { return uint64(from + int64(g.rng.Uint64N(count))) }, nil
}
