package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/device/cl"
)

// A completion gives what may stand for a flag's value, for the shell; args are the
// words of the command without its flags.
type completion func(args []string) []string

// words completes to one of a few words.
func words(list ...string) completion { return func([]string) []string { return list } }

// flagCompletions are the flags with values that are known, by name in all verbs.
var flagCompletions = map[string]completion{
	"allocator":        words("region", "tagged", "driver"),
	"api":              words("memc", "futhark"),
	"arg":              names(paramNames),
	"color":            words("auto", "always", "never"),
	"device":           devices,
	"device-allocator": words(cl.Names(true)...),
	"emit":             words("c", "kernels", "imp"),
	"entry":            entries,
	"host":             words("c", "go", "python"),
	"messages":         words("text", "json"),
	"out":              names(func(f *ir.Func) []string { return resultNames(&ir.Program{}, f) }),
	"passes":           passNames,
	"print-after":      passNames,
	"print-changed":    words("diff"),
	"profile":          words("text", "json"),
	"remarks":          func([]string) []string { return append(passNames(nil), "all", "missed", "json", "checks", "name=") },
	"stats":            words("text", "json"),
	"target":           words("opencl", "c"),
}

// lists are the flags that take several words with commas between them.
var lists = map[string]bool{"passes": true, "print-after": true, "remarks": true}

// programs are the verbs whose arguments are programs.
var programs = map[string]bool{"bisect": true, "check": true, "compile": true, "explain": true, "fmt": true,
	"import": true, "opt": true, "reduce": true, "run": true}

// addCompletions lets the shell complete flags' values and the names of programs, in a
// verb and those below it.
func addCompletions(c *cobra.Command) {
	for name, complete := range flagCompletions {
		if c.LocalFlags().Lookup(name) == nil {
			continue
		}
		err := c.RegisterFlagCompletionFunc(name, func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			return complete.matching(args, typed, lists[name])
		})
		if err != nil {
			panic(err) // the flag is there, and has no completion yet
		}
	}
	if programs[c.Name()] {
		c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"ir", "fut_gpu_mem", "fut_seq_mem"}, cobra.ShellCompDirectiveFilterFileExt
		}
	}
	for _, sub := range c.Commands() {
		addCompletions(sub)
	}
}

// matching returns the completions of what was typed; in a list, of its last word.
func (complete completion) matching(args []string, typed string, list bool) ([]string, cobra.ShellCompDirective) {
	before := ""
	if i := strings.LastIndexByte(typed, ','); list && i >= 0 {
		before = typed[:i+1]
	}
	directive := cobra.ShellCompDirectiveNoFileComp
	if list {
		directive |= cobra.ShellCompDirectiveNoSpace
	}
	var out []string
	for _, w := range complete(args) {
		if strings.HasPrefix(before+w, typed) {
			out = append(out, before+w)
			if strings.HasSuffix(w, "=") {
				directive |= cobra.ShellCompDirectiveNoSpace
			}
		}
	}
	return out, directive
}

func passNames([]string) (list []string) {
	for _, p := range pipeline.All() {
		list = append(list, p.Name)
	}
	return list
}

func devices([]string) []string {
	list := []string{driver.Processors, "interp", "interp-memory"}
	found, err := runtime.Devices()
	if err != nil {
		return list
	}
	for _, d := range found {
		list = append(list, fmt.Sprintf("%d\t%s", d.Index, d.Name)) // a description stands behind the tab
	}
	return list
}

// entryFuncs returns the entries of the program that a command names.
func entryFuncs(args []string) (list []*ir.Func) {
	if len(args) == 0 || args[len(args)-1] == "-" {
		return nil
	}
	f, err := driver.ReadSource(args[len(args)-1])
	if err != nil {
		return nil
	}
	p, _ := driver.Parse(f)
	for _, fn := range p.Funcs {
		if fn.Entry {
			list = append(list, fn)
		}
	}
	return list
}

func entries(args []string) (list []string) {
	for _, f := range entryFuncs(args) {
		list = append(list, f.Name)
	}
	return list
}

// names completes to the names that entries have for something, with "=".
func names(of func(*ir.Func) []string) completion {
	return func(args []string) (list []string) {
		for _, f := range entryFuncs(args) {
			for _, n := range of(f) {
				list = append(list, n+"=")
			}
		}
		return list
	}
}

func paramNames(f *ir.Func) (list []string) {
	for _, p := range f.Params {
		list = append(list, p.Name)
	}
	return list
}
