package model

import "encoding/binary"

// shared lists the operations that other work-items can see, with their number
// of arguments. The model's own: model_own(off, bytes, word) tells that the
// work-item has a block, and fills it; model_disown(off, bytes) that it is about to
// free it; model_check(cond, what) fails where cond is 0.
var shared = map[string]int{
	"memc_load": 2, "memc_store": 3, "memc_and": 3, "memc_or": 3, "memc_xor": 3, "memc_add": 3, "memc_sub": 3,
	"memc_cas": 4, "memc_fence": 0, "model_own": 3, "model_disown": 2, "model_check": 2,
}

// An operation is a shared operation that a work-item is about to do.
type operation struct {
	name string
	line int
	args []uint64 // the heap left out
}

// A run is one execution of a work-item's function, from its beginning: what
// its shared operations return is taken from past, and where that ends it stops.
type run struct {
	number int
	fixed  func(word uint64) (uint64, bool) // words that never change
	direct func(operation) uint64           // if not nil, does all at once
	past   []uint64
	pos    int
	ticks  int
	stack  []*frame
}

// A stop ends a run; it is the value of a panic.
type stop struct{ op operation }

// endless ends a run that loops without a shared operation.
type endless struct{}

const maxTicks = 1 << 20

func (r *run) tick() {
	if r.ticks++; r.ticks > maxTicks {
		panic(endless{})
	}
}

func (r *run) shared(name string, line int, args []uint64) uint64 {
	if len(args) > 0 && name[:5] == "memc_" {
		args = args[1:]
	}
	op := operation{name, line, args}
	if r.direct != nil {
		return r.direct(op)
	}
	if name == "memc_load" {
		if v, ok := r.fixed(args[0]); ok {
			return v
		}
	}
	if r.pos == len(r.past) {
		panic(stop{op})
	}
	r.pos++
	return r.past[r.pos-1]
}

// A point is where a work-item is: next is what it does then, nil where it is
// done. Histories that lead to the same statements, variables and values within
// the statement are one point; past is one of them.
type point struct {
	id   int
	past []uint64
	next *operation
	then map[uint64]*point
}

// A tree holds the points of one work-item.
type tree struct {
	body   *routine
	number int
	fixed  func(uint64) (uint64, bool)
	points map[string]*point
	root   *point
}

func newTree(body *routine, number int, fixed func(uint64) (uint64, bool)) *tree {
	t := &tree{body: body, number: number, fixed: fixed, points: map[string]*point{}}
	t.root = t.at(nil)
	return t
}

// after is the point behind p when its operation returns v.
func (t *tree) after(p *point, v uint64) *point {
	q := p.then[v]
	if q == nil {
		q = t.at(append(append([]uint64(nil), p.past...), v))
		p.then[v] = q
	}
	return q
}

func (t *tree) at(past []uint64) *point {
	p := &point{past: past, then: map[uint64]*point{}}
	r := &run{number: t.number, fixed: t.fixed, past: past}
	func() {
		defer func() {
			switch e := recover().(type) {
			case nil:
			case stop:
				p.next = &e.op
			case endless:
				p.next = &operation{name: "endless"}
			default:
				panic(e)
			}
		}()
		t.body.call(r, []uint64{0})
	}()
	var key []byte
	if p.next != nil {
		for _, f := range r.stack {
			key = binary.LittleEndian.AppendUint64(key, uint64(f.site))
			key = binary.LittleEndian.AppendUint64(key, f.temp)
			for _, v := range f.slots {
				key = binary.LittleEndian.AppendUint64(key, v)
			}
		}
		for _, v := range append([]uint64{uint64(p.next.line)}, p.next.args...) {
			key = binary.LittleEndian.AppendUint64(key, v)
		}
		key = append(key, p.next.name...)
	}
	if q := t.points[string(key)]; q != nil {
		return q
	}
	p.id = len(t.points)
	t.points[string(key)] = p
	return p
}
