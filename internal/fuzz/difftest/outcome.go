package difftest

import (
	"errors"
	"regexp"
	"slices"

	"github.com/memc-lang/memc/analysis/arena"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/oracle/erase"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/oracle/memcheck"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/transform"
)

// An Outcome is the result of running one program in every way.
type Outcome struct {
	Failure *Failure
	// Limited is the message of a known limitation by which memc refuses the
	// program (exit code 3); nothing else was run then.
	Limited string
	// Wraps: some arithmetic on i64 wrapped around, by value. Faults are the kinds of
	// errors by which runs by value ended.
	Wraps  bool
	Faults []string
	// Dropped counts the inputs that need more than the interpreters' budget.
	Dropped int
	// Wrong counts the inputs for which hand-made places go wrong.
	Wrong int
	// Unproven lists what the static checker of memory could not prove, after the
	// passes where that was new.
	Unproven []Unproven
	// Passes counts the work of the passes.
	Passes PassTable
	// ByMemory, OnDevice, OwnOnDevice and Bound tell how much memory runs held, before
	// anything was optimised and behind the default pipeline; OwnOnDevice leaves out
	// temporaries.
	ByMemory, OnDevice, OwnOnDevice PeakTable
	Bound                           BoundTable

	// peaks are what runs by memory held, per input: the first and the last time, and
	// the time before.
	peaks struct{ first, previous, now []int64 }
}

// What a program means for one input: its results, or the kind of error that ends it.
type meant struct {
	values []value.Value
	fault  string
	// dropped: some run needed more memory or steps than it may have.
	dropped bool
}

// faultOf returns the part of a program's error that is the same in all ways of running: its
// message without names and numbers, and its code; "" for others, such as a bug of memc.
func faultOf(err error) string {
	var full *runtime.OutOfMemory
	if errors.As(err, &full) {
		return "out of memory"
	}
	var d *diag.Diagnostic
	if !errors.As(err, &d) || d.Severity != diag.Error {
		return ""
	}
	return numbers.ReplaceAllString(d.Msg, "_") + " [" + string(d.Code) + "]"
}

// Unproven is a finding of the static checker that is not certain.
type Unproven struct{ Pass, Msg string }

// A PassTable counts the work of passes, by their names, in the order of their first
// run.
type PassTable struct {
	Order []string
	Rows  map[string]*PassRow
}

// A PassRow holds the counts of one pass.
type PassRow struct {
	Programs int `json:"programs"` // in which it made a rewrite
	Runs     int `json:"runs"`
	Rewrites int `json:"rewrites"`
	// Codes counts the remarks with a code in brackets, such as [C3]: why a
	// rewrite was refused.
	Codes map[string]int `json:"refused,omitempty"`
	// Off counts the runs in which a switch of the pass was off.
	Off map[string]int `json:"switched_off,omitempty"`
}

func (t *PassTable) row(name string) *PassRow {
	if t.Rows[name] == nil {
		if t.Rows == nil {
			t.Rows = map[string]*PassRow{}
		}
		t.Rows[name] = &PassRow{Codes: map[string]int{}, Off: map[string]int{}}
		t.Order = append(t.Order, name)
	}
	return t.Rows[name]
}

// Row returns the counts of a pass; they are 0 for one that never ran.
func (t *PassTable) Row(name string) PassRow {
	if r := t.Rows[name]; r != nil {
		return *r
	}
	return PassRow{}
}

// code is the code of a remark: what stands in brackets and begins with a letter.
var code = regexp.MustCompile(`^([a-z]+): (?:.*? )?\[([A-Za-z][A-Za-z0-9-]*)\]`)

// note adds one run of a pass.
func (o *Outcome) note(r *pipeline.Report, pass *transform.Pass) {
	for _, s := range pass.Off {
		o.Passes.row(pass.Name).Off[s]++
	}
	for _, p := range r.Passes {
		row := o.Passes.row(p.Name)
		if row.Rewrites == 0 && p.Rewrites > 0 {
			row.Programs = 1
		}
		row.Runs++
		row.Rewrites += p.Rewrites
	}
	for _, d := range r.Remarks.All {
		if m := code.FindStringSubmatch(d.Msg); m != nil {
			o.Passes.row(m[1]).Codes[m[2]]++
		}
	}
}

// Merge adds the counts of other.
func (t *PassTable) Merge(other *PassTable) {
	for _, name := range other.Order {
		from, to := other.Rows[name], t.row(name)
		to.Programs += from.Programs
		to.Runs += from.Runs
		to.Rewrites += from.Rewrites
		for c, n := range from.Codes {
			to.Codes[c] += n
		}
		for s, n := range from.Off {
			to.Off[s] += n
		}
	}
}

// remember keeps what the program is without its memory, and what its own places
// have wrong: that is no pass's doing.
func (c *checker) remember(p *ir.Program) {
	if !c.skips(StageErase) {
		c.before = ir.Erase(p)
	}
	c.known = map[string]bool{}
	if !c.skips(StageStatic) && slices.ContainsFunc(p.Funcs, ir.IsExplicit) {
		for _, f := range memcheck.Check(p).Findings {
			c.known[f.Diag.Msg] = true
		}
	}
}

// erased checks that a pass changes where arrays lie, never what they hold.
func (c *checker) erased(p *ir.Program) bool {
	c.input = -1
	if err := erase.Equal(c.before, p); err != nil {
		return c.fail("without its memory the program is another one: %v", err)
	}
	return true
}

// byMemory is the interpreter by memory, which is told where threads of groups meet.
func byMemory(p *ir.Program) interpreter {
	barriers := arena.New(p).Barriers()
	return func(p *ir.Program, entry string, args []value.Value, opt interp.Options) ([]value.Value, error) {
		opt.Barriers = barriers
		return interp.ByMemory(p, entry, args, opt)
	}
}

// memory runs the program by memory, and notes how much the runs hold.
func (c *checker) memory(p *ir.Program) bool {
	peaks, run := make([]int64, len(c.s.Inputs)), byMemory(p)
	for k := range c.s.Inputs {
		if c.want[k].dropped {
			continue
		}
		got, stats, err := c.within(p, k, run)
		if !c.agrees("by memory", k, got, err, value.Exact) {
			return false
		}
		if err == nil {
			peaks[k] = stats.PeakBytes
		}
	}
	if c.out.peaks.first == nil && !slices.ContainsFunc(p.Funcs, func(f *ir.Func) bool { return !ir.IsExplicit(f) }) {
		c.out.peaks.first, c.unoptimised = peaks, c.text
	}
	c.out.peaks.previous, c.out.peaks.now = c.out.peaks.now, peaks
	return true
}

// static asks the static checker: what is certainly wrong is a failure, what it
// cannot prove is noted.
func (c *checker) static(p *ir.Program) bool {
	c.input, c.text = -1, p.String()
	before := len(c.out.Unproven)
	for _, f := range memcheck.Check(p).Findings {
		switch {
		case c.known[f.Diag.Msg]:
		case f.Certain():
			return c.fail("%s", f.Diag.Error())
		default:
			c.known[f.Diag.Msg] = true
			c.out.Unproven = append(c.out.Unproven, Unproven{c.pass, f.Diag.Error()})
		}
	}
	return before == len(c.out.Unproven) || c.doubt(p)
}

// doubt runs a program that could not be proven for more inputs, from here on.
func (c *checker) doubt(p *ir.Program) bool {
	more := c.opt.More
	c.opt.More = nil
	if c.at(StageValue); len(more) == 0 || !c.means(p, more) {
		return len(more) == 0
	}
	c.at(StageMemory)
	return c.memory(p)
}
