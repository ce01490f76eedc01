package futhark

import (
	"slices"
	"strconv"
	"strings"

	"github.com/memc-lang/memc/ir"
)

// stm translates a statement. Where the dump says which line of the source it
// comes from, that becomes a comment.
func (t *translator) stm(b *block, s *stm) {
	b.span, t.at = s.span, b
	t.wellFormed(s)
	before := len(b.stmts)
	t.operation(b, s)
	if s.loc != "" && len(b.stmts) > before {
		b.stmts[len(b.stmts)-1].Trail = " " + s.loc
	}
}

func (t *translator) operation(b *block, s *stm) {
	if onUnits(s) {
		t.bindAll(s.pat)
		return
	}
	switch e := s.exp.(type) {
	case *eOperand:
		t.operandStm(b, s, e.x)
	case *ePrim:
		t.bindScalar(b, s, t.primOp(e))
		if slices.ContainsFunc(e.args, t.isTuned) {
			t.tuned(s, t.primOp(e))
		}
	case *eAssert:
		t.assert(b, s, e)
	case *eSize:
		t.bindScalar(b, s, t.size(e))
		t.tuned(s, t.size(e))
	case *eAlloc:
		t.alloc(b, s, e)
	case *eIndex:
		t.index(b, s, e)
	case *eUpdate:
		t.updateStm(b, s, e)
	case *eLit:
		t.arrayLit(b, s, e)
	case *eReplicate:
		t.replicate(b, s, e)
	case *eIota:
		t.iota(b, s, e)
	case *eScratch:
		op := &ir.Scratch{Prim: t.elements(s.pat[0].name, t.prim(e.prim, s.span)), Dims: dimExps(t.dims(e.shape))}
		b.emit(t.bindFresh(s.pat), op)
	case *eConcat:
		t.concat(b, s, e)
	case *eManifest:
		t.manifest(b, s, e)
	case *eRearrange:
		x := t.arrayName(e.x)
		t.view(b, s, t.find(e.x.name), &ir.Rearrange{X: x, Perm: e.perm})
	case *eReshape:
		x, dims := t.arrayName(e.x), dimExps(t.dims(e.shape))
		t.view(b, s, t.find(e.x.name), &ir.Reshape{X: x, Dims: dims})
	case *eIf:
		t.ifStm(b, s, e)
	case *eMatch:
		t.matchStm(b, s, e)
	case *eLoop:
		t.loopStm(b, s, e)
	case *eApply:
		t.apply(b, s, e)
	case *eSeg:
		t.seg(b, s, e)
	case *eGPU:
		t.gpu(b, s, e)
	case *eWithAcc:
		t.withAcc(b, s, e)
	case *eUpdateAcc:
		t.updateAcc(b, s, e)
	default:
		t.wrong(s.span, "unknown construct %T", e)
	}
}

// onUnits reports whether a statement makes an array of units, or a unit of one:
// there is nothing to compute.
func onUnits(s *stm) bool {
	if len(s.pat) != 1 || kindOf(s.pat[0].typ) != unitKind {
		return false
	}
	switch s.exp.(type) {
	case *eIndex, *eUpdate, *eLit, *eReplicate, *eScratch, *eConcat, *eManifest, *eRearrange, *eReshape:
		return true
	}
	return false
}

// bindScalar binds the one name of a statement to a scalar.
func (t *translator) bindScalar(b *block, s *stm, e ir.Exp) {
	es := t.bindAll(s.pat)
	if len(es) != 1 {
		t.wrong(s.span, "one value for %d names", len(es))
	}
	e = fit(e, es[0].Type.Prim)
	t.define(es[0].Name, e)
	b.emit(es, &ir.Compute{E: e})
}

// operandStm: another name for a value.
func (t *translator) operandStm(b *block, s *stm, x operand) {
	if len(s.pat) == 2 && kindOf(s.pat[0].typ) == memKind { // ensure_direct
		t.bind(s.pat[0])
		t.alias(s.pat[1].name, t.lookup(x.name, x.span))
		return
	}
	if len(s.pat) != 1 {
		t.wrong(s.span, "one value for %d names", len(s.pat))
	}
	switch t.kindOfOperand(x) {
	case scalarKind:
		t.bindScalar(b, s, t.exp(x))
	case unitKind:
		t.bindAll(s.pat)
	default:
		t.alias(s.pat[0].name, t.lookup(x.name, x.span))
	}
}

// assert keeps its place in front of what its certificate guards, since
// statements keep their order.
func (t *translator) assert(b *block, s *stm, e *eAssert) {
	msg := ""
	var values []ir.Exp
	for _, m := range e.msg {
		switch m := m.(type) {
		case string:
			msg += strings.ReplaceAll(m, "{}", "{ }")
		case operand:
			if m.konst != "" {
				msg += trimSuffix(m.konst)
				continue
			}
			v := t.lookup(m.name, m.span)
			if v.kind == scalarKind && v.prim.Integer() && v.prim != ir.U64 && len(values) < ir.MaxValues {
				values = append(values, t.exp(m))
				msg += "{}"
			} else {
				msg += v.name
			}
		}
	}
	t.bindAll(s.pat)
	b.emit(nil, &ir.Assert{Cond: t.exp(e.cond), Msg: msg, Values: values})
}

func trimSuffix(konst string) string {
	for i := len(konst) - 1; i > 0; i-- {
		if konst[i] == 'i' || konst[i] == 'f' {
			return konst[:i]
		}
	}
	return konst
}

// Tuning parameters have their default values: what a program means does not
// depend on them.
const (
	blockSize   = 256
	blockCount  = 128
	threshold   = 1 << 15
	largestSize = 1024
)

// classSizes holds those of the other classes of sizes.
var classSizes = map[string]int64{
	"thread_block_size": blockSize, "grid_size": blockCount, "tile_size": 16, "reg_tile_size": 2,
	"shared_memory": 48 << 10, "threshold": threshold, "num_thread_blocks": blockCount, "registers": 64 << 10, "cache": 4 << 20,
}

func (t *translator) size(e *eSize) ir.Exp {
	switch e.what {
	case "get_size":
		return ir.IntLit(t.classSize(e))
	case "get_size_max":
		return ir.IntLit(max(largestSize, classSizes[e.name]))
	case "user_param":
		return t.exp(e.args[0])
	case "cmp_size":
		return &ir.Binary{Op: "<=", X: ir.IntLit(thresholdOf(e)), Y: t.exp(e.args[0]), T: ir.Bool, At: e.span}
	}
	return ir.IntLit(blockCount)
}

// thresholdOf returns the number in threshold(n, ..), of which `def` is the default one.
func thresholdOf(e *eSize) int64 {
	_, own, _ := strings.Cut(e.class, "(")
	own, _, _ = strings.Cut(own, ",")
	if n, err := strconv.ParseInt(strings.TrimSpace(own), 10, 64); err == nil {
		return n
	}
	return threshold
}

// classSize returns the default of a size: that of its class, or its own, as in
// bespoke(name, 32).
func (t *translator) classSize(e *eSize) int64 {
	class, rest, _ := strings.Cut(e.class, "(")
	if class == "bespoke" {
		_, own, _ := strings.Cut(rest, ",")
		if n, err := strconv.ParseInt(strings.Trim(own, " )"), 10, 64); err == nil {
			return n
		}
	}
	n, ok := classSizes[class]
	if !ok {
		t.refuse(e.span, "a size of the class `%s`", e.class)
	}
	return n
}

// arrayName returns the name of an operand that must be an array.
func (t *translator) arrayName(o operand) string {
	if o.konst != "" || t.kindOfOperand(o) != arrayKind {
		t.wrong(o.span, "expected an array")
	}
	return t.lookup(o.name, o.span).name
}

func (t *translator) arrayVar(name string, s *stm) *variable {
	v := t.lookup(name, s.span)
	if v.kind != arrayKind {
		t.wrong(s.span, "`%s` is no array", name)
	}
	return v
}

// items of an index or an update.
func (t *translator) items(items []item) []ir.Item {
	out := make([]ir.Item, len(items))
	for i, it := range items {
		if it.fixed {
			out[i] = ir.Item{Fixed: true, Index: t.exp(it.x), Span: it.x.span}
			continue
		}
		out[i] = ir.Item{Start: t.exp(it.x), Len: t.exp(it.length), Span: it.x.span}
		if it.stride.konst != "1i64" {
			out[i].Stride = t.exp(it.stride)
		}
	}
	return out
}

func elements(items []item) (ix []operand, ok bool) {
	for _, it := range items {
		if !it.fixed {
			return nil, false
		}
		ix = append(ix, it.x)
	}
	return ix, true
}

func (t *translator) index(b *block, s *stm, e *eIndex) {
	if v := t.lookup(e.x, s.span); v.kind == unitKind {
		t.bindAll(s.pat)
		return
	}
	v := t.arrayVar(e.x, s)
	if e.flat {
		t.flatIndex(b, s, e, v)
		return
	}
	if len(e.item) != len(v.shape) {
		t.wrong(e.span, "%d indices for an array of %d dimensions", len(e.item), len(v.shape))
	}
	if ix, ok := elements(e.item); ok {
		t.bindScalar(b, s, &ir.Index{Array: v.name, Indices: t.exps(ix), T: v.prim, At: e.span})
		return
	}
	t.view(b, s, v, &ir.Slice{X: v.name, Items: t.items(e.item)})
}

// view binds a name to another view of an array.
func (t *translator) view(b *block, s *stm, of *variable, op ir.Op) {
	b.emit(t.bindAll(s.pat), op)
	t.env.names[s.pat[0].name].level = of.level
}

// own returns an array that a thread may write: one from outside the kernel is
// copied, since the other threads see it.
func (t *translator) own(b *block, v *variable) *variable {
	if v.kind != arrayKind || v.level >= t.within {
		return v
	}
	return &variable{kind: arrayKind, prim: v.prim, shape: v.shape, level: t.within, name: t.array(b, v.name, v.prim, v.shape, &ir.Copy{X: v.name})}
}

// arrayLit: a literal of scalars, or of rows, which are written one by one.
func (t *translator) arrayLit(b *block, s *stm, e *eLit) {
	if len(e.elem.shape) == 0 {
		es := t.bindFresh(s.pat)
		b.emit(es, &ir.ArrayLit{Elems: fitAll(t.exps(e.elems), es[0].Type.Prim)})
		return
	}
	p, row := t.elements(s.pat[0].name, t.prim(e.elem.prim, s.span)), t.dims(e.elem.shape)
	shape := append([]ir.Dim{{Const: int64(len(e.elems))}}, row...)
	name := t.array(b, s.pat[0].name, p, shape, &ir.Scratch{Prim: p, Dims: dimExps(shape)})
	for i, x := range e.elems {
		name = t.update(b, name, p, shape, fixed([]ir.Exp{ir.IntLit(int64(i))}, row...), t.exp(x))
	}
	t.alias(s.pat[0].name, t.madeHere(&variable{kind: arrayKind, name: name, prim: p, shape: shape}))
}

// madeHere notes in how many kernels an array is made.
func (t *translator) madeHere(v *variable) *variable {
	v.level = t.within
	return v
}

// flatPosition returns offset + the sum of index times stride.
func (t *translator) flatPosition(off operand, items []item, ix []ir.Exp) ir.Exp {
	p := t.exp(off)
	for k, it := range items {
		p = &ir.Binary{Op: "+", X: p, T: ir.I64, Y: &ir.Binary{Op: "*", X: ix[k], Y: t.exp(it.stride), T: ir.I64}}
	}
	return p
}

func (t *translator) flatShape(items []item) []ir.Dim {
	ds := make([]ir.Dim, len(items))
	for i, it := range items {
		ds[i] = t.dim(it.length)
	}
	return ds
}

// flatIndex gathers a flat slice: memc has no view of that kind (Note [Reads of
// what was only gathered]).
func (t *translator) flatIndex(b *block, s *stm, e *eIndex, v *variable) {
	name := t.tabulate(b, s.pat[0].name, v.prim, t.flatShape(e.item), func(_ *block, ix []ir.Exp) ir.Exp {
		return &ir.Index{Array: v.name, Indices: []ir.Exp{t.flatPosition(e.off, e.item, ix)}, T: v.prim, At: e.span}
	})
	if t.in == "" {
		t.slices[b.stmts[len(b.stmts)-1]] = true
	}
	t.alias(s.pat[0].name, t.madeHere(&variable{kind: arrayKind, name: name, prim: v.prim, shape: t.flatShape(e.item)}))
}

func (t *translator) updateStm(b *block, s *stm, e *eUpdate) {
	v := t.arrayVar(e.x, s)
	v = t.own(b, v)
	if e.flat {
		t.flatUpdate(b, s, e, v)
		return
	}
	op := &ir.Update{X: v.name, Items: t.items(e.item), Value: fit(t.exp(e.val), v.prim)}
	if !e.safe {
		b.emit(t.bindAll(s.pat), op)
		return
	}
	inside := t.inBounds(v.shape, e.item)
	yes := b.sub()
	name := t.derived(yes, e.x, v.prim, v.shape, op)
	b.emit(t.bindAll(s.pat), &ir.If{Cond: inside, Then: yes.body(&ir.Ref{Name: name}), Else: b.sub().body(&ir.Ref{Name: v.name})})
}

// inBounds tells whether a slice lies within an array.
func (t *translator) inBounds(shape []ir.Dim, items []item) ir.Exp {
	var all ir.Exp = ir.BoolLit(true)
	for k, it := range items {
		lo, hi := t.exp(it.x), t.exp(it.x)
		if !it.fixed {
			last := &ir.Binary{Op: "-", X: t.exp(it.length), Y: ir.IntLit(1), T: ir.I64}
			hi = &ir.Binary{Op: "+", X: lo, Y: &ir.Binary{Op: "*", X: last, Y: t.exp(it.stride), T: ir.I64}, T: ir.I64}
		}
		all = and(all, within(lo, shape[k].Exp()))
		if !it.fixed {
			all = and(all, within(hi, shape[k].Exp()))
		}
	}
	return all
}

func and(x, y ir.Exp) ir.Exp {
	if l, ok := x.(*ir.Lit); ok && l.Text == "true" {
		return y
	}
	return &ir.Binary{Op: "&&", X: x, Y: y, T: ir.Bool}
}

// within: 0 <= x < n.
func within(x, n ir.Exp) ir.Exp {
	return and(&ir.Binary{Op: "<=", X: ir.IntLit(0), Y: x, T: ir.Bool}, &ir.Binary{Op: "<", X: ir.CloneExp(x), Y: n, T: ir.Bool})
}

// flatUpdate writes a flat slice: a scatter, or within a kernel loops.
func (t *translator) flatUpdate(b *block, s *stm, e *eUpdate, v *variable) {
	shape, val := t.flatShape(e.item), t.arrayName(e.val)
	read := func(ix []ir.Exp) ir.Exp { return &ir.Index{Array: val, Indices: ix, T: v.prim} }
	if t.in == "" {
		sc := &ir.Scatter{Dests: []string{v.name}}
		var ix []ir.Exp
		for _, d := range shape {
			n := t.fresh("i")
			sc.Space = append(sc.Space, ir.Bound{Var: n, Size: d.Exp(), Span: s.span})
			ix = append(ix, ir.Var(n))
		}
		sc.Body = b.sub().body(t.flatPosition(e.off, e.item, ix), read(ix))
		b.emit(t.bindAll(s.pat), sc)
		return
	}
	out := t.nest(b, dimExps(shape), []ir.Exp{&ir.Ref{Name: v.name}}, []carried{{v.name, v.prim, v.shape}},
		func(b *block, ix []ir.Exp, cur []string) []ir.Exp {
			at := fixed([]ir.Exp{t.flatPosition(e.off, e.item, ix)})
			return []ir.Exp{&ir.Ref{Name: t.update(b, cur[0], v.prim, v.shape, at, read(ix))}}
		})[0]
	t.alias(s.pat[0].name, t.madeHere(&variable{kind: arrayKind, name: out, prim: v.prim, shape: v.shape}))
}

func (t *translator) replicate(b *block, s *stm, e *eReplicate) {
	if len(e.shape) == 0 {
		t.manifest(b, s, &eManifest{x: e.x})
		return
	}
	op := &ir.Replicate{Dims: dimExps(t.dims(e.shape)), X: t.exp(e.x)}
	es := t.bindFresh(s.pat)
	op.X = fit(op.X, es[0].Type.Prim)
	b.emit(es, op)
}

// iota: start, start + stride, ...
func (t *translator) iota(b *block, s *stm, e *eIota) {
	p := t.prim(e.prim, s.span)
	n, start, stride := t.exp(e.n), t.exp(e.start), t.exp(e.stride)
	if p == ir.I64 && e.stride.konst == "1i64" {
		op := &ir.Range{Lo: start, Hi: n}
		if e.start.konst == "0i64" {
			op.Iota = true
		} else {
			op.Hi = &ir.Binary{Op: "+", X: ir.CloneExp(start), Y: n, T: ir.I64}
		}
		b.emit(t.bindFresh(s.pat), op)
		return
	}
	shape := []ir.Dim{t.dim(e.n)}
	name := t.tabulate(b, s.pat[0].name, p, shape, func(_ *block, ix []ir.Exp) ir.Exp {
		i := ix[0]
		if p != ir.I64 {
			i = &ir.Convert{X: i, T: p}
		}
		return &ir.Binary{Op: "+", X: start, T: p, Y: &ir.Binary{Op: "*", X: i, Y: stride, T: p}}
	})
	t.alias(s.pat[0].name, t.madeHere(&variable{kind: arrayKind, name: name, prim: p, shape: shape}))
}

func (t *translator) concat(b *block, s *stm, e *eConcat) {
	op := &ir.Concat{Dim: e.dim}
	for _, a := range e.args {
		op.Args = append(op.Args, t.arrayName(a))
	}
	b.emit(t.bindFresh(s.pat), op)
}

// manifest: the same values in a block of their own.
func (t *translator) manifest(b *block, s *stm, e *eManifest) {
	if t.kindOfOperand(e.x) == scalarKind {
		t.bindScalar(b, s, t.exp(e.x))
		return
	}
	if t.handOver(s, e.x) {
		return
	}
	x := t.arrayName(e.x)
	b.emit(t.bindFresh(s.pat), &ir.Copy{X: x})
}

func fitAll(es []ir.Exp, p ir.Prim) []ir.Exp {
	for i := range es {
		es[i] = fit(es[i], p)
	}
	return es
}
