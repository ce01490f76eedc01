package lsp

import (
	"errors"
	"fmt"
	"strings"

	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/ir/diag"
)

// found converts what the check found.
func (d *document) found(list diag.List) []diagnostic {
	list.Sort()
	out := []diagnostic{}
	for _, found := range list.All {
		out = append(out, d.problem(found))
	}
	return out
}

// problem converts a message. What has a place of its own becomes related information; hints are a part of
// the text, since the protocol has no room for them.
func (d *document) problem(found *diag.Diagnostic) diagnostic {
	p := diagnostic{Range: d.span(found.Span), Severity: severityError, Code: string(found.Code), Source: "memc", Message: diag.Printable(found.Msg)}
	switch found.Severity {
	case diag.Limitation, diag.Bug:
		p.Message = found.Severity.String() + ": " + p.Message
	case diag.Warning:
		p.Severity = severityWarning
	}
	for _, n := range found.Notes {
		text := diag.Printable(n.Msg)
		if n.Span.Known() {
			p.Related = append(p.Related, related{location{d.uri, d.span(n.Span)}, text})
		} else {
			p.Message += "\nnote: " + text
		}
	}
	if found.Hint != "" {
		p.Message += "\nhint: " + diag.Printable(found.Hint)
	}
	return p
}

// refusals runs the passes, and returns what they refused to do. Of a program with places that are written by
// hand it also returns what these may do wrong.
func (d *document) refusals() []diagnostic {
	if d.failed {
		return nil
	}
	f := diag.NewFile(d.file.Name, d.file.Text)
	p, list := driver.Check(f) // of its own, since passes change a program
	if list.Failed() {
		return nil
	}
	var out []diagnostic
	for _, w := range driver.Warnings(f, p) {
		out = append(out, d.problem(w))
	}
	report, err := pipeline.Run(p, pipeline.DefaultPasses(), pipeline.Options{})
	if err != nil {
		var failed *diag.List
		if errors.As(err, &failed) {
			for _, found := range failed.All {
				out = append(out, d.problem(found))
			}
		}
		return out
	}
	for _, m := range report.Structured() {
		if m.Refused && m.Line > 0 {
			text := fmt.Sprintf("%s: %s", m.Pass, strings.TrimSpace(diag.Printable(m.Text)))
			out = append(out, diagnostic{Range: d.span(m.Span()), Severity: severityHint, Code: m.Code, Source: "memc", Message: text})
		}
	}
	return out
}
