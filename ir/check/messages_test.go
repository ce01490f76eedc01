package check_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir/diag"
)

// TestEveryMessage demands that each message of this package, found by its
// format in the source, comes out of a program in testdata.
func TestEveryMessage(t *testing.T) {
	var seen []*diag.Diagnostic
	for _, path := range programs(t, "neg-") {
		l := refusal(t, path)
		seen = append(seen, l.All...)
	}
	verbs := regexp.MustCompile(`%[a-z]`)
	for where, format := range formats(t) {
		pattern := verbs.ReplaceAllString(regexp.QuoteMeta(format), `(?s:.*)`)
		re := regexp.MustCompile("^" + pattern + "$")
		found := false
		for _, d := range seen {
			found = found || re.MatchString(d.Msg)
		}
		if !found {
			t.Errorf("%s: no test program gives the message %q", where, format)
		}
	}
}

// formats returns the format strings of errors and limitations by position.
func formats(t *testing.T) map[string]string {
	t.Helper()
	files := must.Get(filepath.Glob("*.go"))(t)
	out := map[string]string{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text := must.Get(os.ReadFile(name))(t)
		set := token.NewFileSet()
		f := must.Get(parser.ParseFile(set, name, text, 0))(t)
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) < 2 {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "errorf" && sel.Sel.Name != "Limitf" {
				return true
			}
			format := slices.IndexFunc(call.Args, func(e ast.Expr) bool { _, ok := e.(*ast.BasicLit); return ok })
			if format >= 0 {
				lit := call.Args[format].(*ast.BasicLit)
				s, _ := strconv.Unquote(lit.Value)
				out[set.Position(lit.Pos()).String()] = s
			}
			return true
		})
	}
	if len(out) < 50 {
		t.Fatalf("only %d messages found", len(out))
	}
	return out
}
