package futhark

import (
	"maps"
	"strconv"
	"strings"

	"github.com/memc-lang/memc/ir/diag"
)

// Rewrites of dumps to other ways to write the same program, most of them ones
// that Futhark might choose: programs that the import was not built with, whose
// results are known.

// A rewrite changes a tree to another way to write the same program.
type rewrite struct {
	name string
	do   func(r *rewriter)
	vars func(string) string // how variables are called afterwards; nil: as they are

	cores bool // print it as for several cores
}

var rewrites = []rewrite{
	{name: "printed", do: func(r *rewriter) { r.done++ }},
	{name: "odd names", vars: odd},
	{name: "several cores", do: func(r *rewriter) { r.everywhere(r.countSegs) }, cores: true},
	{name: "match for if", do: matchForIf},
	{name: "while for for", do: whileForFor},
	{name: "entries call", do: entriesCall},
	{name: "entries branch", do: entriesBranch},
	{name: "threads call", do: threadsCall},
	{name: "rows", do: rows},
	{name: "constants", do: constants},
	{name: "backwards", do: backwards},
	{name: "transposed", do: transposed},
	{name: "copied rows", do: copiedRows},
	{name: "branches", do: branches},
	{name: "loops", do: loops},
	{name: "thread branches", do: threadBranches},
	{name: "certificates", do: certificates},
	{name: "wrong views", do: wrongViews},
	{name: "several", do: inTurn(rows, backwards, whileForFor, matchForIf, entriesCall, loops, threadBranches), vars: odd},
	{name: "others", do: inTurn(transposed, copiedRows, constants, threadsCall, entriesCall, certificates, branches)},
}

type rewriter struct {
	tree  *file
	types map[string]*typ
	tag   int
	done  int // changes made
}

// Rewritten returns a dump after a rewrite, and how much it changed.
func Rewritten(f *diag.File, name string) (text string, changes int) {
	list := diag.List{File: f}
	tree := parse(f, &list)
	if tree == nil {
		return "", 0
	}
	r := &rewriter{tree: tree, types: map[string]*typ{}, tag: 900000}
	for _, w := range rewrites {
		if w.name == name {
			if w.do != nil {
				w.do(r)
			} else {
				r.done++
			}
			return printTree(head(f.Text), tree, w), r.done
		}
	}
	return "", 0
}

// RewriteNames lists the rewrites.
func RewriteNames() []string {
	var names []string
	for _, w := range rewrites {
		names = append(names, w.name)
	}
	return names
}

// head returns the part of a dump in front of its first statement or function.
func head(text string) string {
	_, rest, ok := strings.Cut(text, "types {")
	if !ok {
		return ""
	}
	depth := 1
	for i := range rest {
		switch rest[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return text[:len(text)-len(rest)+i+1] + "\n\n"
			}
		}
	}
	return ""
}

func (r *rewriter) countSegs(s *stm) []*stm {
	if _, ok := s.exp.(*eSeg); ok {
		r.done++
	}
	return []*stm{s}
}

// inTurn does several rewrites, those last that let two branches share a body.
func inTurn(fs ...func(r *rewriter)) func(r *rewriter) {
	return func(r *rewriter) {
		for _, f := range fs {
			f(r)
		}
	}
}

func (r *rewriter) note(ps []*param, x *body) {
	for _, p := range ps {
		r.types[p.name] = p.typ
	}
	if x == nil {
		return
	}
	for _, s := range x.stms {
		r.note(s.pat, nil)
		bodiesOf(s.exp, r.note)
		switch e := s.exp.(type) {
		case *eSeg:
			for _, d := range e.space {
				r.types[d.name] = &typ{prim: "i64"}
			}
			r.types[e.flat] = &typ{prim: "i64"}
		case *eLoop:
			if e.loopVar != "" {
				r.types[e.loopVar] = &typ{prim: e.varPrim}
			}
		}
	}
}

// fresh returns a name that the dump does not have.
func (r *rewriter) fresh(base string) string {
	r.tag++
	return base + "_" + strconv.Itoa(r.tag)
}

// each calls f on all statements, inner ones first, and puts what it gives in their
// place.
func (r *rewriter) each(x *body, f func(s *stm) []*stm) {
	if x == nil {
		return
	}
	var out []*stm
	for _, s := range x.stms {
		bodiesOf(s.exp, func(_ []*param, y *body) { r.each(y, f) })
		out = append(out, f(s)...)
	}
	x.stms = out
}

// everywhere calls f on the statements of all functions. Functions have variables
// of the same names, so types are known one function at a time.
func (r *rewriter) everywhere(f func(s *stm) []*stm) {
	for _, g := range r.tree.funs {
		r.in(g)
		r.each(g.body, f)
	}
}

// in records the types of what a function knows.
func (r *rewriter) in(f *fun) {
	r.types = map[string]*typ{}
	r.note(f.params, f.body)
	for _, s := range r.tree.consts {
		r.note(s.pat, nil)
	}
}

func (r *rewriter) all() map[string]bool {
	m := map[string]bool{}
	for n := range maps.Keys(r.types) {
		m[n] = true
	}
	return m
}

func v(name string) operand { return operand{name: name, ext: -1} }

func k(konst string) operand { return operand{konst: konst, ext: -1} }

func names(ps []*param) []operand {
	var os []operand
	for _, p := range ps {
		os = append(os, v(p.name))
	}
	return os
}

// boundIn collects the variables that parameters and a body bind.
func boundIn(ps []*param, x *body, set map[string]bool) {
	for _, q := range ps {
		set[q.name] = true
	}
	if x == nil {
		return
	}
	for _, s := range x.stms {
		boundBy(s, set)
	}
}

func boundBy(s *stm, set map[string]bool) {
	boundIn(s.pat, nil, set)
	bodiesOf(s.exp, func(ps []*param, x *body) { boundIn(ps, x, set) })
	switch e := s.exp.(type) {
	case *eSeg:
		set[e.flat] = true
		for _, d := range e.space {
			set[d.name] = true
		}
	case *eLoop:
		set[e.loopVar] = true
	}
	delete(set, "")
}

// odd returns names that Futhark might: with operators, boxes, letters of other
// alphabets, and those of keywords.
func odd(name string) string {
	base, tag := name[:strings.LastIndexByte(name, '_')], name[strings.LastIndexByte(name, '_'):]
	kinds := []string{"if", "in", "let", "d<{(-) \"n\" [1]}>", "+'", "->", "*_lhs", "-_rhs", "<=", "map", "mem", "return", "segmap", "true",
		"f32.inf", "copy", "x'", "é", "with", "apply", "alloc", "types", "<{a b}>c", "returns", "i64", "||_rhs", "_", "then", "%", "!", "&&_lhs",
		"0", "1_mem", "2i64", "0e5"}
	n := 0
	for _, c := range base {
		n = n*31 + int(c)
	}
	if n %= len(kinds); n < 0 {
		n += len(kinds)
	}
	return kinds[n] + tag
}
