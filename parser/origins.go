package parser

import (
	"regexp"
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// Note [Places in other languages]
//
// A comment "--@ life.fut:3:5" names the position in another language from which memc got a
// statement, the values after an "in", or a function. It is a comment, so printing keeps it in its
// place, and a statement that a pass moves takes it along. Messages show the position after that in
// the IR (diag.File.Origins). Constructs within a statement inherit its position.

// placeComment is the text of such a comment: a file with a line, perhaps a column, and the end of
// a range.
var placeComment = regexp.MustCompile(`^@ (\S.*?:\d+(:\d+)?(-\d+(:\d+)?)?)$`)

// origins returns the positions that comments name, outer ones before those within them.
func origins(p *ir.Program, list *diag.List) []diag.Origin {
	var out []diag.Origin
	one := func(span diag.Span, c ir.Comment) {
		if aboutVersion(c) && len(list.All) < maxProblems {
			list.Errorf(diag.BadVersion, span, "the version of a file stands in its first comment").Hinted(versionHint)
		}
		if !c.Place() {
			return
		}
		if m := placeComment.FindStringSubmatch(c.Text); m != nil {
			out = append(out, diag.Origin{Span: span, Place: m[1]})
		} else if len(list.All) < maxProblems {
			list.Errorf(diag.BadOrigin, span, "the comment `--%s` names no place", c.Text).Hinted("write FILE:LINE or FILE:LINE:COLUMN after `--@ `")
		}
	}
	add := func(span diag.Span, comments []ir.Comment, trail string) {
		for _, c := range comments {
			one(span, c)
		}
		one(span, ir.Comment{Text: trail})
	}
	var body func(b *ir.Body)
	body = func(b *ir.Body) {
		for _, s := range b.Stmts {
			add(s.Span, s.Lead, s.Trail)
			for _, inner := range ir.Bodies(s.Op) {
				body(inner)
			}
		}
		add(b.In, b.Lead, b.Trail)
	}
	for _, f := range p.Funcs {
		if f.Body != nil {
			add(f.Span.Join(f.Body.Span), f.Lead, "")
			body(f.Body)
		}
	}
	slices.SortStableFunc(out, func(a, b diag.Origin) int { return a.Start - b.Start })
	return out
}
