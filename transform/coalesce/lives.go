package coalesce

import (
	"cmp"
	"math"
	"slices"
	"strings"

	peaks "github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// A life is from where to where a block is held under its own name, or an
// existential name holds one, both points included; it is over where from > now.
// A block is held from the first statement that mentions it: `lower` will allocate
// it there.
type life struct {
	block     string
	body      *ir.Body // of the alloc, or that binds the name
	from, now int      // as things are
	was, low  int      // when the round began
	size      sym.Poly
	class     int      // lives of one size are of one class
	unknown   bool     // the size: what a callee holds, or one of several
	called    bool     // by a callee while it runs, or by threads
	arrays    []string // those that lay there at any time of the round
	left      int      // how many do now
	// Of an existential name, the blocks that it may hold, and those of them of which
	// it may hold an instance that an earlier iteration made.
	holder bool
	of     []*life
	older  map[*life]bool
	free   bool    // or one that the caller keeps, which costs nothing
	by     []*life // the holders of a block
}

func (l *life) own(p int) bool   { return l.from <= p && p <= l.now }
func (l *life) began(p int) bool { return l.was <= p && p <= l.low }

// A ledger holds the lives of a function's blocks.
type ledger struct {
	all          map[string]*life
	begins, ends []*life // by from, by now
	began, ended []*life // by was, by low
	mentions     map[string]mention
	places       map[string]string // arrays to the blocks that they lie in
	grown        []*life           // that begin earlier than when the round began, by from
	longer       []*life           // that end later
	reach        int               // how much earlier at most
	classes      map[string]int
	sizes        []sym.Poly
	unknownSizes []bool
}

// lives finds what holds blocks, and from where to where.
func (s *state) lives() {
	h := &ledger{all: map[string]*life{}, mentions: map[string]mention{}, places: map[string]string{}, classes: map[string]int{}}
	s.held = h
	s.mentioned(s.f.Body)
	t := peaks.Spans(s.f, s.al, s.lv, s.ac)
	byNumber := make([]*life, len(t.Blocks))
	for k, b := range t.Blocks {
		if b.Kept {
			continue // held whatever is done
		}
		l := &life{block: b.Name, body: b.Body, from: b.First, now: b.Last, size: b.Size, called: strings.Contains(b.Name, "(")}
		l.unknown = slices.ContainsFunc(b.Size.Names(), func(n string) bool { return strings.Contains(n, "(") }) // what a callee or threads hold
		if b.Kind == peaks.Given {
			l.body, l.unknown = s.f.Body, !s.fills(b.Param)
		}
		if b.Handed > 0 {
			l.now = b.Handed - 1
		}
		byNumber[k] = l
		h.add(s, l)
	}
	for k := range t.Holders {
		e := &t.Holders[k]
		l := &life{block: e.Name, body: s.f.Body, from: e.Span.From, now: e.Span.To, holder: true, older: map[*life]bool{}, unknown: e.Many}
		if d := s.defs[e.Name]; d != nil {
			l.body = d.scope.Body
		}
		for _, b := range e.Blocks {
			if c := byNumber[b]; c != nil {
				l.of = append(l.of, c)
				l.older[c] = slices.Contains(e.Older, b)
				c.by = append(c.by, l)
				l.unknown = l.unknown || !c.size.Equal(l.of[0].size)
			} else {
				l.free = true
			}
		}
		if len(l.of) > 0 {
			l.size, l.unknown = l.of[0].size, l.unknown || l.of[0].unknown
		}
		if len(l.of) > 0 || e.Many {
			h.add(s, l)
		}
	}
	s.inKernels(s.f.Body, false)
	slices.SortFunc(h.began, byFrom)
	slices.SortFunc(h.ended, byNow)
	h.begins, h.ends = slices.Clone(h.began), slices.Clone(h.ended)
}

func byFrom(a, b *life) int {
	return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.block, b.block))
}
func byNow(a, b *life) int {
	return cmp.Or(cmp.Compare(a.now, b.now), cmp.Compare(a.block, b.block))
}

// inKernels finds the lives of blocks that threads allocate. Where such a block has
// several names, how much is held is not known.
func (s *state) inKernels(b *ir.Body, kernel bool) {
	for _, st := range b.Stmts {
		if op, ok := st.Op.(*ir.Alloc); ok && kernel {
			l := &life{block: st.Pat[0].Name, body: b, size: s.closed(sym.Of(op.Size))}
			names := append([]string{l.block}, s.standFor[l.block]...)
			arrays := []string{}
			for _, n := range names {
				arrays = append(arrays, s.inBlock[n]...)
			}
			l.from, l.now = s.span(l, arrays)
			if l.unknown = len(names) > 1 || s.values[l.block]; l.unknown {
				l.from, _ = s.span(l, s.inBlock[l.block]) // other names come later
				l.now = s.lv.Body(b).To
			}
			s.held.add(s, l)
		}
		_, space := ir.KernelSpace(st.Op)
		for _, in := range ir.Bodies(st.Op) {
			s.inKernels(in, kernel || space)
		}
	}
}

// add notes a life.
func (h *ledger) add(s *state, l *life) {
	l.was, l.low = l.from, l.now
	l.arrays = slices.Clone(s.inBlock[l.block])
	l.left = len(l.arrays)
	for _, x := range l.arrays {
		h.places[x] = l.block
	}
	key := l.size.String()
	if l.unknown {
		key = "?" + l.block
		l.size = sym.Var(key)
	}
	class, met := h.classes[key]
	if !met {
		class = len(h.sizes)
		h.classes[key] = class
		h.sizes = append(h.sizes, l.size)
		h.unknownSizes = append(h.unknownSizes, l.unknown)
	}
	l.class = class
	h.all[l.block] = l
	h.began, h.ended = append(h.began, l), append(h.ended, l)
}

// fills tells whether the block of a parameter is as large as the parameter, as far
// as this function can tell.
func (s *state) fills(param int) bool { return s.place(s.f.Params[param].Name).IsRowMajor() }

// moved notes what a move changes about the lives of blocks.
func (s *state) moved(m *move, from []string) {
	h := s.held
	dst := h.all[m.block]
	if dst != nil {
		first, last := s.needs(m, dst)
		for _, x := range m.members {
			if h.places[x.name] != m.block {
				h.places[x.name] = m.block
				dst.arrays = append(dst.arrays, x.name)
				dst.left++
			}
		}
		h.change(dst, min(dst.from, first), max(dst.now, last))
	}
	for _, b := range from {
		l := h.all[b]
		if l == nil || b == m.block {
			continue
		}
		rest := slices.DeleteFunc(slices.Clone(l.arrays), func(x string) bool { return s.block(x) != b })
		l.left = len(rest)
		switch {
		case s.values[b]:
		case len(rest) == 0:
			h.change(l, endless, -1)
		default:
			first, last := s.span(l, rest)
			h.change(l, max(l.from, first), min(l.now, last))
		}
		for _, e := range l.by { // what held the block may hold the destination's now
			if dst != nil && !dst.holder && !slices.Contains(e.of, dst) {
				e.of = append(e.of, dst)
				dst.by = append(dst.by, e)
				if e.class != dst.class && !e.unknown {
					e.unknown = true
					e.class = len(h.sizes)
					e.size = sym.Var("?" + e.block)
					h.sizes, h.unknownSizes = append(h.sizes, e.size), append(h.unknownSizes, true)
				}
			}
		}
	}
}

// change gives a life other ends.
func (h *ledger) change(l *life, from, now int) {
	if from == l.from && now == l.now {
		return
	}
	h.begins, h.ends, h.grown = drop(h.begins, l, byFrom), drop(h.ends, l, byNow), drop(h.grown, l, byFrom)
	l.from, l.now = from, now
	h.begins, h.ends = put(h.begins, l, byFrom), put(h.ends, l, byNow)
	if from < l.was {
		h.grown = put(h.grown, l, byFrom)
		h.reach = max(h.reach, l.was-from)
	}
	if now > l.low && !slices.Contains(h.longer, l) {
		h.longer = append(h.longer, l)
	}
}

func drop(list []*life, l *life, by func(a, b *life) int) []*life {
	if k, found := slices.BinarySearchFunc(list, l, by); found {
		return slices.Delete(list, k, k+1)
	}
	return list
}

func put(list []*life, l *life, by func(a, b *life) int) []*life {
	k, _ := slices.BinarySearchFunc(list, l, by)
	return slices.Insert(list, k, l)
}

// webBlocks gives the blocks that the arrays of a move lie in now.
func (s *state) webBlocks(m *move) []string {
	var out []string
	met := map[string]bool{}
	for _, x := range m.members {
		if b := s.block(x.name); !met[b] {
			met[b] = true
			out = append(out, b)
		}
	}
	return out
}

// endless is where a life that is over begins.
const endless = math.MaxInt
