package parser

import (
	"sort"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// A role tells what a word names.
type role uint8

const (
	aValue    role = iota // a scalar, an array or a block
	aFunction             // a function of the program
	aSpace                // a memory space, which no program binds
)

// A word is a name at one place of the text.
type word struct {
	diag.Span
	text string
	role role
}

// words notes the names that a reader takes, and where the patterns of statements end: the program has no
// spans of these. A nil *words notes nothing.
type words struct {
	all   []word
	heads map[*ir.Stmt]int // the offset behind the pattern
}

func (w *words) add(r *reader, t token, as role) {
	if w != nil {
		w.all = append(w.all, word{r.spanOf(t), r.text(t), as})
	}
}

// last gives the last word a role.
func (w *words) last(as role) {
	if w != nil {
		w.all[len(w.all)-1].role = as
	}
}

func (w *words) head(r *reader, s *ir.Stmt) {
	if w != nil {
		w.heads[s] = r.base + r.tok.start
	}
}

// value returns the first word within a span that has this text and names a value, or -1.
func (w *words) value(text string, within diag.Span) int {
	from := sort.Search(len(w.all), func(k int) bool { return w.all[k].Start >= within.Start })
	for k := from; k < len(w.all) && w.all[k].Start < within.End; k++ {
		if w.all[k].text == text && w.all[k].role == aValue {
			return k
		}
	}
	return -1
}
