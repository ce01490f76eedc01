package runtime

import (
	"math"
	"math/bits"
	"slices"
)

// A box is what a work-group of a copy kernel copies: 2^logs[k] elements along the dimension that
// comes k before the last. If the source runs fastest along the last dimension but one, and not
// along the last as the target does, the box is turned in local memory.
type box struct {
	logs   [3]int64
	turned bool
}

// word is the number of bytes of which elements of 1 or 2 bytes are copied, if possible.
const word = 4

// words gives the dimensions of a copy of such elements as those of a copy of words; false if a
// place has parts of words. It begins at a sum of these offsets, in bytes.
func words(dims []copyDim, elem int64, offsets []int64) ([]copyDim, bool) {
	if elem >= word {
		return nil, false
	}
	per, last := word/elem, len(dims)-1
	whole := dims[last].dst == 1 && dims[last].src == 1 && dims[last].n%per == 0
	for _, off := range offsets {
		whole = whole && off%word == 0
	}
	out := slices.Clone(dims)
	for i := range out[:last] {
		whole = whole && out[i].dst%per == 0 && out[i].src%per == 0
		out[i].dst, out[i].src = out[i].dst/per, out[i].src/per
	}
	out[last].n /= per
	return out, whole
}

// What the kernels let boxes be (codegen/opencl/copy.cl).
const (
	boxBytes = 14 // of a box, as a power of two
	boxRows  = 10 // of a turned box, as a power of two: what its room in local memory has
	boxLeast = 5  // of logs[0] + logs[1]
)

var boxLogs = [3]int64{12, 10, 6}

// What a copy costs, in elements of full boxes; any choice is right.
const (
	boxCost     = 1024 // of a box, besides its elements
	generalCost = 2    // of an element without boxes
	boxRow      = 64   // bytes that neighbours should move
)

// boxOf chooses boxes for a copy. It gives the dimensions in the order that the kernel wants, and
// the number of boxes. It returns false if boxes do not pay, or do not fit.
func boxOf(dims []copyDim, elem int64) (ordered []copyDim, b box, boxes int64, ok bool) {
	last := len(dims) - 1
	fast := last
	total := int64(1)
	for i, d := range dims {
		total *= d.n
		if d.src != 0 && (dims[fast].src == 0 || abs(d.src) < abs(dims[fast].src)) {
			fast = i
		}
	}
	if b.turned = fast != last; b.turned {
		ordered = append(ordered, dims[:fast]...)
		ordered = append(ordered, dims[fast+1:last]...)
		dims = append(ordered, dims[fast], dims[last])
	}
	var inner [3]copyDim
	var most, row [3]int64
	for k := range inner {
		inner[k].n = 1
		if k <= last {
			inner[k] = dims[last-k]
		}
		most[k] = min(ceilLog(inner[k].n), boxLogs[k])
	}
	row[0] = min(most[0], ceilLog(boxRow/elem))
	if b.turned {
		row[1] = min(most[1], ceilLog(boxRow/elem))
	}
	all := boxBytes - ceilLog(elem)
	best := int64(math.MaxInt64)
	for x := most[0]; x >= row[0]; x-- {
		for y := max(row[1], boxLeast-x); y <= min(most[1], all-x); y++ {
			z, uneven := min(most[2], all-x-y), max(9-x, 0)
			if b.turned {
				z, uneven = min(z, boxRows-x), abs(x-y)
			}
			try := box{[3]int64{x, y, z}, b.turned}
			if z < 0 || !try.fits(inner) {
				continue
			}
			n := total / inner[0].n / inner[1].n / inner[2].n
			for k, d := range inner {
				n *= (d.n + 1<<try.logs[k] - 1) >> try.logs[k]
			}
			cost := n * (1<<(x+y+z) + boxCost)
			if cost += cost / 32 * uneven; cost < best {
				best, b, boxes = cost, try, n
			}
		}
	}
	return dims, b, boxes, best/generalCost <= total
}

// ceilLog returns the logarithm of a positive number to base 2, rounded up.
func ceilLog(n int64) int64 { return int64(bits.Len64(uint64(n - 1))) }

// fits reports whether the kernel can compute all offsets within a box in 32 bits.
func (b box) fits(inner [3]copyDim) bool {
	var to, from int64
	for k, d := range inner {
		n := int64(1)<<b.logs[k] - 1
		if k == 2 { // it counts to 2048
			n = max(n, 1<<(11-min(b.logs[0]+b.logs[1], 11))-1)
		}
		if max(abs(d.dst), abs(d.src)) > math.MaxInt32 {
			return false
		}
		to, from = to+n*abs(d.dst), from+n*abs(d.src)
	}
	return max(to, from) <= math.MaxInt32
}

// arg is the kernel's argument.
func (b box) arg() int64 {
	arg := b.logs[2]<<8 | b.logs[1]<<4 | b.logs[0]
	if b.turned {
		arg |= 1 << 12
	}
	return arg
}
