package futhark

func leafOf(o operand) *lexp { return &lexp{leaf: &o} }

func plus(x, y *lexp) *lexp { return &lexp{op: "add_nw64", args: []*lexp{x, y}} }

func times(x, y *lexp) *lexp { return &lexp{op: "mul_nw64", args: []*lexp{x, y}} }

func op(to, name string, xs ...operand) *stm {
	return &stm{pat: []*param{{name: to, typ: &typ{prim: "i64"}}}, exp: &ePrim{op: name, args: xs}}
}

// elementRead returns the array that a statement reads an element of, if it does.
func (r *rewriter) elementRead(s *stm, rank int) (*eIndex, *typ) {
	e, ok := s.exp.(*eIndex)
	if !ok || e.flat || len(e.item) < rank || len(s.pat[0].typ.shape) > 0 || s.pat[0].typ.prim == "unit" {
		return nil, nil
	}
	t := r.types[e.x]
	if t == nil || t.place == nil || len(t.shape) != len(e.item) {
		return nil, nil
	}
	return e, t
}

// rows reads elements of matrices out of rows.
func rows(r *rewriter) {
	r.everywhere(func(s *stm) []*stm {
		e, ok := s.exp.(*eIndex)
		if !ok || e.flat || len(e.item) < 2 || len(s.pat[0].typ.shape) > 0 || s.pat[0].typ.prim == "unit" {
			return []*stm{s}
		}
		t := r.types[e.x]
		if t == nil || t.place == nil || len(t.shape) != len(e.item) {
			return []*stm{s}
		}
		r.done++
		// offset + first index * first stride
		at := &lexp{op: "add_nw64", args: []*lexp{t.place.offset, {op: "mul_nw64", args: []*lexp{{leaf: &e.item[0].x}, t.place.strides[0]}}}}
		pl := &place{mem: t.place.mem, ext: -1, offset: at, strides: t.place.strides[1:]}
		row := &param{name: r.fresh("row"), typ: &typ{prim: t.prim, shape: t.shape[1:], place: pl}}
		ix := &eIndex{x: e.x, item: []item{e.item[0]}}
		for _, d := range t.shape[1:] {
			ix.item = append(ix.item, item{x: zero, length: d, stride: one})
		}
		return []*stm{{pat: []*param{row}, certs: s.certs, exp: ix}, {pat: s.pat, exp: &eIndex{x: row.name, item: e.item[1:]}}}
	})
}

// backwards reads elements out of a view whose first dimension runs backwards.
func backwards(r *rewriter) {
	r.everywhere(func(s *stm) []*stm {
		e, t := r.elementRead(s, 1)
		if e == nil {
			return []*stm{s}
		}
		r.done++
		last, at := r.fresh("last"), r.fresh("at")
		first := t.place.strides[0]
		pl := &place{mem: t.place.mem, ext: -1, offset: plus(t.place.offset, times(leafOf(v(last)), first))}
		pl.strides = append([]*lexp{times(leafOf(k("-1i64")), first)}, t.place.strides[1:]...)
		view := &param{name: r.fresh("view"), typ: &typ{prim: t.prim, shape: t.shape, place: pl}}
		ix := &eIndex{x: e.x, item: []item{{x: v(last), length: t.shape[0], stride: k("-1i64")}}}
		for _, d := range t.shape[1:] {
			ix.item = append(ix.item, item{x: zero, length: d, stride: one})
		}
		read := &eIndex{x: view.name, item: append([]item{{fixed: true, x: v(at)}}, e.item[1:]...)}
		return []*stm{op(last, "sub64", t.shape[0], one), op(at, "sub64", v(last), e.item[0].x),
			{pat: []*param{view}, certs: s.certs, exp: ix}, {pat: s.pat, certs: s.certs, exp: read}}
	})
}

// transposed reads elements out of a view with the last dimension in front.
func transposed(r *rewriter) {
	r.everywhere(func(s *stm) []*stm {
		e, t := r.elementRead(s, 2)
		if e == nil {
			return []*stm{s}
		}
		r.done++
		n := len(t.shape)
		var perm []int
		pl := &place{mem: t.place.mem, ext: -1, offset: t.place.offset}
		view := &param{name: r.fresh("view"), typ: &typ{prim: t.prim, place: pl}}
		read := &eIndex{x: view.name}
		for i := range n {
			j := (i + n - 1) % n
			perm = append(perm, j)
			pl.strides = append(pl.strides, t.place.strides[j])
			view.typ.shape = append(view.typ.shape, t.shape[j])
			read.item = append(read.item, e.item[j])
		}
		return []*stm{{pat: []*param{view}, exp: &eRearrange{x: v(e.x), perm: perm}}, {pat: s.pat, certs: s.certs, exp: read}}
	})
}

// copiedRows reads elements out of copies of rows, also in kernels.
func copiedRows(r *rewriter) {
	r.everywhere(func(s *stm) []*stm {
		e, t := r.elementRead(s, 2)
		if e == nil || len(e.item) != 2 || r.done > 20 {
			return []*stm{s}
		}
		r.done++
		width := map[string]string{"i8": "1", "i16": "2", "i32": "4", "i64": "8", "f16": "2", "f32": "4", "f64": "8", "bool": "1"}[t.prim]
		at := plus(t.place.offset, times(leafOf(e.item[0].x), t.place.strides[0]))
		row := &param{name: r.fresh("row"), typ: &typ{prim: t.prim, shape: t.shape[1:], place: &place{mem: t.place.mem, ext: -1, offset: at, strides: t.place.strides[1:]}}}
		bytes, mem := r.fresh("bytes"), r.fresh("mem")
		own := &param{name: r.fresh("own"), typ: &typ{prim: t.prim, shape: t.shape[1:], place: &place{mem: mem, ext: -1, offset: leafOf(zero), strides: []*lexp{leafOf(one)}}}}
		space := "device"
		if u := r.types[t.place.mem]; u != nil {
			space = u.space
		}
		return []*stm{
			{pat: []*param{row}, certs: s.certs, exp: &eIndex{x: e.x, item: []item{e.item[0], {x: zero, length: t.shape[1], stride: one}}}},
			op(bytes, "mul_nw64", k(width+"i64"), t.shape[1]),
			{pat: []*param{{name: mem, typ: &typ{prim: "mem", space: space}}}, exp: &eAlloc{size: v(bytes), space: space}},
			{pat: []*param{own}, exp: &eManifest{x: v(row.name)}},
			{pat: s.pat, exp: &eIndex{x: own.name, item: e.item[1:]}},
		}
	})
}
