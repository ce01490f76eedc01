package difftest_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/fuzz/difftest"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir/diag"
)

// A row of internal/test/patterns/patterns.md that names a planted bug beside programs says that one of
// these finds it: of the programs for a condition, the pass without the condition.
func TestTablesOfBugs(t *testing.T) {
	data := must.Read(t, filepath.Join("..", "..", "test", "patterns", "patterns.md"))
	bugs := map[string]difftest.Mutant{}
	for _, m := range mutants() {
		bugs[m.Name] = m
	}
	quoted := regexp.MustCompile("`([^`]+)`")
	found := map[string]bool{}
	for _, row := range strings.Split(data, "\n") {
		if !strings.HasPrefix(row, "| ") {
			continue
		}
		var programs []*difftest.Subject
		var named []difftest.Mutant
		for _, m := range quoted.FindAllStringSubmatch(row, -1) {
			if bug, ok := bugs[m[1]]; ok {
				named = append(named, bug)
				continue
			}
			path := filepath.Join("..", "..", "..", "testdata", m[1]+".ir")
			text, err := os.ReadFile(path)
			if err != nil {
				continue // of another form, or no program; internal/test/patterns looks for all
			}
			s, err := difftest.Read(diag.NewFile(path, string(text)))
			if err == nil && withoutFailing(s) {
				programs = append(programs, s)
			}
		}
		for _, bug := range named {
			v := difftest.Mutate([]difftest.Mutant{bug}, programs, 0, 0)[0]
			if v.Programs == 0 {
				t.Errorf("no program of this row finds %q:\n%s", bug.Name, row)
				continue
			}
			found[bug.Name] = true
			t.Logf("%s: %s, by %s", bug.Name, filepath.Base(v.Program), strings.Join(v.By, ", "))
		}
	}
	for _, condition := range []string{"C1", "C2", "C3", "C4", "C5"} {
		if !found["coalesce: without "+condition] {
			t.Errorf("no program finds the pass without %s", condition)
		}
	}
}

// withoutFailing leaves out the inputs with which a program must fail. It tells
// whether others are left.
func withoutFailing(s *difftest.Subject) bool {
	all := s.Inputs
	s.Inputs = nil
	for _, in := range all {
		one := *s
		one.Inputs = [][]value.Value{in}
		if difftest.Check(&one, difftest.Options{}) == nil {
			s.Inputs = append(s.Inputs, in)
		}
	}
	return len(s.Inputs) > 0
}
