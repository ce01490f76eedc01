package value

import (
	"encoding/binary"
	"io"

	"github.com/memc-lang/memc/internal/base/hostmem"
	"github.com/memc-lang/memc/ir"
)

// A Reader reads a sequence of values; text and binary ones may be mixed.
type Reader struct{ t text }

// NewReader reads from data; name stands in its error messages.
func NewReader(name string, data []byte) *Reader { return &Reader{text{name: name, data: data}} }

// Next reads the next value, or gives io.EOF where none is left. A text literal
// without a suffix takes type want (Unknown: Futhark's default).
func (r *Reader) Next(want ir.Prim) (Value, error) {
	r.t.space()
	if r.t.pos >= len(r.t.data) {
		return Value{}, io.EOF
	}
	if d := r.t.data[r.t.pos:]; len(d) >= 2 && d[0] == 'b' && d[1] == 2 {
		return r.binary(d)
	}
	return r.t.value(want)
}

// All reads values up to the end, with default types.
func (r *Reader) All() ([]Value, error) {
	var vs []Value
	for {
		v, err := r.Next(ir.Unknown)
		if err == io.EOF {
			return vs, nil
		}
		if err != nil {
			return nil, err
		}
		vs = append(vs, v)
	}
}

// binary reads one value in the binary format: 'b', version 2, the rank, a
// type of four characters, the dims as u64, the elements; all little-endian.
func (r *Reader) binary(d []byte) (Value, error) {
	short := func() (Value, error) { return Value{}, r.t.errorf("truncated binary value") }
	if len(d) < 7 {
		return short()
	}
	rank, name := int(d[2]), trimLeft(string(d[3:7]))
	p := ir.PrimByName(name)
	if p == ir.Unknown {
		return Value{}, r.t.errorf("unknown element type %q in a binary value", name)
	}
	d = d[7:]
	if len(d) < 8*rank {
		return short()
	}
	var shape []int64
	for i := range rank {
		shape = append(shape, int64(binary.LittleEndian.Uint64(d[8*i:])))
	}
	if err := checkedShape(shape); err != nil {
		return Value{}, r.t.errorf("%v", err)
	}
	v := Value{Prim: p, Shape: shape}
	n := v.Elems() * p.Size()
	if d = d[8*rank:]; int64(len(d)) < n {
		return short()
	}
	if err := hostmem.Room(n); err != nil {
		return Value{}, r.t.errorf("%w", err)
	}
	v.Data = append([]byte(nil), d[:n]...)
	v.truths()
	r.t.pos += 7 + 8*rank + int(n)
	return v, nil
}

func trimLeft(s string) string {
	for len(s) > 0 && s[0] == ' ' {
		s = s[1:]
	}
	return s
}
