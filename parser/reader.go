package parser

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// maxProblems bounds the number of syntax errors that are kept of one file.
const maxProblems = 100

// A problem is a syntax error that waits to become a diagnostic.
type problem struct {
	code      diag.Code
	span      diag.Span
	msg, hint string
	open      diag.Span // of the "{" that has no "}"
}

// reader reads one function. It looks at the current token and the one behind
// it. A syntax error unwinds to the innermost statement as a panic with a
// problem; try keeps it, so that more than one is found.
type reader struct {
	scan     scanner
	base     int          // offset of the scanner's text in the file
	tok, fol token        // the current token and the following one
	last     int          // end of the last token taken, in the scanner's text
	notes    int          // comments attached so far
	held     []ir.Comment // before a body, for the statement that it is part of
	problems []problem
	bodies   int    // depth of bodies
	nest     int    // depth within an expression
	exist    bool   // "?name" may stand in an expression
	done     bool   // nothing more of this function can be read
	words    *words // the names that were read, if somebody asks for them
}

func newReader(text string, base int) *reader {
	r := &reader{scan: scanner{text: text}, base: base}
	r.tok = r.scan.next()
	r.fol = r.scan.next()
	return r
}

// text returns a token as it is written.
func (r *reader) text(t token) string { return r.scan.text[t.start:t.end] }

// take moves over the current token and gives it.
func (r *reader) take() token {
	t := r.tok
	r.last = t.end
	r.tok = r.fol
	if r.fol.kind != kEOF {
		r.fol = r.scan.next()
	}
	return t
}

// spanOf returns the place of a token in the file.
func (r *reader) spanOf(t token) diag.Span {
	return diag.Span{Start: r.base + t.start, End: r.base + t.end}
}

// here returns the place of the current token. What is missing at the end of the
// file goes behind the last token.
func (r *reader) here() diag.Span {
	if r.tok.kind == kEOF {
		return diag.Span{Start: r.base + r.last, End: r.base + r.last + 1}
	}
	return r.spanOf(r.tok)
}

// from returns the span from start to the last token taken.
func (r *reader) from(start int) diag.Span {
	return diag.Span{Start: r.base + start, End: r.base + max(r.last, start+1)}
}

// ended reports whether the text of the function ends here.
func (r *reader) ended() bool {
	return r.done || r.tok.kind == kEOF || r.tok.kind == kFun || r.tok.kind == kEntry
}

// accept takes the current token if it is of that kind.
func (r *reader) accept(k kind) bool {
	if r.tok.kind == k {
		r.take()
		return true
	}
	return false
}

// expect takes a token of that kind or fails.
func (r *reader) expect(k kind, hint string) {
	if !r.accept(k) {
		r.unexpected("`"+spellings[k]+"`", hint)
	}
}

// failAt ends the reading of the innermost statement.
func (r *reader) failAt(code diag.Code, span diag.Span, hint, format string, args ...any) {
	panic(problem{code: code, span: span, msg: fmt.Sprintf(format, args...), hint: hint})
}

// unexpected fails at the current token.
func (r *reader) unexpected(want, hint string) {
	if r.tok.kind == kBad && r.text(r.tok) == "." {
		hint = "a float has digits on both sides of its dot: 1.0"
	}
	r.failAt(diag.BadSyntax, r.here(), hint, "unexpected %s, expected %s", r.describe(r.tok), want)
}

// describe names a token for a message.
func (r *reader) describe(t token) string {
	text := r.text(t)
	switch {
	case t.kind == kEOF:
		return "end of the file"
	case t.kind == kBad && text[0] == '"':
		return "string without an end"
	case t.kind == kBad && (text[0] < ' ' || text[0] == 0x7f || !utf8.ValidString(text)):
		return "byte " + strings.TrimSuffix(strings.TrimPrefix(strconv.QuoteToASCII(text[:1]), `"`), `"`) + " (this file is not text)"
	case t.kind == kPrim:
		return "type `" + text + "`"
	case t.kind.reserved():
		return "keyword `" + text + "`"
	case t.kind == kName:
		return "name `" + clip(text) + "`"
	}
	return "`" + clip(text) + "`"
}

// clip shortens text that may be megabytes long.
func clip(s string) string {
	if len(s) <= 40 {
		return s
	}
	n := 37
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "..."
}

// try calls f. A syntax error in it is kept, and false given.
func (r *reader) try(f func()) (ok bool) {
	bodies, exist := r.bodies, r.exist
	defer func() {
		switch p := recover().(type) {
		case nil:
			ok = true
		case problem:
			r.bodies, r.exist, r.nest = bodies, exist, 0
			r.report(p)
		default:
			panic(p)
		}
	}()
	f()
	return
}

// report keeps a problem. Once the function has ended, what follows from that
// is not reported again.
func (r *reader) report(p problem) {
	if r.done {
		return
	}
	r.problems = append(r.problems, p)
	if r.ended() || len(r.problems) >= maxProblems {
		r.done = true
	}
}

// skip moves to where a statement may begin, or to where the body ends. Bodies
// on the way are read for their own errors.
func (r *reader) skip() {
	for !r.ended() {
		switch r.tok.kind {
		case kLet, kAssert, kIn, kRBrace:
			return
		case kLBrace:
			r.try(func() { r.body("") })
		default:
			r.take()
		}
	}
	r.done = true
}

// name takes a name that is not a reserved word.
func (r *reader) name(what string) string {
	if r.tok.kind != kName {
		hint := ""
		switch t := r.text(r.tok); {
		case r.tok.kind == kPrim:
			hint = "`" + t + "` is a type; as a name write `" + t[:1] + "_" + t[1:] + "`, for example"
		case r.tok.kind.reserved():
			hint = "`" + t + "` is a word of the language and names nothing"
		}
		r.unexpected(what, hint)
	}
	t := r.take()
	r.words.add(r, t, aValue)
	return r.text(t)
}

// list reads elements with commas between them, up to and including close.
func (r *reader) list(close kind, element func()) {
	if r.accept(close) {
		return
	}
	for {
		element()
		if r.accept(close) {
			return
		}
		if !r.accept(kComma) {
			r.unexpected("`,` or `"+spellings[close]+"`", "")
		}
	}
}
