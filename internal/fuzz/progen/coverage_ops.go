package progen

import (
	"fmt"
	"slices"

	"github.com/memc-lang/memc/ir"
)

// op counts an operation and its special features.
func (w *walker) op(s *ir.Stmt) {
	kernel, loops, ifs, onThread := w.kernel, w.loops, w.ifs, w.onThread
	defer func() { w.kernel, w.loops, w.ifs, w.onThread = kernel, loops, ifs, onThread }()
	ir.Exps(s.Op, w.exp)
	for _, it := range items(s.Op) {
		w.countIf(!it.Fixed && w.mentions(it.Start, false), "slice at a loop's index")
	}
	switch op := s.Op.(type) { // exhaustive except for Compute
	case *ir.Alloc:
		w.count("alloc")
	case *ir.Assert:
		w.count("assert")
		if eq, ok := op.Cond.(*ir.Binary); ok && eq.Op == "==" {
			_, x := eq.X.(*ir.Ref)
			_, y := eq.Y.(*ir.Ref)
			w.countIf(x && y, "asserted equal sizes")
		}
	case *ir.Copy:
		w.fresh("copy")
	case *ir.Concat:
		w.fresh("concat")
		for _, x := range op.Args {
			_, ok := w.made[x].(*ir.Concat)
			w.countIf(ok, "concat of concat")
		}
	case *ir.Scratch:
		w.fresh("scratch")
	case *ir.Range:
		w.fresh(map[bool]string{true: "iota", false: "range"}[op.Iota])
	case *ir.Replicate:
		w.fresh("replicate")
		w.countIf(op.X.Prim() == ir.Unknown, "replicate of array")
	case *ir.ArrayLit:
		w.fresh("array literal")
	case *ir.Alias:
		w.view("alias", op.X)
	case *ir.Reshape:
		w.view("reshape", op.X)
	case *ir.Rearrange:
		w.view("rearrange", op.X)
	case *ir.Slice:
		w.view("slice", op.X)
		for _, it := range op.Items {
			w.countIf(it.Fixed, "slice with fixed index")
			w.countIf(it.Stride != nil, "slice with stride")
			w.countIf(negative(it.Stride), "slice with negative stride")
		}
	case *ir.Update:
		w.update(op)
	case *ir.If:
		w.control("if", "if", anyArray(s.Pat), "if with arrays", w.ifs > 0, "nested if")
		w.countIf(sizedByOwn(s.Pat), "if with existential size")
		if w.mentions(op.Cond, true) {
			w.count("if on a thread's number")
			w.onThread = true
		}
		w.ifs++
	case *ir.Loop:
		name := "loop for"
		if op.While != "" {
			name = "loop while"
			w.countIf(w.kernel, "while in kernel")
			for k, p := range op.Params {
				next, same := op.Body.Result[k].(*ir.Ref)
				w.countIf(p.Elem.Name == op.While && same && next.Name == op.While, "loop without end")
			}
		}
		w.control("loop", name, anyArray(s.Pat), "loop with array", w.loops > 0, "nested loop")
		w.countIf(sizedByOwn(s.Pat), "loop with changing size")
		for _, p := range op.Params {
			w.countIf(p.Elem.Type.Unique, "loop with unique array")
		}
		w.indices[op.Var] = false
		w.loops++
	case *ir.Call:
		w.count("call")
		w.countIf(sizedByOwn(s.Pat), "call with named size")
	case *ir.Map:
		w.kernelOp("map", s)
	case *ir.Reduce:
		w.kernelOp("reduce", s)
		w.operator(op.Op, op.Body)
	case *ir.Scan:
		w.kernelOp("scan", s)
		w.operator(op.Op, op.Body)
	case *ir.Scatter:
		w.kernelOp("scatter", s)
		w.countIf(len(op.Dests) > 1, "scatter of two")
	case *ir.Hist:
		w.kernelOp("hist", s)
		w.countIf(len(op.Dests) > 1, "hist of two")
	case *ir.Into:
		w.kernelOp("map into", s)
		w.countIf(len(op.Accs) > 1, "several accumulators")
	case *ir.Put:
		w.count("into")
		w.countIf(len(op.Dests) > 1, "into two")
		w.countIf(w.loops > 0, "into in loop")
		w.countIf(w.ifs > 0, "into in if")
	}
	w.before(s.Op)
	for _, b := range ir.Bodies(s.Op) {
		w.body(b)
	}
	w.after(s)
	w.mayBeOne(s)
}

// mayBeOne counts results that may be one array or another one.
func (w *walker) mayBeOne(s *ir.Stmt) {
	var arrays []string
	for _, e := range s.Pat {
		if isArray(e.Type) {
			arrays = append(arrays, e.Name)
		}
	}
	switch op := s.Op.(type) { // exhaustive except for operations without such results
	case *ir.If:
		w.countIf(slices.ContainsFunc(arrays, func(a string) bool { return len(w.memory[a]) > 1 }), "if of one of several arrays")
		w.countIf(w.pair(arrays), "results of an if that may be one")
	case *ir.Loop:
		w.countIf(w.pair(arrays), "results of a loop that may be one")
	case *ir.Call:
		if w.pair(arrays) {
			w.count("results of a call that may be one")
			for _, a := range arrays {
				w.inDoubt[a] = true
			}
		}
	case *ir.Copy:
		w.countIf(w.inDoubt[op.X], "copy of such a result")
	case *ir.Update:
		r, ok := op.Value.(*ir.Ref)
		w.countIf(ok && w.inDoubt[r.Name], "update with such a result")
	}
}

// exp counts numbers near which arithmetic wraps.
func (w *walker) exp(e ir.Exp) {
	large := func(e ir.Exp) bool {
		l, ok := e.(*ir.Lit)
		v, isInt := int64(0), false
		if ok && l.T == ir.I64 {
			v, isInt = l.Int()
		}
		return isInt && (v >= 1<<31 || v <= -1<<31)
	}
	ir.WalkExp(e, func(e ir.Exp) bool {
		w.countIf(large(e), "large constant")
		if b, ok := e.(*ir.Binary); ok && b.Op == "*" {
			w.countIf(large(b.X) || large(b.Y), "product with a large constant")
		}
		return true
	})
}

func items(op ir.Op) []ir.Item {
	switch op := op.(type) {
	case *ir.Slice:
		return op.Items
	case *ir.Update:
		return op.Items
	}
	return nil
}

// mentions reports whether an expression mentions an index, of a kernel or of any.
func (w *walker) mentions(e ir.Exp, kernel bool) bool {
	found := false
	ir.ExpNames(e, func(n string) {
		isThread, ok := w.indices[n]
		found = found || ok && (isThread || !kernel)
	})
	return found
}

func negative(e ir.Exp) bool {
	switch e := e.(type) {
	case *ir.Unary:
		return e.Op == "-"
	case *ir.Lit:
		v, ok := e.Int()
		return ok && v < 0
	}
	return false
}

func (w *walker) fresh(name string) {
	w.count(name)
	w.countIf(w.kernel, "fresh array in kernel")
	w.countIf(w.onThread, "fresh array under it")
}

func (w *walker) view(name, x string) {
	w.count(name)
	w.countIf(w.kernel, "view in kernel")
	switch w.made[x].(type) {
	case *ir.Alias, *ir.Reshape, *ir.Rearrange, *ir.Slice:
		w.count("view of view")
	}
}

func (w *walker) update(op *ir.Update) {
	name := "update of element"
	for _, it := range op.Items {
		if !it.Fixed {
			name = "update with array"
		}
	}
	w.count(name)
	w.countIf(w.kernel, "update in kernel")
	switch w.made[op.X].(type) {
	case *ir.Update:
		w.count("update of update")
	case *ir.Alias, *ir.Reshape, *ir.Rearrange, *ir.Slice:
		w.count("update of view")
	}
	if r, ok := op.Value.(*ir.Ref); ok {
		v, ok := w.made[r.Name].(*ir.Slice)
		w.countIf(ok && v.X == op.X, "update from itself")
	}
}

func (w *walker) control(where, name string, arrays bool, withArrays string, nested bool, nestedName string) {
	w.count(name)
	w.countIf(arrays, withArrays)
	w.countIf(nested, nestedName)
	w.countIf(w.kernel, where+" in kernel")
}

// sizedByOwn reports whether a pattern's array has a dim that the pattern binds.
func sizedByOwn(pat []*ir.Elem) bool {
	own := map[string]bool{}
	for _, e := range pat {
		own[e.Name] = true
	}
	for _, e := range pat {
		for _, d := range e.Type.Shape {
			if own[d.Name] {
				return true
			}
		}
	}
	return false
}

func (w *walker) kernelOp(name string, s *ir.Stmt) {
	w.count(name)
	space, _ := ir.KernelSpace(s.Op)
	for _, b := range space {
		w.indices[b.Var] = true
	}
	w.count(map[bool]string{true: "1 bound", false: fmt.Sprintf("%d bounds", len(space))}[len(space) == 1])
	w.countIf(len(s.Pat) > 1, "several results")
	if name == "map" || name == "reduce" || name == "scan" {
		for _, e := range s.Pat {
			w.countIf(e.Type.Rank() > len(space), "array result")
		}
	}
	w.kernel = true
}

func (w *walker) operator(o ir.Operator, b *ir.Body) {
	w.countIf(len(o.Neutral) > 1, "operator of several values")
	w.countIf(!o.Commutative, "operator not commutative")
	for k := range o.Neutral {
		w.countIf(k < len(b.Result) && b.Result[k].Prim() == ir.Unknown, "combined arrays")
	}
}
