package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/interference"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/parser"
)

// A Stage is the program after one pass, or as written.
type Stage struct {
	Pass      string   `json:"pass"` // "" as written
	Doc       string   `json:"doc"`
	Rewrites  int      `json:"rewrites"`
	Unchanged []string `json:"unchanged,omitempty"` // passes behind it that changed nothing
	Lines     []string `json:"lines"`
	// Rows gives the row of the page that each line stands in.
	Rows  []int    `json:"rows"`
	Funcs []*Facts `json:"funcs"`

	prog *ir.Program
}

// Facts are what is known of one explicit function at one stage. Lines are of the
// stage's text, counted from 1.
type Facts struct {
	Name   string            `json:"name"`
	From   int               `json:"from"`
	To     int               `json:"to"`
	Arrays map[string]*Array `json:"arrays"`
	Blocks map[string]*Block `json:"blocks"`
	// Pairs are blocks that may not share storage; where there are many, not all. Blocks that the caller
	// keeps interfere with every other one, and are left out.
	Pairs []Pair `json:"pairs"`
	More  bool   `json:"more,omitempty"`
	Chart *Chart `json:"chart,omitempty"`

	// Indices are the names that kernels and loops count with: the page draws the place of a thread's
	// array for the first thread.
	Indices []string `json:"indices,omitempty"`

	stage    *Stage
	fn       *ir.Func
	aliases  *aliases.Table
	live     *liveness.Table
	accesses *accesses.Table
	meets    *interference.Table
	derived  map[string]sym.Poly // sizes, by those that they are computed from
	spaces   map[string]string   // of the blocks that the function allocates
}

// An Array is where an array lies and lives.
type Array struct {
	Type  string   `json:"type"`
	Bytes Size     `json:"bytes"`
	Block string   `json:"block"`
	Place string   `json:"place"` // in words
	LMAD  *LMAD    `json:"lmad,omitempty"`
	Line  int      `json:"line"` // that binds it
	Live  [][2]int `json:"live"`
	Last  []int    `json:"last"` // lines of its last uses
}

// A Block is a memory block.
type Block struct {
	Size   *Size    `json:"size,omitempty"` // of a block that is allocated here
	Origin string   `json:"origin"`         // in words
	Line   int      `json:"line"`
	Live   [][2]int `json:"live"`
	Arrays []string `json:"arrays"`
	Stands []string `json:"stands,omitempty"` // for these, of an existential block
	// Turns are arrays that may lie in the block by another name of it, as in a loop's double buffer.
	Turns []string `json:"turns,omitempty"`
	Kept  bool     `json:"kept,omitempty"`  // by the caller
	Space string   `json:"space,omitempty"` // "": device memory
}

// A Pair is two blocks that may not share storage, and why.
type Pair struct {
	A    string `json:"a"`
	B    string `json:"b"`
	Why  string `json:"why"`
	Line int    `json:"line"`
	Text string `json:"text"`
}

// maxPairs bounds the pairs of one function that a page holds: their number grows with
// the square of the program.
const maxPairs = 2000

// newStage reads a text again and analyses it.
func newStage(t stageText) (*Stage, error) {
	p, list := parser.Parse(diag.NewFile("the program", t.text))
	if err := list.Err(); err != nil {
		return nil, err
	}
	if more := check.Program(p); more.Failed() {
		return nil, more.Err()
	}
	s := &Stage{Pass: t.pass, Doc: t.doc, Lines: strings.Split(strings.TrimSuffix(t.text, "\n"), "\n"), Funcs: []*Facts{}, prog: p}
	al := aliases.Analyze(p)
	live := liveness.Analyze(p, al)
	acc := accesses.Analyze(p, live)
	meets := interference.Analyze(p, al, live)
	for k, f := range p.Funcs {
		from := s.line(f.Span)
		to := len(s.Lines)
		if k+1 < len(p.Funcs) {
			to = s.line(p.Funcs[k+1].Span) - 1
		}
		facts := &Facts{
			Name: f.Name, From: from, To: to, Arrays: map[string]*Array{}, Blocks: map[string]*Block{}, Pairs: []Pair{},
			stage: s, fn: f, aliases: al.Func(f.Name), live: live.Func(f.Name), accesses: acc.Func(f.Name), meets: meets.Func(f.Name),
			derived: peak.Derived(f), spaces: map[string]string{},
		}
		s.Funcs = append(s.Funcs, facts)
		if ir.IsExplicit(f) {
			facts.blocks()
			facts.arrays()
			facts.turns()
			facts.pairs()
		}
	}
	return s, nil
}

func (s *Stage) function(name string) *Facts {
	for _, f := range s.Funcs {
		if f.Name == name {
			return f
		}
	}
	return nil
}

func (s *Stage) line(at diag.Span) int {
	if !at.Known() {
		return 0
	}
	line, _ := s.prog.File.Position(at.Start)
	return line
}

// lineOf returns the line at which control is at a point.
func (f *Facts) lineOf(point int) int {
	pt := f.live.Points[point]
	switch {
	case pt.Kind == liveness.At:
		return f.stage.line(pt.Stmt.Span)
	case pt.Kind == liveness.Exit:
		line, _ := f.stage.prog.File.Position(pt.Stmt.Span.End - 1)
		return line
	case pt.Kind == liveness.Begin && pt.Stmt == nil:
		return f.From
	case pt.Kind == liveness.Begin:
		if len(pt.Body.Stmts) > 0 {
			return max(f.stage.line(pt.Stmt.Span), f.stage.line(pt.Body.Stmts[0].Span)-1)
		}
		return f.stage.line(pt.Stmt.Span)
	}
	if n := len(pt.Body.Stmts); n > 0 { // the results stand behind the last statement
		line, _ := f.stage.prog.File.Position(pt.Body.Stmts[n-1].Span.End - 1)
		return min(line+1, f.To)
	}
	if pt.Stmt != nil {
		return f.stage.line(pt.Stmt.Span)
	}
	return f.To
}

func (f *Facts) spans(is []liveness.Interval) [][2]int {
	out := [][2]int{}
	for _, i := range is {
		out = append(out, [2]int{f.lineOf(i.From), f.lineOf(i.To)})
	}
	return out
}

func (f *Facts) blocks() {
	size := map[string]ir.Exp{}
	at := map[string]int{}
	ir.WalkStmts(f.fn.Body, func(s *ir.Stmt) bool {
		for _, e := range s.Pat {
			at[e.Name] = f.stage.line(s.Span)
			if e.Type.Place != nil && at[e.Type.Place.Mem] == 0 {
				at[e.Type.Place.Mem] = f.stage.line(s.Span)
			}
		}
		if a, ok := s.Op.(*ir.Alloc); ok {
			size[s.Pat[0].Name] = a.Size
			f.spaces[s.Pat[0].Name] = a.Space
		}
		ir.Binds(s.Op, func(n string) { f.Indices = append(f.Indices, n) })
		return true
	})
	for _, m := range f.aliases.BlockNames() {
		b := &Block{Line: at[m], Live: f.spans(f.live.Block(m)), Arrays: []string{}, Kept: f.aliases.Pinned(m), Space: f.spaces[m]}
		_, given := f.aliases.Given(m)
		switch {
		case size[m] != nil:
			n := sizeOf(size[m]).with(f.derived)
			b.Size, b.Origin = &n, "allocated here"
		case given:
			b.Origin, b.Line = "an argument", f.From
		case f.aliases.Existential(m):
			b.Stands, _ = f.aliases.BlocksUpTo(m, 8)
			b.Origin = "one of several blocks, known when the program runs"
			if len(b.Stands) == 1 {
				b.Origin = "another name of " + b.Stands[0]
			}
		default:
			b.Origin = "given by a call"
		}
		f.Blocks[m] = b
	}
}

// turns finds the arrays that lie in a block only by another name of it.
func (f *Facts) turns() {
	for m, b := range f.Blocks {
		if b.Size == nil || len(b.Arrays) > 0 {
			continue
		}
		b.Turns, _ = f.aliases.MayLieInUpTo(m, maxReals)
	}
}

func (f *Facts) arrays() {
	scalars := scalars(f.fn)
	add := func(e *ir.Elem, line int) {
		if e.Type.Kind != ir.ArrayKind || e.Type.Place == nil {
			return
		}
		a := &Array{
			Type: ir.Type{Kind: e.Type.Kind, Prim: e.Type.Prim, Shape: e.Type.Shape}.String(), Bytes: size(lmad.Bytes(e.Type)).with(f.derived),
			Block: e.Type.Place.Mem, Line: line, Live: f.spans(f.live.Array(e.Name)), Last: []int{},
		}
		for _, p := range f.live.LastUsesOf(e.Name) {
			if l := f.lineOf(p); !slices.Contains(a.Last, l) {
				a.Last = append(a.Last, l)
			}
		}
		a.place(lmad.OfType(e.Type), e.Type.Prim, scalars)
		f.Arrays[e.Name] = a
		if b := f.Blocks[a.Block]; b != nil {
			b.Arrays = append(b.Arrays, e.Name)
		}
	}
	for _, e := range f.fn.Params {
		add(e, f.From)
	}
	ir.WalkStmts(f.fn.Body, func(s *ir.Stmt) bool {
		line := f.stage.line(s.Span)
		ir.Elems(s.Op, func(e *ir.Elem) { add(e, line) })
		for _, e := range s.Pat {
			add(e, line)
		}
		return true
	})
}

func (f *Facts) pairs() {
	f.More = !f.meets.Some(maxPairs, func(m1, m2 string, w interference.Witness) {
		if w.Why == interference.Caller {
			return
		}
		f.Pairs = append(f.Pairs, Pair{A: m1, B: m2, Why: w.Why.String(), Line: f.lineOf(w.Point), Text: f.sentence(w, "line "+fmt.Sprint(f.lineOf(w.Point)))})
	})
}

// sentence says why two blocks may not share, with the place of the witness in words.
func (f *Facts) sentence(w interference.Witness, at string) string {
	a, b := quote(w.A), quote(w.B)
	switch w.Why {
	case interference.Caller:
		return fmt.Sprintf("%s and %s meet at %s, and the caller keeps the block of one of them.", a, b, at)
	case interference.Statement:
		return fmt.Sprintf("%s and %s meet at %s: the statement may write one before it has read the other for the last time.", a, b, at)
	case interference.Threads:
		if x, y := f.Arrays[w.A], f.Arrays[w.B]; x != nil && y != nil && x.Line > y.Line {
			a, b = b, a // the one that is made later is written
		}
		return fmt.Sprintf("At %s threads of one kernel work at the same time: one thread may still read %s where another already writes %s.", at, a, b)
	case interference.Iterations:
		return fmt.Sprintf("Around %s the contents of %s from one iteration and of %s from another are needed at one time.", at, a, b)
	case interference.SameBlock:
		return fmt.Sprintf("Both names may stand for the block %s.", a)
	}
	return fmt.Sprintf("The contents of %s and of %s are both needed at %s.", a, b, at)
}

func quote(name string) string { return "`" + name + "`" }

// align gives every line of every stage a row, so that lines that bind the same names
// stand side by side.
func (x *Explanation) align() {
	// rows holds the key of each row, in order; places the rows of the stage before.
	type row struct{ cells []int }
	var rows []*row
	var keys []string
	for k, s := range x.Stages {
		next := make([]string, len(s.Lines))
		for i, l := range s.Lines {
			next[i] = lineKey(l)
		}
		var merged []*row
		var mergedKeys []string
		i, j := 0, 0
		for _, e := range pipeline.Edits(keys, next) {
			switch e.Sign {
			case '+':
				merged, mergedKeys = append(merged, &row{}), append(mergedKeys, next[j])
			default:
				merged, mergedKeys = append(merged, rows[i]), append(mergedKeys, keys[i])
				i++
			}
			r := merged[len(merged)-1]
			for len(r.cells) <= k {
				r.cells = append(r.cells, -1)
			}
			if e.Sign != '-' {
				r.cells[k] = j
				j++
			}
		}
		rows, keys = merged, mergedKeys
	}
	for k, s := range x.Stages {
		s.Rows = make([]int, len(s.Lines))
		for i, r := range rows {
			if k < len(r.cells) && r.cells[k] >= 0 {
				s.Rows[r.cells[k]] = i
			}
		}
	}
}

// lineKey is what makes a line the same line after a pass: of a statement the names
// that it binds, without their types and places.
func lineKey(line string) string {
	text := strings.TrimSpace(line)
	pat, ok := strings.CutPrefix(text, "let ")
	if !ok {
		return text
	}
	pat, _, _ = strings.Cut(pat, " = ")
	var names []string
	for _, part := range strings.Split(strings.Trim(pat, "()"), ", ") {
		name, _, _ := strings.Cut(part, ":")
		if !strings.ContainsAny(name, "()[] ") {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return text
	}
	return "let " + names[0]
}
