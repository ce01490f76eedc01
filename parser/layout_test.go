package parser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// golden compares a text with a file, or writes the file where MEMC_GOLDEN is set.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if os.Getenv("MEMC_GOLDEN") != "" {
		must.Do(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want := must.Get(os.ReadFile(path))(t)
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got):\n%s", path, d)
	}
}

// TestLayout prints the programs of testdata/comments, whose comments stand in
// odd places.
func TestLayout(t *testing.T) {
	files, err := filepath.Glob("testdata/comments/*.ir")
	if err != nil || len(files) == 0 {
		t.Fatal(err, "no programs")
	}
	for _, path := range files {
		text := must.Read(t, path)
		golden(t, strings.TrimSuffix(path, ".ir")+".want", parse(t, text).String())
	}
}

// sameWithoutComments compares up to positions, comments and empty lines, which it takes out of both.
func sameWithoutComments(p, q *ir.Program) string {
	for _, x := range []*ir.Program{p, q} {
		x.Tail, x.Version = nil, 0
		body := func(b *ir.Body) { b.Lead, b.Trail = nil, "" }
		for _, f := range x.Funcs {
			f.Lead = nil
			body(f.Body)
			ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
				s.Lead, s.Trail, s.Blank = nil, "", false
				for _, b := range ir.Bodies(s.Op) {
					body(b)
				}
				return true
			})
		}
	}
	return sameProgram(p, q)
}

// TestNoCommentLost puts a comment between any two tokens of every program, once
// at the end of a line and once on a line of its own.
func TestNoCommentLost(t *testing.T) {
	for path, text := range repository(t) {
		p, list := Parse(diag.NewFile(path, text))
		if list.Failed() || strings.HasPrefix(path, "../testdata") {
			continue // the forms of those are all in testdata/all.ir
		}
		for _, gap := range []string{" -- ", "\n-- "} {
			var b strings.Builder
			s := scanner{text: text}
			n := 0
			for tok := s.next(); tok.kind != kEOF; tok = s.next() {
				n++
				fmt.Fprintf(&b, "%s%s<%d>\n", text[tok.start:tok.end], gap, n)
			}
			q, list := Parse(diag.NewFile(path, b.String()))
			if list.Failed() {
				t.Fatalf("%s with comments: %v", path, list.Error())
			}
			printed := q.String()
			if d := sameWithoutComments(p, q); d != "" {
				t.Errorf("%s: comments change the program: %s", path, d)
			}
			if got := strings.Count(printed, "--"); got != n {
				t.Errorf("%s: %d comments became %d", path, n, got)
			}
			kept := map[string]bool{}
			for line := range strings.Lines(printed) {
				_, comment, _ := strings.Cut(line, "-- ")
				kept[comment] = true
			}
			for i := 1; i <= n; i++ {
				if !kept[fmt.Sprintf("<%d>\n", i)] {
					t.Errorf("%s: comment %d of %d is lost", path, i, n)
					break
				}
			}
			if again := parse(t, printed).String(); again != printed {
				t.Errorf("%s: printing again changes the text:\n%s", path, cmp.Diff(printed, again))
			}
		}
	}
}

// TestWhiteSpace gives every program other line ends, no lines at all, and a
// byte order mark.
func TestWhiteSpace(t *testing.T) {
	for path, text := range repository(t) {
		p, list := Parse(diag.NewFile(path, text))
		if list.Failed() {
			continue
		}
		if d := sameProgram(p, parse(t, byteOrderMark+strings.ReplaceAll(text, "\n", "\r\n"))); d != "" {
			t.Errorf("%s: CRLF changes the program: %s", path, d)
		}
		var line strings.Builder
		s := scanner{text: text}
		for tok := s.next(); tok.kind != kEOF; tok = s.next() {
			line.WriteString(text[tok.start:tok.end] + " ")
		}
		if d := sameWithoutComments(p, parse(t, line.String())); d != "" {
			t.Errorf("%s: one line changes the program: %s", path, d)
		}
	}
}

// TestSpans cuts every expression's text out of every program: it must read as
// that expression.
func TestSpans(t *testing.T) {
	n := 0
	for path, text := range repository(t) {
		p, list := Parse(diag.NewFile(path, text))
		if list.Failed() {
			continue
		}
		check := func(e ir.Exp) {
			ir.WalkExp(e, func(e ir.Exp) bool {
				if !e.Span().Known() && ir.ExpString(e) == "0" {
					return true // the lower bound of an iota is not written
				}
				n++
				at := text[e.Span().Start:e.Span().End]
				q := parse(t, "fun f () : i64 = { in "+at+" }")
				if got, want := ir.ExpString(q.Funcs[0].Body.Result[0]), ir.ExpString(e); got != want {
					t.Errorf("%s: the span of %s holds %s", path, want, at)
				}
				return true
			})
		}
		for _, f := range p.Funcs {
			ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
				ir.Exps(s.Op, check)
				at := text[s.Span.Start:s.Span.End]
				if q := parse(t, "fun f () : i64 = { "+at+" in 1 }"); q.Funcs[0].Body.Stmts[0].String() != s.String() {
					t.Errorf("%s: the span of a statement holds %s", path, at)
				}
				for _, b := range ir.Bodies(s.Op) {
					if at := text[b.Span.Start:b.Span.End]; at[0] != '{' || at[len(at)-1] != '}' {
						t.Errorf("%s: the span of a body holds %s", path, at)
					}
				}
				for _, e := range s.Pat {
					if at := text[e.Span.Start:e.Span.End]; at != e.Name {
						t.Errorf("%s: the span of `%s` holds %s", path, e.Name, at)
					}
				}
				return true
			})
		}
	}
	if n < 1000 {
		t.Errorf("only %d expressions", n)
	}
}
