package lsp

import (
	"strings"

	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// format returns the edit that formats a document. There is none for one that has syntax errors, which are
// shown already, or that is not text of memc's own.
func (s *server) format(d *document, _ *params) (any, error) {
	if !ownText(d.file) {
		return nil, nil
	}
	p, list := driver.Parse(diag.NewFile(d.file.Name, d.file.Text))
	if list.Failed() {
		return nil, nil
	}
	var b strings.Builder
	if err := ir.Format(&b, p, s.opt.Columns); err != nil {
		return nil, err
	}
	if b.String() == d.file.Text {
		return []textEdit{}, nil
	}
	return []textEdit{{d.span(diag.Span{End: len(d.file.Text)}), b.String()}}, nil
}
