package filetest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/parallel"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/run/cc"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// Note [Many programs in one]
//
// Most of the time of a C compiler goes into the runtime, which is the same for every program. So
// the programs of some files become one program, whose functions begin with the number of their
// file: p12_main. Each file goes through the passes alone first. The positions and some names in
// messages are then others than in the file. So an expected error may also be one that begins as by
// value, up to the first name or number; memc test --device=c compares whole messages.

// Compilers are C compilers with flags, of which the results of the same program must agree. The
// flags are those of users, not those of memc run (cc.FlagSets).
var Compilers = []string{"gcc -O0", "gcc -O1", "gcc -O2", "gcc -O3", "clang -O2", "gcc -O3 -march=native", "clang -O2 -march=native"}

// CompiledOptions steer Compiled.
type CompiledOptions struct {
	Compilers []string
	// Turns: each part of the files is compiled by one of the compilers only, in turn, not by all.
	Turns bool
	Files int // at most how many files become one program
	// Done is called after every build of a part, one call at a time, in no fixed order.
	Done func(compiler string, files int)
}

// A member is a file that became a part of a larger program.
type member struct {
	path   string
	prefix string
	cases  []compiledCase
	source *ir.Program // checked, as written
	text   string      // after the default passes, with other names of functions
}

// A compiledCase is an input with what it must give.
type compiledCase struct {
	*Case
	entry string
	args  []value.Value
	want  []value.Value
	shown []int
	fault string // how the message of its error begins, by value
}

// Compiled runs the inputs of all test blocks below the paths as C. There is a result for each input
// and compiler, and for each file that does not compile.
func Compiled(paths []string, opt CompiledOptions) ([]Result, error) {
	files, err := collect(paths)
	if err != nil {
		return nil, err
	}
	if len(opt.Compilers) == 0 {
		return nil, fmt.Errorf("no C compiler is given")
	}
	for _, c := range opt.Compilers {
		if _, err := exec.LookPath(strings.Fields(c)[0]); err != nil {
			return nil, err
		}
	}
	c := &compiledRun{opt: opt, members: make([]*member, len(files))}
	parallel.Each(len(files), func(i int) { c.members[i] = c.prepare(files[i], fmt.Sprintf("p%d_", i)) })
	var parts [][]*member
	for _, m := range c.members {
		if m == nil {
			continue
		}
		if k := len(parts) - 1; k < 0 || len(parts[k]) == max(1, opt.Files) {
			parts = append(parts, nil)
		}
		k := len(parts) - 1
		parts[k] = append(parts[k], m)
	}
	type job struct {
		part     []*member
		compiler string
	}
	var jobs []job
	for k, part := range parts {
		if opt.Turns {
			jobs = append(jobs, job{part, opt.Compilers[k%len(opt.Compilers)]})
			continue
		}
		for _, name := range opt.Compilers {
			jobs = append(jobs, job{part, name})
		}
	}
	parallel.Each(len(jobs), func(i int) { c.run(jobs[i].part, jobs[i].compiler) })
	return c.results, nil
}

type compiledRun struct {
	opt     CompiledOptions
	members []*member
	mu      sync.Mutex
	results []Result
}

func (c *compiledRun) note(path string, line int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.results = append(c.results, Result{Path: path, Line: line, Err: err})
}

// prepare reads a file, brings its program through the passes and computes what its inputs must
// give; nil: it has no inputs, or is wrong, which is noted.
func (c *compiledRun) prepare(path, prefix string) *member {
	data, err := os.ReadFile(path)
	if err != nil {
		c.note(path, 0, err)
		return nil
	}
	blocks, err := Blocks(string(data), filepath.Dir(path))
	if err != nil {
		c.note(path, 0, err)
		return nil
	}
	var cases []*Case
	for _, b := range blocks {
		for i := range b.Cases {
			if b.Cases[i].HasInput {
				cases = append(cases, &b.Cases[i])
			}
		}
	}
	if len(cases) == 0 {
		return nil
	}
	m := &member{path: path, prefix: prefix}
	file := diag.NewFile(path, string(data))
	var list *diag.List
	if m.source, list = driver.Check(file); list.Err() != nil {
		c.note(path, 0, list)
		return nil
	}
	p, _, err := explicit(file, Passes(blocks), true)
	if err != nil {
		c.note(path, 0, err)
		return nil
	}
	for _, k := range cases {
		cc, err := m.expect(k)
		if err != nil {
			c.note(path, k.Line, err)
			continue
		}
		m.cases = append(m.cases, cc)
	}
	for _, f := range p.Funcs {
		f.Name, f.Alias, f.Lead = prefix+f.Name, "", nil
		ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
			if call, ok := s.Op.(*ir.Call); ok {
				call.Fn = prefix + call.Fn
			}
			return true
		})
	}
	m.text = p.String()
	return m
}

func (m *member) expect(k *Case) (out compiledCase, err error) {
	f := m.source.EntryNamed(k.Entry)
	if f == nil {
		return out, fmt.Errorf("no entry %q", k.Entry)
	}
	out = compiledCase{Case: k, entry: m.prefix + f.Name, shown: seq(len(f.Results))}
	if out.args, err = ReadValues("input", k.Input, f); err != nil {
		return out, err
	}
	switch {
	case k.Auto:
		if out.want, err = interp.ByValue(m.source, f.Name, out.args, interp.Options{}); err != nil {
			err = fmt.Errorf("by value: %w", err)
		}
	case k.Fails == nil:
		out.want, out.shown, err = expected(k, f)
	case !k.ByMemory:
		_, fails := interp.ByValue(m.source, f.Name, out.args, interp.Options{})
		out.fault = beginning(fails)
	}
	return out, err
}

// beginning returns the message of a program's error up to its first name or number.
func beginning(err error) string {
	var d *diag.Diagnostic
	if !errors.As(err, &d) {
		return ""
	}
	if strings.Contains(d.Msg, "out of device memory") { // a pass has made the array's size a block's
		return "out of memory"
	}
	if k := strings.IndexAny(d.Msg, "`:-0123456789"); k >= 0 {
		return d.Msg[:k]
	}
	return d.Msg
}

// run builds a part of the files by one compiler, and runs its inputs.
func (c *compiledRun) run(part []*member, compiler string) {
	defer func() {
		if r := recover(); r != nil {
			c.note(part[0].path, 0, fmt.Errorf("%s: panic: %v", compiler, r))
		}
	}()
	if c.opt.Done != nil {
		defer func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.opt.Done(compiler, len(part))
		}()
	}
	fail := func(err error) {
		c.note(part[0].path, 0, fmt.Errorf("%s, with the next %d files: %w", compiler, len(part)-1, err))
	}
	var text strings.Builder
	for _, m := range part {
		text.WriteString(m.text + "\n")
	}
	p, list := driver.Check(diag.NewFile("several.ir", text.String()))
	if err := list.Err(); err != nil {
		fail(err)
		return
	}
	dir, err := os.MkdirTemp("", "memc-compilers-")
	if err != nil {
		fail(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	built, err := driver.CompileBy(p, imp.Options{}, func(source string) (*cc.Program, error) {
		return cc.BuildBy(strings.Fields(compiler), dir, source)
	})
	if err != nil {
		fail(err)
		return
	}
	for _, m := range part {
		for i := range m.cases {
			c.note(m.path, m.cases[i].Line, m.cases[i].run(built, compiler))
		}
	}
}

func (k *compiledCase) run(built *driver.Compiled, compiler string) error {
	got, _, err := built.Run(k.entry, k.args, driver.RunOptions{})
	switch {
	case k.Fails != nil && k.fault != "" && k.fault == beginning(err):
		return nil
	case k.Fails != nil:
		return matches(err, k.Fails, "running as C by "+compiler)
	case err != nil:
		return fmt.Errorf("as C by %s: %w", compiler, err)
	}
	return compare("as C by "+compiler, k.want, got, k.shown, k.Within)
}
