package imp

import (
	"slices"
	"strconv"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Points that share reads]
//
// In a loop, all rows of a map may read the same elements, and all columns others, as those of a
// product of matrices do:
//
//	s = 0; for k < m { s = s + a[i * m + k] * b[k * p + j] }
//
// Then a work-item does several neighbouring rows of several columns together, and reads such an
// element once (unroll and jam; Callahan, Cocke and Kennedy in docs/bibliography.md):
//
//	s00 = 0; s01 = 0; s10 = 0; s11 = 0
//	for k < m {
//	  e0 = a[i0 * m + k]; e1 = a[i1 * m + k]; f0 = b[k * p + j0]; f1 = b[k * p + j1]
//	  s00 = s00 + e0 * f0; s01 = s01 + e0 * f1; s10 = s10 + e1 * f0; s11 = s11 + e1 * f1
//	}
//
// So with 8 rows of 4 columns it reads 12 elements for 32 products, and not 64. Its columns are as far
// apart as the group's box is wide: neighbouring work-items read neighbours.
//
// No point reads what another one writes, so the statements of points may be done in any order, and
// an element that all rows read is the same for all. A loop that runs equally often in all points is
// jammed; any other is done point by point. This is a kernel of its own, which the host chooses if the
// points fill the device nevertheless. A row or a column beyond the last is the last one again, which the
// work-item computes but does not write. Where a point reads what it writes, a work-item has one column,
// and does its last rows one by one.
//
// In a space of more than two dimensions any of the outer ones may number the rows, or all of them
// (Note [Ways to divide points]); each value of the others is a layer with boxes of its own, as in a batch
// of products. Note [Staged reads] says what GPUs do besides.

// An axis is a dimension of the points that a work-item does together: the rows or the columns.
type axis struct {
	divergence
	each int64 // points of a work-item
	span span
	// owns is the condition that this work-item, and no other one, writes the point with that number; nil:
	// always.
	owns func(point int64) ir.Exp
}

// A jam does the statements of several points together.
type jam struct {
	point   []Stmt
	vars    []Var    // of the kernel that the point is from
	indices []string // of a point
	layers  int      // how many of them are the same for all points of a group
	sizes   []sym.Poly
	reads   map[corner]int // in loops
	again   bool           // a point may be done twice
	in      *block
	axes    [2]*axis                     // the rows and the columns
	locate  []Stmt                       // they find the indices of a row
	places  map[string]string            // the variable of a point, by its name and the points that it is of
	corners map[corner]map[string]string // the variables that statements of a corner use
	stages  map[*For]map[*Load]*stage    // the reads of loops that are staged; nil: none
	staged  []*jam                       // the same with staged reads, in boxes of several shapes
	row     int64                        // the logarithm of a box's columns of work-items, if reads are staged
	place   int64                        // points of a work-item whose points are in place; otherwise 0
	fits    []ir.Exp                     // conditions that loops have fewer than maxFlat turns
}

// A corner says which points statements are of: one of each axis, or all (-1).
type corner [2]int64

// maxJam is how many statements a work-item should do for several rows of one column, and half of
// those for several columns; any choice is right.
const maxJam = 96

// jammed says how work-items may do several points together, if each of a kernel does one; nil if they
// would share nothing.
func (b *block) jammed(of *block, names []string, sizes []sym.Poly) *jam {
	if of.k.point == nil {
		return nil
	}
	if each := b.f.l.placeEach(of.k.point); each > 1 {
		return b.inPlace(of, names, sizes, each)
	}
	again, most := b.f.keepsReads(of.k.point), b.f.l.threshold(sharedRows)
	var best *jam
	for _, w := range ways(len(names)) {
		j := &jam{point: of.k.point, vars: of.k.out.Vars, again: again, layers: w.layers, reads: map[corner]int{}}
		for _, d := range w.order {
			j.indices, j.sizes = append(j.indices, names[d]), append(j.sizes, sizes[d])
		}
		if j.divide(); j.choose(most) && (best == nil || j.loads() < best.loads()) {
			best = j
		}
	}
	if best == nil {
		return nil
	}
	shapes := stagedRows
	if best.line() {
		shapes = []int64{groupLog}
	}
	for _, row := range shapes {
		if staged := best.stage(b.f, row); staged != nil {
			best.staged = append(best.staged, staged)
		}
	}
	if best.line() && len(best.staged) == 0 {
		return nil
	}
	return best
}

// line reports whether the space has one dimension. Then a work-item does one point, and reads are staged or
// nothing is gained.
func (j *jam) line() bool { return len(j.sizes) == 1 }

// divide finds what rows and columns share.
func (j *jam) divide() {
	last := len(j.indices) - 1
	outer := slices.Clone(j.indices[j.layers:last])
	for a, seeds := range [][]string{append(outer, numberOf(outer)), {j.indices[last]}} {
		j.axes[a] = &axis{divergence: divergent(seeds[len(seeds)-1]), each: 1}
		for _, seed := range seeds {
			j.axes[a].varying[seed] = true
		}
	}
	j.mark(j.point)
	j.count(j.point, nil, corner{})
}

// launch launches a kernel whose work-items do several points together if there are enough points for it;
// otherwise, or if there is none, one that does not.
func (j *jam) launch(b *block, name, doc string, one func(b *block)) {
	if j == nil {
		one(b)
		return
	}
	if j.place > 1 {
		b.when(b.fills(product(j.sizes).Exp(), j.place), func(b *block) { b.launch(j.kernel(b, name+"_place", doc+", several points at once")) }, one)
		return
	}
	staged := func(b *block) { j.launchStaged(b, name, doc, j.staged) }
	if j.line() {
		b.when(or(j.unstaged(b), not(j.enough(b))), one, staged)
		return
	}
	together := func(b *block) { b.launch(j.kernel(b, name+"_jammed", doc+", several points at once")) }
	if len(j.staged) > 0 {
		alone := together
		together = func(b *block) { b.when(j.unstaged(b), alone, staged) }
	}
	b.when(j.enough(b), together, one)
}

// unstaged is the condition that reads are not staged after all.
func (j *jam) unstaged(b *block) ir.Exp {
	without := equalTo(b.query(DeviceWave), i64(1))
	for _, fits := range append(slices.Clip(j.staged[0].fits), j.high(b)) {
		without = or(without, not(fits))
	}
	return without
}

// leastLayer is how many columns a layer should have, and how many rows if reads are staged; any choice is right.
const leastLayer = 32

// enough is the condition that there are enough points to do several at once, and in each layer.
func (j *jam) enough(b *block) ir.Exp {
	most := b.f.l.threshold(jamPoints)
	if j.line() && most > 0 { // a group for each of the device's units
		return not(less(times(product(j.sizes).Exp(), i64(2048/GroupSize)), b.query(DeviceItems)))
	}
	cond := not(less(product(j.sizes).Exp(), times(b.query(DeviceItems), i64(most))))
	if j.layers == 0 || most == 0 {
		return cond
	}
	rows, columns := j.sizes[j.layers].Exp(), j.sizes[j.layers+1].Exp()
	return and(cond, not(less(rows, i64(j.axes[0].each))), not(less(columns, i64(leastLayer))))
}

// high is the condition that a layer has enough rows for staged reads.
func (j *jam) high(b *block) ir.Exp {
	if j.layers == 0 || b.f.l.threshold(jamPoints) == 0 {
		return ir.BoolLit(true)
	}
	return not(less(j.sizes[j.layers].Exp(), i64(leastLayer)))
}

// kernel lowers a kernel that does so, and gives the number of its groups.
func (j *jam) kernel(b *block, name, doc string) (in *block, groups ir.Exp) {
	in = b.kernel(name, doc)
	j.in, j.places, j.corners = in, map[string]string{}, map[corner]map[string]string{}
	for _, v := range j.vars {
		in.declare(v.Name, v.Prim)
	}
	rows, columns := j.axes[0], j.axes[1]
	width := i64(j.row)
	if j.stages == nil {
		width = j.width()
	}
	groups = b.boxes(in, j.indices, j.sizes, j.layers, width, i64(rows.each), columns.each, func(in *block, locate []Stmt, ofRows, ofColumns span) {
		j.locate, rows.span, columns.span = locate, ofRows, ofColumns
		j.mark(append(slices.Clip(locate), j.point...))
		if j.again {
			j.clamped(in)
		} else {
			j.inside(in)
		}
	})
	return in, groups
}

// width is the logarithm of a box's columns of work-items, where reads are not staged.
func (j *jam) width() ir.Exp {
	last, columns := len(j.sizes)-1, j.axes[1].each
	size := j.sizes[last].Exp()
	if columns == 1 {
		return rowLog(size)
	}
	width := rowLog(ceilDiv(size, i64(columns)))
	// No more rows than there are.
	rows := ceilDiv(product(j.sizes[j.layers:last]).Exp(), i64(j.axes[0].each))
	high := logOf(subtract(times(maximum(rows, i64(1)), i64(2)), i64(1)))
	return minimum(width, maximum(i64(squareRow), subtract(i64(groupLog), high)))
}

// clamped does all points of a work-item, those beyond the last as the last.
func (j *jam) clamped(in *block) {
	for a, axis := range j.axes {
		at := make([]ir.Exp, axis.each)
		for p := range axis.each {
			c := corner{-1, -1}
			c[a] = p
			at[p] = in.atom(index(axis.span.at(p)), "at")
			in.set(j.name(axis.turn, ir.I64, c), index(minimum(at[p], subtract(axis.span.count, i64(1)))))
		}
		axis.owns = func(p int64) ir.Exp { return less(at[max(p, 0)], axis.span.count) }
	}
	in.add(j.all(append(slices.Clip(j.locate), j.point...), corner{-1, -1})...)
}

// inside does all points of a work-item together if they are inside, otherwise one by one.
func (j *jam) inside(in *block) {
	one, cond := append(slices.Clip(j.locate), j.point...), ir.Exp(ir.BoolLit(true))
	for _, axis := range j.axes {
		cond = and(cond, less(index(axis.span.at(axis.each-1)), axis.span.count))
	}
	in.when(cond, func(in *block) {
		for a, axis := range j.axes {
			for p := range axis.each {
				c := corner{-1, -1}
				c[a] = p
				in.set(j.name(axis.turn, ir.I64, c), index(axis.span.at(p)))
			}
		}
		in.add(j.all(one, corner{-1, -1})...)
	}, func(in *block) { j.alone(in, cloned(one), j.axes[:]) })
}

// alone does those points of a work-item one by one that are inside, along some axes.
func (j *jam) alone(in *block, point []Stmt, axes []*axis) {
	if len(axes) == 0 {
		in.add(point...)
		return
	}
	turn, s := axes[0].turn, axes[0].span
	if axes[0].each == 1 {
		in.set(turn, index(s.at(0)))
		in.when(less(ir.Var(turn), s.count), func(in *block) { j.alone(in, point, axes[1:]) }, nil)
		return
	}
	next := in.temp("next", ir.I64)
	each := in.sub()
	each.set(turn, index(add(add(s.base, s.own), times(next, s.step))))
	each.when(less(ir.Var(turn), s.count), func(in *block) { j.alone(in, point, axes[1:]) }, nil)
	in.add(&For{Var: next.Name, Bound: i64(axes[0].each), Body: each.stmts})
}

// mark finds what varies along each axis.
func (j *jam) mark(list []Stmt) {
	for _, a := range j.axes {
		for marked := -1; marked < len(a.varying)+len(a.whole); {
			marked = len(a.varying) + len(a.whole)
			a.vary(list, false)
		}
	}
}

// shared reports whether a statement is done once for all points along the axis. What is inside need not be.
func (a *axis) shared(s Stmt) bool {
	switch s := s.(type) {
	case *Set, *Load:
		return !a.varying[target(s)]
	case *If:
		return a.uniform(s.Cond)
	case *For:
		return !a.whole[s]
	case *Check:
		return a.uniform(append(slices.Clone(s.Args), s.Cond)...)
	}
	return false
}

// all returns the statements of all points of a corner.
func (j *jam) all(list []Stmt, at corner) []Stmt {
	var out []Stmt
	for _, s := range list {
		if loop, ok := s.(*For); ok && j.stages[loop] != nil {
			out = append(out, j.stagedLoop(loop)...)
			continue
		}
		for _, at := range j.apart(s, at) {
			out = append(out, j.one(s, at))
		}
	}
	return out
}

// apart divides a corner into those for which a statement is done once each.
func (j *jam) apart(s Stmt, at corner) []corner {
	out := []corner{at}
	for a, axis := range j.axes {
		if at[a] >= 0 || axis.each == 1 || axis.shared(s) {
			continue
		}
		var all []corner
		for _, at := range out {
			for p := range axis.each {
				at[a] = p
				all = append(all, at)
			}
		}
		out = all
	}
	return out
}

// one returns the statement of a corner.
func (j *jam) one(s Stmt, at corner) Stmt {
	bodies := lists(s)
	head := renamed([]Stmt{s}, j.names(at))[0]
	for i, body := range lists(head) {
		*body = j.all(*bodies[i], at)
	}
	if loop, ok := head.(*For); ok {
		loop.Unroll = false
	}
	if isA[*Store](s) {
		var owns []ir.Exp
		for a, axis := range j.axes {
			if axis.owns != nil {
				owns = append(owns, axis.owns(at[a]))
			}
		}
		if len(owns) > 0 {
			return &If{Cond: and(owns...), Then: []Stmt{head}}
		}
	}
	return head
}

// names gives the variables that statements of a corner may use.
func (j *jam) names(at corner) map[string]string {
	if j.corners[at] == nil {
		names := map[string]string{}
		for _, v := range slices.Clone(j.in.k.out.Vars) {
			if name := j.name(v.Name, v.Prim, at); name != "" {
				names[v.Name] = name
			}
		}
		j.corners[at] = names
	}
	return j.corners[at]
}

// name is that of a variable for the points of a corner; "" if it is another one for each of them.
func (j *jam) name(v string, t ir.Prim, at corner) string {
	key := v
	for a, axis := range j.axes {
		if axis.each == 1 || !axis.varying[v] {
			continue
		}
		if at[a] < 0 {
			return ""
		}
		key += " " + "rc"[a:a+1] + strconv.FormatInt(at[a], 10)
	}
	if j.places[key] == "" {
		j.places[key] = v
		if key != v {
			j.places[key] = j.in.temp(v, t).Name
		}
	}
	return j.places[key]
}
