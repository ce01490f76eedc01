package allocbench

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"

	"github.com/memc-lang/memc/internal/base/hostmem"
	"github.com/memc-lang/memc/internal/bench/try"
	"github.com/memc-lang/memc/runtime"
)

// A box bounds a triangle: lows, then highs.
type box [6]float32

// readOBJ returns the triangles' boxes of a mesh file; faces of more corners are fans.
func readOBJ(path string) ([]box, error) {
	f, err := hostmem.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var points [][3]float32
	var boxes []box
	in := bufio.NewScanner(f)
	in.Buffer(make([]byte, 1<<16), 1<<20)
	for line := 1; in.Scan(); line++ {
		w := strings.Fields(in.Text())
		if len(w) < 4 {
			continue
		}
		switch w[0] {
		case "v":
			var p [3]float32
			for k := range p {
				if _, err := fmt.Sscan(w[1+k], &p[k]); err != nil {
					return nil, fmt.Errorf("%s:%d: %q is no coordinate", path, line, w[1+k])
				}
			}
			points = append(points, p)
		case "f":
			var corners []int
			for _, c := range w[1:] {
				var i int
				c, _, _ = strings.Cut(c, "/")
				if _, err := fmt.Sscan(c, &i); err != nil || i == 0 || i > len(points) || -i > len(points) {
					return nil, fmt.Errorf("%s:%d: %q is no corner", path, line, c)
				}
				if i < 0 {
					i += len(points) + 1
				}
				corners = append(corners, i-1)
			}
			for k := 2; k < len(corners); k++ {
				boxes = append(boxes, boxOf(points[corners[0]], points[corners[k-1]], points[corners[k]]))
			}
		}
	}
	if len(boxes) == 0 && in.Err() == nil {
		return nil, fmt.Errorf("%s: no triangles", path)
	}
	return boxes, in.Err()
}

func boxOf(corners ...[3]float32) (b box) {
	for k := range 3 {
		b[k], b[k+3] = corners[0][k], corners[0][k]
		for _, c := range corners[1:] {
			b[k], b[k+3] = min(b[k], c[k]), max(b[k+3], c[k])
		}
	}
	return b
}

// scatter makes triangles around a sphere, where there is no mesh.
func scatter(n int) (boxes []box) {
	r := rand.New(rand.NewSource(3))
	for range n {
		var c, q [3]float32
		x, y, z := r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
		d := math.Sqrt(x*x + y*y + z*z)
		c = [3]float32{float32(x / d), float32(y / d), float32(z / d)}
		for k := range q {
			q[k] = c[k] + 0.05*r.Float32()
		}
		boxes = append(boxes, boxOf(c, q))
	}
	return boxes
}

// Sizes of the device's structures (cl/kdtree.cl).
const (
	kdNodeBytes = 64
	kdLeaf      = 8
	kdDepth     = 24
)

// kdTree is DS: the build's time, the requests, and the triangles in leaves. The
// heap is 200 times the root's list, as in table 3, at least 16 MiB.
func (s *session) kdTree() {
	boxes := scatter(3000)
	if s.cfg.Mesh != "" {
		boxes = try.Get(readOBJ(s.cfg.Mesh))
	}
	s.onHeap(max(16<<20, 200*4*int64(len(boxes))), func(part *session) { s.buildTree(boxes, part) })
}

// buildTree measures, and checks the tree of the last time.
func (s *session) buildTree(boxes []box, part *session) {
	n := int64(len(boxes))
	maxNodes := 16*n + 1024
	flat := make([]byte, 0, 24*n)
	whole := boxes[0]
	for _, b := range boxes {
		for k, v := range b {
			flat = binary.LittleEndian.AppendUint32(flat, math.Float32bits(v))
			if k < 3 {
				whole[k] = min(whole[k], v)
			} else {
				whole[k] = max(whole[k], v)
			}
		}
	}
	var blocks []*runtime.Block
	defer func() {
		for _, b := range blocks {
			b.Release()
		}
	}()
	for _, bytes := range []int64{int64(len(flat)), maxNodes * kdNodeBytes, maxNodes * 4, 256} {
		blocks = append(blocks, try.Get(s.ctx.Alloc(bytes, 0)))
	}
	heap, tri, nodes, queue, control := part.heap.Block, blocks[0], blocks[1], blocks[2], blocks[3]
	try.Do(s.ctx.Write(tri, 0, flat))
	// How often a group without work looks for some: on a GPU about a second, on a
	// CPU little, since there it keeps a core from those that build.
	polls := int64(2000)
	if s.ctx.Device().GPU {
		polls = 1 << 17
	}
	build := func() float64 {
		part.reset()
		try.Do(s.ctx.Write(queue, 0, make([]byte, 4*maxNodes)))
		root := make([]byte, kdNodeBytes)
		for k, v := range whole {
			binary.LittleEndian.PutUint32(root[32+4*k:], math.Float32bits(v))
		}
		try.Do(s.ctx.Write(nodes, 0, root))
		try.Do(part.heap.Launch("kd_root", 1, 1, blk(heap), blk(nodes), blk(queue), blk(control), u32(n)))
		part.launch("kd_fill", (n+255)/256, blk(heap), blk(nodes), u32(n))
		return part.time("kd_build", s.cfg.Groups*4, 64, blk(heap), blk(tri), blk(nodes), blk(queue), blk(control), u32(maxNodes), u32(kdLeaf), u32(kdDepth), u32(polls))
	}
	v := s.median(build)
	c := make([]byte, 256)
	try.Do(s.ctx.Read(control, 0, c))
	word := func(i int) int64 { return int64(binary.LittleEndian.Uint32(c[32*i:])) }
	if word(3) != 0 || word(4) != 0 || word(0) > maxNodes {
		try.Do(fmt.Errorf("%d nodes are unfinished, %d of %d; %d requests found no memory", word(3), word(0), maxNodes, word(4)))
	}
	if s.alloc.Safe {
		tree := kdTree{nodes: make([]byte, word(0)*kdNodeBytes), boxes: boxes, heap: make([]byte, heap.Size())}
		try.Do(s.ctx.Read(nodes, 0, tree.nodes))
		try.Do(s.ctx.Read(heap, 0, tree.heap))
		every := make([]uint32, n)
		for i := range every {
			every[i] = uint32(i)
		}
		tree.check(0, every)
		part.check(tree.leaves)
	}
	s.row("triangles", float64(n), "ms", v)
	s.row("groups", float64(s.cfg.Groups*4), "ms", v) // of 64; --groups=60 makes 240
	s.row("triangles", float64(n), "requests", float64(word(5)))
	s.row("triangles", float64(n), "triangles in leaves", float64(word(6)))
}

// A kdTree is what the device has built.
type kdTree struct {
	nodes  []byte
	boxes  []box
	heap   []byte
	leaves int64
}

// check follows the device's planes from the node down, splitting the host's list
// on the way, and compares the leaves.
func (t *kdTree) check(node int64, want []uint32) {
	if node < 0 || (node+1)*kdNodeBytes > int64(len(t.nodes)) {
		try.Do(fmt.Errorf("node %d does not exist", node))
	}
	n := t.nodes[node*kdNodeBytes:]
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(n[4*i:]) }
	axis := word(4)
	if axis < 3 {
		plane := math.Float32frombits(word(6))
		var left, right []uint32
		for _, k := range want {
			if t.boxes[k][axis] < plane {
				left = append(left, k)
			}
			if t.boxes[k][axis+3] >= plane {
				right = append(right, k)
			}
		}
		t.check(int64(word(5)), left)
		t.check(int64(word(5))+1, right)
		return
	}
	if axis != 3 {
		try.Do(fmt.Errorf("node %d was never built", node))
	}
	t.leaves++
	count := int64(word(2))
	if count != int64(len(want)) {
		try.Do(fmt.Errorf("leaf %d has %d triangles, want %d", node, count, len(want)))
	}
	off := int64(binary.LittleEndian.Uint64(n))
	if off < 0 || off+4*count > int64(len(t.heap)) {
		try.Do(fmt.Errorf("the list at %d of leaf %d is outside the heap", off, node))
	}
	got := make([]uint32, count)
	for i := range got {
		got[i] = binary.LittleEndian.Uint32(t.heap[off+4*int64(i):])
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		try.Do(fmt.Errorf("leaf %d holds triangles %d, want %d", node, got, want))
	}
}
