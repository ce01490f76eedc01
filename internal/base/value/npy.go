package value

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/memc-lang/memc/ir"
)

// npyTypes maps element types to NumPy's descriptors (little-endian).
var npyTypes = map[ir.Prim]string{
	ir.I8: "|i1", ir.I16: "<i2", ir.I32: "<i4", ir.I64: "<i8",
	ir.U8: "|u1", ir.U16: "<u2", ir.U32: "<u4", ir.U64: "<u8",
	ir.F16: "<f2", ir.F32: "<f4", ir.F64: "<f8", ir.Bool: "|b1",
}

var npyHeader = regexp.MustCompile(`'descr':\s*'([^']*)'.*'fortran_order':\s*(True|False).*'shape':\s*\(([^)]*)\)`)

// DecodeNPY reads a NumPy array file (format versions 1 to 3). Any byte order and
// either order of elements give the same value: elements are little-endian and
// row-major in a Value.
func DecodeNPY(data []byte) (Value, error) {
	if len(data) < 12 || !bytes.HasPrefix(data, []byte("\x93NUMPY")) {
		return Value{}, fmt.Errorf("not a .npy file")
	}
	start, n := 10, int(binary.LittleEndian.Uint16(data[8:]))
	if data[6] >= 2 {
		start, n = 12, int(binary.LittleEndian.Uint32(data[8:]))
	}
	if n < 0 || start+n > len(data) {
		return Value{}, fmt.Errorf("truncated .npy header")
	}
	m := npyHeader.FindStringSubmatch(string(data[start : start+n]))
	if m == nil {
		return Value{}, fmt.Errorf("malformed .npy header, or elements with several fields")
	}
	v := Value{}
	order, code := m[1][:min(1, len(m[1]))], m[1][min(1, len(m[1])):]
	for p, d := range npyTypes {
		if d[1:] == code && strings.Contains("<>=|", order) {
			v.Prim = p
		}
	}
	if v.Prim == ir.Unknown {
		return Value{}, fmt.Errorf("a .npy array of the type %s; memc reads integers, floats of 16 to 64 bits and booleans", m[1])
	}
	for _, d := range strings.FieldsFunc(m[3], func(r rune) bool { return r == ',' || r == ' ' }) {
		k, err := strconv.ParseInt(strings.TrimSuffix(d, "L"), 10, 64)
		if err != nil {
			return Value{}, fmt.Errorf("malformed .npy shape")
		}
		v.Shape = append(v.Shape, k)
	}
	if err := checkedShape(v.Shape); err != nil {
		return Value{}, err
	}
	size := v.Elems() * v.Prim.Size()
	if int64(len(data)-start-n) < size {
		return Value{}, fmt.Errorf("truncated .npy data")
	}
	if more := int64(len(data)-start-n) - size; more > 0 {
		return Value{}, fmt.Errorf("%d bytes follow the data of a .npy array of type %s", more, v.Type())
	}
	v.Data = data[start+n:][:size:size]
	v.truths()
	if order == ">" {
		v.Data = swapped(v.Data, int(v.Prim.Size()))
	}
	if m[2] == "True" {
		v.Data = rowMajor(v)
	}
	return v, nil
}

// swapped returns elements in the other byte order.
func swapped(data []byte, size int) []byte {
	out := make([]byte, len(data))
	for i := 0; i < len(data); i += size {
		for k := range size {
			out[i+k] = data[i+size-1-k]
		}
	}
	return out
}

// rowMajor returns the elements of an array whose first index runs fastest in the order of
// a Value, whose last one does.
func rowMajor(v Value) []byte {
	size := v.Prim.Size()
	out := make([]byte, 0, len(v.Data))
	index, strides := make([]int64, len(v.Shape)), make([]int64, len(v.Shape))
	stride := size
	for i, d := range v.Shape {
		strides[i] = stride
		stride *= d
	}
	for at := int64(0); len(out) < len(v.Data); {
		out = append(out, v.Data[at:at+size]...)
		for i := len(index) - 1; i >= 0; i-- {
			index[i]++
			at += strides[i]
			if index[i] < v.Shape[i] {
				break
			}
			at -= index[i] * strides[i]
			index[i] = 0
		}
	}
	return out
}

// DecodeFile reads the value of a file that is a NumPy array or a picture; ok is
// false where it is neither.
func DecodeFile(data []byte) (v Value, ok bool, err error) {
	switch {
	case bytes.HasPrefix(data, []byte("\x93NUMPY")):
		v, err = DecodeNPY(data)
	case bytes.HasPrefix(data, []byte("\x89PNG")):
		v, err = DecodePNG(data)
	default:
		return v, false, nil
	}
	return v, true, err
}

// EncodeNPY writes a NumPy array file, version 1.0.
func EncodeNPY(w io.Writer, v Value) error {
	dims := ""
	for _, d := range v.Shape {
		dims += fmt.Sprintf("%d,", d)
	}
	h := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", npyTypes[v.Prim], dims)
	pad := (64 - (10+len(h)+1)%64) % 64
	h += strings.Repeat(" ", pad) + "\n"
	head := append([]byte("\x93NUMPY\x01\x00"), byte(len(h)), byte(len(h)>>8))
	if _, err := w.Write(append(head, h...)); err != nil {
		return err
	}
	_, err := w.Write(v.Data)
	return err
}
