package parser

import (
	"strings"

	"github.com/memc-lang/memc/ir"
)

// Note [Comments]
//
// A comment belongs to
//   - the statement, "in" or function above which it stands: Lead;
//   - the statement or "in" at the end of whose last line it stands: Trail;
//   - the statement, "in" or function within whose text it stands (between the
//     operands of an expression, say): Lead, behind what stands above;
//   - otherwise what comes next, and in the end the program's Tail.
//
// The scanner collects comments as it goes, one token ahead of the reader;
// those before the current token are pending until somebody takes them.

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

// hold takes the comments in front of a body for the statement around it.
func (r *reader) hold() {
	for _, c := range r.above() {
		r.held = append(r.held, ir.Comment{Text: c.text})
	}
}

// within takes the comments that stand before the end of the last token taken,
// and those held.
func (r *reader) within() []ir.Comment {
	out := r.held
	r.held = nil
	for r.notes < len(r.scan.comments) && r.scan.comments[r.notes].start < r.last {
		out = append(out, ir.Comment{Text: r.scan.comments[r.notes].text})
		r.notes++
	}
	return out
}

// trail takes the comment that stands behind the last token taken, on its line.
// One without text is left for the next to take: an empty Trail means none.
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

// remaining takes all comments that are left, as offsets into the file.
func (r *reader) remaining() []comment {
	rest := r.above()
	for i := range rest {
		rest[i].start += r.base
		rest[i].end += r.base
	}
	return rest
}

// leads makes the comments above something. Where that stands first in its
// place, or has an empty line above it anyway, the first one needs none.
func leads(text string, cs []comment, first bool) []ir.Comment {
	var out []ir.Comment
	for i, c := range cs {
		out = append(out, ir.Comment{Text: c.text, Blank: blankAbove(text, c.start) && !(first && i == 0)})
	}
	return out
}

// blankAbove tells whether an empty line stands above what begins at an offset.
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
