// Command front-end shows how a compiler hands programs to memc with the Go
// packages ir, ir/check and parser. Its source language is one formula over the
// elements of arrays, in Go's notation; its output is a program that computes the
// formula for all elements, and their sum:
//
//	$ go run ./examples/front-end 'x*x + max(y, 0)' | memc run --arg x='[1, 2]' --arg y='[-1, 5]' -
//	[1.0f32, 9.0f32]
//	10.0f32
//
// A name stands for the element at i, and x[i+1] for the next one. If that is out of bounds, the
// message names the position in the formula, because the printed program records it in a comment
// "--@":
//
//	$ go run ./examples/front-end 'x[i+1] - x' | memc run --arg x='[1, 2]' -
//	<stdin>:4:17 (formula:1:1): error[E801]: index 2 is out of bounds for dimension 0 of `x`, whose size is 2
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: front-end FORMULA")
		os.Exit(2)
	}
	p, err := compile(os.Args[1])
	if err == nil {
		err = ir.Print(os.Stdout, p)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// compile makes the program of a formula and checks it.
func compile(formula string) (*ir.Program, error) {
	e, err := parser.ParseExpr(formula)
	if err != nil {
		return nil, err
	}
	t := &translator{text: formula}
	element, err := t.exp(e)
	if err != nil {
		return nil, err
	}
	p := t.program(element)
	// The checker fills in the types that are left out here. What it finds wrong
	// is a mistake of this front end or of its user.
	if list := check.Program(p); list.Failed() {
		return nil, list.Err()
	}
	return p, nil
}

// A translator makes an expression of the IR, and collects the arrays in it and the
// statements that it needs.
type translator struct {
	text   string
	arrays []string
	stmts  []*ir.Stmt
}

var operators = map[token.Token]string{token.ADD: "+", token.SUB: "-", token.MUL: "*", token.QUO: "/"}

func (t *translator) exp(e ast.Expr) (ir.Exp, error) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return t.exp(e.X)
	case *ast.BasicLit:
		return &ir.Lit{Text: e.Value}, nil // its type follows from what it is used with
	case *ast.Ident:
		return t.element(e, ir.Var("i")), nil
	case *ast.IndexExpr:
		return t.elementAt(e)
	case *ast.UnaryExpr:
		x, err := t.exp(e.X)
		return &ir.Unary{Op: e.Op.String(), X: x}, err
	case *ast.BinaryExpr:
		op, ok := operators[e.Op]
		if !ok {
			return nil, fmt.Errorf("the operator %s is not known", e.Op)
		}
		x, err := t.exp(e.X)
		if err != nil {
			return nil, err
		}
		y, err := t.exp(e.Y)
		return &ir.Binary{Op: op, X: x, Y: y}, err
	case *ast.CallExpr:
		fn, ok := e.Fun.(*ast.Ident)
		if !ok {
			return nil, fmt.Errorf("only a built-in function can be called")
		}
		call := &ir.Builtin{Fn: fn.Name}
		for _, a := range e.Args {
			x, err := t.exp(a)
			if err != nil {
				return nil, err
			}
			call.Args = append(call.Args, x)
		}
		return call, nil
	}
	return nil, fmt.Errorf("only numbers, names, operators and calls are known")
}

// element returns an element of an array.
func (t *translator) element(array *ast.Ident, at ir.Exp) ir.Exp {
	if !slices.Contains(t.arrays, array.Name) {
		t.arrays = append(t.arrays, array.Name)
	}
	return &ir.Index{Array: array.Name, Indices: []ir.Exp{at}}
}

// elementAt translates x[i+1]. This can fail, so it is a statement of its own, with its
// place in the formula above it.
func (t *translator) elementAt(e *ast.IndexExpr) (ir.Exp, error) {
	array, ok := e.X.(*ast.Ident)
	if !ok {
		return nil, fmt.Errorf("only a name has elements")
	}
	at, err := index(e.Index)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("t'%d", len(t.stmts)) // no name of a formula
	line, column := t.position(e.Pos())
	t.stmts = append(t.stmts, &ir.Stmt{
		Lead: []ir.Comment{{Text: fmt.Sprintf("@ formula:%d:%d", line, column)}},
		Pat:  []*ir.Elem{{Name: name}},
		Op:   &ir.Compute{E: t.element(array, at)},
	})
	return &ir.Ref{Name: name}, nil
}

// position returns the line and column of a place that Go's parser tells.
func (t *translator) position(at token.Pos) (line, column int) {
	before := t.text[:at-1]
	return 1 + strings.Count(before, "\n"), len(before) - strings.LastIndexByte(before, '\n')
}

// index translates the index of an element: i, numbers, sums and differences.
func index(e ast.Expr) (ir.Exp, error) {
	switch e := e.(type) {
	case *ast.BasicLit:
		return &ir.Lit{Text: e.Value}, nil
	case *ast.Ident:
		if e.Name == "i" {
			return ir.Var("i"), nil
		}
	case *ast.BinaryExpr:
		x, err := index(e.X)
		if err != nil {
			return nil, err
		}
		y, err := index(e.Y)
		if e.Op == token.ADD || e.Op == token.SUB {
			return &ir.Binary{Op: e.Op.String(), X: x, Y: y}, err
		}
	}
	return nil, fmt.Errorf("an index is a sum of i and numbers")
}

// program builds:
//
//	entry main [n] (x: [n]f32, ..) : ([n]f32, f32) = {
//	  let elements = map (i < n) { statements in element }
//	  let total = reduce (i < n) op (a, b) { in a + b } neutral (0) { in elements[i] }
//	  in (elements, total)
//	}
//
// Names may be bound again where they are out of scope, as i is here. An Elem without a Type gets
// it from its right-hand side; Written says that a type is to be printed.
func (t *translator) program(element ir.Exp) *ir.Program {
	vector := ir.Array(ir.F32, []ir.Dim{{Name: "n"}}, nil)
	main := &ir.Func{Entry: true, Name: "main", Sizes: []string{"n"}}
	for _, x := range t.arrays {
		main.Params = append(main.Params, &ir.Elem{Name: x, Type: ir.CloneType(vector), Written: true})
	}
	main.Results = []ir.Result{{Type: vector}, {Type: ir.Scalar(ir.F32)}}
	space := func() ir.Space { return ir.Space{{Var: "i", Size: ir.Var("n")}} }
	elements := &ir.Body{Stmts: t.stmts, Result: []ir.Exp{element}}
	gives := func(es ...ir.Exp) *ir.Body { return &ir.Body{Result: es} }
	main.Body = &ir.Body{
		Stmts: []*ir.Stmt{
			{Pat: []*ir.Elem{{Name: "elements"}}, Op: &ir.Map{Space: space(), Body: elements}},
			{Pat: []*ir.Elem{{Name: "total"}}, Op: &ir.Reduce{
				Space: space(),
				Op: ir.Operator{
					Params:  []*ir.Elem{{Name: "a"}, {Name: "b"}},
					Body:    gives(&ir.Binary{Op: "+", X: &ir.Ref{Name: "a"}, Y: &ir.Ref{Name: "b"}}),
					Neutral: []ir.Exp{&ir.Lit{Text: "0"}},
				},
				Body: gives(&ir.Index{Array: "elements", Indices: []ir.Exp{ir.Var("i")}}),
			}},
		},
		Result: []ir.Exp{&ir.Ref{Name: "elements"}, &ir.Ref{Name: "total"}},
	}
	return &ir.Program{Funcs: []*ir.Func{main}}
}
