package driver

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/codegen/opencl"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/run/cc"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
)

// Processors is the name of processors as a device: C, built by the system's compiler.
const Processors = "c"

// LowerTasks brings an explicit program into the imperative form for processors.
func LowerTasks(p *ir.Program, opt imp.Options) (*Lowered, error) {
	opt.Tasks = true
	low, err := imp.Lower(p, opt)
	if err != nil {
		return nil, err
	}
	return &Lowered{Imp: low}, nil
}

// A Compiled is a program that the system's C compiler has built.
type Compiled struct {
	p   *ir.Program
	low *imp.Program
	exe *cc.Program
}

// Compile builds an explicit program.
func Compile(p *ir.Program, opt imp.Options) (*Compiled, error) {
	return CompileBy(p, opt, cc.Build)
}

// CompileBy builds an explicit program in a way of the caller's.
func CompileBy(p *ir.Program, opt imp.Options, build func(source string) (*cc.Program, error)) (*Compiled, error) {
	low, err := LowerTasks(p, opt)
	if err != nil {
		return nil, err
	}
	source, _, err := opencl.Host(low.Imp, "", opencl.HostOptions{Prefix: "program"})
	if err != nil {
		return nil, err
	}
	exe, err := build(source)
	if err != nil {
		return nil, err
	}
	return &Compiled{p, low.Imp, exe}, nil
}

// Run runs an entry in a process of its own.
func (c *Compiled) Run(entry string, args []value.Value, opt RunOptions) ([]value.Value, runtime.Stats, error) {
	var options []string
	if opt.MemoryLimit > 0 {
		options = append(options, "--memory-limit="+strconv.FormatInt(opt.MemoryLimit, 10))
	}
	if opt.Allocator != "" {
		options = append(options, "--allocator="+opt.Allocator)
	}
	if opt.Threads > 0 {
		options = append(options, "--threads="+strconv.Itoa(opt.Threads))
	}
	if opt.Times != "" {
		options = append(options, "--runs=1", "--times="+opt.Times)
	}
	f := c.p.EntryNamed(entry)
	if f == nil {
		return nil, runtime.Stats{}, &diag.Coded{Code: diag.NoEntry, Err: fmt.Errorf("there is no entry `%s`", entry)}
	}
	name := entry
	if f.Alias != "" {
		name = f.Alias
	}
	written, st, err := c.exe.Run(name, args, options...)
	if err != nil {
		return nil, st, c.failure(err)
	}
	results, err := withSizes(f, written)
	return results, st, err
}

// withSizes puts the results that are sizes of later ones where they belong: the
// program does not write them, since the arrays show them.
func withSizes(f *ir.Func, written []value.Value) ([]value.Value, error) {
	results := make([]value.Value, len(f.Results))
	for i := range f.Results {
		if f.SizeResult(i) {
			continue
		}
		if len(written) == 0 {
			return nil, fmt.Errorf("the compiled program wrote too few results")
		}
		results[i], written = written[0], written[1:]
	}
	for i, r := range f.Results {
		if !f.SizeResult(i) {
			continue
		}
		for j, later := range f.Results {
			for d, dim := range later.Type.Shape {
				if dim.Name == r.Name && j > i {
					results[i] = value.Scalar(ir.I64, uint64(results[j].Shape[d]))
				}
			}
		}
	}
	return results, nil
}

// failure turns what the program says into a diagnostic with its place in the source.
func (c *Compiled) failure(err error) error {
	var f *cc.Failure
	if !errors.As(err, &f) {
		return err
	}
	lines := strings.Split(f.Text, "\n")
	where, code, msg, ok := diag.ParseLine(lines[0])
	if !ok {
		return err
	}
	d := &diag.Diagnostic{Severity: diag.Error, Code: code, File: c.low.File, Span: c.span(where), Msg: msg}
	for _, l := range lines[1:] {
		if text, ok := strings.CutPrefix(l, "note: "); ok {
			d.With(diag.Span{}, "%s", text)
		} else if text, ok := strings.CutPrefix(l, "hint: "); ok {
			d.Hinted("%s", text)
		}
	}
	return d
}

// span finds a place of the source by how it is written before a message.
func (c *Compiled) span(where string) (found diag.Span) {
	if where == "" {
		return diag.Span{}
	}
	look := func(s diag.Span) {
		if !found.Known() && s.Known() && c.low.File.Locate(s) == where {
			found = s
		}
	}
	for _, f := range c.low.Faults {
		look(f.Span)
	}
	for _, e := range c.low.Entries {
		for _, q := range e.Params {
			look(q.Span)
		}
	}
	if !found.Known() { // an allocation
		file := c.low.File
		for off := range file.Text {
			if s := (diag.Span{Start: off, End: off + 1}); file.Locate(s) == where {
				return s
			}
		}
	}
	return found
}
