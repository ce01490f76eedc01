package difftest

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/oracle/memcheck"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// ByHand returns a program in explicit form with places as a person may write them, legal or not:
// all places of a block reversed, spread out, moved or laid out by columns, two blocks interleaved,
// blocks that are too small or overlap, and blocks under other names (through branches, loops and
// functions). It returns nil if none of this is possible.
//
// It undoes changes that ir/check refuses. asWritten must find all other errors.
func ByHand(s *Subject, seed int64) *Subject {
	p, _, err := driver.Explicit(diag.NewFile(s.Name, s.Text), pipeline.MemoryPasses()[:2], pipeline.Options{})
	if err != nil {
		return nil
	}
	r := rand.New(rand.NewSource(seed))
	text, done := p.String(), 0
	for range 6 {
		all := allocs(text)
		if len(all) == 0 || done == 3 {
			break
		}
		next := edits[r.Intn(len(edits))](text, all[r.Intn(len(all))], r)
		if next == "" || next == text {
			continue
		}
		if q, list := driver.Check(diag.NewFile(s.Name, next)); !list.Failed() {
			text = q.String()
			done++
		}
	}
	if done == 0 {
		return nil
	}
	return &Subject{Name: s.Name, Text: text, Entry: s.Entry, Inputs: s.Inputs}
}

// edits each change the text of a program, or give "".
var edits = []func(text string, a allocated, r *rand.Rand) string{spread, spread, folded, interleave, through, through, overlap, tooSmall}

// spread composes all places of a block with o -> off + s*o.
func spread(text string, a allocated, r *rand.Rand) string {
	elem := elementSize(text, a.name)
	if elem == 0 {
		return ""
	}
	last := fmt.Sprintf("(%s) / %d - 1", a.size, elem)
	way := []struct{ s, off, bytes string }{
		{"0 - 1", last, "%s"},
		{"2", "0", "(%s) * 2"},
		{"2", "1", "(%s) * 2"},
		{"0 - 2", "2 * (" + last + ")", "(%s) * 2"},
		{"1", "3", "(%s) + " + fmt.Sprint(3*elem)},
		{"1", "1", "%s"}, // beyond the end
		{"0 - 1", "0", "%s"},
	}[r.Intn(7)]
	return composed(replaced(text, a, fmt.Sprintf("let %s = alloc %s", a.name, fmt.Sprintf(way.bytes, a.size))), a.name, way.s, way.off)
}

// folded lays the elements of a block out by columns of three: its places get several parts.
//
//	m -> Direct(n)   becomes   m -> LMAD(0; (r : 1), (3 : r)) -> Reshape(r * 3) -> Slice((0, n)), r = count/3 + 1
//
// Now and then the slice begins behind the first element.
func folded(text string, a allocated, r *rand.Rand) string {
	elem := elementSize(text, a.name)
	if elem == 0 {
		return ""
	}
	rows := fmt.Sprintf("((%s) / %d + 1)", a.size, elem)
	text = replaced(text, a, fmt.Sprintf("let %s = alloc %s * %d", a.name, rows, 3*elem))
	start := []string{"0", "0", "0", "1"}[r.Intn(4)]
	p, list := driver.Check(diag.NewFile("hand.ir", text))
	if list.Failed() {
		return ""
	}
	possible := true
	placesIn(p, a.name, func(t *ir.Type) {
		ix := t.Place.Ix
		sizes := ir.DimExps(t.Shape)
		if len(ix) > 0 {
			first, ok := ix[0].(*ir.Direct)
			if possible = possible && ok; !ok {
				return
			}
			sizes, ix = first.Sizes, ix[1:]
		}
		count := ir.Exp(ir.IntLit(1))
		for _, n := range sizes {
			count = times(count, n)
		}
		t.Place = &ir.Place{Mem: a.name, Ix: slices.Concat([]ir.IxOp{
			&ir.LMAD{Offset: ir.IntLit(0), Dims: []ir.LMADDim{{Len: word(rows), Stride: ir.IntLit(1)}, {Len: ir.IntLit(3), Stride: word(rows)}}},
			&ir.IxReshape{Sizes: []ir.Exp{word(rows + " * 3")}},
			&ir.IxSlice{Items: []ir.Item{{Start: word(start), Len: count}}},
			&ir.IxReshape{Sizes: sizes},
		}, ix)}
	})
	if !possible {
		return ""
	}
	return p.String()
}

// interleave puts the elements of two blocks between each other.
func interleave(text string, _ allocated, r *rand.Rand) string {
	a, b, ok := twoAllocs(text, r)
	if size := elementSize(text, a.name); !ok || size == 0 || size != elementSize(text, b.name) {
		return ""
	}
	return merged(composed(composed(text, a.name, "2", "0"), b.name, "2", "1"), a, b, "("+greater(a, b)+") * 2")
}

// through lets a block come by another name, a branch, a loop or a function.
func through(text string, a allocated, r *rand.Rand) string {
	if strings.Contains(text, a.name+"_h") {
		return ""
	}
	lines := []string{
		"let M_h1 = alloc SIZE;let M: mem = M_h1",
		"let M_h1 = alloc SIZE;let M_h2 = alloc SIZE;let M: mem = if SIZE > 16 { in M_h1 } else { in M_h2 }",
		"let M_h1 = alloc SIZE;let M_h2 = alloc SIZE;" +
			"let (M: mem, M_h3: mem) = loop (M_h4: mem = M_h1, M_h5: mem = M_h2) for M_h6 < SIZE { in (M_h5, M_h4) }",
		"let M_h1 = alloc SIZE;let M: mem = M_same(M_h1)",
	}[r.Intn(4)]
	fill := strings.NewReplacer("M_", a.name+"_", "M:", a.name+":", "SIZE", a.size).Replace
	text = replaced(text, a, strings.Split(fill(lines), ";")...)
	if strings.Contains(lines, "_same") {
		text = fill("fun M_same (M_h2: mem) : mem = { in M_h2 }\n\n") + text
	}
	return text
}

// overlap lays two blocks over each other.
func overlap(text string, _ allocated, r *rand.Rand) string {
	text, _ = shareTwo(text, r)
	return text
}

// tooSmall takes bytes away from a block.
func tooSmall(text string, a allocated, r *rand.Rand) string {
	less := []string{"(%s) - 1", "(%s) - 8", "(%s) / 2", "(%s) * 0"}[r.Intn(4)]
	return replaced(text, a, fmt.Sprintf("let %s = alloc %s", a.name, fmt.Sprintf(less, a.size)))
}

// placesIn calls see for the types of a program whose place lies in a block of that name.
func placesIn(p *ir.Program, name string, see func(t *ir.Type)) {
	one := func(e *ir.Elem) {
		if q := e.Type.Place; q != nil && !q.Exist && q.Mem == name {
			see(&e.Type)
		}
	}
	for _, f := range p.Funcs {
		ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
			for _, e := range s.Pat {
				one(e)
			}
			ir.Elems(s.Op, one)
			return true
		})
	}
}

// elementSize returns the size of the elements in a block, 0 where there are several.
func elementSize(text, block string) int64 {
	p, list := driver.Check(diag.NewFile("hand.ir", text))
	if list.Failed() {
		return 0
	}
	size, same := int64(0), true
	placesIn(p, block, func(t *ir.Type) {
		same = same && (size == 0 || size == t.Prim.Size())
		size = t.Prim.Size()
	})
	if !same {
		return 0
	}
	return size
}

func word(t string) ir.Exp { return &ir.Ref{Name: "(" + t + ")", T: ir.I64} }

func times(x, y ir.Exp) ir.Exp { return &ir.Binary{Op: "*", X: x, Y: y, T: ir.I64} }

// composed composes the places of a block with o -> off + s*o, both given as text.
func composed(text, block, s, off string) string {
	if text == "" {
		return ""
	}
	p, list := driver.Check(diag.NewFile("hand.ir", text))
	if list.Failed() {
		return ""
	}
	placesIn(p, block, func(t *ir.Type) {
		sizes := ir.DimExps(t.Shape)
		ix := t.Place.Ix
		if len(ix) > 0 {
			switch first := ix[0].(type) {
			case *ir.LMAD:
				dims := make([]ir.LMADDim, len(first.Dims))
				for k, d := range first.Dims {
					dims[k] = ir.LMADDim{Len: d.Len, Stride: times(word(s), d.Stride)}
				}
				at := &ir.Binary{Op: "+", X: word(off), Y: times(word(s), first.Offset), T: ir.I64}
				t.Place = &ir.Place{Mem: block, Ix: append([]ir.IxOp{&ir.LMAD{Offset: at, Dims: dims}}, ix[1:]...)}
				return
			case *ir.Direct:
				sizes, ix = first.Sizes, ix[1:]
			}
		}
		dims := make([]ir.LMADDim, len(sizes))
		stride := word(s)
		for k := len(sizes) - 1; k >= 0; k-- {
			dims[k] = ir.LMADDim{Len: sizes[k], Stride: stride}
			stride = times(stride, sizes[k])
		}
		t.Place = &ir.Place{Mem: block, Ix: append([]ir.IxOp{&ir.LMAD{Offset: word(off), Dims: dims}}, ix...)}
	})
	return p.String()
}

// asWritten runs a program whose places no pass made by memory, as it is. An input for which
// it goes wrong is dropped: what it means then, no pass need keep. Where the static
// checker proves the program, there must be none.
func (c *checker) asWritten(p *ir.Program) bool {
	c.at(StageStatic)
	findings := memcheck.Check(p).Findings
	s, want := c.s, c.want
	var kept [][]value.Value
	var means []meant
	for k, args := range s.Inputs {
		got, _, err := c.within(p, k, interp.ByMemory)
		if want[k].dropped {
			continue
		}
		if want[k].fault == "" && strings.HasPrefix(faultOf(err), "out of memory") { // the larger of two blocks may be larger than any
			c.out.Dropped++
			continue
		}
		right := err != nil && want[k].endsBy(err) || err == nil && want[k].fault == "" && same(want[k].values, got)
		if !right {
			c.out.Wrong++
			if len(findings) == 0 {
				return c.fail("the static checker finds nothing wrong, and by memory: %v", err)
			}
			continue
		}
		kept, means = append(kept, args), append(means, want[k])
	}
	c.s, c.want = &Subject{Name: s.Name, Text: s.Text, Entry: s.Entry, Inputs: kept}, means
	if len(findings) > 0 {
		c.opt.Skip = map[string]bool{StageStatic: true}
	}
	c.input = -1
	return true
}

func same(want, got []value.Value) bool {
	for k := range want {
		if value.Diff(want[k], got[k], value.Exact) != "" {
			return false
		}
	}
	return true
}
