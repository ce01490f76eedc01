package value

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/memc-lang/memc/internal/base/hostmem"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// text reads values in Futhark's text format from data[pos:].
type text struct {
	name string
	data []byte
	pos  int
}

func (t *text) errorf(format string, args ...any) error {
	line, col := 1, 1
	for _, c := range t.data[:min(t.pos, len(t.data))] {
		if c == '\n' {
			line, col = line+1, 1
		} else {
			col++
		}
	}
	return &diag.Coded{Code: diag.BadValue, Err: fmt.Errorf("%s:%d:%d: %w", t.name, line, col, fmt.Errorf(format, args...))}
}

// space skips white space and comments ("--" to the end of the line).
func (t *text) space() {
	for t.pos < len(t.data) {
		switch c := t.data[t.pos]; {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			t.pos++
		case c == '-' && t.pos+1 < len(t.data) && t.data[t.pos+1] == '-':
			for t.pos < len(t.data) && t.data[t.pos] != '\n' {
				t.pos++
			}
		default:
			return
		}
	}
}

func (t *text) peek() byte {
	if t.pos < len(t.data) {
		return t.data[t.pos]
	}
	return 0
}

func (t *text) expect(c byte) error {
	t.space()
	if t.peek() != c {
		return t.unexpected("'" + string(c) + "'")
	}
	t.pos++
	return nil
}

func (t *text) unexpected(want string) error {
	if t.pos >= len(t.data) {
		return t.errorf("unexpected end of input, expected %s", want)
	}
	word := t.word()
	if word == "" {
		word = string(t.data[t.pos])
	}
	return t.errorf("unexpected %q, expected %s", word, want)
}

// word returns the run of characters that can stand in a number or a name,
// without moving on.
func (t *text) word() string {
	end := t.pos
	for end < len(t.data) && strings.IndexByte("+-._", t.data[end]) >= 0 || end < len(t.data) && isAlnum(t.data[end]) {
		end++
	}
	return string(t.data[t.pos:end])
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isAlnum(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// value reads one value; want is the element type that literals without a
// suffix take (Unknown: i32 for integers, f64 for others, as in Futhark).
func (t *text) value(want ir.Prim) (Value, error) {
	t.space()
	if strings.HasPrefix(string(t.data[t.pos:min(t.pos+5, len(t.data))]), "empty") {
		return t.empty()
	}
	if t.peek() == '"' {
		return t.str()
	}
	if t.peek() != '[' {
		p, bits, err := t.scalar(want, false)
		if err != nil {
			return Value{}, err
		}
		return Scalar(p, bits), nil
	}
	a := arrayReader{text: t, prim: want}
	if err := a.read(0); err != nil {
		return Value{}, err
	}
	switch {
	case len(a.bits) == 0:
		return Value{}, t.errorf("an empty array needs its type: write empty([0]t)")
	case len(a.shape) > a.rank: // [[], 1]
		return Value{}, t.errorf("irregular array: a row where a scalar stood before")
	}
	v := New(a.prim, a.shape)
	for i, b := range a.bits {
		v.SetBits(int64(i), b)
	}
	return v, nil
}

// arrayReader collects the elements of a nested array. The first row of each
// depth fixes the size of that dimension; the first scalar fixes the type.
type arrayReader struct {
	*text
	prim  ir.Prim
	typed bool
	rank  int // known once the first scalar was read
	shape []int64
	bits  []uint64
}

func (a *arrayReader) read(depth int) error {
	if depth >= 64 {
		return a.errorf("array nests deeper than 64")
	}
	if err := a.expect('['); err != nil {
		return err
	}
	count, first := int64(0), depth >= len(a.shape)
	if first {
		a.shape = append(a.shape, -1)
	}
	for a.space(); a.peek() != ']'; a.space() {
		if count > 0 {
			if err := a.expect(','); err != nil {
				return err
			}
			a.space()
		}
		if err := a.element(depth); err != nil {
			return err
		}
		count++
	}
	a.pos++
	if a.shape[depth] == -1 {
		a.shape[depth] = count
	}
	if a.shape[depth] != count {
		return a.errorf("irregular array: a row has %d elements, an earlier one %d", count, a.shape[depth])
	}
	return nil
}

func (a *arrayReader) element(depth int) error {
	if a.peek() == '[' {
		if a.rank > 0 && depth+1 >= a.rank {
			return a.errorf("irregular array: a row where a scalar stood before")
		}
		return a.read(depth + 1)
	}
	if a.rank == 0 {
		a.rank = depth + 1
	}
	if depth+1 != a.rank {
		return a.errorf("irregular array: a scalar where a row stood before")
	}
	p, bits, err := a.scalar(a.prim, a.typed)
	if err != nil {
		return err
	}
	a.prim, a.typed = p, true
	if n := int64(cap(a.bits)); int64(len(a.bits)) == n {
		if err := hostmem.Room(2 * 8 * n); err != nil { // at most the memory that append makes
			return a.errorf("%v", err)
		}
	}
	a.bits = append(a.bits, bits)
	return nil
}

// empty reads "empty([0][3]i32)".
func (t *text) empty() (Value, error) {
	t.pos += len("empty")
	if err := t.expect('('); err != nil {
		return Value{}, err
	}
	var shape []int64
	for t.space(); t.peek() == '['; t.space() {
		t.pos++
		t.space()
		w := t.word()
		n, err := strconv.ParseInt(w, 10, 64)
		if err != nil {
			return Value{}, t.unexpected("a size")
		}
		t.pos += len(w)
		shape = append(shape, n)
		if err := t.expect(']'); err != nil {
			return Value{}, err
		}
	}
	w := t.word()
	p := ir.PrimByName(w)
	if p == ir.Unknown {
		return Value{}, t.unexpected("an element type")
	}
	t.pos += len(w)
	if err := checkedShape(shape); err != nil {
		return Value{}, t.errorf("%v", err)
	}
	v := Value{Prim: p, Shape: shape}
	if v.Elems() != 0 { // of a scalar it is 1
		return Value{}, t.errorf("empty(%s) has no dimension of size 0", v.Type())
	}
	return v, t.expect(')')
}

// str reads a string literal as an array of u8.
func (t *text) str() (Value, error) {
	end := t.pos + 1
	for end < len(t.data) && t.data[end] != '"' {
		if t.data[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(t.data) {
		return Value{}, t.errorf("string without an end")
	}
	s, err := strconv.Unquote(string(t.data[t.pos : end+1]))
	if err != nil {
		return Value{}, t.errorf("malformed string")
	}
	t.pos = end + 1
	return Value{ir.U8, []int64{int64(len(s))}, []byte(s)}, nil
}

// scalar reads a number or a bool. Without a suffix it takes type want; with
// strict set (inside an array whose type is known) a suffix must agree.
func (t *text) scalar(want ir.Prim, strict bool) (ir.Prim, uint64, error) {
	w := t.word()
	if w == "" {
		return 0, 0, t.unexpected("a value")
	}
	body, p := splitSuffix(w)
	if strict && p != ir.Unknown && p != want {
		return 0, 0, t.errorf("array elements of types %s and %s", want, p)
	}
	if p == ir.Unknown {
		p = want
	}
	if body == "true" || body == "false" {
		if p != ir.Unknown && p != ir.Bool {
			return 0, 0, t.errorf("unexpected %s, expected %s", w, p)
		}
		t.pos += len(w)
		return ir.Bool, map[string]uint64{"true": 1}[body], nil
	}
	p, bits, err := number(body, p)
	if err != nil {
		return 0, 0, t.errorf("%s %v", w, err)
	}
	t.pos += len(w)
	return p, bits, nil
}

// splitSuffix splits "42i32" into "42" and i32, and "-f32.nan" into "-nan", f32.
func splitSuffix(w string) (string, ir.Prim) {
	sign, rest := "", w
	if strings.HasPrefix(w, "-") || strings.HasPrefix(w, "+") {
		sign, rest = w[:1], w[1:]
	}
	if p := ir.PrimByName(strings.SplitN(rest, ".", 2)[0]); p.Float() && len(rest) > 3 {
		return sign + rest[4:], p
	}
	for _, n := range []int{2, 3} {
		if len(rest) > n {
			if p := ir.PrimByName(rest[len(rest)-n:]); p != ir.Unknown {
				hex := strings.HasPrefix(strings.ToLower(rest), "0x") && !strings.ContainsAny(rest, "pP")
				if !(hex && p.Float()) { // f is a digit
					return sign + rest[:len(rest)-n], p
				}
			}
		}
	}
	return w, ir.Unknown
}

// number returns the bits of a number of type p (Unknown: i32 or f64 by form).
func number(s string, p ir.Prim) (ir.Prim, uint64, error) {
	s = strings.ToLower(strings.ReplaceAll(s, "_", ""))
	digits := strings.TrimLeft(s, "+-")
	hex := strings.HasPrefix(digits, "0x")
	switch {
	case p == ir.Unknown && !hex && strings.ContainsAny(s, ".en"):
		p = ir.F64
	case p == ir.Unknown:
		p = ir.I32
	}
	switch {
	case p.Float() && hex && !strings.Contains(s, "p"):
		s += "p0"
	case p.Integer() && len(digits) > 1 && isDigit(digits[1]): // leading zeros do not mean octal
		s = s[:len(s)-len(digits)] + strings.TrimLeft(digits[:len(digits)-1], "0") + digits[len(digits)-1:]
	}
	bad := fmt.Errorf("is not a value of type %s", p)
	switch {
	case p == ir.F16 || p == ir.F32:
		f, err := strconv.ParseFloat(s, 32)
		if err != nil && !isRange(err) {
			return 0, 0, bad
		}
		if p == ir.F16 {
			return p, ir.HalfBits(f), nil
		}
		return p, uint64(math.Float32bits(float32(f))), nil
	case p == ir.F64:
		f, err := strconv.ParseFloat(s, 64)
		if err != nil && !isRange(err) {
			return 0, 0, bad
		}
		return p, math.Float64bits(f), nil
	case p.Integer(): // from -2^(b-1) to 2^b-1; one that the type lacks stands for its b bits, as in Futhark
		n, err := strconv.ParseUint(strings.TrimPrefix(s, "+"), 0, p.Bits())
		if err != nil {
			var m int64
			m, err = strconv.ParseInt(s, 0, p.Bits())
			n = uint64(m)
		}
		if err != nil {
			return 0, 0, bad
		}
		if unused := 64 - p.Bits(); p.Signed() {
			n = uint64(int64(n<<unused) >> unused)
		} else {
			n = n << unused >> unused
		}
		return p, n, nil
	}
	return 0, 0, bad
}

func isRange(err error) bool {
	e, ok := err.(*strconv.NumError)
	return ok && e.Err == strconv.ErrRange
}
