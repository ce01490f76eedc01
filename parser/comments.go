package parser

import (
	"strings"

	"github.com/memc-lang/memc/ir"
)

// Note [Comments]
//
// A comment belongs to
//   - the statement, "in" or function below it: Lead;
//   - the statement or "in" whose last line it ends: Trail;
//   - the statement, "in" or function that contains it (between the operands of an expression,
//     say): Lead, after the comments above;
//   - otherwise to the next construct, or at the end to the program's Tail.
//
// The scanner collects comments as it goes, one token ahead of the reader. Those before the current
// token are pending until a construct takes them.

// above takes the comments that stand before the current token.
func (r *reader) above() []comment {
	all, n := r.scan.comments, r.notes
	for n < len(all) && all[n].start < r.tok.start {
		n++
	}
	taken := all[r.notes:n]
	r.notes = n
	return taken
}

// hold takes the comments before a body for the statement around it.
func (r *reader) hold() {
	for _, c := range r.above() {
		r.held = append(r.held, ir.Comment{Text: c.text})
	}
}

// within takes the comments before the end of the last token read, and those held.
func (r *reader) within() []ir.Comment {
	out := r.held
	r.held = nil
	for r.notes < len(r.scan.comments) && r.scan.comments[r.notes].start < r.last {
		out = append(out, ir.Comment{Text: r.scan.comments[r.notes].text})
		r.notes++
	}
	return out
}

// trail takes the comment after the last token read, on its line. An empty comment is left for the
// next construct: an empty Trail means none.
func (r *reader) trail() string {
	if r.notes == len(r.scan.comments) {
		return ""
	}
	c := r.scan.comments[r.notes]
	if c.start < r.last || c.start > r.tok.start || c.text == "" || strings.Contains(r.scan.text[r.last:c.start], "\n") {
		return ""
	}
	r.notes++
	return c.text
}

// remaining takes all remaining comments, as offsets into the file.
func (r *reader) remaining() []comment {
	rest := r.above()
	for i := range rest {
		rest[i].start += r.base
		rest[i].end += r.base
	}
	return rest
}

// leads makes the comments above a construct. The first comment needs no empty line above it if the
// construct is the first in its body, or has an empty line above it anyway.
func leads(text string, cs []comment, first bool) []ir.Comment {
	var out []ir.Comment
	for i, c := range cs {
		out = append(out, ir.Comment{Text: c.text, Blank: blankAbove(text, c.start) && !(first && i == 0)})
	}
	return out
}

// blankAbove reports whether an empty line stands above the construct at an offset.
func blankAbove(text string, at int) bool {
	lines := 0
	for at--; at >= 0 && lines < 2; at-- {
		switch text[at] {
		case '\n':
			lines++
		case ' ', '\t', '\r':
		default:
			return false
		}
	}
	return lines > 1
}
