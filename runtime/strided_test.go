//go:build cgo

package runtime

import (
	"reflect"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

func TestCopyDims(t *testing.T) {
	for _, c := range []struct {
		what            string
		shape, dst, src []int64
		want            []copyDim
	}{
		{"one element", nil, nil, nil, []copyDim{}},
		{"row-major", []int64{2, 3, 4}, []int64{12, 4, 1}, []int64{12, 4, 1}, []copyDim{{24, 1, 1}}},
		{"dims of 1 may have any stride", []int64{1, 5, 1}, []int64{99, 1, -7}, []int64{3, 1, 3}, []copyDim{{5, 1, 1}}},
		{"column-major to column-major", []int64{2, 3}, []int64{1, 2}, []int64{1, 2}, []copyDim{{6, 1, 1}}},
		{"transposed", []int64{2, 3}, []int64{3, 1}, []int64{1, 2}, []copyDim{{2, 3, 1}, {3, 1, 2}}},
		{"rows of a wider array", []int64{2, 3, 4}, []int64{12, 4, 1}, []int64{40, 4, 1}, []copyDim{{2, 12, 40}, {12, 1, 1}}},
		{"repeated", []int64{5, 3}, []int64{3, 1}, []int64{0, 1}, []copyDim{{5, 3, 0}, {3, 1, 1}}},
		{"reversed", []int64{4}, []int64{1}, []int64{-1}, []copyDim{{4, 1, -1}}},
	} {
		got, any := copyDims(c.shape, c.dst, c.src)
		if !any || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
	if _, any := copyDims([]int64{3, 0}, []int64{1, 1}, []int64{1, 1}); any {
		t.Error("an empty copy has something to copy")
	}
}

func TestExtent(t *testing.T) {
	lo, hi, ok := extent(10, []copyDim{{3, 5, 0}, {4, -2, 0}}, dstStride)
	if !ok || lo != 4 || hi != 20 {
		t.Errorf("extent %d..%d %v, want 4..20", lo, hi, ok)
	}
	for _, d := range []copyDim{{1 << 40, 1 << 40, 0}, {1 << 62, 2, 0}, {4, -1 << 62, 0}, {2, 1<<63 - 1, 0}} {
		if lo, hi, ok := extent(10, []copyDim{d}, dstStride); ok {
			t.Errorf("%v from 10 gives %d..%d, which does not fit", d, lo, hi)
		}
	}
}

func TestCopyOutsideOfBlock(t *testing.T) {
	c, _ := newFake(t, Options{}, 0)
	a, b := mustAlloc(t, c, 40, 0), mustAlloc(t, c, 40, 0)
	for _, x := range []struct{ dst, src Region }{
		{Region{a, 1, []int64{1}}, Region{b, 0, []int64{1}}},
		{Region{a, 0, []int64{1}}, Region{b, 1, []int64{1}}},
		{Region{a, 0, []int64{1}}, Region{b, 8, []int64{-1}}},
		{Region{a, 0, []int64{1}}, Region{b, 0, []int64{1 << 61}}},
	} {
		if err := c.CopyStrided(CopyKernels{}, 4, []int64{10}, x.dst, x.src); err == nil {
			t.Errorf("copy %+v succeeded", x)
		}
	}
	if s := c.Stats(); s.CopiedBytes != 0 {
		t.Errorf("%d bytes counted for copies that failed", s.CopiedBytes)
	}
}

func TestCoincidentCopiesNothing(t *testing.T) {
	c, f := newFake(t, Options{}, 0)
	a := mustAlloc(t, c, 400, 0)
	at := func(off int64, strides ...int64) Region { return Region{a, off, strides} }
	created := len(f.log)
	for _, x := range []struct {
		shape    []int64
		dst, src Region
	}{
		{[]int64{10}, at(3, 1), at(3, 1)},
		{[]int64{4, 1, 5}, at(0, 5, 9, 1), at(0, 5, 2, 1)},
		{[]int64{0, 5}, at(0, 5, 1), at(50, 5, 1)},
		{[]int64{1}, at(2, 7), at(2, 1)},
		{[]int64{3, 4}, at(0, 1, 3), at(0, 1, 3)},
	} {
		if err := c.CopyStrided(CopyKernels{}, 4, x.shape, x.dst, x.src); err != nil {
			t.Errorf("%v: %v", x, err)
		}
	}
	if s := c.Stats(); len(f.log) != created || s.CopiedBytes != 0 {
		t.Errorf("something was copied: %v, %d bytes", f.log[created:], s.CopiedBytes)
	}
	// The same block elsewhere is a copy: through a temporary where they overlap.
	must.Do(t, c.CopyStrided(CopyKernels{}, 4, []int64{10}, at(5, 1), at(0, 1)))
	must.Do(t, c.CopyStrided(CopyKernels{}, 4, []int64{10}, at(20, 1), at(0, 1)))
	if s := c.Stats(); s.CopiedBytes != 80 || c.LiveBytes() != 400 {
		t.Errorf("%d bytes counted, %d live; want 80 and 400", s.CopiedBytes, c.LiveBytes())
	}
}
