package coalesce

import (
	"fmt"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/transform"
)

// Pass is the coalescing pass.
var Pass = newPass(options{})

// options vary the pass; the zero value is what users get.
type options struct {
	off   map[kind]bool   // kinds that are switched off
	skip  map[string]bool // conditions that are not checked: planted bugs
	avoid choice          // see choose
	// starts are loop parameters whose initial values are copied; see starts.
	starts choice
	// still are candidates for which nothing moves up; see quiet.
	still choice
}

func newPass(opt options) *transform.Pass {
	return &transform.Pass{
		Name: "coalesce",
		Doc:  "Make an array in the place that it would be copied to, so that the copy and the block vanish.",
		After: []transform.Constraint{
			{Pass: "explicit", Reason: "it moves arrays from one place to another, so they must have places"},
			{Pass: "lift", Reason: "a block can only be used below its allocation"},
		},
		Run: func(p *ir.Program, c *transform.Context) error { return run(p, c, opt) },
		Variant: func(off []string) *transform.Pass {
			opt := options{off: map[kind]bool{}}
			for _, s := range off {
				opt.off[kind(s)] = true
			}
			p := newPass(opt)
			p.Off = off
			return p
		},
		Switches: []string{string(copies), string(concats), string(updates), string(results), string(buffers), string(begin), access, string(memory)},
	}
}

// Mutant gives the pass without one of its conditions. It is there to show that
// the checks of the results find out, and for nothing else.
func Mutant(condition string) *transform.Pass {
	skip := map[string]bool{condition: true}
	if condition == "C2" || condition == "C5" {
		skip["guard"] = true // it needs the same names
	}
	return newPass(options{skip: skip})
}

// Conditions lists what Mutant can leave out.
func Conditions() []string {
	return []string{"C1", "C2", "C3", "C4", "C5", "guard", "origins", "threads", "iterations", "overwrites", "aliases", "motion", "offset"}
}

// maxRounds bounds how often creations are moved and all is tried again; a chain
// of destinations in destinations takes a round each.
const maxRounds = 4

func run(p *ir.Program, c *transform.Context, opt options) error {
	if c.Limit != transform.Unlimited { // what is chosen must not depend on the limit
		attempt(p, c, settle(ir.CloneProgram(p), unheard, opt))
		return nil
	}
	saved, said := *c, 0
	if c.Remarks != nil {
		said = len(c.Remarks.All)
	}
	settle(p, func(p *ir.Program, opt options) map[string]*outcome {
		*c = saved
		if c.Remarks != nil {
			c.Remarks.All = c.Remarks.All[:said]
		}
		return attempt(p, c, opt)
	}, opt)
	return nil
}

// settle makes of p what users get, by the options that are best for each of its
// functions, and gives those. try makes an attempt.
func settle(p *ir.Program, try func(p *ir.Program, opt options) map[string]*outcome, opt options) options {
	before := ir.CloneProgram(p)
	made := try(p, opt)
	if opt = decide(before, made, opt); len(opt.avoid)+len(opt.starts)+len(opt.still) > 0 {
		*p = *before
		try(p, opt)
	}
	return opt
}

// unheard makes an attempt without remarks.
func unheard(p *ir.Program, opt options) map[string]*outcome {
	return attempt(p, transform.NewContext("coalesce", nil, transform.Unlimited), opt)
}

// decide settles what is tried otherwise than at the first attempt, given what that
// one made of each function.
func decide(p *ir.Program, first map[string]*outcome, opt options) options {
	again := func() { first = unheard(ir.CloneProgram(p), opt) }
	opt, first = quiet(p, first, opt)
	if opt.starts = starts(p, first, opt); len(opt.starts) > 0 {
		again()
	}
	if opt.avoid = choose(p, first, opt); len(opt.avoid) > 0 {
		again()
	}
	opt, first = quiet(p, first, opt)
	for f, params := range opt.starts {
		if len(first[f].begun(params)) < len(params) {
			delete(opt.starts, f) // they were worth it with motions that came to nothing
		}
	}
	return opt
}

// attempt makes the moves that opt allows, and tells what became of each
// function.
func attempt(p *ir.Program, c *transform.Context, opt options) map[string]*outcome {
	out := map[string]*outcome{}
	for _, f := range p.Funcs {
		out[f.Name] = &outcome{granted: map[string]bool{}}
	}
	again := map[*ir.Func]bool{}
	analyses := func(f func(*state)) {
		al := aliases.Analyze(p)
		lv := liveness.Analyze(p, al)
		ac := accesses.Analyze(p, lv)
		for _, fn := range p.Funcs {
			if again[fn] {
				f(newState(p, fn, c, opt, al.Func(fn.Name), lv.Func(fn.Name), ac.Func(fn.Name)))
			}
		}
	}
	// Note [Order]. Copies first: where a next value can be made from parts in its
	// place, or over the present one, the former saves more. What is left may then
	// do with one buffer, and that can let the loop's result go where it is copied.
	missed := map[*ir.Func][]missed{}
	for _, buffers := range []bool{false, true} {
		again = explicitFuncs(p)
		if buffers {
			changed := map[*ir.Func]bool{}
			analyses(func(s *state) { changed[s.f] = s.buffers() })
			for f := range again {
				if !changed[f] {
					delete(again, f)
				}
			}
		}
		for round := 1; round <= maxRounds && len(again) > 0; round++ {
			analyses(func(s *state) {
				o := out[s.f.Name]
				s.buffered = buffers
				s.all(buffers)
				o.made = append(o.made, s.made...)
				copied, idle := s.copied(), s.idle(o.granted)
				s.insert()
				moved := round < maxRounds && s.grant()
				for _, k := range s.granted {
					o.granted[k] = true
				}
				if !moved {
					delete(again, s.f)
					missed[s.f] = s.missed
					unused(s.f)
					o.cost.copied = copied
					o.cost.allocated, o.cost.blocks = s.allocated()
					o.refused = s.lost()
					o.starts = s.begins()
					o.idle = append(o.idle, idle...)
				}
			})
		}
	}
	for _, f := range p.Funcs {
		for _, m := range missed[f] {
			if m.kind == buffers {
				c.Remark(m.span, "[%s] `%s`, where a loop begins, keeps its own block: %s", m.Code, m.src, m.Why)
				continue
			}
			c.Remark(m.span, "[%s] `%s` is copied to `%s`: %s", m.Code, m.src, m.dst, m.Why)
		}
	}
	return out
}

// lost gives what the candidates that were refused would have saved, if it is
// other moves that may stand in their way.
func (s *state) lost() []refused {
	var out []refused
	for _, m := range s.missed {
		switch m.Code {
		case "switch", "access", "bound", "call", "choice":
		default:
			if m.kind != buffers {
				out = append(out, refused{m.src, m.dst, s.saves(m.candidate)})
			}
		}
	}
	return out
}

// explicitFuncs gives the functions in explicit form.
func explicitFuncs(p *ir.Program) map[*ir.Func]bool {
	out := map[*ir.Func]bool{}
	for _, f := range p.Funcs {
		if ir.IsExplicit(f) {
			out[f] = true
		}
	}
	return out
}

// all tries all candidates; buffers are initial values of loops among them.
func (s *state) all(buffers bool) {
	list := s.candidates()
	if buffers {
		list = append(s.settled(), list...)
	}
	// What is in its place already stays there when its surroundings move.
	for _, c := range list {
		if s.inPlace(c) {
			s.follows(c)
			s.settledAt[c.src] = c
			s.guardAgain(c)
		}
	}
	// What would hold more memory may not once others have moved.
	for sweep := 1; sweep <= maxSweeps && !s.done; sweep++ {
		list = s.sweep(list, sweep < maxSweeps)
	}
}

// better tells whether a source may leave the place that another copy of it wants:
// only for one that saves more.
func (s *state) better(c *candidate) bool {
	other := s.settledAt[c.src]
	return other == nil || c.kind == buffers || other.kind == buffers || s.saves(c) > s.saves(other)
}

// maxSweeps bounds how often candidates are tried that would hold more memory.
const maxSweeps = 3

// sweep tries candidates, and gives those that are to be tried again.
func (s *state) sweep(list []*candidate, again bool) []*candidate {
	var later []*candidate
	for _, c := range list {
		m, r := s.try(c)
		switch {
		case again && r.Code == string(memory):
			later = append(later, c)
		case r.refused():
			s.missed = append(s.missed, missed{c, r})
			s.wish(m)
		case m != nil:
			if !s.c.Rewrite(c.span, "%s", s.told(m)) {
				s.wishes, s.done = nil, true
				return nil
			}
			s.made = append(s.made, takenMove{c.kind, c.key(), s.saves(c), m.members})
			s.apply(m)
			s.settledAt[c.src] = c
		}
	}
	return later
}

// told says what a move does.
func (s *state) told(m *move) string {
	if m.kind == buffers {
		return fmt.Sprintf("`%s`, where a loop begins, is made in `%s`, where its next values are made: `%s` is not needed for it", m.src, m.block, s.block(m.src))
	}
	return fmt.Sprintf("`%s` is made in `%s`, where it would be copied to `%s`: `%s` is not needed for it", m.src, m.block, m.dst, s.block(m.src))
}

// A missed candidate was refused.
type missed struct {
	*candidate
	refusal
}
