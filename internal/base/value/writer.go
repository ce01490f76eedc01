package value

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/memc-lang/memc/ir"
)

// WriteText writes v in Futhark's text format, without a line end.
func WriteText(w io.Writer, v Value) error {
	b := bufio.NewWriter(w)
	if v.Shape != nil && v.Elems() == 0 {
		fmt.Fprintf(b, "empty(%s)", v.Type())
		return b.Flush()
	}
	i := int64(0)
	var row func(depth int)
	row = func(depth int) {
		if depth == len(v.Shape) {
			b.WriteString(scalarText(v, i))
			i++
			return
		}
		b.WriteByte('[')
		for k := range v.Shape[depth] {
			if k > 0 {
				b.WriteString(", ")
			}
			row(depth + 1)
		}
		b.WriteByte(']')
	}
	row(0)
	return b.Flush()
}

// scalarText returns element i with its type suffix; floats with as many digits
// as read back to the same bits.
func scalarText(v Value, i int64) string {
	switch p := v.Prim; {
	case p == ir.Bool:
		return strconv.FormatBool(v.Bits(i) != 0)
	case p.Signed():
		return strconv.FormatInt(int64(v.Bits(i)), 10) + p.String()
	case p.Unsigned():
		return strconv.FormatUint(v.Bits(i), 10) + p.String()
	}
	f := v.Float(i)
	switch {
	case math.IsNaN(f):
		return v.Prim.String() + ".nan"
	case math.IsInf(f, 1):
		return v.Prim.String() + ".inf"
	case math.IsInf(f, -1):
		return "-" + v.Prim.String() + ".inf"
	}
	s := ir.FloatText(f, v.Prim)
	for _, c := range s {
		if c == '.' || c == 'e' {
			return s + v.Prim.String()
		}
	}
	return s + ".0" + v.Prim.String()
}

// Text returns v as WriteText writes it.
func (v Value) Text() string {
	var b writerString
	_ = WriteText(&b, v) // a writerString does not fail
	return string(b)
}

type writerString []byte

func (s *writerString) Write(p []byte) (int, error) {
	*s = append(*s, p...)
	return len(p), nil
}

// WriteBinary writes v in Futhark's binary format.
func WriteBinary(w io.Writer, v Value) error {
	head := []byte{'b', 2, byte(len(v.Shape))}
	head = append(head, fmt.Sprintf("%4s", v.Prim)...)
	for _, d := range v.Shape {
		head = binary.LittleEndian.AppendUint64(head, uint64(d))
	}
	if _, err := w.Write(head); err != nil {
		return err
	}
	_, err := w.Write(v.Data)
	return err
}
