package places

import (
	"math/rand/v2"

	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// The oracle knows polynomials of its own, and sets of positions by enumeration.

var oracleNames = []string{"n", "m", "k", "i", "j", "b", "q"}

const numNames = 7

type env [numNames]int64

// A sum is a polynomial as the oracle evaluates it.
type sum []oterm

type oterm struct {
	c  int64
	vs []int
}

func (s sum) at(e *env) int64 {
	var out int64
	for _, p := range s {
		v := p.c
		for _, x := range p.vs {
			v *= e[x]
		}
		out += v
	}
	return out
}

func (s sum) sym() sym.Poly {
	out := sym.Poly{}
	for _, p := range s {
		v := sym.Const(p.c)
		for _, x := range p.vs {
			v = v.Mul(sym.Var(oracleNames[x]))
		}
		out = out.Add(v)
	}
	return out
}

func num(c int64) sum         { return sum{{c, nil}} }
func name(x int) sum          { return sum{{1, []int{x}}} }
func (s sum) plus(t sum) sum  { return append(append(sum{}, s...), t...) }
func (s sum) minus(t sum) sum { return s.plus(t.times(num(-1))) }
func (s sum) times(t sum) sum {
	var out sum
	for _, p := range s {
		for _, q := range t {
			out = append(out, oterm{p.c * q.c, append(append([]int{}, p.vs...), q.vs...)})
		}
	}
	return out
}

type odim struct{ len, stride sum }

type olmad struct {
	off  sum
	dims []odim
}

func (l olmad) fun() lmad.Fun {
	out := lmad.LMAD{Offset: l.off.sym()}
	for _, d := range l.dims {
		out.Dims = append(out.Dims, lmad.Dim{Len: d.len.sym(), Stride: d.stride.sym()})
	}
	return lmad.Of(out)
}

// A relation is something that holds in an instance.
type relation struct {
	op   string // "<", "<=", "==", "!="
	a, b sum
}

func (r relation) holds(e *env) bool {
	a, b := r.a.at(e), r.b.at(e)
	switch r.op {
	case "<":
		return a < b
	case "<=":
		return a <= b
	case "==":
		return a == b
	}
	return a != b
}

// A board counts which positions were stamped with which number.
const boardSize = 1 << 14

type board struct {
	stamp [boardSize]uint64
	now   uint64
}

// positions calls f with all positions, in bytes, of an instance; it gives
// false where there are too many, or one is off the board.
func (l olmad) positions(e *env, elem int64, f func(int64)) (count int, ok bool) {
	n := len(l.dims)
	var lens, strides, ix [8]int64
	total := int64(1)
	for k, d := range l.dims {
		lens[k], strides[k] = d.len.at(e), d.stride.at(e)
		if lens[k] <= 0 {
			return 0, true
		}
		if total *= lens[k]; total > 1500 {
			return 0, false
		}
	}
	pos := l.off.at(e)
	for {
		p := pos*elem + boardSize/2
		if p < 0 || p+elem > boardSize {
			return 0, false
		}
		for b := range elem {
			f(p + b)
		}
		k := n - 1
		for ; k >= 0; k-- {
			ix[k]++
			pos += strides[k]
			if ix[k] < lens[k] {
				break
			}
			pos -= ix[k] * strides[k]
			ix[k] = 0
		}
		if k < 0 {
			return int(total), true
		}
	}
}

// A maker makes random questions.
type maker struct{ *rand.Rand }

func (r maker) pick(xs ...int) int { return xs[r.IntN(len(xs))] }

// indices of oracleNames
const (
	vn = iota
	vm
	vk
	vi
	vj
	vb
	vq
)

// relations returns a consistent looking set; n, m, k, b, q are sizes.
func (r maker) relations() []relation {
	var out []relation
	add := func(op string, a, b sum) { out = append(out, relation{op, a, b}) }
	for _, v := range []int{vn, vm, vk, vb, vq} {
		if r.IntN(8) > 0 {
			add("<=", num(int64(r.IntN(2))), name(v))
		}
	}
	for _, v := range []int{vi, vj} {
		if r.IntN(5) > 0 {
			add("<=", num(0), name(v))
			add("<", name(v), name(r.pick(vn, vn, vm, vq)))
		}
	}
	switch r.IntN(6) {
	case 0, 1:
		add("!=", name(vi), name(vj))
	case 2, 3:
		add("<", name(vi), name(vj))
	case 4:
		add("<=", name(vi), name(vj))
	}
	switch r.IntN(6) {
	case 0:
		add("==", name(vn), name(vq).times(name(vb)))
	case 1:
		add("==", name(vn), name(vq).times(name(vb)).plus(num(1)))
	case 2:
		add("==", name(vm), name(vn))
	case 3:
		add("<=", name(vq).times(name(vb)), name(vn))
	}
	if r.IntN(3) == 0 {
		add("<=", name(r.pick(vk, vb, vi)), name(r.pick(vn, vm)))
	}
	return out
}

func (r maker) length() sum {
	switch r.IntN(12) {
	case 0:
		return num(int64(1 + r.IntN(4)))
	case 1:
		return name(vn).minus(name(r.pick(vk, vi)))
	case 2:
		return name(vi)
	case 3:
		return name(r.pick(vi, vj, vb)).plus(num(1))
	case 4:
		return name(vq).times(name(vb))
	case 5:
		return name(vn).minus(name(r.pick(vi, vj))).minus(num(1))
	}
	return name(r.pick(vn, vm, vk, vb, vq))
}

func (r maker) stride() sum {
	switch r.IntN(12) {
	case 0, 1, 2:
		return num(1)
	case 3:
		return num(int64(r.IntN(6)))
	case 4:
		return num(int64(-1 - r.IntN(2)))
	case 5:
		return name(vn).times(name(r.pick(vm, vb)))
	case 6:
		return name(vn).times(name(vb)).minus(name(vb))
	case 7:
		return name(vn).plus(num(1))
	}
	return name(r.pick(vn, vn, vm, vb))
}

func (r maker) offset() sum {
	var out sum
	for range r.IntN(4) {
		switch r.IntN(5) {
		case 0:
			out = out.plus(num(int64(r.IntN(5))))
		case 1:
			out = out.plus(name(r.pick(vi, vj, vk, vn)))
		case 2:
			out = out.plus(name(r.pick(vi, vj)).times(name(r.pick(vn, vm, vb))))
		case 3:
			out = out.plus(name(r.pick(vi, vj, vk)).times(name(vn)).times(name(r.pick(vm, vb))))
		case 4:
			out = out.plus(name(vn))
		}
	}
	return out
}

func (r maker) lmad() olmad {
	l := olmad{off: r.offset()}
	// Mostly structured: rows and columns of something row-major.
	s := num(1)
	structured := r.IntN(3) > 0
	for range r.IntN(4) {
		d := odim{r.length(), r.stride()}
		if structured {
			d.stride = s
			if r.IntN(2) == 0 {
				d.len = name(r.pick(vn, vm, vb))
			}
			s = s.times(d.len)
			if r.IntN(3) == 0 {
				s = name(r.pick(vn, vm))
			}
		}
		l.dims = append([]odim{d}, l.dims...)
	}
	return l
}

// relative returns an LMAD that has to do with l: the same for another index, a
// part of it, what follows it.
func (r maker) relative(l olmad) olmad {
	out := olmad{off: l.off, dims: append([]odim{}, l.dims...)}
	swap := func(s sum) sum {
		var t sum
		for _, p := range s {
			vs := append([]int{}, p.vs...)
			for k, v := range vs {
				if v == vi {
					vs[k] = vj
				}
			}
			t = append(t, oterm{p.c, vs})
		}
		return t
	}
	if r.IntN(2) == 0 {
		out.off = swap(out.off)
		for k, d := range out.dims {
			out.dims[k] = odim{swap(d.len), swap(d.stride)}
		}
	}
	for range r.IntN(3) {
		if len(out.dims) == 0 {
			out.off = out.off.plus(num(int64(r.IntN(3))))
			continue
		}
		k := r.IntN(len(out.dims))
		d := out.dims[k]
		switch r.IntN(6) {
		case 0: // the part after a start
			at := name(r.pick(vk, vi, vb))
			out.off = out.off.plus(at.times(d.stride))
			out.dims[k].len = d.len.minus(at)
		case 1: // the part before
			out.dims[k].len = name(r.pick(vk, vi))
		case 2: // what follows
			out.off = out.off.plus(d.len.times(d.stride))
		case 3: // one of it
			out.off = out.off.plus(name(r.pick(vi, vj)).times(d.stride))
			out.dims = append(out.dims[:k], out.dims[k+1:]...)
		case 4: // backwards
			out.off = out.off.plus(d.len.minus(num(1)).times(d.stride))
			out.dims[k].stride = d.stride.times(num(-1))
		case 5:
			out.off = out.off.plus(num(int64(r.IntN(3))))
		}
	}
	return out
}

func (r relation) String() string { return r.a.sym().String() + r.op + r.b.sym().String() }

func (l olmad) String() string {
	s := l.off.sym().String() + ";"
	for _, d := range l.dims {
		s += " " + d.len.sym().String() + " : " + d.stride.sym().String() + ","
	}
	return s
}
