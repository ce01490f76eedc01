//go:build cgo

package runtime

import (
	"bytes"
	"math/rand"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

// copyKernels builds the kernels that the code generator gives every program.
func copyKernels(t *testing.T, c *Context) CopyKernels {
	t.Helper()
	source := "#define MEMC_GROUP ((long)get_group_id(0))\n" + must.Read(t, "../codegen/opencl/copy.cl")
	p := must.Get(c.Build(source, ""))(t)
	t.Cleanup(p.Release)
	return CopyKernels{p, "memc_copy", "memc_box"}
}

// reference copies element by element: all reads, then all writes.
func reference(elem int64, shape []int64, dst []byte, d Region, src []byte, s Region) {
	var vals [][]byte
	var at []int64
	var walk func(k int, do, so int64)
	walk = func(k int, do, so int64) {
		if k == len(shape) {
			vals = append(vals, bytes.Clone(src[so*elem:(so+1)*elem]))
			at = append(at, do)
			return
		}
		for i := range shape[k] {
			walk(k+1, do+i*d.Strides[k], so+i*s.Strides[k])
		}
	}
	walk(0, d.Offset, s.Offset)
	for i, v := range vals {
		copy(dst[at[i]*elem:], v)
	}
}

// randomPlace returns strides and an offset such that the place lies in room
// elements. A target's elements are distinct; a source may repeat some.
func randomPlace(r *rand.Rand, shape []int64, target bool) (off int64, strides []int64, room int64) {
	strides = make([]int64, len(shape))
	span := int64(1)
	for _, k := range r.Perm(len(shape)) {
		strides[k] = span * (1 + int64(r.Intn(2)*r.Intn(2)))
		n := max(shape[k], 1)
		span = strides[k]*(n-1) + span
		if r.Intn(3) == 0 {
			off += strides[k] * (n - 1)
			strides[k] = -strides[k]
		}
		if !target && r.Intn(8) == 0 {
			if strides[k] < 0 {
				off += strides[k] * (n - 1)
			}
			strides[k] = 0
		}
	}
	gap := int64(r.Intn(4))
	return off + gap, strides, off + gap + span
}

func TestStridedCopies(t *testing.T) {
	c := open(t, Options{})
	kernels := copyKernels(t, c)
	r := rand.New(rand.NewSource(42))
	overlaps := 0
	for round := range 600 {
		elem := int64(1) << r.Intn(4)
		rank := r.Intn(5)
		if round%60 == 0 {
			rank = 10 // beyond what the kernels handle
		}
		shape := make([]int64, rank)
		for i := range shape {
			shape[i] = int64(1 + r.Intn(5))
			if rank < 4 && r.Intn(3) == 0 { // worth tiles
				shape[i] = int64(1 + r.Intn(150))
			}
			if rank > 8 {
				shape[i] = int64(1 + r.Intn(2))
			}
			if r.Intn(40) == 0 {
				shape[i] = 0
			}
		}
		do, ds, droom := randomPlace(r, shape, true)
		so, ss, sroom := randomPlace(r, shape, false)
		same := r.Intn(2) == 0
		size := droom
		if same {
			size = max(droom, sroom)
			overlaps++
		}
		dst := mustAlloc(t, c, size*elem, 1)
		dstBytes := make([]byte, size*elem)
		r.Read(dstBytes)
		src, srcBytes := dst, dstBytes
		if !same {
			src = mustAlloc(t, c, sroom*elem, 2)
			srcBytes = make([]byte, sroom*elem)
			r.Read(srcBytes)
			must.Do(t, c.Write(src, 0, srcBytes))
		}
		must.Do(t, c.Write(dst, 0, dstBytes))
		d, s := Region{dst, do, ds}, Region{src, so, ss}
		if err := c.CopyStrided(kernels, elem, shape, d, s); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		reference(elem, shape, dstBytes, d, srcBytes, s)
		got := make([]byte, len(dstBytes))
		must.Do(t, c.Read(dst, 0, got))
		if !bytes.Equal(got, dstBytes) {
			t.Errorf("round %d: copy of %v elements of %d bytes, same block %v, to %d %v from %d %v is wrong", round, shape, elem, same, do, ds, so, ss)
		}
		dst.Release()
		if !same {
			src.Release()
		}
		if c.LiveBlocks() != 0 {
			t.Fatalf("round %d: %d blocks left", round, c.LiveBlocks())
		}
	}
	if overlaps < 100 {
		t.Errorf("only %d rounds within one block", overlaps)
	}
}
