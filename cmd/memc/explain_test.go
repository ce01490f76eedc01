package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every command of docs/explain.md prints what the page shows.
func TestExplainPage(t *testing.T) {
	data, err := os.ReadFile("../../docs/explain.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	text := string(data)
	for _, name := range []string{"tables.ir", "mended.ir"} {
		_, rest, found := strings.Cut(text, "<!-- "+name+" -->\n```\n")
		program, _, ended := strings.Cut(rest, "```")
		if !found || !ended {
			t.Fatalf("the page has no program %s", name)
		}
		if err := os.WriteFile(name, []byte(program), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	commands := 0
	for _, block := range strings.Split(text, "```console\n$ memc ")[1:] {
		commands++
		shown, _, _ := strings.Cut(block, "```")
		line, want, _ := strings.Cut(shown, "\n")
		var out, errs strings.Builder
		if code := run(strings.Fields(line), strings.NewReader(""), &out, &errs); code != 0 || out.String() != want {
			t.Errorf("memc %s: exit code %d, prints\n%s%s\nthe page shows\n%s", line, code, out.String(), errs.String(), want)
		}
	}
	if commands < 4 {
		t.Errorf("the page has only %d commands", commands)
	}
	var errs strings.Builder
	if code := run([]string{"explain", "tables.ir"}, strings.NewReader(""), &strings.Builder{}, &errs); code != 0 {
		t.Errorf("memc explain tables.ir: exit code %d: %s", code, errs.String())
	}
	if _, err := os.Stat(filepath.Join(".", "tables.html")); err != nil {
		t.Error(err)
	}
}
