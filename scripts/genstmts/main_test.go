package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/parser"
)

// TestValid checks what is generated, and that it has the size asked for.
func TestValid(t *testing.T) {
	for _, shape := range shapes {
		for _, explicit := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/explicit=%v", shape, explicit), func(t *testing.T) {
				const n = 2000
				var text strings.Builder
				must.Do(t, generate(&text, n, shape, explicit))
				p, list := parser.Parse(diag.NewFile(shape+".ir", text.String()))
				if list.Failed() {
					t.Fatal(list.Error())
				}
				if list := check.Program(p); list.Failed() {
					t.Fatal(list.Error())
				}
				if got := ir.IsExplicit(p.Funcs[0]); got != explicit {
					t.Errorf("explicit form: %v, want %v", got, explicit)
				}
				stmts := 0
				for _, f := range p.Funcs {
					ir.WalkStmts(f.Body, func(*ir.Stmt) bool { stmts++; return true })
				}
				if stmts < n-n/100 || stmts > n+n/10+20 {
					t.Errorf("%d statements, want about %d", stmts, n)
				}
			})
		}
	}
	if err := generate(new(strings.Builder), 10, "round", false); err == nil {
		t.Error("an unknown shape is accepted")
	}
}
