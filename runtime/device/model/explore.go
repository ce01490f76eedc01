package model

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"strings"
)

// A store is a word on its way to memory.
type store struct {
	word  uint64
	value uint32
}

// A block is one that a work-item has received.
type block struct {
	off, bytes uint64
	fill       uint32
	item       int
}

// A state is everything at one moment.
type state struct {
	mem    []uint32
	at     []*point
	buffer [][]store
	blocks []block
}

func (s *state) clone() *state {
	c := &state{mem: append([]uint32(nil), s.mem...), at: append([]*point(nil), s.at...), blocks: append([]block(nil), s.blocks...)}
	c.buffer = make([][]store, len(s.buffer))
	for i, b := range s.buffer {
		c.buffer[i] = append([]store(nil), b...)
	}
	return c
}

// A Violation is an error, and the steps that led to it.
type Violation struct {
	What  string
	Trace []string
}

func (v *Violation) Error() string {
	return v.What + "\n  " + strings.Join(v.Trace, "\n  ")
}

// Result counts the explored states.
type Result struct {
	States, Finals int
	Longest        int // steps of all work-items together
}

type explorer struct {
	trees  []*tree
	first  []uint32 // memory at the start
	final  func(mem []uint32, live []block) error
	seen   map[[2]uint64]bool // true: on the way to the present state
	seeds  [2]maphash.Seed
	path   []string
	result Result
	limit  int
	strong bool // stores reach memory at once, in order
}

func (e *explorer) key(s *state) [2]uint64 {
	var b []byte
	for i, v := range s.mem {
		if v != e.first[i] {
			b = binary.LittleEndian.AppendUint32(b, uint32(i))
			b = binary.LittleEndian.AppendUint32(b, v)
		}
	}
	for i, p := range s.at {
		b = append(b, 0xff)
		b = binary.LittleEndian.AppendUint32(b, uint32(p.id))
		for _, w := range s.buffer[i] {
			b = binary.LittleEndian.AppendUint64(b, w.word)
			b = binary.LittleEndian.AppendUint32(b, w.value)
		}
	}
	return [2]uint64{maphash.Bytes(e.seeds[0], b), maphash.Bytes(e.seeds[1], b)}
}

// explore visits everything reachable from s.
func (e *explorer) explore(s *state) *Violation {
	mark := len(e.path)
	defer func() { e.path = e.path[:mark] }()
	if what := e.settle(s); what != "" {
		return e.violation(what)
	}
	k := e.key(s)
	if open, ok := e.seen[k]; ok {
		if open {
			return e.violation("an endless walk: the same state comes again")
		}
		return nil
	}
	if len(e.seen) >= e.limit {
		return e.violation(fmt.Sprintf("more than %d states: make the model smaller", e.limit))
	}
	e.seen[k] = true
	defer func() { e.seen[k] = false }()
	e.result.States++
	e.result.Longest = max(e.result.Longest, len(e.path))
	over := true
	for i := range s.at {
		for j := range s.buffer[i] {
			over = false
			if v := e.flush(s, i, j); v != nil {
				return v
			}
		}
		if op := s.at[i].next; op != nil && (op.name != "memc_fence" || len(s.buffer[i]) == 0) {
			over = false
			if v := e.step(s, i, *op); v != nil {
				return v
			}
		}
	}
	if over {
		e.result.Finals++
		if err := e.final(s.mem, s.blocks); err != nil {
			return e.violation(err.Error())
		}
	}
	return nil
}

// settle does the operations that no other work-item can see: stores into the own buffer, and
// fences that find it empty.
func (e *explorer) settle(s *state) string {
	for i := range s.at {
		for {
			p := s.at[i]
			if p.next == nil {
				break
			}
			local := p.next.name == "memc_fence" && len(s.buffer[i]) == 0
			switch p.next.name {
			case "endless":
				return fmt.Sprintf("work-item %d loops without end", i)
			case "memc_store":
				if e.strong {
					break
				}
				local = true
				put(&s.buffer[i], store{p.next.args[0], uint32(p.next.args[1])})
			case "model_check":
				local = true
				if p.next.args[0] == 0 {
					return fmt.Sprintf("work-item %d, line %d: check %d fails", i, p.next.line, p.next.args[1])
				}
			}
			if !local {
				break
			}
			e.log(i, *p.next, 0)
			s.at[i] = e.trees[i].after(p, 0)
		}
	}
	return ""
}

// put enters a store; an older one of the same word is gone, as if it had been
// overwritten in memory.
func put(b *[]store, w store) {
	for k := range *b {
		if (*b)[k].word == w.word {
			(*b)[k] = w
			return
		}
	}
	*b = append(*b, w)
}

func (e *explorer) flush(s *state, i, j int) *Violation {
	c := s.clone()
	w := c.buffer[i][j]
	c.buffer[i] = append(c.buffer[i][:j], c.buffer[i][j+1:]...)
	e.path = append(e.path, fmt.Sprintf("work-item %d: its store of %#x to word %d arrives", i, w.value, w.word))
	what := write(c, i, w.word, w.value)
	if what != "" {
		return e.violation(what)
	}
	v := e.explore(c)
	e.path = e.path[:len(e.path)-1]
	return v
}

// step does the operation that work-item i is about to do.
func (e *explorer) step(s *state, i int, op operation) *Violation {
	c := s.clone()
	v, what := apply(c, i, op)
	mark := len(e.path)
	e.log(i, op, v)
	if what != "" {
		return e.violation(what)
	}
	c.at[i] = e.trees[i].after(c.at[i], v)
	r := e.explore(c)
	e.path = e.path[:mark]
	return r
}

func (e *explorer) log(i int, op operation, v uint64) {
	e.path = append(e.path, fmt.Sprintf("work-item %d, line %d: %s%v = %#x", i, op.line, op.name, op.args, v))
}

func (e *explorer) violation(what string) *Violation {
	return &Violation{what, append([]string(nil), e.path...)}
}

// write stores a word. It returns an error if the work-item must not write there.
func write(s *state, i int, word uint64, v uint32) string {
	if word >= uint64(len(s.mem)) {
		return fmt.Sprintf("work-item %d writes word %d, outside the heap", i, word)
	}
	for _, b := range s.blocks {
		if word*4 >= b.off && word*4 < b.off+b.bytes && s.mem[word] != v {
			return fmt.Sprintf("work-item %d writes %#x to word %d, in a live block of work-item %d", i, v, word, b.item)
		}
	}
	s.mem[word] = v
	return ""
}

// apply does an operation on the state, and gives its result.
func apply(s *state, i int, op operation) (uint64, string) {
	switch op.name {
	case "model_own":
		return 0, own(s, i, op)
	case "model_disown":
		return 0, disown(s, i, op)
	case "memc_fence", "model_check":
		return 0, ""
	}
	word := op.args[0]
	if word >= uint64(len(s.mem)) {
		return 0, fmt.Sprintf("work-item %d reads word %d, outside the heap", i, word)
	}
	if op.name == "memc_load" {
		for _, w := range s.buffer[i] {
			if w.word == word {
				return uint64(w.value), ""
			}
		}
		return uint64(s.mem[word]), ""
	}
	// An atomic: the own store to that very word comes before it.
	for j, w := range s.buffer[i] {
		if w.word == word {
			s.buffer[i] = append(s.buffer[i][:j], s.buffer[i][j+1:]...)
			if what := write(s, i, word, w.value); what != "" {
				return 0, what
			}
			break
		}
	}
	old, a := s.mem[word], uint32(op.args[1])
	v := old
	switch op.name {
	case "memc_and":
		v &= a
	case "memc_or":
		v |= a
	case "memc_xor":
		v ^= a
	case "memc_add":
		v += a
	case "memc_sub":
		v -= a
	case "memc_cas":
		if old == a {
			v = uint32(op.args[2])
		}
	case "memc_store":
		v = a
	}
	return uint64(old), write(s, i, word, v)
}

// own returns a block to a work-item, which fills it.
func own(s *state, i int, op operation) string {
	b := block{op.args[0], op.args[1], uint32(op.args[2]), i}
	if b.off%16 != 0 || b.off == 0 || b.off+b.bytes > uint64(len(s.mem))*4 {
		return fmt.Sprintf("work-item %d is given a block at %d", i, b.off)
	}
	for _, o := range s.blocks {
		if b.off < o.off+o.bytes && o.off < b.off+b.bytes {
			return fmt.Sprintf("overlap: work-item %d has [%d,%d), work-item %d is given [%d,%d)", o.item, o.off, o.off+o.bytes, i, b.off, b.off+b.bytes)
		}
	}
	for w := b.off / 4; w < (b.off+b.bytes)/4; w++ {
		s.mem[w] = b.fill
	}
	s.blocks = append(s.blocks, b)
	return ""
}

func disown(s *state, i int, op operation) string {
	for k, b := range s.blocks {
		if b.off != op.args[0] {
			continue
		}
		for w := b.off / 4; w < (b.off+b.bytes)/4; w++ {
			if s.mem[w] != b.fill {
				return fmt.Sprintf("the block of work-item %d at %d is damaged", i, b.off)
			}
		}
		s.blocks = append(s.blocks[:k:k], s.blocks[k+1:]...)
		return ""
	}
	return fmt.Sprintf("work-item %d frees %d, which is no block", i, op.args[0])
}
