package parser

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// Note [The version of a file]
//
// A file may say of which version of the language it is, in its first comment: "--! version 1". It is
// a comment so that a reader that knows no versions reads the file, too. The parser looks for it before it
// reads anything else: a file of a version that this memc does not know has one error, and not one for each
// new form. A file without a version is read as one of the newest version.

const versionHint = "write `--! version 1` as the first comment of the file, or leave it out"

var versionComment = regexp.MustCompile(`^! version ([1-9][0-9]{0,8})$`)

// aboutVersion reports whether a comment says a version, or tries to.
func aboutVersion(c ir.Comment) bool {
	return strings.HasPrefix(strings.TrimSpace(c.Text), "! version")
}

// version returns the version that a text states, or 0 if it states none.
func version(text string) (int, *problem) {
	s := scanner{text: text, pos: len(text) - len(strings.TrimPrefix(text, byteOrderMark))}
	s.blank()
	if len(s.comments) == 0 || !aboutVersion(ir.Comment{Text: s.comments[0].text}) {
		return 0, nil
	}
	c := s.comments[0]
	p := &problem{code: diag.BadVersion, span: diag.Span{Start: c.start, End: c.end}, hint: versionHint}
	m := versionComment.FindStringSubmatch(c.text)
	if m == nil {
		p.msg = fmt.Sprintf("the comment `--%s` names no version", clip(c.text))
		return 0, p
	}
	n, _ := strconv.Atoi(m[1]) // nine digits
	if n > ir.Version {
		p.msg = fmt.Sprintf("this file is of version %d of the language, but this memc knows only the versions up to %d", n, ir.Version)
		p.hint = "use a newer memc; `memc version` says which version it knows"
		return 0, p
	}
	return n, nil
}

// takeVersion removes the version from the comments at the top of a program. It may be lost already, with a
// first function that is none.
func takeVersion(p *ir.Program) {
	lead := &p.Tail
	if len(p.Funcs) > 0 {
		lead = &p.Funcs[0].Lead
	}
	if len(*lead) > 0 && aboutVersion((*lead)[0]) {
		*lead = (*lead)[1:]
	}
}
