package lsp

import (
	"net/url"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/memc-lang/memc/import/futhark"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/explain"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/irjson"
	"github.com/memc-lang/memc/parser"
)

// A document is a text that an editor has open, as it is after some change. Nothing changes it, so several
// answers may read it at one time.
type document struct {
	uri      string
	version  *int
	file     *diag.File
	program  *ir.Program // checked, and incomplete if that failed; nil: memc itself failed
	failed   bool
	problems []diagnostic // what the check found
	names    []parser.Name
	// explained returns what the default passes did to a correct program, or nil.
	explained func() *explain.Explanation
}

// newDocument checks a text.
func newDocument(uri string, version *int, text string) *document {
	d := &document{uri: uri, version: version, file: diag.NewFile(fileName(uri), text)}
	list := diag.List{File: d.file}
	if err := attempt(func() {
		d.names = names(d.file)
		p, found := driver.Check(d.file)
		d.program, list = p, *found
	}); err != nil {
		text, _, _ := strings.Cut(err.Error(), "\n") // the rest is a stack
		list.Bugf(diag.Span{}, "%s", text)
	}
	d.failed, d.problems = list.Failed(), d.found(list)
	d.explained = sync.OnceValue(d.explain)
	return d
}

// fileName returns the path of a URI, or the URI itself if it names no file.
func fileName(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return uri
	}
	return u.Path
}

// ownText reports whether a file is a program in memc's own syntax.
func ownText(f *diag.File) bool { return !futhark.Recognises(f) && !irjson.Recognises(f) }

func names(f *diag.File) []parser.Name {
	if !ownText(f) {
		return nil
	}
	return parser.Names(f)
}

// position converts an offset.
func (d *document) position(off int) position {
	text := d.file.Text
	off = min(max(off, 0), len(text))
	line, _ := d.file.Position(off)
	units := 0
	for _, r := range text[strings.LastIndexByte(text[:off], '\n')+1 : off] {
		units += utf16.RuneLen(r)
	}
	return position{line - 1, units}
}

func (d *document) span(s diag.Span) textRange {
	return textRange{d.position(s.Start), d.position(s.End)}
}

// offset converts a position. One behind the end of its line means the end, as the protocol wants.
func (d *document) offset(p position) int {
	text, off := d.file.Text, 0
	for range p.Line {
		n := strings.IndexByte(text[off:], '\n')
		if n < 0 {
			return len(text)
		}
		off += n + 1
	}
	for units := 0; units < p.Character && off < len(text) && text[off] != '\n' && text[off] != '\r'; {
		r, n := utf8.DecodeRuneInString(text[off:])
		units += utf16.RuneLen(r)
		off += n
	}
	return off
}

// nameAt returns the name at a position, or behind whose last letter it is.
func (d *document) nameAt(p position) (parser.Name, bool) {
	off := d.offset(p)
	for _, n := range d.names {
		if n.Start <= off && off <= n.End {
			return n, true
		}
	}
	return parser.Name{}, false
}

// sameName returns the places of all names with one binding.
func (d *document) sameName(bound diag.Span) []diag.Span {
	var out []diag.Span
	for _, n := range d.names {
		if n.Bound == bound {
			out = append(out, n.Span)
		}
	}
	return out
}
