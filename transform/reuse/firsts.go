package reuse

import (
	"slices"

	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/ir"
)

// firsts are the blocks of the initial values of an outermost loop.
type firsts struct {
	begin map[string]int // how many parameters may begin in a block
	outer []string       // blocks from outside that the loop mentions otherwise
}

// beginners returns the array parameters of a loop that begin in the block by a name.
func (t *threads) beginners(op *ir.Loop, mem string) (out []ir.Param) {
	for _, p := range op.Params {
		if p.Elem.Type.Kind == ir.ArrayKind && t.blockOf(p.Init) == mem {
			out = append(out, p)
		}
	}
	return out
}

// leftFor returns the block that the loop before left for an initial value, if one parameter of the outermost loop needs
// the value and nothing else does; else "".
func (t *threads) leftFor(st *ir.Stmt, op *ir.Loop, init ir.Exp) string {
	mem := t.blockOf(init)
	if st != t.at || len(t.beginners(op, mem)) != 1 {
		return ""
	}
	return t.ends[mem]
}

// takes reports whether the initial value of parameter k of the outermost loop lies in a block that can be one of the pool:
// of its size, and not needed once the loop has begun. Of parameters that begin with one array, the last one takes the
// block. None does if one of these stays in the block, or is a guest: a guest's value lies there in the whole first
// iteration, and has no block in the account.
func (t *threads) takes(k int) bool {
	l, a := t.loop, t.aliases
	x, ok := l.op.Params[k].Init.(*ir.Ref)
	if !ok {
		return false
	}
	same := 0
	for j, q := range l.op.Params {
		if ir.IsRef(q.Init, x.Name) {
			if same++; j > k {
				return false
			}
		}
	}
	keeps := func(q ir.Param) bool {
		place := q.Elem.Type.Place
		return !place.Exist || t.kindOf(place.Mem) == guest
	}
	if slices.ContainsFunc(t.beginners(l.op, a.BlockOf(x.Name)), keeps) {
		return false
	}
	f := t.beginnings()
	reals, more := a.BlocksUpTo(a.BlockOf(x.Name), maxReals)
	return !more && len(reals) > 0 && !slices.ContainsFunc(reals, func(m string) bool {
		b, ok := l.table.Block(m)
		return !ok || t.reals[m] || f.begin[m] > same || !asLarge(l.table.Blocks[b], t.size) ||
			slices.ContainsFunc(f.outer, func(o string) bool { return a.MayBeOne(o, m) }) || !t.givesUp(m)
	})
}

// beginnings returns the blocks of the outermost loop's initial values.
func (p *pool) beginnings() *firsts {
	if p.firsts != nil {
		return p.firsts
	}
	l, a := p.loop, p.loop.table.Aliases
	p.firsts = &firsts{map[string]int{}, peak.OuterBlocks(a, l.op)}
	for _, q := range l.op.Params {
		if y, ok := q.Init.(*ir.Ref); ok {
			reals, more := a.BlocksUpTo(a.BlockOf(y.Name), maxReals)
			for _, m := range reals {
				if p.firsts.begin[m]++; more {
					p.firsts.begin[m]++
				}
			}
		}
	}
	return p.firsts
}

// givesUp reports whether the code outside of the loop permits that a block of an initial value gets other contents. The
// last values of the loop lie in different blocks, but for those of guests.
func (t *threads) givesUp(block string) bool {
	var params []int
	for k, q := range t.loop.op.Params {
		if q.Elem.Type.Kind == ir.ArrayKind && q.Elem.Type.Place.Exist && t.kindOf(q.Elem.Type.Place.Mem) != guest {
			params = append(params, k)
		}
	}
	for made := range t.reals {
		if !t.loop.replaces(params, block, made) {
			return false
		}
	}
	return true
}
