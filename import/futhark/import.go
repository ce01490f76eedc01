package futhark

import (
	"slices"

	"github.com/memc-lang/memc/internal/oracle/memcheck"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
)

// Import reads a dump and gives the program, as parsed (not yet elaborated).
// The list holds errors, what memc does not support, and remarks on what it
// chose; where it failed the program must not be used.
func Import(f *diag.File) (*ir.Program, diag.List) {
	list := diag.List{File: f}
	if isSource(f.Name) {
		list.Limitf(diag.Span{Start: 0, End: min(1, len(f.Text))}, "Futhark's source language").
			Hinted("have its compiler print the memory IR: futhark dev --gpu -a -e --cse -e %s > %s_gpu_mem", f.Name, f.Name)
		return &ir.Program{File: f}, list
	}
	tree := parse(f, &list)
	if tree == nil {
		return &ir.Program{File: f}, list
	}
	if len(tree.funs) == 0 && !list.Failed() {
		list.Errorf(diag.NoFunction, diag.Span{Start: 0, End: min(1, len(f.Text))}, "no function in the dump").
			Hinted("a dump of Futhark's memory IR holds its entries: entry(\"main\", ...) entry_main (...) = { ... }")
		return &ir.Program{File: f}, list
	}
	return translateTree(f, tree, &list), list
}

func translateTree(f *diag.File, tree *file, list *diag.List) *ir.Program {
	for _, g := range tree.funs {
		sinkViews(g)
	}
	funs := slices.Clone(tree.funs)
	shared := shareConstants(tree, true)
	p := translateAll(f, tree, list)
	bad := list.Failed()
	if shared && !bad {
		found := check.Program(ir.CloneProgram(p))
		bad = found.Failed()
	}
	if shared && bad {
		// As Futhark has them they need not be such as a function could give.
		tree.funs = funs
		shareConstants(tree, false)
		p = translateAll(f, tree, list)
	}
	return p
}

func translateAll(f *diag.File, tree *file, list *diag.List) *ir.Program {
	t := &translator{file: f, list: list, tree: tree, funs: map[string]*fun{}, signed: map[*fun]bool{}, copies: map[*fun]bool{}, unproven: map[*fun]*unplaceable{}}
	for _, g := range tree.funs {
		t.funs[g.name] = g
	}
	return t.program()
}

// A translator makes functions of memc's IR, one after another.
type translator struct {
	file  *diag.File
	list  *diag.List
	tree  *file
	funs  map[string]*fun
	names map[*fun]string // in memc's program

	used   map[string]bool // names of the function under way
	env    *scope
	consts map[string]*variable // those of the file, in the function under way
	depth  int                  // of inlined calls
	in     string               // the kernel under way: "", or "segmap" and so on
	kern   *kernel              // of that, what its blocks need to know
	group  bool                 // the code under way is that of a group of threads, or of a kernel in it

	within int // kernels around, also those that became loops

	places bool              // keep the places of the dump
	handed map[*stm]bool     // copies that only hand out
	slices map[*ir.Stmt]bool // maps that gather a slice which Futhark only views
	copies map[*fun]bool     // functions that keep such copies
	at     *block            // of the statement under way

	all     map[*fun]*classes // of the arrays of all functions, signed and unsigned ones
	classes *classes          // of the function under way; nil: all are signed

	varying  bool                  // a thread's array has a size that depends on the thread
	signed   map[*fun]bool         // functions whose arrays are all signed inside
	unproven map[*fun]*unplaceable // functions whose places are kept on Futhark's word
}

// refuse ends the import at a construct that memc does not support.
func (t *translator) refuse(span diag.Span, format string, args ...any) {
	t.list.Limitf(span, format, args...)
	panic(stop{})
}

// wrong ends the import at something that no dump of the compiler holds.
func (t *translator) wrong(span diag.Span, format string, args ...any) {
	t.list.Errorf(diag.BadFutharkDump, span, format, args...).Hinted("memc reads the memory IR of Futhark 0.25.37 (docs/futhark.md)")
	panic(stop{})
}

// remark says once per place what was chosen.
func (t *translator) remark(span diag.Span, format string, args ...any) {
	t.list.Remarkf(span, format, args...)
}

// warn says what the user may want to change.
func (t *translator) warn(span diag.Span, format string, args ...any) {
	t.list.Warnf(span, format, args...)
}

// program translates every function, with the places of the dump where that
// can be. Functions that call each other are all of one form.
func (t *translator) program() *ir.Program {
	without := map[*fun]*unplaceable{}
	if !t.prepare() {
		return &ir.Program{File: t.file}
	}
	for {
		t.list.All = nil
		p, ok := t.round(without)
		if t.list.Failed() {
			return p
		}
		if ok && !t.rejected(p, without) {
			t.explain(without)
			return p
		}
		t.infect(without)
	}
}

// prepare finds what the functions need to know of each other; it tells whether
// the signatures could be read.
func (t *translator) prepare() (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, is := r.(stop); !is {
				panic(r)
			}
			ok = false
		}
	}()
	t.nameFunctions()
	t.all = t.classify()
	return true
}

// round translates all functions; ok is false where one of them turned out to
// be unplaceable.
func (t *translator) round(without map[*fun]*unplaceable) (p *ir.Program, ok bool) {
	p, ok = &ir.Program{File: t.file}, true
	for _, f := range t.standing() {
		t.places = without[f] == nil
		g, why := t.try(f)
		if why != nil {
			without[f], ok = why, false
		}
		if g != nil {
			p.Funcs = append(p.Funcs, g)
		}
	}
	return p, ok
}

// try translates a function; it gives nil where that failed, and why where
// only its places could not be kept.
func (t *translator) try(f *fun) (g *ir.Func, why *unplaceable) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case stop:
			g = nil
		case unplaceable:
			g, why = nil, &r
		default: // reported as what it is, with the statement that shows it
			at := f.span
			if t.at != nil {
				at = t.at.span
			}
			t.list.Bugf(at, "the import broke down here: %v", r)
			g = nil
		}
	}()
	return t.function(f), nil
}

// rejected reports whether there is a function with places that ir/check refuses
// or that memcheck cannot prove right, and notes which.
func (t *translator) rejected(p *ir.Program, without map[*fun]*unplaceable) bool {
	found := false
	// What the import chose is given up first, one thing a round.
	gaveUp := map[*fun]bool{}
	reject := func(f *fun, d *diag.Diagnostic) {
		switch {
		case gaveUp[f] || d.Severity != diag.Error:
		case t.classesOf(f) != nil:
			t.keepSigned(f)
			for g := range t.signed {
				gaveUp[g] = true
			}
		case !t.copies[f] && len(handedOut(f)) > 0:
			t.copies[f], gaveUp[f] = true, true
		}
		if gaveUp[f] {
			found = true
			return
		}
		if without[f] == nil {
			without[f], found = &unplaceable{d.Span, d.Msg}, true
		}
	}
	checked := ir.CloneProgram(p)
	list := check.Program(checked)
	for _, d := range list.All {
		if d.Severity == diag.Warning || d.Severity == diag.Remark {
			continue
		}
		for _, f := range t.standing() {
			if d.Span.Start >= f.span.Start && d.Span.Start < f.body.span.End {
				reject(f, d)
			}
		}
	}
	if list.Failed() {
		return found
	}
	byName := map[string]*fun{}
	for i, f := range t.standing() {
		byName[p.Funcs[i].Name] = f
	}
	for _, m := range memcheck.Check(checked).Findings {
		f := byName[m.Func]
		if !m.Certain() && t.needsPlaces(f) {
			if t.unproven[f] == nil {
				t.unproven[f] = &unplaceable{m.Diag.Span, m.Diag.Msg}
			}
			continue
		}
		reject(f, m.Diag)
	}
	return found
}

// needsPlaces reports whether a function makes arrays in kernels whose sizes
// depend on the thread: Futhark has found room for them, memc cannot.
func (t *translator) needsPlaces(f *fun) bool {
	remarks := t.list.All
	t.places, t.varying = false, false
	t.try(f)
	t.list.All = remarks
	return t.varying
}

// infect takes the places from functions that call one without, or that are called
// by one.
func (t *translator) infect(without map[*fun]*unplaceable) {
	for changed := true; changed; {
		changed = false
		for _, f := range t.standing() {
			callees(f.whole(), func(e *eApply) {
				g := t.funs[e.fn]
				if g == nil || onAccumulators(g) || (without[f] == nil) == (without[g] == nil) {
					return
				}
				changed = true
				if without[f] == nil {
					without[f] = &unplaceable{e.span, "it calls `" + g.name + "`, whose places are not kept"}
				} else {
					without[g] = &unplaceable{g.span, "it is called by `" + f.name + "`, whose places are not kept"}
				}
			})
		}
	}
}

// explain remarks on the functions whose places were not kept.
func (t *translator) explain(without map[*fun]*unplaceable) {
	for _, f := range t.standing() {
		switch {
		case without[f] != nil:
			t.remark(without[f].span, "the places of `%s` are not kept: %s", f.name, without[f].why)
		case t.unproven[f] != nil:
			t.remark(t.unproven[f].span, "the places of `%s` are kept as they are, though unproven: %s", f.name, t.unproven[f].why)
		}
	}
}
