package futhark

import "strings"

// operandsOf calls f for the operands of an expression, without those of its bodies.
func operandsOf(e exp, f func(operand)) {
	all := func(os []operand) {
		for _, o := range os {
			f(o)
		}
	}
	items := func(x string, is []item, off operand) {
		f(operand{name: x})
		f(off)
		for _, it := range is {
			all([]operand{it.x, it.length, it.stride})
		}
	}
	switch e := e.(type) {
	case *eOperand:
		f(e.x)
	case *eLit:
		all(e.elems)
	case *ePrim:
		all(e.args)
	case *eIndex:
		items(e.x, e.item, e.off)
	case *eUpdate:
		items(e.x, e.item, e.off)
		f(e.val)
	case *eAlloc:
		f(e.size)
	case *eReplicate:
		all(e.shape)
		f(e.x)
	case *eIota:
		all([]operand{e.n, e.start, e.stride})
	case *eScratch:
		all(e.shape)
	case *eConcat:
		all(e.args)
	case *eManifest:
		f(e.x)
	case *eRearrange:
		f(e.x)
	case *eReshape:
		f(e.x)
		all(e.shape)
	case *eAssert:
		f(e.cond)
	case *eSize:
		all(e.args)
	case *eIf:
		f(e.cond)
	case *eMatch:
		all(e.on)
	case *eLoop:
		all(e.init)
		f(e.bound)
	case *eApply:
		for _, a := range e.args {
			f(a)
			f(operand{name: strings.TrimPrefix(a.name, "*")}) // "*x" marks what the call consumes
		}
	case *eWithAcc:
		for _, in := range e.inputs {
			all(in.shape)
			all(in.arrays)
			all(in.neutral)
		}
	case *eUpdateAcc:
		f(operand{name: e.acc})
		all(e.index)
		all(e.value)
	case *eSeg:
		for _, d := range e.space {
			f(d.bound)
		}
		for _, o := range e.ops {
			all(o.neutral)
			all(o.shape)
			all(o.hist)
			all(o.dests)
		}
	}
}

// bodiesOf calls f on the bodies of an expression, with what they bind first.
func bodiesOf(e exp, f func(ps []*param, x *body)) {
	lam := func(l *lambda) {
		if l != nil {
			f(l.params, l.body)
		}
	}
	switch e := e.(type) {
	case *eIf:
		f(nil, e.yes)
		f(nil, e.no)
	case *eMatch:
		for _, c := range e.cases {
			f(nil, c.body)
		}
		f(nil, e.dflt)
	case *eLoop:
		f(e.params, e.body)
	case *eWithAcc:
		for _, in := range e.inputs {
			lam(in.lam)
		}
		lam(e.lam)
	case *eGPU:
		f(nil, e.body)
	case *eSeg:
		f(nil, e.body)
		for _, o := range e.ops {
			lam(o.lam)
		}
		lam(e.post)
	}
}
