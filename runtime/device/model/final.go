package model

import (
	"fmt"
	"math/bits"
)

// Words of a heap's header, as in memc_layout.h.
const (
	wEnd, wFirst, wPages, wPage0 = 2, 3, 5, 6
	wErrors                      = 10
	wHint0, hintStride           = 64, 8
	runClass, movingClass        = 254, 255
)

// final checks a heap in which all work-items are done: the chunks follow each
// other from the first unit to the end, every unit belongs to one of them, and those
// that are used are the live blocks.
func (m Model) final(mem []uint32, live []block) error {
	if m.Allocator.Header == 0 {
		return nil
	}
	if n := mem[wErrors]; n != 0 {
		return fmt.Errorf("%d wrong frees are counted, and there was none", n)
	}
	stateOf := func(u uint32) uint32 { return mem[m.mapWord(u)] >> (u & 15 * 2) & 3 }
	starts := 0
	for u := uint32(0); u <= mem[wEnd]; u += 16 {
		starts += bits.OnesCount32(mem[m.mapWord(u)])
	}
	used, prev := 0, uint32(0)
	u := mem[wFirst]
	for u != mem[wEnd] {
		starts--
		next := mem[u*4+3]
		class := m.pageClass(mem, u)
		switch st := stateOf(u); {
		case class == runClass:
			next = u + m.page()*mem[m.stateWord(u/m.page()+1)-1]
			used++
			if st != 2 {
				return fmt.Errorf("the block of pages at unit %d has state %d", u, st)
			}
		case class != 0:
			next = u + m.page()
			if st != 2 {
				return fmt.Errorf("the page at unit %d has state %d", u, st)
			}
			used += int(mem[m.stateWord(u/m.page())] & 0xffffff)
		case st == 2:
			used++
		case st != 1:
			return fmt.Errorf("lost memory: the chunk at unit %d has state %d", u, st)
		}
		if m.Allocator.Name == "cf" || m.Allocator.Name == "cfm" {
			if (next>>31 != 0) != (stateOf(u) == 2) {
				return fmt.Errorf("the flag of the chunk at unit %d is wrong", u)
			}
			next &= 1<<31 - 1
		}
		if m.Allocator.Name == "d" && mem[u*4+2] != prev {
			return fmt.Errorf("the chunk at unit %d has %d before it, and says %d", u, prev, mem[u*4+2])
		}
		if next <= u || next > mem[wEnd] {
			return fmt.Errorf("broken list: from unit %d to unit %d", u, next)
		}
		prev, u = u, next
	}
	if m.Allocator.Name == "d" && mem[u*4+2] != prev {
		return fmt.Errorf("the end has %d before it, and says %d", prev, mem[u*4+2])
	}
	if starts != 1 {
		return fmt.Errorf("%d chunks are not in the list", starts-1)
	}
	if used != len(live) {
		return fmt.Errorf("lost memory: %d blocks are live, %d are used in the heap", len(live), used)
	}
	return m.finalPages(mem)
}

// finalPages checks that the pages' counts are those of their bits.
func (m Model) finalPages(mem []uint32) error {
	if m.Allocator.Name != "slab" {
		return nil
	}
	for p := mem[wPage0]; p < mem[wPage0]+mem[wPages]; p++ {
		n := 0
		for w := range m.slotWords() {
			n += bits.OnesCount32(mem[m.stateWord(p)+1+w])
		}
		st := mem[m.stateWord(p)]
		class := st >> 24
		if uint32(n) != st&0xffffff || class == movingClass || n > 0 && (class == 0 || class == runClass) {
			return fmt.Errorf("page %d has state %#x and %d slots in use", p, st, n)
		}
	}
	return nil
}

// base is the word of the state map, and slab's of its table.
func (m Model) base() uint32 { return uint32(wHint0 + max(1, m.Hints)*hintStride) }

// mapWord is the word of the state map that tells of unit u; a grain is a unit.
func (m Model) mapWord(u uint32) uint32 {
	if m.Allocator.Name != "slab" {
		return m.base() + u>>4
	}
	return m.stateWord(u/m.page()) + 1 + m.slotWords() + u%m.page()/16
}

func (m Model) slotWords() uint32 { return (m.page() + 31) / 32 }

func (m Model) stateWord(page uint32) uint32 {
	return m.base() + page*(2+m.slotWords()+(m.page()+15)/16)
}

// page is MEMC_PAGE, as the defines of the model have it.
func (m Model) page() uint32 {
	n := uint32(4096)
	for _, d := range m.Defines {
		fmt.Sscanf(d, "MEMC_PAGE %d", &n)
	}
	return n
}

func (m Model) pageClass(mem []uint32, u uint32) uint32 {
	if m.Allocator.Name != "slab" || u%m.page() != 0 || u/m.page() < mem[wPage0] {
		return 0
	}
	return mem[m.stateWord(u/m.page())] >> 24
}
