package diag

import (
	"encoding/json"
	"io"
)

// A place in a file for other programs: lines and columns count from 1, columns
// in characters, offsets in bytes from 0. The end is exclusive.
type jsonPlace struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	Offset int `json:"offset"`
}

type jsonSpan struct {
	Start jsonPlace `json:"start"`
	End   jsonPlace `json:"end"`
	// Origin is the place that the text was made from: "life.fut:3:5".
	Origin string `json:"origin,omitempty"`
}

type jsonNote struct {
	Message string    `json:"message"`
	Span    *jsonSpan `json:"span,omitempty"`
}

type jsonDiagnostic struct {
	File     string     `json:"file,omitempty"`
	Severity string     `json:"severity"`
	Message  string     `json:"message"`
	Span     *jsonSpan  `json:"span,omitempty"`
	Notes    []jsonNote `json:"notes,omitempty"`
	Hint     string     `json:"hint,omitempty"`
}

// WriteJSON writes a diagnostic as one JSON object on a line of its own.
func (d *Diagnostic) WriteJSON(w io.Writer) error {
	out := jsonDiagnostic{Severity: d.Severity.String(), Message: d.Msg, Span: d.File.json(d.Span), Hint: d.Hint}
	if d.File != nil {
		out.File = d.File.Name
	}
	for _, n := range d.Notes {
		out.Notes = append(out.Notes, jsonNote{n.Msg, d.File.json(n.Span)})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(out)
}

// json returns a span for other programs, or nil where the place is not known.
func (f *File) json(s Span) *jsonSpan {
	if f == nil || !s.Known() {
		return nil
	}
	place := func(at int) jsonPlace {
		line, column := f.Position(at)
		return jsonPlace{line, column, at}
	}
	return &jsonSpan{place(s.Start), place(s.End), f.Origin(s.Start)}
}
