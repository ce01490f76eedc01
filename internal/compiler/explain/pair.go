package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memc-lang/memc/analysis/arena"
	"github.com/memc-lang/memc/analysis/interference"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/ir"
)

// Pair tells in sentences whether two arrays or blocks share storage after all passes, and why; where
// each of them may lie, and which pass decided it. Lines are those of the source. Of functions that have the
// same names, the first one answers, unless a name has its function before it: "main.xs".
func (x *Explanation) Pair(a, b string) (string, error) {
	in := ""
	for _, n := range []*string{&a, &b} {
		if f, name, ok := strings.Cut(*n, "."); ok {
			if in != "" && f != in {
				return "", fmt.Errorf("`%s` and `%s` are in different functions", a, b)
			}
			in, *n = f, name
		}
		*n = x.named(*n)
	}
	found, err := x.functionsOf(in, a, b)
	if err != nil {
		return "", err
	}
	fn := found[0]
	p := &pair{x: x, fn: fn, a: a, b: b, arenas: arena.New(x.last().prog)}
	for k := range x.Stages {
		p.as, p.bs = append(p.as, x.home(fn, a, k)), append(p.bs, x.home(fn, b, k))
	}
	say := func(text string) { p.out.WriteString(text + "\n") }
	if len(found) > 1 {
		say(fmt.Sprintf("In %s. Other functions have these names, too: %s.%s, for example.", quote(fn), found[1], a))
	}
	say(x.life(fn, a))
	if a != b {
		say(x.life(fn, b))
		say(p.verdict())
	}
	say(p.ends())
	p.history()
	p.mentions()
	return x.shown(p.out.String()), nil
}

// A pair is a question about two names. as and bs hold where they lie after each stage.
type pair struct {
	x      *Explanation
	fn     string
	a, b   string
	as, bs []home
	arenas *arena.Program // of the last stage
	out    strings.Builder
}

func (p *pair) last() int { return len(p.as) - 1 }

// verdict answers from the final program.
func (p *pair) verdict() string {
	a, b := p.as[p.last()], p.bs[p.last()]
	f := p.x.last().function(p.fn)
	for _, n := range []struct {
		name string
		home home
	}{{p.a, a}, {p.b, b}} {
		if n.home.block == "" {
			return fmt.Sprintf("They do not share storage: %s has none after %s.", quote(n.name), p.removed(n.name))
		}
	}
	if a.one(b) {
		return p.shared(a)
	}
	if common := a.common(b); len(common) > 0 {
		text := "They may share storage: both may lie in " + home{block: a.block, reals: common}.String() + ". The program chooses the blocks when it runs."
		if f.Arrays[p.a] != nil && f.Arrays[p.b] != nil && f.aliases.MayShare(p.a, p.b) {
			text += " The elements may even be the same: one array may be the other, or a part of it."
		}
		return text
	}
	return p.apart(f, a, b)
}

// apart says why two names that never lie in one block do not share bytes, or how they do in an arena.
func (p *pair) apart(f *Facts, a, b home) string {
	group := func(m string) bool { return f.space(m) == ir.GroupSpace }
	if all := append(slices.Clone(a.reals), b.reals...); slices.ContainsFunc(all, group) {
		best := ""
		for _, m1 := range a.reals {
			for _, m2 := range b.reals {
				if s1, s2 := f.space(m1), f.space(m2); s1 != s2 {
					best = fmt.Sprintf("They do not share storage: %s is in %s, %s in %s.", quote(m1), spaces(s1), quote(m2), spaces(s2))
					continue
				}
				text, shared := p.inGroup(f, m1, m2)
				if shared {
					return text
				}
				best = text
			}
		}
		return best
	}
	for _, m1 := range a.reals {
		for _, m2 := range b.reals {
			if w, bad := f.meets.Interfere(m1, m2); bad {
				return fmt.Sprintf("They do not share storage, because their blocks %s and %s interfere. %s%s", quote(m1), quote(m2), f.sentence(w, p.x.place(f, w.Point)), p.others(w))
			}
		}
	}
	text := fmt.Sprintf("They do not share storage, although their blocks %s and %s do not interfere", a, b)
	if slices.ContainsFunc(p.remarks(), func(r *Remark) bool { return r.Refused }) {
		return text + "; the refusal below says why."
	}
	return text + ": no pass found it worth while, or provably safe for the peak."
}

// others tells that arrays which share a block with the two keep them apart, where that is so.
func (p *pair) others(w interference.Witness) string {
	k := p.x.stageBefore("reuse")
	before := p.x.Stages[k].function(p.fn)
	if w.A == p.a && w.B == p.b || w.A == p.b && w.B == p.a {
		return ""
	}
	a, b := p.as[k], p.bs[k]
	if len(a.reals) != 1 || len(b.reals) != 1 || a.equal(p.as[p.last()]) && b.equal(p.bs[p.last()]) {
		return ""
	}
	if _, bad := before.meets.Interfere(a.block, b.block); bad {
		return ""
	}
	return fmt.Sprintf(" Before the pass `reuse`, %s lay in %s and %s in %s, which do not interfere: the arrays that lie there now do.", quote(p.a), a, quote(p.b), b)
}

// removed names the pass that took a name's storage.
func (p *pair) removed(name string) string {
	had := false
	for k, s := range p.x.Stages {
		has := p.x.home(p.fn, name, k).block != ""
		if had && !has {
			return "the pass `" + s.Pass + "`"
		}
		had = has
	}
	return "all passes"
}

// shared says how two names came to lie in one block.
func (p *pair) shared(h home) string {
	k := p.last()
	for k > 0 && p.as[k-1].one(p.bs[k-1]) {
		k--
	}
	by, pass := "as written", p.x.Stages[k].Pass
	if pass != "" {
		by = "by the pass `" + pass + "`"
	}
	block := h.String()
	if len(h.reals) > 1 || h.more {
		block = quote(h.block) + ", which stands for " + block
	}
	text := fmt.Sprintf("They share the block %s, %s.", block, by)
	f := p.x.last().function(p.fn)
	switch {
	case f.Arrays[p.a] != nil && f.Arrays[p.b] != nil && f.aliases.MayShare(p.a, p.b):
		return text + " Their elements may be the same: one array may be the other, or a part of it."
	case k == 0:
		return text
	case pass == "coalesce":
		return text + p.coalesced(k)
	case pass == "reuse":
		if p.inTurn(p.x.Stages[k-1].function(p.fn)) {
			return text + " They are never needed at the same time, so one storage serves both."
		}
		return text + " Where both are needed, every element is read before it is overwritten."
	}
	return text
}

// inTurn reports whether at no point the contents of both are needed. A name that may be either of them, as
// the result of an `if`, needs one.
func (p *pair) inTurn(f *Facts) bool {
	var a, b, either []liveness.Interval
	for n := range f.Arrays {
		switch ofA, ofB := f.aliases.MayShare(n, p.a), f.aliases.MayShare(n, p.b); {
		case ofA && ofB:
			either = append(either, f.live.Array(n)...)
		case ofA:
			a = append(a, f.live.Array(n)...)
		case ofB:
			b = append(b, f.live.Array(n)...)
		}
	}
	return apart(a, b) && apart(either, a) && apart(either, b)
}

// coalesced says which of the two the pass coalesce put where the other lies.
func (p *pair) coalesced(k int) string {
	moved := func(in []home) bool { return in[k-1].block != "" && !in[k-1].equal(in[k]) }
	name := p.a
	switch a, b := moved(p.as), moved(p.bs); {
	case a && b:
		return " The pass made both in the places that they would have been copied to, so the copies are gone."
	case b:
		name = p.b
	case !a:
		return ""
	}
	return " The pass made " + quote(name) + " in the place that it would have been copied to, so the copy is gone."
}

// apart reports whether two lives have no point in common.
func apart(a, b []liveness.Interval) bool {
	for _, i := range a {
		for _, j := range b {
			if i.From <= j.To && j.From <= i.To {
				return false
			}
		}
	}
	return true
}

// ends tells where the names lie in the final program.
func (p *pair) ends() string {
	where := func(name string, h home) string {
		text := quote(name) + " lies in " + h.String()
		switch a := p.x.last().function(p.fn).Arrays[name]; {
		case h.block == "":
			return quote(name) + " has no storage"
		case h.block == name:
			return quote(name) + " is a block of its own"
		case a != nil && !strings.HasPrefix(a.Place, "from the block's first byte on, one"):
			text += " (" + a.Place + ")"
		}
		return text
	}
	text := "After all passes " + where(p.a, p.as[p.last()])
	if p.a != p.b {
		text += ", and " + where(p.b, p.bs[p.last()])
	}
	return text + "."
}

// history lists the passes that changed where the two lie.
func (p *pair) history() {
	for k, s := range p.x.Stages {
		var parts []string
		for _, n := range []struct {
			name string
			in   []home
		}{{p.a, p.as}, {p.b, p.bs}} {
			var before home
			if k > 0 {
				before = n.in[k-1]
			}
			if now := n.in[k]; !now.equal(before) && !slices.ContainsFunc(parts, func(t string) bool { return strings.HasPrefix(t, quote(n.name)+" ") }) {
				parts = append(parts, quote(n.name)+" "+moved(n.name, before, now))
			}
		}
		if pass := s.Pass; len(parts) > 0 {
			if pass == "" {
				pass = "as written"
			}
			fmt.Fprintf(&p.out, "  %s: %s\n", pass, strings.Join(parts, ", "))
		}
	}
}

// moved says what a pass did to the home of a name.
func moved(name string, before, now home) string {
	switch {
	case now.block == name:
		return "is a block"
	case now.block == "":
		return "is gone"
	case before.block == "":
		return "lies in " + now.String()
	case before.String() == now.String():
		return "lies in " + quote(now.block) + ", another name of " + now.String()
	}
	return "goes from " + before.String() + " to " + now.String()
}

// remarks returns the remarks that speak of both, by the names that the two had where a pass found them.
func (p *pair) remarks() []*Remark {
	known := func(name string, h home) []string { return append([]string{name, h.block}, h.reals...) }
	var out []*Remark
	for _, r := range p.x.Remarks {
		k := p.x.stageBefore(r.Pass)
		as, bs := known(p.a, p.as[k]), known(p.b, p.bs[k])
		about := slices.ContainsFunc(r.Names, func(m string) bool {
			return slices.Contains(as, m) && slices.ContainsFunc(r.Names, func(n string) bool { return m != n && slices.Contains(bs, n) })
		})
		if r.Func == p.fn && about {
			out = append(out, r)
		}
	}
	return out
}

func (p *pair) mentions() {
	for _, r := range p.remarks() {
		fmt.Fprintf(&p.out, "  %s\n", r)
	}
}

// String returns a remark as one line.
func (r *Remark) String() string {
	code := ""
	if r.Refused {
		code = "[" + r.Code + "] "
	}
	return fmt.Sprintf("line %d: %s: %s%s", r.Line, r.Pass, code, r.Text)
}
