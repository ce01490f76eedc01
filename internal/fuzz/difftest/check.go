package difftest

import (
	"fmt"
	"maps"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/run/exec"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/irjson"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/transform"
)

// The stages of a check, in their order.
const (
	StageSource = "source" // the program is refused, or fails by value: wrong input, or a bug of the checker
	StagePrint  = "print"  // printing and parsing again changes the program
	StagePass   = "pass"   // a pass fails, or its result is not valid
	StageValue  = "value"  // a pass changes the program's meaning
	StageErase  = "erase"  // without its memory the program is another one after a pass
	StageMemory = "memory" // by memory differs from by value
	StageStatic = "static" // the static checker of memory finds an error
	StagePeak   = "peak"   // reuse, or the default pipeline, raises the memory that a run holds
	StageLower  = "lower"  // lowering fails, or the device's compiler
	StageOpenCL = "opencl" // the device gives something else
	StageLeak   = "leak"   // blocks are live after the call
	StageC      = "c"      // the program compiled by a C compiler has another result
	// StageProcess: the process that ran the program ended, in a driver say, or was
	// not done in time.
	StageProcess = "process"
)

// Checks lists the stages that can be left out of a check.
var Checks = []string{StageValue, StageErase, StageMemory, StageStatic}

// A Subject is a program with arguments for one of its entries.
type Subject struct {
	Name   string // of the file, in messages
	Text   string
	Entry  string
	Inputs [][]value.Value
}

// Options of a check.
type Options struct {
	// Context is the OpenCL device; nil leaves OpenCL out.
	Context *runtime.Context
	// Apart makes Check ask another process, which has a device and its own passes.
	Apart *Apart
	// Meter is Context's trace; nil where no peak on the device is asked for.
	Meter *Meter
	// Passes are the passes to run; nil: the default pipeline.
	Passes []*transform.Pass
	// Until ends the check behind that run of a pass, counted from 1, and leaves out
	// what follows: the reducer needs no device to see that the interpreters differ.
	// -1: before any pass. 0 means all.
	Until int
	// MaxSteps bounds every run of an interpreter; 0: DefaultMaxSteps.
	MaxSteps int64
	// Skip names the Checks to omit.
	Skip map[string]bool
	// CC is a C compiler by which the program is compiled and run besides, on the
	// device of that name; "": none.
	CC, Device string
	// Limit bounds the rewrites of passes, as --limit does.
	Limit map[string]int
	// Unoptimised runs the program on the device once more, as it was before
	// anything was optimised, to compare what the two runs hold.
	Unoptimised bool
	// Placed: the program has places that may be wrong, or need memory that by value
	// nothing needs.
	Placed bool
	// More are inputs for a program that the static checker could not prove.
	More [][]value.Value
	// Bound computes the plan bound of the memory.
	Bound bool
}

// DefaultMaxSteps is far more than a generated program needs.
const DefaultMaxSteps = 5_000_000

// A Failure describes an error.
type Failure struct {
	Stage string
	Pass  string // behind which it showed; "" before the first, and behind all
	Run   int    // the number of that run of a pass, from 1; 0 where Pass is ""
	Input int    // the input that showed it, -1: none was needed
	Msg   string
	Text  string // the program as it was then
}

func (f *Failure) Error() string {
	where := f.Stage
	if f.Pass != "" {
		where += " after pass " + f.Pass
	}
	if f.Input >= 0 {
		where += fmt.Sprintf(", input %d", f.Input)
	}
	return where + ": " + f.Msg
}

var position = regexp.MustCompile(`\S+:[0-9]+:[0-9]+: `)

var numbers = regexp.MustCompile("`[^`]*`|\\b[a-z]+[0-9]+\\b|-?[0-9]+(\\.[0-9]+)?")

// Kind is what two failures of one cause share: the stage, the pass, and the
// message without its names and numbers.
func (f *Failure) Kind() string {
	msg, _, _ := strings.Cut(f.Msg, "\n")
	msg = position.ReplaceAllString(msg, "")
	if i := strings.Index(msg, " is "); strings.HasPrefix(msg, "result ") && i > 0 {
		msg = "result differs" // which one and where changes while the program shrinks
	}
	return f.Stage + "/" + f.Pass + "/" + numbers.ReplaceAllString(msg, "_")
}

// Check runs a program in every way; nil means that all agree, or that memc
// refuses the program as a known limitation.
func Check(s *Subject, opt Options) *Failure {
	if opt.Apart != nil {
		return opt.Apart.check(s)
	}
	return Run(s, opt).Failure
}

// Run runs a program in every way and returns the outcome.
func Run(s *Subject, opt Options) *Outcome {
	c := &checker{s: s, opt: opt, limit: maps.Clone(opt.Limit)}
	if c.opt.MaxSteps == 0 {
		c.opt.MaxSteps = DefaultMaxSteps
	}
	c.run()
	c.out.Failure = c.failure
	return &c.out
}

type checker struct {
	s       *Subject
	opt     Options
	out     Outcome
	failure *Failure
	limit   map[string]int
	before  *ir.Program     // without its memory, before any pass
	known   map[string]bool // findings of the static checker before any pass
	stage   string
	pass    string
	ran     int // runs of passes so far
	input   int
	text    string
	checked string // the text that went through all checks last
	want    []meant
	// unoptimised is the text in which the program first was explicit.
	unoptimised string
}

// fail notes the first failure; it gives false so that callers can return it.
func (c *checker) fail(format string, args ...any) bool {
	if c.failure == nil {
		c.failure = &Failure{Stage: c.stage, Pass: c.pass, Input: c.input, Msg: fmt.Sprintf(format, args...), Text: c.text}
		if c.pass != "" {
			c.failure.Run = c.ran
		}
	}
	return false
}

// at enters a stage.
func (c *checker) at(stage string) { c.stage, c.input = stage, -1 }

func (c *checker) run() {
	defer func() {
		if r := recover(); r != nil {
			stack := strings.Split(string(debug.Stack()), "\n")
			c.fail("panic: %v\n%s", r, strings.Join(stack[:min(len(stack), 40)], "\n"))
		}
	}()
	c.text, c.input = c.s.Text, -1
	c.at(StageSource)
	p := c.parse(c.s.Text)
	if p == nil || !c.source(p) {
		return
	}
	c.at(StagePrint)
	if !c.reprint(p) || c.opt.Until < 0 {
		return
	}
	if c.opt.Placed && !c.asWritten(p) {
		return
	}
	c.remember(p)
	passes := c.opt.Passes
	if passes == nil {
		passes = pipeline.DefaultPasses()
	}
	for _, pass := range pipeline.WithLevels(p, passes) {
		if !c.after(p, pass) || c.ran == c.opt.Until {
			return
		}
	}
	c.pass = ""
	if c.opt.Passes == nil && c.opt.Limit == nil && !c.compared() {
		return
	}
	if c.opt.Context != nil && !c.device(p) {
		return
	}
	if c.opt.CC != "" {
		c.compiled(p)
	}
}

// limited notes a known limitation, which ends the check; it gives false.
func (c *checker) limited(err error) bool {
	c.out.Limited = describe(err)
	return false
}

// parse reads and checks a text.
func (c *checker) parse(text string) *ir.Program {
	p, list := driver.Check(diag.NewFile(c.s.Name, text))
	if err := list.Err(); err != nil {
		if c.stage == StageSource && diag.ExitCode(list) == diag.ExitLimitation {
			c.limited(list)
			return nil
		}
		c.fail("%s", describe(list))
		return nil
	}
	return p
}

func describe(err error) string {
	if l, ok := err.(*diag.List); ok {
		var b strings.Builder
		for k, d := range l.All {
			if k > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(d.Error())
		}
		return b.String()
	}
	return err.Error()
}

// source runs the program by value: what it means. An input that needs more memory or
// steps than the run may have is dropped: that is no verdict.
func (c *checker) source(p *ir.Program) bool {
	inputs := c.s.Inputs
	c.s = &Subject{Name: c.s.Name, Text: c.s.Text, Entry: c.s.Entry}
	return c.means(p, inputs)
}

// means runs the program by value for more inputs.
func (c *checker) means(p *ir.Program, inputs [][]value.Value) bool {
	for k, args := range inputs {
		c.input = k
		var wraps int64
		var stats interp.Stats
		got, err := interp.ByValue(p, c.s.Entry, args, interp.Options{MaxSteps: c.opt.MaxSteps, MaxBytes: maxBytes, Wraps: &wraps, Stats: &stats})
		m := meant{values: got, fault: faultOf(err)}
		switch {
		case m.fault == "" && err != nil:
			return c.fail("by value: %v", err)
		case stats.Spent:
			c.out.Dropped++
			continue
		}
		c.out.Wraps = c.out.Wraps || wraps > 0
		if m.fault != "" {
			c.out.Faults = append(c.out.Faults, m.fault)
		}
		c.want, c.s.Inputs = append(c.want, m), append(c.s.Inputs, args)
	}
	return true
}

// maxBytes is what a run by an interpreter may hold; few generated programs need
// a thousandth of it.
const maxBytes = 256 << 20

// within runs the program by an interpreter for the k-th input, within a budget. An input
// that needs more is dropped from here on.
func (c *checker) within(p *ir.Program, k int, run interpreter) (got []value.Value, stats interp.Stats, err error) {
	c.input = k
	got, err = run(p, c.s.Entry, c.s.Inputs[k], interp.Options{MaxSteps: c.opt.MaxSteps, MaxBytes: maxBytes, Stats: &stats})
	if stats.Spent {
		c.want[k].dropped = true
		c.out.Dropped++
	}
	return got, stats, err
}

// reprint demands that printing and parsing again changes nothing.
func (c *checker) reprint(p *ir.Program) bool {
	c.input = -1
	text := p.String()
	c.text = text
	again := c.parse(text)
	if again == nil {
		return false
	}
	if second := again.String(); second != text {
		return c.fail("printing again gives another text:\n%s", second)
	}
	return c.asJSON(again, text)
}

// asJSON demands that JSON says what the text says.
func (c *checker) asJSON(p *ir.Program, text string) bool {
	encoded, err := irjson.Marshal(p)
	if err != nil {
		return c.fail("as JSON: %v", err)
	}
	again, list := irjson.Parse(diag.NewFile("fuzz.json", string(encoded)))
	if err := list.Err(); err != nil {
		return c.fail("as JSON: %v", err)
	}
	if second := again.String(); second != text {
		return c.fail("JSON gives another text:\n%s", second)
	}
	return true
}

// after runs one pass and compares what it gives. A pass that changes nothing leaves
// nothing new to check.
func (c *checker) after(p *ir.Program, pass *transform.Pass) bool {
	c.at(StagePass)
	c.ran++
	c.pass, c.text = pass.Name, p.String()
	report, err := pipeline.Run(p, []*transform.Pass{pass}, pipeline.Options{Verify: true, Limit: c.limit})
	if err != nil {
		if diag.ExitCode(err) == diag.ExitLimitation {
			return c.limited(err)
		}
		return c.fail("%s", describe(err))
	}
	c.out.note(report, pass)
	if pass.Computes {
		c.remember(p)
	}
	if left, ok := c.limit[pass.Name]; ok {
		c.limit[pass.Name] = left - report.Passes[0].Rewrites
	}
	if text := p.String(); text == c.checked {
		return true
	}
	if c.at(StagePrint); !c.reprint(p) {
		return false
	}
	if c.at(StageValue); !c.skips(StageValue) && !c.same(p, "by value", interp.ByValue) {
		return false
	}
	if c.at(StageErase); !c.skips(StageErase) && !c.erased(p) {
		return false
	}
	if c.at(StageMemory); !c.skips(StageMemory) && placed(p) && !c.memory(p) {
		return false
	}
	if c.at(StagePeak); pass.Name == sharing && !c.lowered() {
		return false
	}
	if c.at(StageStatic); !c.skips(StageStatic) && !c.static(p) {
		return false
	}
	c.checked = c.text
	return true
}

// placed reports whether a program has memory, and no array without a place: after the pass
// forget some functions may be explicit, and others not.
func placed(p *ir.Program) bool {
	agnostic := func(f *ir.Func) bool {
		found := false
		array := func(t ir.Type) { found = found || t.Kind == ir.ArrayKind && t.Place == nil }
		for _, x := range f.Params {
			array(x.Type)
		}
		ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
			for _, e := range s.Pat {
				array(e.Type)
			}
			return !found
		})
		return found
	}
	return slices.ContainsFunc(p.Funcs, ir.IsExplicit) && !slices.ContainsFunc(p.Funcs, agnostic)
}

func (c *checker) skips(stage string) bool { return c.opt.Skip[stage] }

type interpreter func(*ir.Program, string, []value.Value, interp.Options) ([]value.Value, error)

func (c *checker) same(p *ir.Program, how string, run interpreter) bool {
	for k := range c.s.Inputs {
		if c.want[k].dropped {
			continue
		}
		got, _, err := c.within(p, k, run)
		if !c.agrees(how, k, got, err, value.Exact) {
			return false
		}
	}
	return true
}

// endsBy reports whether a run may end by an error: where it fails by value, by one of that
// kind, or by one that passes find earlier than the text does: a size of a part, or want
// of memory (docs/ir.md, Meaning). Where there is no memory by value, it may end by any error: with more
// memory it could have come to that one, which passes may have moved up. So it may for a negative size: of an array
// that is not made, the reader finds it.
func (m meant) endsBy(err error) bool {
	fault := faultOf(err)
	return m.fault != "" && (fault == m.fault || strings.Contains(fault, "out of ") || strings.HasPrefix(fault, "negative size") ||
		(strings.HasPrefix(m.fault, "out of memory") || strings.HasPrefix(m.fault, "negative size")) && fault != "")
}

// agrees demands that a run gave what the k-th input gives by value: the same results,
// or an error of the same kind.
func (c *checker) agrees(how string, k int, got []value.Value, err error, tol value.Tolerance) bool {
	want := c.want[k]
	switch {
	case want.dropped:
		return true
	case err != nil && !want.endsBy(err):
		if want.fault != "" {
			how = "by value: " + want.fault + "; " + how
		}
		return c.fail("%s: %v", how, err)
	case err != nil:
		return true
	case strings.HasPrefix(want.fault, "out of memory"):
		return true // passes leave out arrays that nobody needs
	case want.fault != "":
		return c.fail("%s: no error, and by value: %s", how, want.fault)
	}
	return c.compare(want.values, got, tol)
}

func (c *checker) compare(want, got []value.Value, tol value.Tolerance) bool {
	if len(want) != len(got) {
		return c.fail("%d results, expected %d", len(got), len(want))
	}
	for k := range want {
		if d := value.Diff(want[k], got[k], tol); d != "" {
			return c.fail("result %d: %s", k+1, d)
		}
	}
	return true
}

// device runs the explicit program on OpenCL.
func (c *checker) device(p *ir.Program) bool {
	c.text = p.String()
	peaks := make([]held, len(c.s.Inputs))
	if !c.onDevice(p, peaks) {
		return false
	}
	if !c.opt.Unoptimised || c.opt.Meter == nil || c.unoptimised == "" || c.unoptimised == c.text {
		return true
	}
	c.text = c.unoptimised
	before := make([]held, len(c.s.Inputs))
	if q := c.parse(c.text); q == nil || !c.onDevice(q, before) {
		return false
	}
	for k := range peaks {
		c.out.OnDevice.add(before[k].all, peaks[k].all)
		if c.out.OwnOnDevice.add(before[k].own, peaks[k].own); peaks[k].own > before[k].own {
			c.at(StagePeak)
			c.input = k
			return c.fail("on the device the program's blocks hold %d bytes, and %d were enough before anything was optimised", peaks[k].own, before[k].own)
		}
	}
	return true
}

// held tells how many bytes were held at most: of all blocks, and of the program's own.
type held struct{ all, own int64 }

// onDevice runs one form of the program on OpenCL, and returns the memory held.
func (c *checker) onDevice(p *ir.Program, peaks []held) bool {
	c.at(StageLower)
	low, err := driver.Lower(p, imp.Options{Tuning: imp.Busy()})
	if err != nil {
		if diag.ExitCode(err) == diag.ExitLimitation {
			return c.limited(err)
		}
		return c.fail("%s", describe(err))
	}
	prepared, err := exec.Prepare(c.opt.Context, low.Imp, low.Kernels, exec.Options{})
	if err != nil {
		return c.fail("%v", err)
	}
	defer prepared.Close()
	c.at(StageOpenCL)
	for k, args := range c.s.Inputs {
		if c.want[k].dropped {
			continue
		}
		c.stage, c.input = StageOpenCL, k
		c.opt.Context.ResetStats()
		if c.opt.Meter != nil {
			c.opt.Meter.reset()
		}
		got, err := prepared.Call(c.s.Entry, args)
		if c.opt.Meter != nil && err == nil {
			peaks[k] = held{c.opt.Context.Stats().PeakBytes, c.opt.Meter.peak}
		}
		if !c.agrees("on the device", k, got, err, value.DefaultTolerance) {
			return false
		}
		c.stage = StageLeak
		if n := c.opt.Context.LiveBlocks(); n != 0 {
			return c.fail("%d blocks are live after the call", n)
		}
	}
	return true
}
