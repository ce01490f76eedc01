package value

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memc-lang/memc/ir"
)

// npy returns a file of NumPy's with that header.
func npy(descr, fortran, shape, data string) []byte {
	h := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n", descr, fortran, shape)
	return []byte("\x93NUMPY\x01\x00" + string([]byte{byte(len(h)), byte(len(h) >> 8)}) + h + data)
}

// TestNPYOrders reads what NumPy writes in either order of elements and of bytes: they are
// the same value.
func TestNPYOrders(t *testing.T) {
	for _, x := range []struct{ descr, fortran, shape, data, want string }{
		{"<i2", "False", "(2, 3)", "\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06\x00", "[[1i16, 2i16, 3i16], [4i16, 5i16, 6i16]]"},
		{">i2", "False", "(2, 3)", "\x00\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06", "[[1i16, 2i16, 3i16], [4i16, 5i16, 6i16]]"},
		{"<i2", "True", "(2, 3)", "\x01\x00\x04\x00\x02\x00\x05\x00\x03\x00\x06\x00", "[[1i16, 2i16, 3i16], [4i16, 5i16, 6i16]]"},
		{">i2", "True", "(2, 3)", "\x00\x01\x00\x04\x00\x02\x00\x05\x00\x03\x00\x06", "[[1i16, 2i16, 3i16], [4i16, 5i16, 6i16]]"},
		{"|u1", "True", "(2, 2, 2)", "\x01\x05\x03\x07\x02\x06\x04\x08", "[[[1u8, 2u8], [3u8, 4u8]], [[5u8, 6u8], [7u8, 8u8]]]"},
		{"<u1", "False", "(2,)", "\x01\xff", "[1u8, 255u8]"},
		{"=b1", "False", "(2,)", "\x00\x01", "[false, true]"},
		{">f8", "True", "()", "\x3f\xf8\x00\x00\x00\x00\x00\x00", "1.5f64"},
		{">f4", "True", "(3, 0)", "", "empty([3][0]f32)"},
	} {
		v, err := DecodeNPY(npy(x.descr, x.fortran, x.shape, x.data))
		if err != nil {
			t.Errorf("%+v: %v", x, err)
			continue
		}
		if len(v.Shape) == 0 {
			v.Shape = nil
		}
		if got := v.Text(); got != x.want {
			t.Errorf("%+v: %s", x, got)
		}
		if x.descr == ">f8" && v.Prim != ir.F64 {
			t.Errorf("a number of %s", v.Prim)
		}
	}
	for descr, want := range map[string]string{"<c16": "of the type <c16", "<U2": "of the type <U2", "?i4": "of the type ?i4", "": "of the type"} {
		if _, err := DecodeNPY(npy(descr, "False", "(1,)", "\x00\x00\x00\x00")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", descr, err)
		}
	}
	fields := strings.Replace(string(npy("<i4", "False", "(1,)", "\x00\x00\x00\x00")), "'<i4'", "[('x', '<i4')]", 1)
	fields = fields[:8] + string([]byte{fields[8] + byte(len("[('x', '<i4')]")-len("'<i4'"))}) + fields[9:]
	if v, err := DecodeNPY([]byte(fields)); err == nil {
		t.Errorf("elements with fields are %s", v.Text())
	}
}
