package ir

import "slices"

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/memc-lang/memc/ir/diag"
)

// Speak replaces the names in Renamed, and names made of them such as m_a'2, by the user's names, in
// a message.
func (p *Program) Speak(msg string) string {
	if len(p.Renamed) == 0 {
		return msg
	}
	return eachWord(msg, func(word, _ string) string {
		_, user := p.renamed(word)
		return user
	})
}

// renamed finds the generated name in a word: the word itself, or a part of it between underscores.
// It returns "" if there is none, and the word with the user's name.
func (p *Program) renamed(word string) (name, spoken string) {
	if user, ok := p.Renamed[word]; ok {
		return word, user
	}
	if !strings.Contains(word, "'") {
		return "", word
	}
	for from := range word {
		if from > 0 && word[from-1] != '_' {
			continue
		}
		for to := len(word); to > from; to-- {
			if to < len(word) && word[to] != '_' {
				continue
			}
			if user, ok := p.Renamed[word[from:to]]; ok {
				return word[from:to], word[:from] + user + word[to:]
			}
		}
	}
	return "", word
}

// Shown returns a function that spells names in a text so that they can be told apart, and typed:
// of several `m` in a function the first is m, and another one m:7, by its line. A name that has its
// position behind it, as in "`m` (7:3)", is the user's.
func (p *Program) Shown() func(text string) string {
	if len(p.Renamed) == 0 || p.File == nil {
		return p.Speak
	}
	at := map[string]int{}
	note := func(name string, span diag.Span) {
		if _, ok := p.Renamed[name]; ok && span.Known() {
			at[name] = span.Start
		}
	}
	for _, f := range p.Funcs {
		WalkStmts(f.Body, func(s *Stmt) bool {
			Binds(s.Op, func(n string) { note(n, s.Span) })
			for _, e := range s.Pat {
				elemBinds(e, func(n string) { note(n, s.Span) })
			}
			return true
		})
	}
	type spelling struct {
		user string
		line int
	}
	same := map[spelling]int{}
	for name, start := range at {
		line, _ := p.File.Position(start)
		same[spelling{p.Renamed[name], line}]++
	}
	return func(text string) string {
		return eachWord(text, func(word, rest string) string {
			name, spoken := p.renamed(word)
			start, known := at[name]
			if !known || positioned.MatchString(rest) {
				return spoken
			}
			line, col := p.File.Position(start)
			spoken += ":" + strconv.Itoa(line)
			if same[spelling{p.Renamed[name], line}] > 1 {
				spoken += ":" + strconv.Itoa(col)
			}
			return spoken
		})
	}
}

var positioned = regexp.MustCompile("^` \\((parameter, |from a call, )?[0-9]+:[0-9]+\\)")

// eachWord replaces the words of a text. The replacement may depend on what is behind a word.
func eachWord(text string, replace func(word, rest string) string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		n := i
		for n < len(text) && wordByte(text[n]) {
			n++
		}
		if n == i {
			b.WriteByte(text[i])
			i++
			continue
		}
		b.WriteString(replace(text[i:n], text[n:]))
		i = n
	}
	return b.String()
}

// SpeakIn does the same in diagnostics.
func (p *Program) SpeakIn(ds ...*diag.Diagnostic) {
	if len(p.Renamed) == 0 {
		return
	}
	for _, d := range ds {
		d.Msg, d.Hint = p.Speak(d.Msg), p.Speak(d.Hint)
		for i := range d.Notes {
			d.Notes[i].Msg = p.Speak(d.Notes[i].Msg)
		}
	}
}

func wordByte(c byte) bool {
	return c == '_' || c == '\'' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// AllNames calls f for every name that occurs in a function, bound or used, at
// least once.
func AllNames(fn *Func, f func(name string)) {
	elem := func(e *Elem) {
		elemBinds(e, f)
		TypeNames(e.Type, f)
	}
	for _, s := range fn.Sizes {
		f(s)
	}
	elems(fn.Params, elem)
	for _, r := range fn.Results {
		f(r.Name)
		elem(&Elem{Type: r.Type})
	}
	var body func(b *Body)
	body = func(b *Body) {
		for _, s := range b.Stmts {
			elems(s.Pat, elem)
			Elems(s.Op, elem)
			Binds(s.Op, f)
			Uses(s.Op, f)
			for _, inner := range Bodies(s.Op) {
				body(inner)
			}
		}
		for _, e := range b.Result {
			ExpNames(e, f)
		}
	}
	body(fn.Body)
}

// PlaceNames calls f for every name that a place refers to: its block and the
// scalars of its index function, but not those that an existential place binds.
func PlaceNames(p *Place, f func(name string)) {
	if p == nil {
		return
	}
	if !p.Exist {
		f(p.Mem)
	}
	PlaceExps(p, func(e Exp) { ExpNames(e, f) })
}

func elems(es []*Elem, f func(*Elem)) {
	for _, e := range es {
		f(e)
	}
}

// Binds calls f for every name that op itself binds: parameters with the names that their
// existential places bind, index names, the variable of a loop. It omits names that op's bodies or
// its pattern bind.
func Binds(op Op, f func(name string)) {
	Elems(op, func(e *Elem) { elemBinds(e, f) })
	if loop, ok := op.(*Loop); ok && loop.Var != "" {
		f(loop.Var)
	}
	space, _ := KernelSpace(op)
	for _, b := range space {
		f(b.Var)
	}
}

func elemBinds(e *Elem, f func(name string)) {
	f(e.Name)
	for _, n := range ExistNames(e.Type.Place) {
		f(n)
	}
}

// FreeNames returns the names that a body uses but does not bind, in the order of their first use.
// Types count: dims, blocks, scalars of index functions.
//
// A name is bound once per function. So if a name is bound anywhere in the body, all its uses there
// mean that binding.
func FreeNames(b *Body) []string {
	bound := map[string]bool{}
	bind := func(n string) { bound[n] = true }
	WalkStmts(b, func(s *Stmt) bool {
		for _, e := range s.Pat {
			elemBinds(e, bind)
		}
		Binds(s.Op, bind)
		return true
	})
	var free []string
	use := func(n string) {
		if n != "" && !bound[n] {
			bound[n] = true // reported once
			free = append(free, n)
		}
	}
	bodyUses(b, use)
	return free
}

// StmtUses calls f for every name that a statement uses, including its bodies and types, whether
// the statement binds the name or not.
func StmtUses(s *Stmt, f func(name string)) {
	Uses(s.Op, f)
	Elems(s.Op, func(e *Elem) { TypeNames(e.Type, f) })
	for _, inner := range Bodies(s.Op) {
		bodyUses(inner, f)
	}
	for _, e := range s.Pat {
		TypeNames(e.Type, f)
	}
}

// bodyUses calls f for every name that a body uses, whether the body binds it or not.
func bodyUses(b *Body, f func(name string)) {
	for _, s := range b.Stmts {
		StmtUses(s, f)
	}
	for _, e := range b.Result {
		ExpNames(e, f)
	}
}

// OwnNames returns the names that the threads of a map bind: its indices, and those of its body.
func (m *Map) OwnNames() map[string]bool {
	out := map[string]bool{}
	for _, b := range m.Space {
		out[b.Var] = true
	}
	BoundNames(m.Body, func(n string) { out[n] = true })
	return out
}

// UsesAny reports whether an operator uses one of some names besides its parameters.
func (o *Operator) UsesAny(names map[string]bool) bool {
	return slices.ContainsFunc(FreeNames(o.Body), func(n string) bool {
		return names[n] && !slices.ContainsFunc(o.Params, func(e *Elem) bool { return e.Name == n })
	})
}

// UsesAny reports whether expressions use one of some names.
func UsesAny(es []Exp, names map[string]bool) bool {
	return slices.ContainsFunc(es, func(e Exp) (found bool) {
		ExpNames(e, func(n string) { found = found || names[n] })
		return found
	})
}
