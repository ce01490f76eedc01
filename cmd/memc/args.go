package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/base/hostmem"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// readArgs collects the arguments of an entry: those named by --arg NAME=VALUE,
// and the others, in order, from standard input.
func (a *app) readArgs(c *cobra.Command, f *ir.Func, named []string) ([]value.Value, error) {
	given, err := givenArgs(c, f, named)
	if err != nil {
		return nil, err
	}
	var stdin *value.Reader
	if len(given) < len(f.Params) {
		a.waiting(f, given)
		data, err := hostmem.ReadAll(a.stdin)
		if err != nil {
			return nil, fmt.Errorf("standard input: %w", err)
		}
		stdin = value.NewReader("<stdin>", data)
	}
	return arguments(f, given, "standard input", stdin)
}

// eachLine returns the arguments of one call after another: those named by --arg, and the
// others from the next line of standard input.
func (a *app) eachLine(c *cobra.Command, f *ir.Func, named []string) (func() ([]value.Value, error), error) {
	given, err := givenArgs(c, f, named)
	if err != nil {
		return nil, err
	}
	if len(given) == len(f.Params) {
		return nil, usagef(c, "--spread: --arg gives all arguments, so the calls would be the same")
	}
	a.waiting(f, given)
	lines, number := bufio.NewReader(a.stdin), 0
	return func() ([]value.Value, error) {
		for {
			line, err := lines.ReadBytes('\n')
			number++
			if len(bytes.TrimSpace(line)) > 0 {
				where := fmt.Sprintf("<stdin>, line %d", number)
				return arguments(f, given, where, value.NewReader(where, line))
			}
			if err != nil {
				return nil, err
			}
		}
	}, nil
}

// waiting tells people at a terminal that they are waited for.
func (a *app) waiting(f *ir.Func, given map[string]string) {
	if isTerminal(a.stdin) {
		fmt.Fprintf(a.stderr, "memc: waiting for %s on standard input (Ctrl-D ends it)\n", strings.Join(missing(f, given), ", "))
	}
}

// givenArgs reads --arg flags.
func givenArgs(c *cobra.Command, f *ir.Func, named []string) (map[string]string, error) {
	given := map[string]string{}
	for _, s := range named {
		name, text, ok := strings.Cut(s, "=")
		if !ok {
			return nil, usagef(c, "--arg %s: expected NAME=VALUE or NAME=@FILE", s)
		}
		if _, twice := given[name]; twice {
			return nil, usagef(c, "--arg %s: given twice", name)
		}
		var known []string
		found := false
		for _, p := range f.Params {
			known = append(known, p.Name)
			found = found || p.Name == name
		}
		if !found {
			return nil, usagef(c, "--arg %s: %s has no parameter %q%s", s, f.Name, name, didYouMean(name, known))
		}
		given[name] = text
	}
	return given, nil
}

// arguments reads those that are not given from a reader, which must hold no more.
func arguments(f *ir.Func, given map[string]string, where string, stdin *value.Reader) ([]value.Value, error) {
	args := make([]value.Value, len(f.Params))
	for i, p := range f.Params {
		var err error
		if text, ok := given[p.Name]; ok {
			args[i], err = readArg(text, p.Type.Prim)
			if err != nil {
				return nil, fmt.Errorf("argument %s: %w", p.Name, err)
			}
			continue
		}
		args[i], err = stdin.Next(p.Type.Prim)
		if errors.Is(err, io.EOF) {
			return nil, codedf(diag.CallCount, "argument %d, `%s: %s`, is missing (on %s, or as --arg %s=...)", i+1, p.Name, typeText(p.Type), where, p.Name)
		}
		if err != nil {
			return nil, err
		}
	}
	if stdin != nil {
		if v, err := stdin.Next(ir.Unknown); err == nil {
			return nil, codedf(diag.CallCount, "%s holds more values than are needed: one of type %s is left", where, v.Type())
		} else if !errors.Is(err, io.EOF) {
			return nil, err
		}
	}
	return args, nil
}

// missing lists the parameters that no --arg gives, with their types.
func missing(f *ir.Func, given map[string]string) []string {
	var out []string
	for _, p := range f.Params {
		if _, ok := given[p.Name]; !ok {
			out = append(out, "`"+p.Name+": "+typeText(p.Type)+"`")
		}
	}
	return out
}

// typeText is a parameter's type without its place, which is memc's business.
func typeText(t ir.Type) string {
	t.Place = nil
	return t.String()
}

// readArg reads "@file" or a value in text.
func readArg(text string, want ir.Prim) (value.Value, error) {
	if path, ok := strings.CutPrefix(text, "@"); ok {
		return readValueFile(path, want)
	}
	return single(value.NewReader("value", []byte(text)), want)
}

// readValueFile reads one value from a file, by the form of its content: .npy,
// PNG, or Futhark's text or binary format.
func readValueFile(path string, want ir.Prim) (value.Value, error) {
	data, err := hostmem.ReadFile(path)
	if err != nil {
		return value.Value{}, err
	}
	return decode(path, data, want)
}

// decode reads one value in whichever form the data has. An array or a picture of another
// type becomes the wanted one where that holds all of its type's values exactly.
func decode(path string, data []byte, want ir.Prim) (value.Value, error) {
	v, ok, err := value.DecodeFile(data)
	if !ok {
		return single(value.NewReader(path, data), want)
	}
	if err != nil {
		return v, codedf(diag.BadValue, "%s: %w", path, err)
	}
	if want == ir.Unknown {
		return v, nil
	}
	wide, ok := driver.Widen(v, want)
	if !ok {
		return v, codedf(diag.ArgumentType, "%s holds %s, and %s is expected; memc converts only where every number stays the same", path, v.Type(), want)
	}
	return wide, nil
}

func single(r *value.Reader, want ir.Prim) (value.Value, error) {
	v, err := r.Next(want)
	if errors.Is(err, io.EOF) {
		return v, codedf(diag.BadValue, "no value")
	}
	if err != nil {
		return v, err
	}
	if _, err := r.Next(ir.Unknown); !errors.Is(err, io.EOF) {
		return v, codedf(diag.BadValue, "more than one value")
	}
	return v, nil
}

// writeResults writes the results that --out NAME=@FILE names to their files,
// and the others to standard output.
func (a *app) writeResults(f *ir.Func, names []string, outs map[int]string, results []value.Value, binary bool) error {
	var files []result
	for i, v := range results {
		path, named := outs[i]
		if !named {
			continue
		}
		files = append(files, result{path: path, write: func(w io.Writer) error {
			if err := encode(w, path, v, binary); err != nil {
				return fmt.Errorf("result %s: %w", names[i], err)
			}
			return nil
		}})
	}
	if err := a.writeOutputs(files...); err != nil {
		return err
	}
	return a.writeOutput("-", func(w io.Writer) error {
		for i, v := range results {
			if _, named := outs[i]; !named && !f.SizeResult(i) {
				if err := encode(w, "", v, binary); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// encode writes a value in the form that the file's name asks for.
func encode(w io.Writer, path string, v value.Value, binary bool) error {
	switch {
	case strings.HasSuffix(path, ".npy"):
		return value.EncodeNPY(w, v)
	case strings.HasSuffix(path, ".png"):
		return value.EncodePNG(w, v)
	case binary:
		return value.WriteBinary(w, v)
	}
	if err := value.WriteText(w, v); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// parseOuts reads --out NAME=@FILE flags into result number to path. A result goes by its name, or by its
// number from 0.
func parseOuts(c *cobra.Command, f *ir.Func, names, flags []string) (map[int]string, error) {
	outs := map[int]string{}
	for _, s := range flags {
		name, path, ok := strings.Cut(s, "=@")
		if !ok || path == "" {
			return nil, usagef(c, "--out %s: expected NAME=@FILE", s)
		}
		found := -1
		for i, n := range names {
			if n == name || strconv.Itoa(i) == name {
				found = i
			}
		}
		if found < 0 {
			return nil, usagef(c, "--out %s: %s has no result %q; it has %s", s, f.Name, name, strings.Join(names, ", "))
		}
		if _, twice := outs[found]; twice {
			return nil, usagef(c, "--out %s: given twice", name)
		}
		if strings.HasSuffix(path, ".png") && !picture(f.Results[found].Type) {
			return nil, usagef(c, "--out %s: a picture is an array of type [h][w]u8, and %s is of type %s", s, name, typeText(f.Results[found].Type))
		}
		outs[found] = path
	}
	return outs, nil
}

// picture reports whether values of a type can be written as a picture, unless they are
// empty.
func picture(t ir.Type) bool {
	return t.Kind == ir.ArrayKind && t.Prim == ir.U8 && len(t.Shape) == 2
}

// resultNames returns the names of a function's results in its text: those of its header, or else those that
// its body gives for them, or else their numbers. Passes make arrays with other names: they have not run.
func resultNames(p *ir.Program, f *ir.Func) (list []string) {
	for i, r := range f.Results {
		name := r.Name
		if name == "" && i < len(f.Body.Result) {
			if ref, ok := f.Body.Result[i].(*ir.Ref); ok {
				name = p.Speak(ref.Name)
			}
		}
		if name == "" {
			name = strconv.Itoa(i)
		}
		list = append(list, name)
	}
	return list
}
