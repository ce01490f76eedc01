package diag

import (
	"encoding/json"
	"io"
)

// A MessagePlace is a place in a file for other programs: lines and columns count from 1, columns
// in characters, offsets in bytes from 0.
type MessagePlace struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	Offset int `json:"offset"`
}

// A MessageSpan is a part of a file; its end is exclusive.
type MessageSpan struct {
	Start MessagePlace `json:"start"`
	End   MessagePlace `json:"end"`
	// Origin is the place that the text was made from: "life.fut:3:5".
	Origin string `json:"origin,omitempty"`
}

// A MessageNote is further text of a message.
type MessageNote struct {
	Message string       `json:"message"`
	Span    *MessageSpan `json:"span,omitempty"`
}

// A Message is a diagnostic for other programs.
type Message struct {
	File     string        `json:"file,omitempty"`
	Severity string        `json:"severity"`
	Code     Code          `json:"code,omitempty"`
	Message  string        `json:"message"`
	Span     *MessageSpan  `json:"span,omitempty"`
	Notes    []MessageNote `json:"notes,omitempty"`
	Hint     string        `json:"hint,omitempty"`
}

// JSON returns a diagnostic for other programs.
func (d *Diagnostic) JSON() Message {
	out := Message{Severity: d.Severity.String(), Code: d.Code, Message: d.Msg, Span: d.File.json(d.Span), Hint: d.Hint}
	if d.File != nil {
		out.File = d.File.Name
	}
	for _, n := range d.Notes {
		out.Notes = append(out.Notes, MessageNote{n.Msg, d.File.json(n.Span)})
	}
	return out
}

// WriteJSON writes a diagnostic as one JSON object on a line of its own.
func (d *Diagnostic) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(d.JSON())
}

// json returns a span for other programs, or nil where the place is not known.
func (f *File) json(s Span) *MessageSpan {
	if f == nil || !s.Known() {
		return nil
	}
	place := func(at int) MessagePlace {
		line, column := f.Position(at)
		return MessagePlace{line, column, at}
	}
	return &MessageSpan{place(s.Start), place(s.End), f.Origin(s.Start)}
}
