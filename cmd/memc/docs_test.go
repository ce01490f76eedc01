package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memc-lang/memc/internal/test/must"
)

// A document may hold files and commands. A file is a fenced block below a line
// `<!-- NAME -->`; a command is a line `$ ..` of a block ```console, with what it
// prints below it, standard error included. Where a document shows only a part, a line
// `..` stands for any number of lines.
var (
	docFile    = regexp.MustCompile("(?s)<!-- ([\\w./-]+) -->\n+```\\w*\n(.*?)```")
	docConsole = regexp.MustCompile("(?s)```console\n(.*?)```")
	docFence   = regexp.MustCompile("(?s)```.*?```")
	docError   = regexp.MustCompile(`error(\[E\d+\])?: `)
)

// TestDocs gives the commands of README.md and of every document, in the order of the
// text, in an empty folder beside memc's own, which is called memc there. Each must
// print what the document shows, and fail only with an error that it shows.
// MEMC_GOLDEN=1 writes what they print into the documents.
func TestDocs(t *testing.T) {
	root := must.Get(filepath.Abs("../.."))(t)
	paths := must.Get(filepath.Glob(filepath.Join(root, "docs", "*.md")))(t)
	tested := map[string]bool{}
	for _, path := range append(paths, filepath.Join(root, "README.md")) {
		text := must.Read(t, path)
		if !docConsole.MatchString(text) {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(path), ".md")
		tested[name] = true
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if now := docCommands(t, root, text); os.Getenv("MEMC_GOLDEN") != "" && now != text {
				must.Do(t, os.WriteFile(path, []byte(now), 0o666))
			}
		})
	}
	for _, name := range []string{"README", "c-api", "cli", "explain", "front-ends", "go-host", "kernels", "python", "tutorial"} {
		if !tested[name] {
			t.Errorf("%s.md has no commands", name)
		}
	}
}

// docCommands runs one document's commands and gives the document with what they print.
func docCommands(t *testing.T, root, text string) string {
	dir := t.TempDir()
	work := filepath.Join(dir, "work")
	must.Do(t, errors.Join(os.Symlink(root, filepath.Join(dir, "memc")), os.Mkdir(work, 0o777)))
	for _, m := range docFile.FindAllStringSubmatch(text, -1) {
		file := filepath.Join(work, m[1])
		must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(m[2]), 0o666)))
	}
	return docConsole.ReplaceAllStringFunc(text, func(block string) string {
		now := "```console\n"
		for _, part := range strings.Split("\n"+docConsole.FindStringSubmatch(block)[1], "\n$ ")[1:] {
			line, want, _ := strings.Cut(part+"\n", "\n")
			want = strings.TrimSuffix(want, "\n")
			if want != "" && !strings.HasSuffix(want, "\n") {
				want += "\n"
			}
			if to, ok := strings.CutPrefix(line, "cd "); ok {
				work = filepath.Join(work, to)
				now += "$ " + line + "\n"
				continue
			}
			c := exec.Command("sh", "-c", line)
			c.Dir = work
			out, err := c.CombinedOutput()
			got := string(out)
			if got != "" && !strings.HasSuffix(got, "\n") {
				got += "\n"
			}
			if shows(want, got) {
				got = want
			} else if os.Getenv("MEMC_GOLDEN") == "" {
				t.Errorf("%s: -the document +the command\n%s", line, cmp.Diff(want, got))
			}
			if err != nil && !docError.MatchString(got) {
				t.Errorf("%s: %v\n%s", line, err, got)
			}
			now += "$ " + line + "\n" + got
		}
		return now + "```"
	})
}

// shows reports whether a document's text stands for an output: they are equal but for
// the lines `..`.
func shows(text, output string) bool {
	pattern := "^" + strings.ReplaceAll(regexp.QuoteMeta("\n"+text), "\n\\.\\.\n", "\n(?s:.*\n)?") + "$"
	return regexp.MustCompile(pattern).MatchString("\n" + output)
}

// TestDocLinks: every link from a document to a file of memc's leads somewhere, and so
// does the heading that it names.
func TestDocLinks(t *testing.T) {
	paths, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no documents: %v", err)
	}
	link := regexp.MustCompile(`\]\(([^):#]*)(?:#([^)]*))?\)`)
	others := []string{
		"README.md", "bench/alloc/README.md", "bench/programs/report.md", "benchmarks/README.md", "benchmarks/roofline/README.md",
		"cmd/memc/testdata/promises.md", "internal/bench/reusebench/figures.md", "internal/compiler/pipeline/bounds.md",
		"internal/compiler/explain/errors.md", "internal/fuzz/difftest/mutants.md", "internal/test/futharktest/table.md", "internal/test/patterns/patterns.md",
		"scripts/genstmts/README.md",
	}
	for _, path := range others {
		paths = append(paths, "../../"+path)
	}
	for _, path := range paths {
		for _, m := range link.FindAllStringSubmatch(docFence.ReplaceAllString(must.Read(t, path), ""), -1) {
			target := path
			if m[1] != "" {
				target = filepath.Join(filepath.Dir(path), m[1])
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %v", path, err)
			} else if m[2] != "" && !headings(must.Read(t, target))[m[2]] {
				t.Errorf("%s: %s has no heading #%s", path, target, m[2])
			}
		}
	}
}

// headings returns the names by which links call a document's headings.
func headings(text string) map[string]bool {
	names := map[string]bool{}
	for _, line := range strings.Split(docFence.ReplaceAllString(text, ""), "\n") {
		if title := strings.TrimLeft(line, "#"); title != line {
			name := regexp.MustCompile(`[^\w\- ]`).ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
			names[strings.ReplaceAll(name, " ", "-")] = true
		}
	}
	return names
}
