package patterns_test

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/internal/test/patterns"
	"github.com/memc-lang/memc/ir/diag"
)

// table returns the cells of the rows between two marks of internal/test/patterns/patterns.md, or, without
// marks, of the first table in it.
func table(t *testing.T, mark string, columns int) [][]string {
	t.Helper()
	text := must.Read(t, "patterns.md")
	if mark != "" {
		_, rest, ok1 := strings.Cut(text, "<!-- "+mark+" -->\n")
		within, _, ok2 := strings.Cut(rest, "<!-- end of "+mark+" -->")
		if !ok1 || !ok2 {
			t.Fatalf("internal/test/patterns/patterns.md has no table %q", mark)
		}
		text = within
	} else {
		_, rest, _ := strings.Cut(text, "\n|")
		text, _, _ = strings.Cut("|"+rest, "\n\n")
	}
	var rows [][]string
	for _, l := range strings.Split(strings.TrimSpace(text), "\n") {
		cells := strings.Split(strings.Trim(l, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if len(cells) != columns {
			t.Fatalf("a row has %d cells, expected %d: %s", len(cells), columns, l)
		}
		rows = append(rows, cells)
	}
	return rows[2:] // behind the head and its line
}

var code = regexp.MustCompile("`([^`]+)`")

// quoted returns the text between backquotes in a cell.
func quoted(cell string) (names []string) {
	for _, m := range code.FindAllStringSubmatch(cell, -1) {
		names = append(names, m[1])
	}
	return names
}

// source returns the text of a program that the docs name.
func source(t *testing.T, name string) string {
	t.Helper()
	files := must.Get(filepath.Glob(filepath.Join(testdata, name+".*")))(t)
	if len(files) != 1 {
		t.Errorf("internal/test/patterns/patterns.md names %s: %d files of testdata are called so", name, len(files))
		return ""
	}
	return must.Read(t, files[0])
}

// known reports whether mutants.md lists a planted bug; TestMutants of
// internal/fuzz/difftest holds that list against the bugs that there are.
func known(t *testing.T, bug string) bool {
	t.Helper()
	data := must.Read(t, filepath.Join("..", "..", "fuzz", "difftest", "mutants.md"))
	return strings.Contains(data, "\n| "+bug+" | ")
}

// The thesis's table names programs that exist, and gives the blocks that are left of
// them: with kernels turned into loops, and with kernels, behind the passes that the
// thesis's folder is counted with.
func TestThesisTable(t *testing.T) {
	rows := table(t, "", 4)
	if len(rows) != 95 {
		t.Errorf("%d rows for the thesis's 95 tests", len(rows))
	}
	behind := map[string]string{"coalescing": "coalesce", "reuse": "reuse", "mix": "default", "benchmarks": "coalesce"}
	for _, r := range rows {
		text := source(t, r[2])
		folder, _, _ := strings.Cut(r[0], "/")
		loops, kernels, ok := strings.Cut(r[3], "/")
		if !ok {
			t.Errorf("%s: %q are no counts", r[2], r[3])
			continue
		}
		passes := patterns.Pipelines[behind[folder]]
		if loops != "-" {
			passes := sequentialise + "," + passes
			if got := allocs(t, r[2], text, passes); got != loops {
				t.Errorf("internal/test/patterns/patterns.md, %s: %s blocks with loops, after %s %s", r[2], loops, passes, got)
			}
		}
		if got := allocs(t, r[2], text, passes); got != kernels {
			t.Errorf("internal/test/patterns/patterns.md, %s: %s blocks with kernels, after %s %s", r[2], kernels, passes, got)
		}
	}
}

const sequentialise = "sequentialise"

// allocs counts the blocks that passes leave.
func allocs(t *testing.T, name, text, passes string) string {
	t.Helper()
	list := must.Get(pipeline.Parse(passes))(t)
	_, report, err := driver.Explicit(diag.NewFile(name+".ir", text), list, pipeline.Options{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return strconv.Itoa(report.After.Alloc)
}

// Each condition has programs in which it holds and such in which it does not, one of
// which at least is tried with the forbidden place, and a bug to plant.
func TestConditionsTable(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range table(t, "conditions", 4) {
		condition, _, _ := strings.Cut(r[0], " ")
		seen[condition] = true
		holds, fails, bugs := quoted(r[1]), quoted(r[2]), quoted(r[3])
		if len(holds) == 0 || len(fails) == 0 || len(bugs) == 0 {
			t.Errorf("%s: a cell names nothing", r[0])
		}
		for _, name := range holds {
			source(t, name)
			if !strings.HasPrefix(filepath.Base(name), "pos-") {
				t.Errorf("%s holds in %s, which says otherwise", r[0], name)
			}
		}
		tried := false
		for _, name := range fails {
			h, err := patterns.ReadHeader(source(t, name))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			tried = tried || len(h.Forbidden) > 0
			if !strings.HasPrefix(filepath.Base(name), "neg-") {
				t.Errorf("%s does not hold in %s, which says otherwise", r[0], name)
			}
		}
		if !tried {
			t.Errorf("%s: no program says which place is forbidden", r[0])
		}
		for _, bug := range bugs {
			if !known(t, bug) {
				t.Errorf("%s: mutants.md has no bug %q", r[0], bug)
			}
		}
	}
	for _, c := range []string{"C1", "C2", "C3", "C4", "C5"} {
		if !seen[c] {
			t.Errorf("no row for %s", c)
		}
	}
}

// evidence is what the words of the last column must find in one of a row's programs.
var evidence = map[string]*regexp.Regexp{
	"values":    regexp.MustCompile(`(?m)^-- (output|input)`),
	"counts":    regexp.MustCompile(`(?m)^-- (target|structure) `),
	"forbidden": regexp.MustCompile(`(?m)^-- forbidden`),
	"error":     regexp.MustCompile(`(?m)^-- error: `),
}

// Every bug found in other passes has programs, and they are checked as is said.
func TestBugsTable(t *testing.T) {
	rows := table(t, "bugs", 4)
	if len(rows) != 27 {
		t.Errorf("%d rows, expected 27", len(rows))
	}
	tests := goTests(t)
	for _, r := range rows {
		var texts []string
		for _, name := range quoted(r[2]) {
			texts = append(texts, source(t, name))
		}
		if len(texts) == 0 {
			t.Errorf("%s: no program", r[0])
		}
		for _, by := range strings.Split(r[3], ", ") {
			name := strings.Trim(by, "`")
			switch {
			case evidence[by] != nil:
				found := false
				for _, text := range texts {
					found = found || evidence[by].MatchString(text)
				}
				if !found {
					t.Errorf("%s: no program of its row has what %q means", r[0], by)
				}
			case strings.HasPrefix(name, "Test"):
				if !tests[name] {
					t.Errorf("%s: there is no test %s", r[0], name)
				}
			case name == by || !known(t, name):
				t.Errorf("%s: %q is no way to check anything", r[0], by)
			}
		}
	}
}

// goTests returns the names of this package's tests.
func goTests(t *testing.T) map[string]bool {
	t.Helper()
	files := must.Get(filepath.Glob("*_test.go"))(t)
	names := map[string]bool{}
	for _, f := range files {
		data := must.Read(t, f)
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllStringSubmatch(data, -1) {
			names[m[1]] = true
		}
	}
	return names
}
