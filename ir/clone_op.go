package ir

import "slices"

// CloneOp gives a deep copy of an operation, its bodies included.
func CloneOp(op Op) Op {
	switch op := op.(type) { // exhaustive
	case *Compute:
		return &Compute{CloneExp(op.E)}
	case *Assert:
		return &Assert{CloneExp(op.Cond), op.Msg, op.Size}
	case *Copy:
		return &Copy{op.X}
	case *Concat:
		return &Concat{op.Dim, slices.Clone(op.Args)}
	case *Scratch:
		return &Scratch{op.Prim, cloneExps(op.Dims)}
	case *Range:
		return &Range{CloneExp(op.Lo), CloneExp(op.Hi), op.Iota}
	case *Replicate:
		return &Replicate{cloneExps(op.Dims), CloneExp(op.X)}
	case *ArrayLit:
		return &ArrayLit{cloneExps(op.Elems)}
	case *Alias:
		return &Alias{op.X}
	case *Reshape:
		return &Reshape{op.X, cloneExps(op.Dims)}
	case *Rearrange:
		return &Rearrange{op.X, slices.Clone(op.Perm)}
	case *Slice:
		return &Slice{op.X, cloneItems(op.Items)}
	case *Update:
		return &Update{op.X, cloneItems(op.Items), CloneExp(op.Value)}
	case *Alloc:
		return &Alloc{CloneExp(op.Size), op.Space}
	case *If:
		return &If{CloneExp(op.Cond), CloneBody(op.Then), CloneBody(op.Else)}
	case *Loop:
		n := *op
		n.Params = slices.Clone(op.Params)
		for i, p := range op.Params {
			n.Params[i] = Param{CloneElem(p.Elem), CloneExp(p.Init)}
		}
		n.Bound, n.Cond = CloneExp(op.Bound), CloneExp(op.Cond)
		n.Body = CloneBody(op.Body)
		return &n
	case *Call:
		return &Call{op.Fn, cloneExps(op.Args)}
	case *Map:
		return &Map{cloneSpace(op.Space), CloneBody(op.Body)}
	case *Reduce:
		return &Reduce{cloneSpace(op.Space), op.Over, cloneOperator(op.Op), CloneBody(op.Body)}
	case *Scan:
		return &Scan{cloneSpace(op.Space), op.Over, cloneOperator(op.Op), CloneBody(op.Body)}
	case *Scatter:
		return &Scatter{slices.Clone(op.Dests), cloneSpace(op.Space), op.Any, CloneBody(op.Body)}
	case *Hist:
		return &Hist{slices.Clone(op.Dests), cloneSpace(op.Space), cloneOperator(op.Op), CloneBody(op.Body)}
	}
	return op
}

func cloneSpace(s Space) Space {
	n := slices.Clone(s)
	for i, b := range s {
		n[i].Size = CloneExp(b.Size)
	}
	return n
}

func cloneOperator(o Operator) Operator {
	o.Params = cloneElems(o.Params)
	o.Body = CloneBody(o.Body)
	o.Neutral = cloneExps(o.Neutral)
	return o
}
