package futhark

// tiled translates a map whose groups of threads give a tile of the result each:
// a map gives all tiles, and another puts every element where it belongs.
func (t *translator) tiled(b *block, s *stm, e *eSeg) {
	whole := *e
	whole.types = append([]*typ{}, e.types...)
	whole.body = &body{stms: e.body.stms, result: append([]operand{}, e.body.result...), span: e.body.span}
	st := &stm{exp: &whole, pat: append([]*param{}, s.pat...), span: s.span}
	var after []*stm
	for i, r := range e.body.result {
		if r.tile == nil || kindOf(e.types[i]) == accKind {
			continue
		}
		if len(r.tile) != len(e.space) || kindOf(s.pat[i].typ) != arrayKind || len(s.pat[i].typ.shape) < len(r.tile) {
			t.wrong(r.span, "the tile `%s` does not match the kernel's dimensions", r.name)
		}
		var shape []operand
		for _, d := range r.tile {
			shape = append(shape, d.block)
		}
		for _, d := range r.tile {
			if d.register != nil {
				shape = append(shape, *d.register)
			}
		}
		of := *e.types[i]
		of.shape = append(append([]operand{}, shape...), e.types[i].shape...)
		all := of
		all.shape = append(t.spaceDims(b, e), of.shape...)
		whole.types[i] = &of
		whole.body.result[i].tile = nil
		st.pat[i] = &param{name: s.pat[i].name + " tiles", typ: &all, span: s.pat[i].span}
		after = append(after, untile(s.pat[i], st.pat[i].name, e.types[i], r.tile))
	}
	t.operation(b, st)
	for _, u := range after {
		t.operation(b, u)
	}
}

// untile gathers an array from its tiles: element i of a dimension lies in tile
// i / t at i % t, where t is the tile's size.
func untile(p *param, tiles string, elem *typ, dims []tileDim) *stm {
	of := &body{span: p.span}
	scalar := func(name, op string, x, y operand) operand {
		of.stms = append(of.stms, &stm{span: p.span, pat: []*param{{name: name, typ: &typ{prim: "i64", span: p.span}, span: p.span}},
			exp: &ePrim{op: op, args: []operand{x, y}, span: p.span}})
		return operand{name: name, ext: -1, span: p.span}
	}
	m := &eSeg{kind: "segmap", level: "thread", types: []*typ{elem}, body: of, span: p.span}
	var group, block, register []item
	for _, d := range dims {
		ix := operand{name: " at" + string(rune('0'+len(group))), ext: -1, span: p.span}
		m.space = append(m.space, segDim{ix.name, d.n, p.span})
		size := d.block
		if d.register != nil {
			size = scalar(ix.name+" size", "mul64", d.block, *d.register)
		}
		group = append(group, item{fixed: true, x: scalar(ix.name+" group", "squot64", ix, size)})
		in := scalar(ix.name+" in", "srem64", ix, size)
		if d.register == nil {
			block = append(block, item{fixed: true, x: in})
			continue
		}
		block = append(block, item{fixed: true, x: scalar(ix.name+" block", "squot64", in, *d.register)})
		register = append(register, item{fixed: true, x: scalar(ix.name+" register", "srem64", in, *d.register)})
	}
	ix := &eIndex{x: tiles, item: append(append(group, block...), register...), span: p.span}
	for _, d := range elem.shape {
		ix.item = append(ix.item, item{x: zero, length: d, stride: one})
	}
	value := &param{name: p.name + " element", typ: elem, span: p.span}
	of.stms = append(of.stms, &stm{pat: []*param{value}, exp: ix, span: p.span})
	of.result = []operand{{name: value.name, ext: -1, span: p.span}}
	return &stm{pat: []*param{p}, exp: m, span: p.span}
}
