// Command in-process is a calculator for arrays that compiles every line with the package compiler,
// in its own process:
//
//	$ printf 'x = iota(4)\ny = x * x + 1\nsum(y)\ny[9]\n' | go run ./examples/in-process
//	x = [0 1 2 3]
//	y = [1 2 5 10]
//	18
//	line 4: index 9 is out of bounds for dimension 0 of `y`, whose size is 4
//
// A line is an expression of memc's IR, of f32, in which the name of an array stands for each of
// its elements. Arrays stay on the device from line to line. All lines share one context, and each
// is a program of its own.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/memc-lang/memc/compiler"
)

func main() {
	ctx, err := compiler.Open(compiler.Device{})
	if err == nil {
		defer ctx.Close()
		err = (&calculator{ctx: ctx, arrays: map[string]*compiler.Array{}}).run(os.Stdin, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A calculator holds the arrays that have names.
type calculator struct {
	ctx    *compiler.Context
	arrays map[string]*compiler.Array
}

func (c *calculator) run(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		said, err := c.line(lines.Text())
		var e *compiler.Error
		if errors.As(err, &e) { // its messages are data: the place here is the calculator's line
			said = fmt.Sprintf("line %d: %s", n, e.Messages[0].Message)
		} else if err != nil {
			return err
		}
		fmt.Fprintln(out, said)
	}
	return lines.Err()
}

// The forms of a line: NAME = .., sum(..), iota(N), and NAME[N].
var (
	assigned = regexp.MustCompile(`^\s*([a-z]+)\s*=\s*(.*)$`)
	summed   = regexp.MustCompile(`^\s*sum\((.*)\)\s*$`)
	counted  = regexp.MustCompile(`^\s*iota\((\d+)\)\s*$`)
	indexed  = regexp.MustCompile(`^\s*[a-z]+\[\d+\]\s*$`)
	names    = regexp.MustCompile(`[a-z]+\b`)
)

// line runs one line, and returns what to print.
func (c *calculator) line(text string) (string, error) {
	name, exp := "", text
	if m := assigned.FindStringSubmatch(text); m != nil {
		name, exp = m[1], m[2]
	}
	result, err := c.value(exp)
	if err != nil {
		return "", err
	}
	a, ok := result.(*compiler.Array)
	if !ok {
		return fmt.Sprint(result), nil
	}
	data, err := a.Data()
	if name == "" || err != nil {
		a.Free()
		return fmt.Sprint(data), err
	}
	c.arrays[name].Free() // nil, where the name is new
	c.arrays[name] = a
	return fmt.Sprintf("%s = %v", name, data), nil
}

// value compiles an expression and runs it.
func (c *calculator) value(exp string) (any, error) {
	var params []string
	var args []any
	element := names.ReplaceAllStringFunc(exp, func(name string) string {
		a, ok := c.arrays[name]
		if !ok {
			return name
		}
		if !slices.Contains(params, name+": [n]f32") {
			params, args = append(params, name+": [n]f32"), append(args, a)
		}
		return name + "[i]"
	})
	head := "entry main [n] (" + strings.Join(params, ", ") + ") : "
	program := head + "[n]f32 = {\n  let ys = map (i < n) { in " + element + " }\n  in ys\n}\n"
	if m := counted.FindStringSubmatch(exp); m != nil {
		args, program = nil, "entry main () : ["+m[1]+"]f32 = {\n  let ys = map (i < "+m[1]+") { in f32(i) }\n  in ys\n}\n"
	} else if indexed.MatchString(exp) {
		program = head + "f32 = {\n  in " + exp + "\n}\n"
	} else if m := summed.FindStringSubmatch(element); m != nil {
		program = head + "f32 = {\n  let s = reduce (i < n) op (a, b) { in a + b } neutral (0.0) { in " + m[1] + " }\n  in s\n}\n"
	}
	p, err := c.ctx.Compile(program, compiler.Options{})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	out, err := p.Call("main", args...)
	if err != nil {
		return nil, err
	}
	return out[0], nil
}
