package progen

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
)

// Coverage counts constructs of programs: in how many programs each stands,
// and how often. Add it up over many programs with Merge.
type Coverage struct {
	Programs, Statements, Inputs int
	Counts                       map[string]*Tally
}

// A Tally tells in how many programs a construct stands, and how often.
type Tally struct{ Programs, Times int }

// NewCoverage returns empty counts, with a row for everything that is expected to
// be covered: what stays at 0 is seen.
func NewCoverage() *Coverage {
	c := &Coverage{Counts: map[string]*Tally{}}
	for _, group := range expected {
		for _, name := range group.names {
			c.Counts[name] = &Tally{}
		}
	}
	return c
}

// expected lists the constructs in the order of the table.
var expected = []struct {
	title string
	names []string
}{
	{"fresh arrays", []string{"copy", "concat", "concat of concat", "scratch", "iota", "range", "replicate", "replicate of array", "array literal"}},
	{"delayed arrays", []string{"alias", "reshape", "rearrange", "slice", "slice with stride", "slice with negative stride", "slice with fixed index", "view of view"}},
	{"updates", []string{"update of element", "update with array", "update of update", "update of view", "update from itself"}},
	{"control", []string{"if", "if with arrays", "if with existential size", "loop for", "loop while", "loop with array", "loop with unique array", "loop with changing size", "nested loop", "nested if", "assert", "asserted equal sizes", "call", "call with named size"}},
	{"may be one", []string{"if of one of several arrays", "results of an if that may be one", "results of a call that may be one", "results of a loop that may be one", "copy of such a result", "update with such a result"}},
	{"kernels", []string{"map", "reduce", "scan", "scatter", "hist", "map into", "into", "into two", "several accumulators", "1 bound", "2 bounds", "3 bounds", "several results", "array result", "operator of several values", "operator not commutative", "combined arrays", "scatter of two", "hist of two"}},
	{"in kernels", []string{"fresh array in kernel", "view in kernel", "update in kernel", "loop in kernel", "if in kernel", "while in kernel", "into in loop", "into in if"}},
	{"element types", []string{"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64", "bool"}},
	{"sizes", []string{"input of size 0", "input of size 1", "input of size 2", "input of size 5", "constant size 0", "constant size 1", "parameter with *", "result with *"}},
	{"hostile", []string{"large constant", "product with a large constant", "if on a thread's number", "loop without end", "fresh array under it", "slice at a loop's index", "input of 1000 elements"}},
	{"by value", []string{"arithmetic that wraps", "negative size", "index out of bounds", "slice out of bounds", "other error", "input of 10000 elements", "places by hand", "places by hand that overlap or do not fit"}},
	{"memory", []string{"explicit place", "existential block", "existential index function", "alloc"}},
}

// Add counts a checked program and its inputs.
func (c *Coverage) Add(p *ir.Program, inputs [][]value.Value) {
	w := &walker{seen: map[string]int{}, c: c, mayBe: mayBe{funcs: map[string]*given{}}}
	for _, f := range p.Funcs {
		w.function(f)
	}
	for _, args := range inputs {
		for _, v := range args {
			n := v.Elems()
			w.countIf(n >= 1000, "input of 1000 elements")
			w.countIf(n >= 10000, "input of 10000 elements")
			for _, d := range v.Shape {
				if d <= 2 || d == 5 {
					w.count(fmt.Sprintf("input of size %d", d))
				}
			}
		}
	}
	c.Programs++
	c.Inputs += len(inputs)
	for name, n := range w.seen {
		c.Count(name, n)
	}
}

// Count counts a program in which something was found n times, if it was.
func (c *Coverage) Count(name string, n int) {
	if n > 0 {
		c.tally(name).Programs++
		c.tally(name).Times += n
	}
}

func (c *Coverage) tally(name string) *Tally {
	if c.Counts[name] == nil {
		c.Counts[name] = &Tally{}
	}
	return c.Counts[name]
}

// Merge adds the counts of other.
func (c *Coverage) Merge(other *Coverage) {
	c.Programs += other.Programs
	c.Statements += other.Statements
	c.Inputs += other.Inputs
	for name, t := range other.Counts {
		c.tally(name).Programs += t.Programs
		c.tally(name).Times += t.Times
	}
}

// Missing lists what is expected and never stood in a program. The last two groups do
// not count: memory is only in programs that came with blocks shared already, and how
// programs run is not known here.
func (c *Coverage) Missing() []string {
	var out []string
	for _, group := range expected {
		for _, name := range group.names {
			if c.Counts[name].Times == 0 && group.title != "memory" && group.title != "by value" {
				out = append(out, name)
			}
		}
	}
	return out
}

// A Row is one construct of the table: in how many programs it stands, and how often.
type Row struct {
	Group    string `json:"group"`
	Name     string `json:"name"`
	Programs int    `json:"programs"`
	Times    int    `json:"times"`
}

// Rows returns the table: what is expected first, group by group.
func (c *Coverage) Rows() []Row {
	var out []Row
	known := map[string]bool{}
	row := func(group, name string) {
		t := c.Counts[name]
		out = append(out, Row{group, name, t.Programs, t.Times})
		known[name] = true
	}
	for _, group := range expected {
		for _, name := range group.names {
			row(group.title, name)
		}
	}
	var others []string
	for name := range c.Counts {
		if !known[name] {
			others = append(others, name)
		}
	}
	sort.Strings(others)
	for _, name := range others {
		row("other", name)
	}
	return out
}

// Write prints the table: share of programs, and times.
func (c *Coverage) Write(w io.Writer) {
	fmt.Fprintf(w, "%d programs, %d statements, %d inputs\n", c.Programs, c.Statements, c.Inputs)
	last := ""
	for _, r := range c.Rows() {
		title := r.Group
		if title == last {
			title = ""
		}
		last = r.Group
		fmt.Fprintf(w, "%-15s %-28s %6.1f%% %9d\n", title, r.Name, share(r.Programs, c.Programs), r.Times)
	}
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return 100 * float64(n) / float64(of)
}

// String returns the table.
func (c *Coverage) String() string {
	var b strings.Builder
	c.Write(&b)
	return b.String()
}

// A walker counts one program.
type walker struct {
	c      *Coverage
	seen   map[string]int
	made   map[string]ir.Op // the operation that binds a name in this function
	kernel bool
	loops  int
	ifs    int
	// indices tells of those of kernels (true) and loops. onThread: this is a branch of an
	// if on a thread's number.
	indices  map[string]bool
	onThread bool
	mayBe
	inDoubt map[string]bool // results of a call two of which may be one
}

func (w *walker) count(name string) { w.seen[name]++ }

func (w *walker) countIf(cond bool, name string) {
	if cond {
		w.seen[name]++
	}
}

func (w *walker) function(f *ir.Func) {
	w.made, w.indices = map[string]ir.Op{}, map[string]bool{}
	w.memory, w.inDoubt = map[string][]string{}, map[string]bool{}
	for _, p := range f.Params {
		w.add(p.Name, p.Name)
	}
	for _, p := range f.Params {
		w.typ(p.Type)
		w.countIf(p.Type.Unique, "parameter with *")
	}
	for _, r := range f.Results {
		w.countIf(r.Type.Unique, "result with *")
	}
	w.body(f.Body)
	w.funcs[f.Name] = w.resultsOf(f)
}

func (w *walker) typ(t ir.Type) {
	if t.Kind == ir.ScalarKind || t.Kind == ir.ArrayKind {
		w.count(t.Prim.String())
	}
	for _, d := range t.Shape {
		if d.Name == "" && d.Const <= 1 {
			w.count(fmt.Sprintf("constant size %d", d.Const))
		}
	}
	if p := t.Place; p != nil {
		w.countIf(len(p.Ix) > 0, "explicit place")
		w.countIf(p.Exist, "existential block")
		w.countIf(len(ir.ExistNames(p)) > 1, "existential index function")
	}
}

func (w *walker) body(b *ir.Body) {
	for _, s := range b.Stmts {
		w.c.Statements++
		for _, e := range s.Pat {
			w.made[e.Name] = s.Op
			w.typ(e.Type)
		}
		w.op(s)
	}
}

func isArray(t ir.Type) bool { return t.Kind == ir.ArrayKind }

func anyArray(es []*ir.Elem) bool {
	for _, e := range es {
		if isArray(e.Type) {
			return true
		}
	}
	return false
}
