package ir

import (
	"strings"

	"github.com/memc-lang/memc/internal/base/diag"
)

// Speak replaces the names in Renamed by the user's names, in a message.
func (p *Program) Speak(msg string) string {
	if len(p.Renamed) == 0 {
		return msg
	}
	var b strings.Builder
	for i := 0; i < len(msg); {
		n := i
		for n < len(msg) && wordByte(msg[n]) {
			n++
		}
		if n == i {
			b.WriteByte(msg[i])
			i++
			continue
		}
		word := msg[i:n]
		if user, ok := p.Renamed[word]; ok {
			word = user
		}
		b.WriteString(word)
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
