package opencl

import (
	"fmt"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/ir"
)

// Note [Atomics]
//
// There are three ways, and memc takes the first that fits:
//
//   1. An instruction of the device, for a simple operation on one 32-bit integer (and + on a
//      64-bit one).
//   2. A loop of compare-and-swap for one element of any type. An element of 8 or 16 bits lies in
//      an aligned 32-bit word, which is swapped as a whole. If the operation changes nothing,
//      nothing is swapped.
//   3. A lock, for several elements at once, and for 64 bits if the device has no 64-bit atomics. A
//      work-item never waits for another one while it holds a lock, or between taking and releasing
//      one; each turn of the loop does either all of the work or none. So it ends both where
//      work-items run one after another (PoCL) and where they run in lockstep (GPUs).
//
// NVIDIA's devices have an instruction that adds an f32 in global memory. It is many times as fast
// if work-items meet in one element, but it treats numbers below 2^-126 as 0. memc uses it for an x
// of at least 2^-101. An element below 2^-126 is then too small to change x. An element below
// 2^-102 leaves a sum above 2^-102. Any other element is a multiple of 2^-125, as x is, and so is
// the sum: it is 0, or at least 2^-125.
//
// The operator's body can fail: it then leaves the element unchanged, and releases the lock.

func (p *kprinter) atomic(s *imp.Atomic) {
	if len(s.Mems) > 1 {
		p.locked(s)
		return
	}
	if s.Prims[0].Size() < 8 {
		p.single(s)
		return
	}
	p.line("#ifdef cl_khr_int64_base_atomics")
	p.single(s)
	if s.Lock != "" {
		p.line("#else")
		p.locked(s)
	}
	p.line("#endif")
}

var instructions = map[string]string{"+": "add", "min": "min", "max": "max", "&": "and", "|": "or", "^": "xor"}

// single prints ways 1 and 2.
func (p *kprinter) single(s *imp.Atomic) {
	t := s.Prims[0]
	fn := instructions[s.Simple]
	switch {
	case fn != "" && (t == ir.I32 || t == ir.U32):
		p.line("atomic_%s((volatile %s %s *)%s + (%s), %s);", fn, p.space(s.Mems[0]), word(t), s.Mems[0], cindex(s.Offs[0]), CExp(s.Val))
	case s.Simple == "+" && (t == ir.I64 || t == ir.U64):
		p.line("atom_add((volatile %s ulong *)%s + (%s), (ulong)(%s));", p.space(s.Mems[0]), s.Mems[0], cindex(s.Offs[0]), CExp(s.Val))
	default:
		p.swap(s)
	}
}

func word(t ir.Prim) string {
	if t == ir.I32 {
		return "int"
	}
	return "uint"
}

// space is the address space of a block, or of an array in local memory.
func (p *kprinter) space(mem string) string {
	for _, l := range p.k.Locals {
		if l.Name == mem {
			return "__local"
		}
	}
	switch {
	case p.k.Near[mem]:
		return "__local"
	case p.k.Own[mem]:
		return "__private"
	}
	return "__global"
}

// swap prints a loop of compare-and-swap. The first one reads the word whole.
func (p *kprinter) swap(s *imp.Atomic) {
	t := s.Prims[0]
	w, cas := "uint", "atomic_cmpxchg"
	if t.Size() == 8 {
		w, cas = wordType(t), "atom_cmpxchg"
	}
	if t == ir.F32 && s.Simple == "+" && p.space(s.Mems[0]) == "__global" {
		p.line("#ifdef MEMC_ADD_F32")
		p.line("if (!memc_add_f32((volatile __global uint *)%s + (%s), %s))", s.Mems[0], cindex(s.Offs[0]), CExp(s.Val))
		p.line("#endif")
	}
	p.line("{")
	p.depth++
	p.line("long cell_at = %s;", cindex(s.Offs[0]))
	in := p.space(s.Mems[0])
	if t.Size() < 4 {
		per := 4 / t.Size()
		p.line("/* the word around the element, and where in it the element lies */")
		p.line("volatile %s uint *cell = (volatile %s uint *)%s + cell_at / %d;", in, in, s.Mems[0], per)
		p.line("uint shift = (uint)(cell_at %% %d) * %d;", per, t.Bits())
	} else {
		p.line("volatile %s %s *cell = (volatile %s %s *)%s + cell_at;", in, w, in, w, s.Mems[0])
	}
	p.line("%s seen = %s(cell, 0, 0), assumed;", w, cas)
	p.line("do {")
	p.depth++
	p.line("assumed = seen;")
	p.line("%s %s = %s;", CType(t), s.Old[0], fromWord(t, "assumed"))
	label := p.enter()
	p.list(s.Body)
	p.line("%s next = %s;", w, p.toWord(t, s.New[0]))
	p.line("if (next == assumed) break;")
	p.line("seen = %s(cell, assumed, next);", cas)
	p.depth--
	p.line("} while (seen != assumed);")
	p.depth--
	p.line("}")
	p.exit(label)
}

// fromWord returns the element out of the word that holds it.
func fromWord(t ir.Prim, w string) string {
	switch {
	case t == ir.F32 || t == ir.F64:
		return fmt.Sprintf("as_%s(%s)", CType(t), w)
	case t.Size() < 4:
		return fmt.Sprintf("(%s)(%s >> shift)", CType(t), w)
	}
	return fmt.Sprintf("(%s)%s", CType(t), w)
}

// toWord returns the word that holds a new element.
func (p *kprinter) toWord(t ir.Prim, e ir.Exp) string {
	switch t.Size() {
	case 1, 2:
		mask := fmt.Sprintf("%#xu", 1<<t.Bits()-1)
		return fmt.Sprintf("(assumed & ~(%s << shift)) | (((uint)(%s) & %s) << shift)", mask, CExp(e), mask)
	}
	return asWord(t, CExp(e))
}

// wordType is the type in which an element is read and written whole.
func wordType(t ir.Prim) string {
	switch t.Size() {
	case 4:
		return "uint"
	case 8:
		return "ulong"
	}
	return CType(t)
}

// asWord returns the bits of an element of 32 or 64 bits.
func asWord(t ir.Prim, text string) string {
	if t.Float() {
		return fmt.Sprintf("as_%s(%s)", wordType(t), text)
	}
	return fmt.Sprintf("(%s)(%s)", wordType(t), text)
}

// locked prints way 3. It reads and writes the elements by atomics or as volatile, past any cache
// that other work-items do not share. A fence after taking the lock and one before its release keep
// these accesses between the two.
func (p *kprinter) locked(s *imp.Atomic) {
	p.locks = true
	p.line("{")
	p.depth++
	in, locks := p.space(s.Lock), imp.Locks
	if in == "__local" {
		locks = imp.NearLocks
	}
	p.line("volatile %s int *lock = (volatile %s int *)%s + (%s) %% %d;", in, in, s.Lock, cindex(s.LockOff), locks)
	p.line("bool done = false;")
	p.line("while (!done) {")
	p.depth++
	p.line("if (atomic_cmpxchg(lock, 0, 1) == 0) {")
	p.depth++
	p.line("memc_fence();")
	for i, m := range s.Mems {
		t := CType(s.Prims[i])
		w := wordType(s.Prims[i])
		if s.Prims[i].Bits() < 32 {
			w = "memc_any_" + w
		}
		at := p.space(m)
		p.line("volatile %s %s *cell_%d = (volatile %s %s *)%s + (%s);", at, w, i, at, w, m, cindex(s.Offs[i]))
		if size := s.Prims[i].Bits(); size < 32 {
			p.line("%s %s = *cell_%d;", t, s.Old[i], i)
		} else {
			p.line("%s %s = %s;", t, s.Old[i], fromWord(s.Prims[i], fmt.Sprintf("memc_peek%d(cell_%d)", size, i)))
		}
	}
	label := p.enter()
	p.list(s.Body)
	for i, e := range s.New {
		p.line("%s new_%d = %s;", CType(s.Prims[i]), i, CExp(e))
	}
	for i := range s.New {
		if size := s.Prims[i].Bits(); size < 32 {
			p.line("*cell_%d = new_%d;", i, i)
		} else {
			p.line("memc_poke%d(cell_%d, %s);", size, i, asWord(s.Prims[i], fmt.Sprintf("new_%d", i)))
		}
	}
	p.exit(label)
	p.line("memc_fence();")
	p.line("done = true;")
	p.line("atomic_xchg(lock, 0);")
	p.depth--
	p.line("}")
	p.depth--
	p.line("}")
	p.depth--
	p.line("}")
}

// enter starts a region that a failing check leaves, and exit prints its label;
// it tells whether any does.
func (p *kprinter) enter() string {
	p.labels++
	label := fmt.Sprintf("leave_%d", p.labels)
	p.leave, p.left = append(p.leave, label), append(p.left, false)
	return label
}

func (p *kprinter) exit(label string) (left bool) {
	n := len(p.leave) - 1
	if left = p.left[n]; left {
		p.line("%s:;", label)
	}
	p.leave, p.left = p.leave[:n], p.left[:n]
	return left
}
