package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/explain"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/test/filetest"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// A request is what the page asks for.
type request struct {
	Do     string `json:"do"`     // check, explain, run, compile, or code
	Text   string `json:"text"`   // the program; for code the code
	Entry  string `json:"entry"`  // of run
	Input  string `json:"input"`  // of run: its arguments, as on standard input
	Target string `json:"target"` // of compile: kernels, opencl or c
}

// An answer is what the page shows.
type answer struct {
	// Messages are those of --messages=json, each with its text, carets included.
	Messages []message `json:"messages"`
	Output   string    `json:"output,omitempty"` // text
	Page     string    `json:"page,omitempty"`   // of explain: a page of its own
	// Entries of the program, with the first input of its test block.
	Entries []entry `json:"entries,omitempty"`
}

type message struct {
	Data json.RawMessage `json:"data"`
	Text string          `json:"text"`
}

type entry struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Input string `json:"input"`
}

// reply answers a request; both are JSON.
func reply(text string) (out string) {
	var a answer
	defer func() {
		if r := recover(); r != nil {
			a = answer{}
			a.fail(&diag.Diagnostic{Severity: diag.Bug, Msg: fmt.Sprint(r)})
		}
		data, err := json.Marshal(a)
		if err != nil {
			data = []byte(`{"messages":[]}`) // strings alone are marshalled
		}
		out = string(data)
	}()
	var q request
	if err := json.Unmarshal([]byte(text), &q); err != nil {
		a.fail(err)
		return
	}
	if err := a.answer(q); err != nil {
		a.fail(err)
	}
	return
}

func (a *answer) answer(q request) error {
	f := diag.NewFile("program.ir", q.Text)
	switch q.Do {
	case "check":
		return a.check(f)
	case "explain":
		x, err := explain.New(f, pipeline.DefaultPasses())
		if err != nil {
			return err
		}
		var page strings.Builder
		err = x.WritePage(&page)
		a.Page = page.String()
		return err
	case "run":
		return a.run(f, q)
	case "compile":
		return a.compile(f, q.Target)
	case "code":
		c, ok := explain.LookUp(q.Text)
		if !ok {
			return fmt.Errorf("there is no code %q", q.Text)
		}
		a.Output = c.String()
		return nil
	}
	return fmt.Errorf("the page asks for %q", q.Do)
}

// fail keeps an error as messages.
func (a *answer) fail(err error) {
	var list *diag.List
	var one *diag.Diagnostic
	switch {
	case errors.As(err, &list):
		list.Sort()
	case errors.As(err, &one):
		list = &diag.List{All: []*diag.Diagnostic{one}}
	default:
		list = &diag.List{All: []*diag.Diagnostic{{Severity: diag.Error, Code: driver.CodeOf(err), Msg: err.Error()}}}
	}
	a.say(list.All)
}

func (a *answer) say(list []*diag.Diagnostic) {
	for _, d := range list {
		var data, text bytes.Buffer
		d.Render(&text, false)
		if err := d.WriteJSON(&data); err == nil {
			a.Messages = append(a.Messages, message{data.Bytes(), text.String()})
		}
	}
}

// maxInput bounds the input of a test block that the page shows.
const maxInput = 4000

func (a *answer) check(f *diag.File) error {
	p, list := driver.Check(f)
	if err := list.Err(); err != nil {
		return err
	}
	a.say(list.All)
	a.say(driver.Warnings(f, p))
	inputs := map[string]string{}
	if blocks, err := filetest.Blocks(f.Text, "."); err == nil { // the page has no files, so some fail
		for _, b := range blocks {
			for _, c := range b.Cases {
				if _, known := inputs[c.Entry]; !known && c.HasInput && len(c.Input) <= maxInput {
					inputs[c.Entry] = strings.TrimSpace(c.Input)
				}
			}
		}
	}
	for _, g := range p.Funcs {
		if g.Entry {
			a.Entries = append(a.Entries, entry{g.Name, parameters(g), inputs[g.Name]})
		}
	}
	return nil
}

// parameters shows the parameters of an entry as users write them, without places.
func parameters(f *ir.Func) string {
	var out []string
	for _, e := range f.Params {
		t := e.Type
		t.Place = nil
		out = append(out, e.Name+": "+t.String())
	}
	return strings.Join(out, ", ")
}

// run runs an entry after the default passes on the interpreter by memory, which counts bytes.
func (a *answer) run(f *diag.File, q request) error {
	p, _, err := driver.Explicit(f, pipeline.DefaultPasses(), pipeline.Options{})
	if err != nil {
		return err
	}
	g := p.EntryNamed(q.Entry)
	if g == nil {
		return fmt.Errorf("there is no entry `%s`", q.Entry)
	}
	args, err := filetest.ReadValues("input", q.Input, g)
	if err != nil {
		return err
	}
	results, st, err := driver.Run(p, g.Name, args, driver.RunOptions{Device: driver.InterpMemory})
	if err != nil {
		return err
	}
	var out strings.Builder
	for _, v := range results {
		if err := value.WriteText(&out, v); err != nil {
			return err
		}
		out.WriteByte('\n')
	}
	fmt.Fprintf(&out, "\n-- %d allocations, at most %d bytes at one time, %d bytes copied\n", st.AllocRequests, st.PeakBytes, st.CopiedBytes)
	a.Output = out.String()
	return nil
}

func (a *answer) compile(f *diag.File, target string) error {
	p, _, err := driver.Explicit(f, pipeline.DefaultPasses(), pipeline.Options{})
	if err != nil {
		return err
	}
	lower := driver.Lower
	if target == "c" {
		lower = driver.LowerTasks
	}
	low, err := lower(p, imp.Options{})
	if err != nil {
		return err
	}
	if target == "kernels" {
		a.Output = low.Kernels
		return nil
	}
	a.Output, _, err = driver.C(low, driver.COptions{Prefix: driver.Prefix("program.c"), Header: "program.h"})
	return err
}
