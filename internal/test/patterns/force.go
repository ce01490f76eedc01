package patterns

import (
	"fmt"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/parser"
)

// Force puts arrays of an explicit program in other places, whether or not that is right, and
// returns the new program. Blocks whose sizes allow it are allocated first, as by a pass that
// hoists. An error says that the result is not a program, for example because a place mentions a
// name that is not in scope.
func Force(p *ir.Program, moves []Move) (*ir.Program, error) {
	q := ir.CloneProgram(p)
	for _, m := range moves {
		place, err := parsePlace(m.Place)
		if err != nil {
			return nil, err
		}
		moved := 0
		for _, f := range q.Funcs {
			moved += move(f, m.Array, place)
		}
		if moved == 0 {
			return nil, fmt.Errorf("the explicit program has no array %s", m.Array)
		}
	}
	for _, f := range q.Funcs {
		allocFirst(f)
	}
	// Places from a line are not elaborated yet, so the text is read again.
	again, list := parser.Parse(diag.NewFile(p.File.Name, q.String()))
	if list.Err() != nil {
		return nil, list.Err()
	}
	list = check.Program(again)
	return again, list.Err()
}

// parsePlace reads the text of a place, by way of a function that has it.
func parsePlace(text string) (*ir.Place, error) {
	src := "fun f () : i32 = {\n  let x: [1]i32 @ " + text + " = y\n  in x\n}\n"
	p, list := parser.Parse(diag.NewFile("place", src))
	if list.Err() != nil {
		return nil, list.Err()
	}
	return p.Funcs[0].Body.Stmts[0].Pat[0].Type.Place, nil
}

// move returns the place to the name in patterns and loop parameters.
func move(f *ir.Func, name string, place *ir.Place) (moved int) {
	elem := func(e *ir.Elem) {
		if e.Name == name && e.Type.Kind == ir.ArrayKind {
			e.Type.Place = ir.ClonePlace(place)
			moved++
		}
	}
	ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
		for _, e := range s.Pat {
			elem(e)
		}
		ir.Elems(s.Op, elem)
		return true
	})
	return moved
}

// allocFirst moves allocations at a function's top level, and the scalars that
// their sizes are computed from, above everything else, where those need nothing
// but parameters.
func allocFirst(f *ir.Func) {
	known := map[string]bool{}
	for _, n := range f.Sizes {
		known[n] = true
	}
	for _, e := range f.Params {
		known[e.Name] = e.Type.Kind != ir.ArrayKind
	}
	var first, rest []*ir.Stmt
	for _, s := range f.Body.Stmts {
		pure := true
		switch s.Op.(type) {
		case *ir.Alloc, *ir.Compute:
			ir.Uses(s.Op, func(name string) { pure = pure && known[name] })
		default:
			pure = false
		}
		if !pure {
			rest = append(rest, s)
			continue
		}
		for _, e := range s.Pat {
			known[e.Name] = true
		}
		first = append(first, s)
	}
	f.Body.Stmts = append(first, rest...)
}
