//go:build cgo

package runtime

import (
	"reflect"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

// TestCopyDims tells what a copy becomes: the driver's, or dimensions of a kernel.
func TestCopyDims(t *testing.T) {
	type dim struct{ n, dst, src int64 }
	for _, c := range []struct {
		what            string
		shape, dst, src []int64
		want            []dim // nil: the driver's copy
	}{
		{"one element", nil, nil, nil, nil},
		{"row-major", []int64{2, 3, 4}, []int64{12, 4, 1}, []int64{12, 4, 1}, nil},
		{"dims of 1 may have any stride", []int64{1, 5, 1}, []int64{99, 1, -7}, []int64{3, 1, 3}, nil},
		{"column-major to column-major", []int64{2, 3}, []int64{1, 2}, []int64{1, 2}, nil},
		{"transposed", []int64{2, 3}, []int64{3, 1}, []int64{1, 2}, []dim{{2, 3, 1}, {3, 1, 2}}},
		{"rows of a wider array", []int64{2, 3, 4}, []int64{12, 4, 1}, []int64{40, 4, 1}, []dim{{2, 12, 40}, {12, 1, 1}}},
		{"repeated", []int64{5, 3}, []int64{3, 1}, []int64{0, 1}, []dim{{5, 3, 0}, {3, 1, 1}}},
		{"reversed", []int64{4}, []int64{1}, []int64{-1}, []dim{{4, 1, -1}}},
	} {
		ctx, f := newFake(t, Options{}, 0)
		a, b := mustAlloc(t, ctx, 800, 0), mustAlloc(t, ctx, 800, 0)
		kernels := CopyKernels{&Program{ctx: ctx, kernels: map[string]*Kernel{"copy_8": {ctx: ctx}}}, "copy", "box"}
		f.log = nil
		must.Do(t, ctx.CopyStrided(kernels, 8, c.shape, Region{a, 5, c.dst}, Region{b, 5, c.src}))
		var got []dim
		for i := 5; i < 13 && f.launched != nil; i++ {
			if n := int64(f.launched[i].Bits); n > 1 {
				got = append(got, dim{n, int64(f.launched[i+8].Bits), int64(f.launched[i+16].Bits)})
			}
		}
		if !reflect.DeepEqual(got, c.want) || (len(f.log) == 1) != (got == nil) {
			t.Errorf("%s: %v, want %v; %v", c.what, got, c.want, f.log)
		}
	}
}

func TestCopyOutsideOfBlock(t *testing.T) {
	c, _ := newFake(t, Options{}, 0)
	a, b := mustAlloc(t, c, 40, 0), mustAlloc(t, c, 40, 0)
	one := []int64{1}
	for _, x := range []struct {
		shape    []int64
		dst, src Region
	}{
		{[]int64{10}, Region{a, 1, []int64{1}}, Region{b, 0, []int64{1}}},
		{[]int64{10}, Region{a, 0, []int64{1}}, Region{b, 1, []int64{1}}},
		{[]int64{10}, Region{a, 0, []int64{1}}, Region{b, 8, []int64{-1}}},
		{[]int64{10}, Region{a, 0, []int64{1}}, Region{b, 0, []int64{1 << 61}}},
		// What does not fit in 64 bits.
		{[]int64{1 << 40}, Region{a, 9, []int64{1 << 40}}, Region{b, 0, []int64{0}}},
		{[]int64{1 << 62}, Region{a, 9, []int64{2}}, Region{b, 0, []int64{0}}},
		{[]int64{4}, Region{a, 9, []int64{-1 << 62}}, Region{b, 0, one}},
		{[]int64{2}, Region{a, 9, []int64{1<<63 - 1}}, Region{b, 0, one}},
		{[]int64{2}, Region{a, 0, one}, Region{b, 9, []int64{-1 << 63}}},
		{[]int64{1 << 32, 1 << 32}, Region{a, 0, []int64{0, 0}}, Region{b, 0, []int64{0, 0}}},
		{make([]int64, 65), Region{a, 0, make([]int64, 65)}, Region{b, 0, make([]int64, 65)}},
	} {
		if err := c.CopyStrided(CopyKernels{}, 4, x.shape, x.dst, x.src); err == nil {
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
