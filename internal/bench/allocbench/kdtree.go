package allocbench

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand"
	"os"
	"sort"
	"strings"

	"github.com/memc-lang/memc/runtime"
)

// A box bounds a triangle: lows, then highs.
type box [6]float32

// readOBJ gives the triangles' boxes of a mesh file; faces of more corners are fans.
func readOBJ(path string) ([]box, error) {
	f, err := os.Open(path)
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
func (s *session) kdTree() error {
	boxes := scatter(3000)
	if s.cfg.Mesh != "" {
		var err error
		if boxes, err = readOBJ(s.cfg.Mesh); err != nil {
			return err
		}
	}
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
	for _, bytes := range []int64{max(16<<20, 200*4*n), int64(len(flat)), maxNodes * kdNodeBytes, maxNodes * 4, 256} {
		b, err := s.ctx.Alloc(bytes, 0)
		if err != nil {
			return err
		}
		blocks = append(blocks, b)
	}
	heap, tri, nodes, queue, control := blocks[0], blocks[1], blocks[2], blocks[3], blocks[4]
	if err := s.ctx.Write(tri, 0, flat); err != nil {
		return err
	}
	part := *s
	part.heap = s.heapOf(heap)
	// How often a group without work looks for some: on a GPU about a second, on a
	// CPU little, since there it keeps a core from those that build.
	polls := int64(2000)
	if s.ctx.Device().GPU {
		polls = 1 << 17
	}
	build := func() (float64, error) {
		if err := part.reset(); err != nil {
			return 0, err
		}
		if err := s.ctx.Write(queue, 0, make([]byte, 4*maxNodes)); err != nil {
			return 0, err
		}
		root := make([]byte, kdNodeBytes)
		for k, v := range whole {
			binary.LittleEndian.PutUint32(root[32+4*k:], math.Float32bits(v))
		}
		if err := s.ctx.Write(nodes, 0, root); err != nil {
			return 0, err
		}
		if err := part.heap.Launch("kd_root", 1, 1, blk(heap), blk(nodes), blk(queue), blk(control), u32(n)); err != nil {
			return 0, err
		}
		if err := part.heap.Launch("kd_fill", (n+255)/256, 256, blk(heap), blk(nodes), u32(n)); err != nil {
			return 0, err
		}
		return part.time("kd_build", s.cfg.Groups*4, 64, blk(heap), blk(tri), blk(nodes), blk(queue), blk(control), u32(maxNodes), u32(kdLeaf), u32(kdDepth), u32(polls))
	}
	v, err := s.median(build)
	if err != nil {
		return err
	}
	c := make([]byte, 256)
	if err := s.ctx.Read(control, 0, c); err != nil {
		return err
	}
	word := func(i int) int64 { return int64(binary.LittleEndian.Uint32(c[32*i:])) }
	if word(3) != 0 || word(4) != 0 || word(0) > maxNodes {
		return fmt.Errorf("%d nodes are unfinished, %d of %d; %d requests found no memory", word(3), word(0), maxNodes, word(4))
	}
	tree := kdTree{nodes: make([]byte, word(0)*kdNodeBytes), boxes: boxes, heap: func(off, bytes int64) ([]byte, error) {
		buf := make([]byte, bytes)
		return buf, s.ctx.Read(heap, off, buf)
	}}
	if err := s.ctx.Read(nodes, 0, tree.nodes); err != nil {
		return err
	}
	if s.alloc.Safe {
		all := make([]byte, heap.Size())
		if err := s.ctx.Read(heap, 0, all); err != nil {
			return err
		}
		tree.heap = func(off, bytes int64) ([]byte, error) {
			if off < 0 || bytes < 0 || off+bytes > int64(len(all)) {
				return nil, fmt.Errorf("a list at %d of %d bytes is outside the heap", off, bytes)
			}
			return all[off : off+bytes], nil
		}
		every := make([]uint32, n)
		for i := range every {
			every[i] = uint32(i)
		}
		if err := tree.check(0, every); err != nil {
			return err
		}
		if err := part.check(tree.leaves); err != nil {
			return err
		}
	}
	s.row("triangles", float64(n), "ms", v)
	s.row("groups", float64(s.cfg.Groups*4), "ms", v) // of 64; --groups=60 makes 240
	s.row("triangles", float64(n), "requests", float64(word(5)))
	s.row("triangles", float64(n), "triangles in leaves", float64(word(6)))
	return nil
}

// A kdTree is what the device has built.
type kdTree struct {
	nodes  []byte
	boxes  []box
	heap   func(off, bytes int64) ([]byte, error)
	leaves int64
}

// check follows the device's planes from the node down, splitting the host's list
// on the way, and compares the leaves.
func (t *kdTree) check(node int64, want []uint32) error {
	if node < 0 || (node+1)*kdNodeBytes > int64(len(t.nodes)) {
		return fmt.Errorf("node %d does not exist", node)
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
		if err := t.check(int64(word(5)), left); err != nil {
			return err
		}
		return t.check(int64(word(5))+1, right)
	}
	if axis != 3 {
		return fmt.Errorf("node %d was never built", node)
	}
	t.leaves++
	count := int64(word(2))
	if count != int64(len(want)) {
		return fmt.Errorf("leaf %d has %d triangles, want %d", node, count, len(want))
	}
	raw, err := t.heap(int64(binary.LittleEndian.Uint64(n)), 4*count)
	if err != nil {
		return err
	}
	got := make([]uint32, count)
	for i := range got {
		got[i] = binary.LittleEndian.Uint32(raw[4*i:])
	}
	sort.Slice(got, func(i, j int) bool { return got[i] < got[j] })
	for i := range got {
		if got[i] != want[i] {
			return fmt.Errorf("leaf %d holds triangle %d, want %d", node, got[i], want[i])
		}
	}
	return nil
}
