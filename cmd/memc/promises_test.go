package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/memc-lang/memc/internal/test/must"
)

// promise matches a sentence that promises a bound, an order of checks, an error or a code.
var promise = regexp.MustCompile(`(?i)\b(exit codes?|(error|code) [0-9]|at most|at least|never|always|` +
	`(memc|it|which|check) refuses|(fails?|run|is answered) with (the message|the name|")|is an error|stays usable|` +
	`before (it builds|the first write|it writes|the statement writes)|is unspecified)\b`)

// TestPromises compares cmd/memc/testdata/promises.md with the documents and the help texts. A sentence of
// its tables stands in the document word for word; the tests beside it exist; and a sentence
// with a word of promise is in one of the tables.
func TestPromises(t *testing.T) {
	documents := map[string][]string{"README.md": sentences(must.Read(t, "../../README.md"))}
	for _, path := range must.Get(filepath.Glob("../../docs/*.md"))(t) {
		documents[filepath.Base(path)] = sentences(must.Read(t, path))
	}
	helpTexts((&app{stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard}).rootCommand(), documents)

	text := must.Read(t, "testdata/promises.md")
	promises, others, ok := strings.Cut(text, "## Sentences that promise nothing")
	if !ok {
		t.Fatal("testdata/promises.md has no second table")
	}
	listed := map[string]map[string]bool{}
	for k, table := range []string{promises, others} {
		for _, row := range regexp.MustCompile(`(?m)^\| ([^|]+) \| (.+) \| ([^|]+) \|$`).FindAllStringSubmatch(table, -1)[1:] {
			document, last := row[1], row[3]
			s := named(documents[document], strings.ReplaceAll(row[2], `\|`, "|"))
			if listed[document] == nil {
				listed[document] = map[string]bool{}
			}
			if s == "" || listed[document][s] {
				t.Errorf("testdata/promises.md lists a sentence that %s does not have, or lists it twice: %s", document, row[2])
			}
			listed[document][s] = true
			for _, test := range strings.Split(last, ", ") {
				if k == 0 && !testExists(t, test) {
					t.Errorf("testdata/promises.md names a test that does not exist: %s", test)
				}
			}
		}
	}
	for name, all := range documents {
		for _, s := range all {
			if promise.MatchString(s) && !listed[name][s] {
				t.Errorf("testdata/promises.md does not list a promise of %s:\n| %s | %s | |", name, name, strings.ReplaceAll(s, "|", `\|`))
			}
		}
	}
}

// named returns the sentence that a row of a table names, whole or by its beginning.
func named(all []string, text string) string {
	start, cut := strings.CutSuffix(text, " ..")
	for _, s := range all {
		if s == text || cut && strings.HasPrefix(s, start+" ") {
			return s
		}
	}
	return ""
}

// sentences splits a document into sentences. A row of a table counts as one. Headings, blocks
// of code and comments have none; of a link only its text is left.
func sentences(text string) []string {
	text = regexp.MustCompile("(?sm)^ *```.*?^ *```$|<!--.*?-->").ReplaceAllString(text, "")
	text = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(text, "$1")
	var out []string
	for _, paragraph := range regexp.MustCompile(`\n\s*\n`).Split(text, -1) {
		if strings.HasPrefix(strings.TrimLeft(paragraph, "\n"), "    ") {
			continue
		}
		item := ""
		for _, line := range strings.Split(paragraph, "\n") {
			switch row := strings.HasPrefix(line, "|"); {
			case strings.HasPrefix(line, "#"):
			case row && strings.Trim(line, "|-: ") == "" && strings.Contains(line, "-"):
				out = out[:len(out)-1] // the head of the table
			case row:
				out = append(out, strings.ReplaceAll(strings.Trim(strings.TrimSpace(line), "| "), `\|`, "|"))
			default:
				if start := regexp.MustCompile(`^ *([-*]|\d+\.) `).FindString(line); start != "" {
					out = append(out, cutSentences(item)...)
					item, line = "", line[len(start):]
				}
				item += " " + line
			}
		}
		out = append(out, cutSentences(item)...)
	}
	return out
}

// cutSentences cuts at the full stops of a text, but not within code.
func cutSentences(text string) []string {
	words := strings.Fields(text)
	var out []string
	start, ticks := 0, 0
	for k, w := range words {
		ticks += strings.Count(w, "`")
		end := strings.TrimRight(w, `*)"`)
		stop := strings.HasSuffix(end, "?") || strings.HasSuffix(end, ".") && !strings.HasSuffix(end, "..")
		if k == len(words)-1 || stop && ticks%2 == 0 {
			out = append(out, strings.Join(words[start:k+1], " "))
			start = k + 1
		}
	}
	return out
}

// helpTexts adds the help of a command and of those below it, as `memc run --help`. What they say of
// flags is in a document of its own, since verbs have many in common.
func helpTexts(c *cobra.Command, documents map[string][]string) {
	text := c.Long
	if text == "" {
		text = c.Short
	}
	documents["`"+c.CommandPath()+" --help`"] = sentences(strings.ReplaceAll(text, "\n  ", "\n"))
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if s := "--" + f.Name + ": " + f.Usage; !slices.Contains(documents["flags"], s) {
			documents["flags"] = append(documents["flags"], s)
		}
	})
	for _, sub := range c.Commands() {
		helpTexts(sub, documents)
	}
}

// tested matches the lines by which a program is a test.
var tested = regexp.MustCompile(`(?m)^-- (==$|memory: |run time: )`)

// testExists tells whether a test is there: `package TestName`, or `file` of tests.
func testExists(t *testing.T, test string) bool {
	test, quoted := strings.CutPrefix(test, "`")
	dir, name, isFunction := strings.Cut(strings.TrimSuffix(test, "`"), " ")
	if !quoted {
		return false
	}
	if !isFunction {
		files := must.Get(filepath.Glob("../../" + dir))(t)
		for _, file := range files {
			if strings.HasSuffix(file, ".ir") && !tested.MatchString(must.Read(t, file)) {
				return false
			}
		}
		return len(files) > 0
	}
	for _, file := range must.Get(filepath.Glob("../../" + dir + "/*_test.go"))(t) {
		f := must.Get(parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution))(t)
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == name {
				return true
			}
		}
	}
	return false
}
