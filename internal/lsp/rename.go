package lsp

import (
	"slices"
	"strings"

	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/parser"
)

// definition returns where the name at a position is bound.
func (s *server) definition(d *document, p *params) (any, error) {
	if n, ok := d.nameAt(p.Position); ok && n.Bound.Known() {
		return location{d.uri, d.span(n.Bound)}, nil
	}
	return nil, nil
}

// references returns the places of a name.
func (s *server) references(d *document, p *params) (any, error) {
	n, ok := d.nameAt(p.Position)
	if !ok || !n.Bound.Known() {
		return nil, nil
	}
	out := []location{}
	for _, at := range d.sameName(n.Bound) {
		if p.Context.IncludeDeclaration || at != n.Bound {
			out = append(out, location{d.uri, d.span(at)})
		}
	}
	return out, nil
}

// prepareRename returns the range of a name that can be renamed.
func (s *server) prepareRename(d *document, p *params) (any, error) {
	if n, ok := d.nameAt(p.Position); ok && n.Bound.Known() {
		return d.span(n.Span), nil
	}
	return nil, nil
}

// rename returns the edits that rename a name, unless another name would then mean something else.
func (s *server) rename(d *document, p *params) (any, error) {
	n, ok := d.nameAt(p.Position)
	if !ok || !n.Bound.Known() {
		return nil, failed(requestFailed, "no name is bound here")
	}
	if !parser.IsName(p.NewName) {
		return nil, failed(requestFailed, "`%s` is not a name", p.NewName)
	}
	places := d.sameName(n.Bound)
	var text strings.Builder
	edits, end := []textEdit{}, 0
	for _, at := range places {
		edits = append(edits, textEdit{d.span(at), p.NewName})
		text.WriteString(d.file.Text[end:at.Start] + p.NewName)
		end = at.End
	}
	text.WriteString(d.file.Text[end:])
	after := diag.NewFile(d.file.Name, text.String())
	if !slices.Equal(shape(d.names), shape(parser.Names(after))) {
		return nil, failed(requestFailed, "`%s` names something else here", p.NewName)
	}
	if !d.failed {
		if _, list := driver.Check(after); list.Failed() {
			return nil, failed(requestFailed, "%v", list.Err())
		}
	}
	return workspaceEdit{map[string][]textEdit{d.uri: edits}}, nil
}

// shape returns for every name which one binds it, by their numbers in the text; -1: none.
func shape(names []parser.Name) []int {
	number := map[diag.Span]int{{}: -1}
	for k, n := range names {
		number[n.Span] = k
	}
	out := make([]int, len(names))
	for k, n := range names {
		out[k] = number[n.Bound]
	}
	return out
}
