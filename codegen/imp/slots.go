package imp

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Slots]
//
// A kernel leaves a scalar result, such as a sum, in a slot: 8 bytes of a small block that a
// program keeps for its whole life, after the words in which kernels report faults (FaultBytes).
// Every statement with such a result has slots of its own, so only this statement writes them, when
// it runs again.
//
// When the host fetches slots it must wait for the device. So
//
//   1. kernels read the slots, and compute values that the host would otherwise compute from them
//      (sink);
//   2. if the host uses a value itself, it fetches it at the first use, together with all other
//      values that wait to be fetched then, and with the words of faults, in one read (delay).
//
// This needs only that the queue runs its commands in order: the kernel that writes a slot again is
// enqueued after those that read it.

// FaultBytes is the offset of the slots in their block: the words of a fault lie before them.
const FaultBytes = 64

// slotBytes is the size of a slot, which has room for any scalar.
const slotBytes = 8

// slot makes a slot for a scalar result of a kernel.
func (b *block) slot(name string, t ir.Prim) *array {
	f := b.f
	if f.slots == "" {
		f.slots = b.declareMem(f.temp("slots"))
		f.own[f.slots] = true
	}
	at := FaultBytes + slotBytes*int64(f.l.out.Slots)
	f.l.out.Slots++
	place := lmad.Of(lmad.LMAD{Offset: sym.Const(at / t.Size())})
	return &array{name: name, prim: t, mem: f.slots, fun: place}
}

// withSlots binds the block of slots around the body of a function that has some, sinks
// scalars that only kernels use, and delays the host's fetches.
func (f *fn) withSlots(body []Stmt) []Stmt {
	if f.slots == "" {
		return body
	}
	s := newSinking(f)
	s.body(body)
	body = append([]Stmt{&Slots{Mem: f.slots}}, s.sink(body)...)
	return append(f.delay(body), &Free{Mem: f.slots})
}

// delay moves fetches of slots down to the first uses of their values.
func (f *fn) delay(list []Stmt) []Stmt {
	var out []Stmt
	var waiting []*Load
	waits := map[string]bool{} // for their values
	flush := func(behind ...*Load) {
		if all := append(waiting, behind...); len(all) > 0 {
			out = append(out, &Fetch{Loads: all})
		}
		waiting = nil
		clear(waits)
	}
	for _, s := range list {
		for _, in := range lists(s) {
			*in = f.delay(*in)
		}
		if fetch, ok := s.(*Fetch); ok && fetch.Loads[0].Mem == f.slots {
			waiting = append(waiting, fetch.Loads...)
			for _, l := range fetch.Loads {
				waits[l.Dst] = true
			}
			continue
		}
		used := false
		uses([]Stmt{s}, func(r *ir.Ref) { used = used || waits[r.Name] }, nil)
		if fetch, ok := s.(*Fetch); ok && !used {
			flush(fetch.Loads...)
			continue
		}
		if used {
			flush()
		}
		out = append(out, s)
	}
	flush()
	return out
}
