package compiler

import (
	"cmp"
	"slices"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime/device"
	"github.com/memc-lang/memc/transform"
)

// Options say how a program is compiled. Their zero value is what `memc run` does.
type Options struct {
	// File is the name of the program in messages; "": "program".
	File string `json:"file"`
	// Passes are those to run, as in `memc opt --passes`: "middle,memory:-reuse"; "": the default,
	// and "none": none.
	Passes string `json:"passes"`
	// Unsafe leaves bounds checks out.
	Unsafe bool `json:"unsafe"`
	// Contract lets kernels compute x * y + z with one rounding (docs/kernels.md).
	Contract bool `json:"contract"`
	// Thresholds say how kernels divide their work: "NAME=VALUE", as `memc tune` writes them.
	Thresholds []string `json:"thresholds"`
	// DeviceHeap is the size in bytes of the memory for kernels that allocate; 0: the default.
	DeviceHeap int64 `json:"device_heap"`
}

// An Entry is a function that can be called. Its results are those that Call returns: a scalar that
// only sizes a later array is left out.
type Entry struct {
	Name    string      `json:"name"`
	Params  []Parameter `json:"params"`
	Results []Parameter `json:"results"`
}

// A Parameter is a parameter or a result of an entry.
type Parameter struct {
	Name string `json:"name,omitempty"` // "" for a result without a name
	Type string `json:"type"`           // as the program writes it: "*[n][3]f32"
	Elem string `json:"elem"`           // "f32"
	// Shape holds the dimensions of an array, each a number or a name; nil: a scalar.
	Shape []string `json:"shape,omitempty"`
	// Consumed tells that a call consumes its argument.
	Consumed bool `json:"consumed,omitempty"`
}

// A Program is a compiled program on a context.
type Program struct {
	loaded   *driver.Loaded
	entries  []Entry
	funcs    map[string]*ir.Func // entries by name
	warnings []Message
}

// Compile compiles the text of a program, or its JSON. What an entry needs is built when it is first
// called.
func (c *Context) Compile(text string, opt Options) (_ *Program, err error) {
	defer guard(&err)
	f := diag.NewFile(cmp.Or(opt.File, "program"), text)
	p, list := driver.Parse(f)
	if err := list.Err(); err != nil {
		return nil, wrapAs(Input, err)
	}
	return c.compile(p, &list, opt)
}

// CompileProgram compiles a program that the caller has built, and leaves it as it is. Its messages
// have places in p.File, or if that is nil, in the program as it prints.
func (c *Context) CompileProgram(p *ir.Program, opt Options) (_ *Program, err error) {
	defer guard(&err)
	if p.File == nil {
		return c.Compile(p.String(), opt)
	}
	return c.compile(ir.CloneProgram(p), &diag.List{File: p.File}, opt)
}

func (c *Context) compile(p *ir.Program, list *diag.List, opt Options) (*Program, error) {
	more := check.Program(p)
	list.All = append(list.All, more.All...)
	if err := list.Err(); err != nil {
		return nil, wrapAs(Input, err)
	}
	lower, passes, err := opt.parse(c.machine.OnProcessors())
	if err != nil {
		return nil, err
	}
	list.All = append(list.All, driver.Warnings(p.File, p)...)
	out := &Program{funcs: map[string]*ir.Func{}, warnings: messages(list)}
	if _, err := pipeline.Run(p, passes, pipeline.Options{Verify: true, Quiet: true}); err != nil {
		return nil, wrapAs(Input, err)
	}
	for _, f := range p.Funcs {
		if f.Entry {
			e := entry(f)
			out.entries, out.funcs[e.Name] = append(out.entries, e), f
		}
	}
	out.loaded = c.machine.Load(p, lower)
	return out, nil
}

// entry describes an entry.
func entry(f *ir.Func) Entry {
	e := Entry{Name: cmp.Or(f.Alias, f.Name), Params: []Parameter{}, Results: []Parameter{}}
	for _, q := range f.Params {
		e.Params = append(e.Params, parameter(q.Name, q.Type))
	}
	for i, r := range f.Results {
		if !f.SizeResult(i) {
			e.Results = append(e.Results, parameter(r.Name, r.Type))
		}
	}
	return e
}

func parameter(name string, t ir.Type) Parameter {
	q := Parameter{Name: name, Type: typeText(t), Elem: t.Prim.String(), Consumed: t.Unique && t.Kind == ir.ArrayKind}
	for _, d := range t.Shape {
		q.Shape = append(q.Shape, d.String())
	}
	return q
}

// Entries lists the entries, in the order of the program.
func (p *Program) Entries() []Entry { return slices.Clone(p.entries) }

// Warnings lists what is suspicious in the program.
func (p *Program) Warnings() []Message { return slices.Clone(p.warnings) }

// Build builds what entries need before they are called; without names, all entries at once.
func (p *Program) Build(entries ...string) (err error) {
	defer guard(&err)
	if len(entries) == 0 {
		return wrap(p.loaded.Build(""))
	}
	for _, name := range entries {
		f, err := p.entry(name)
		if err != nil {
			return err
		}
		if err := p.loaded.Build(f.Name); err != nil {
			return wrap(err)
		}
	}
	return nil
}

// Call runs an entry. An argument for an array is an *Array, a slice (of one dimension) or Bytes; a
// slice is copied to the device for the call. An argument for a scalar has the parameter's Go type,
// or is an int that fits, or for a float a float64, which is rounded. The results are scalars in
// their Go types, and *Arrays, which the caller frees.
//
// A call consumes the arrays of parameters of a unique type ("*[n]f32"). A call that is refused for its
// arguments consumes none; one that fails later may have.
func (p *Program) Call(entry string, args ...any) (_ []any, err error) {
	defer guard(&err)
	f, err := p.entry(entry)
	if err != nil {
		return nil, err
	}
	if len(args) != len(f.Params) {
		return nil, misuse(diag.CallCount, "`%s` takes %d arguments, but %d were given", entry, len(f.Params), len(args))
	}
	given := make([]driver.Arg, len(args))
	for i, x := range args {
		if given[i], err = argument(f.Params[i], x); err != nil {
			return nil, err
		}
	}
	out, err := p.loaded.Call(f.Name, given)
	if err != nil {
		return nil, wrap(err)
	}
	var results []any
	for i, r := range out {
		if !f.SizeResult(i) {
			results = append(results, result(r))
		}
	}
	return results, nil
}

// entry returns the entry with that name.
func (p *Program) entry(name string) (*ir.Func, error) {
	f := p.funcs[name]
	if f != nil {
		return f, nil
	}
	var names []string
	for _, e := range p.entries {
		names = append(names, e.Name)
	}
	if near := diag.Nearest(name, names); near != "" {
		return nil, misuse(diag.NoEntry, "there is no entry `%s`; did you mean `%s`?", name, near)
	}
	return nil, misuse(diag.NoEntry, "there is no entry `%s` among %d", name, len(names))
}

// Close waits for running calls and gives back what was built. The program's results stay, until they
// are freed or the context is closed.
func (p *Program) Close() { p.loaded.Close() }

// parse reads the options.
func (o *Options) parse(processors bool) (imp.Options, []*transform.Pass, error) {
	lower := imp.Options{Unsafe: o.Unsafe, Contract: o.Contract, DeviceHeap: o.DeviceHeap, Tuning: imp.Tuning{}}
	if o.DeviceHeap != 0 && o.DeviceHeap < device.MinBytes {
		return lower, nil, misuse("", "device_heap: a heap has at least %d bytes", device.MinBytes)
	}
	for _, t := range o.Thresholds {
		if err := lower.Tuning.Set(t); err != nil {
			return lower, nil, misuse("", "thresholds: %v", err)
		}
	}
	text := cmp.Or(o.Passes, pipeline.Default())
	if text == "none" {
		text = ""
	}
	passes, err := pipeline.ParseFor(text, processors)
	if err != nil {
		return lower, nil, misuse("", "passes: %v", err)
	}
	return lower, passes, nil
}
