package check

import (
	"slices"
	"sync"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// Elaborate adds, in place, the parts that the text may omit. It reports errors in names, types,
// sizes and places. After an error the program must not be used. Elaborate is idempotent.
func Elaborate(p *ir.Program) diag.List {
	c := newChecker(p, true)
	c.elaborate()
	return *c.diags
}

// Verify checks every rule on an elaborated program, without changing it. It does not check which
// types were written, so it can run between passes. A pass may show that a run fails, as inlining
// does if sizes differ: such a size is no error here, and the run checks it.
func Verify(p *ir.Program) diag.List { return verify(newChecker(p, false)) }

// Verified is Verify and Obligations in one walk. If it reports errors, the table is worth nothing.
func Verified(p *ir.Program) (diag.List, *ObligationTable) {
	c := newChecker(p, false)
	c.table = newTable()
	return verify(c), c.table
}

func verify(c *checker) diag.List {
	c.program()
	c.recursion()
	c.uniqueness()
	c.p.SpeakIn(c.diags.All...)
	return *c.diags
}

// Program runs Elaborate, and checks the rules that concern the whole of a function or a program.
// Together they are every rule, so Verify finds nothing in what Program accepts. If Elaborate
// reports errors, uniqueness is still checked, so that one run shows errors of both kinds.
func Program(p *ir.Program) diag.List {
	c := newChecker(p, true)
	c.elaborate()
	c.recursion()
	c.uniqueness()
	if c.inlines && !c.diags.Failed() {
		c.inline()
		if !c.diags.Failed() {
			c = newChecker(p, false)
			c.foresees = true
			return verify(c)
		}
	}
	p.SpeakIn(c.diags.All...)
	return *c.diags
}

func (c *checker) elaborate() {
	c.p.Number()
	c.scopes()
	c.program()
	c.p.SpeakIn(c.diags.All...)
	// A part of the text may occur twice in the program, such as the condition of `while`. Its
	// error is reported once.
	type said struct {
		at  diag.Span
		msg string
	}
	seen := map[said]bool{}
	c.diags.All = slices.DeleteFunc(c.diags.All, func(d *diag.Diagnostic) bool {
		k := said{d.Span, d.Msg}
		twice := seen[k]
		seen[k] = true
		return twice
	})
}

// A checker holds the state for the whole program.
type checker struct {
	p     *ir.Program
	diags *diag.List
	elab  bool // the walk may write
	// foresees: a size is an error if every run that comes to it fails.
	foresees bool
	funcs    map[string]*ir.Func
	names    []string // of functions, for suggestions
	walks    []*fn    // one per function, in order
	table    *ObligationTable
	// inlines tells that kernels call functions.
	inlines bool
	// calls holds each call with its caller, for the check of recursion.
	calls map[*ir.Func][]callSite
	shown map[*ir.Func][]int // the number of each result in the header, as users see it
}

type callSite struct {
	callee *ir.Func
	span   diag.Span
}

func newChecker(p *ir.Program, elab bool) *checker {
	return &checker{
		p: p, diags: &diag.List{File: p.File}, elab: elab, foresees: elab,
		funcs: map[string]*ir.Func{}, calls: map[*ir.Func][]callSite{}, shown: map[*ir.Func][]int{},
	}
}

func (c *checker) errorf(code diag.Code, at diag.Span, format string, args ...any) *diag.Diagnostic {
	return c.diags.Errorf(code, at, format, args...)
}

func (c *checker) bugf(at diag.Span, format string, args ...any) *diag.Diagnostic {
	return c.diags.Bugf(at, format, args...)
}

// program walks over all functions. Signatures come first, so functions may stand in any order.
func (c *checker) program() {
	for _, f := range c.p.Funcs {
		if old := c.funcs[f.Name]; old != nil {
			c.errorf(diag.FunctionTaken, f.Span, "there are two functions named `%s`", f.Name).With(old.Span, "the first one is here")
			continue
		}
		c.funcs[f.Name] = f
		c.names = append(c.names, f.Name)
	}
	for _, f := range c.p.Funcs {
		w := c.newFn(f)
		w.header()
		c.walks = append(c.walks, w)
	}
	for _, w := range c.walks {
		w.function()
	}
}

// An fn is the walk over one function.
type fn struct {
	*checker
	f        *ir.Func
	explicit bool
	shadowed bool // a name is bound twice: tables by name are not reliable

	names map[string]*binding
	order []*binding
	open  []*binding          // the visible ones of order
	extra map[string]*binding // named results, while result types are checked
	// bindings are allocated here, a few hundred at a time, for order.
	bindings []binding
	// bound returns all names of the function, each with its first binding. Elaboration adds names
	// only after it has asked for them (fresh).
	bound func() map[string]diag.Span
	// placed holds the index functions of chains that have been looked at.
	placed map[*ir.Place]lmad.Fun
	// Unknown names that were reported.
	reported  map[string]bool
	reportLog []string

	inferred *inference      // types that the uses of names decide
	kept     map[string]bool // names whose types were decided so

	defs map[string]known
	// written has the definitions as they are written, heavy ones, too.
	written map[string]ir.Exp
	eqs     map[string]sym.Poly
	eqLog   []string
	zeros   []sym.Poly
	// The zeros in terms of names without definition; nil: not computed yet.
	divisors []sym.Poly
	lets     map[string]string // normal form of a size -> name that holds it
	letLog   []string

	counter int               // of fresh names
	variant map[string][]bool // loop parameter -> which dims change by iteration
	// Untouched bodies of loops, while one searches (see loop.go).
	pristine map[*ir.Loop]*ir.Body

	stmt   *ir.Stmt          // the statement under way
	made   map[string]ir.Exp // names that were inserted, with their definitions
	pre    []*ir.Stmt        // statements to go before it
	post   []*ir.Stmt        // and behind it
	kernel *kernel           // the kernel whose body is under way
	// never: a size was found to differ in a branch, so no run comes to the rest of it.
	never    bool
	branches int                     // ifs around whose branches a run may skip
	combine  bool                    // in the body of an operator
	accs     map[string]*accumulator // those of the map around, by their arrays
	existOK  bool                    // "?name" is allowed
	noReads  bool                    // array reads are not
}

func (c *checker) newFn(f *ir.Func) *fn {
	n := ir.Size(f)
	return &fn{
		placed:  map[*ir.Place]lmad.Fun{},
		checker: c, f: f, explicit: ir.IsExplicit(f), bound: sync.OnceValue(func() map[string]diag.Span { return boundNames(f) }),
		bindings: make([]binding, 0, n), order: make([]*binding, 0, n),
		kept: map[string]bool{}, made: map[string]ir.Exp{},
		names: make(map[string]*binding, n), reported: map[string]bool{},
		defs: map[string]known{}, written: map[string]ir.Exp{}, eqs: map[string]sym.Poly{}, lets: map[string]string{},
		variant: map[string][]bool{}, stmt: &ir.Stmt{},
	}
}
