package diag

import (
	"fmt"
	"io"
	"strings"
)

// MaxShown is the number of diagnostics that Render prints before it counts
// the rest.
const MaxShown = 20

// maxLine bounds how much of a source line is shown (10 MB on one line is
// legal input); the window is laid around the caret.
const maxLine = 120

// Render writes the list, sorted and capped at MaxShown errors. Each
// diagnostic is its headline, the source line, carets under the span, the
// notes and the hint. With color, severities and carets are highlighted.
func (l *List) Render(w io.Writer, color bool) {
	l.Sort()
	shown := 0
	for i, d := range l.All {
		if shown == MaxShown {
			fmt.Fprintf(w, "(and %d more)\n", len(l.All)-i)
			return
		}
		d.Render(w, color)
		shown++
	}
}

// Render writes one diagnostic.
func (d *Diagnostic) Render(w io.Writer, color bool) {
	p := painter(color)
	fmt.Fprintf(w, "%s%s %s\n", p.bold(d.File.Locate(d.Span)), p.sev(d.Severity, d.kind()), Printable(d.Msg))
	d.File.excerpt(w, d.Span, p)
	for _, n := range d.Notes {
		fmt.Fprintf(w, "%s%s %s\n", d.File.Locate(n.Span), p.bold("note:"), Printable(n.Msg))
		d.File.excerpt(w, n.Span, p)
	}
	if d.Hint != "" {
		fmt.Fprintf(w, "  %s %s\n", p.bold("hint:"), Printable(d.Hint))
	}
}

// excerpt writes the line on which the span starts, and carets under it.
func (f *File) excerpt(w io.Writer, s Span, p painter) {
	if f == nil || !s.Known() {
		return
	}
	line, col := f.Position(s.Start)
	text := []rune(f.Line(line)) // an invalid byte becomes one U+FFFD, as Position counts it
	col = min(col, len(text)+1)
	width := max(1, min(len([]rune(f.Text[s.Start:min(s.End, len(f.Text))])), len(text)-col+1))
	from, to := 0, len(text)
	pre, post := "", ""
	if len(text) > maxLine {
		from = max(0, min(col-1-maxLine/3, len(text)-maxLine))
		to = from + maxLine
		width = min(width, to-(col-1))
		if from > 0 {
			pre = "..."
		}
		if to < len(text) {
			post = "..."
		}
	}
	var gap strings.Builder
	for _, r := range text[from : col-1] {
		if r == '\t' {
			gap.WriteRune('\t')
		} else {
			gap.WriteByte(' ')
		}
	}
	clean := strings.Map(func(r rune) rune {
		if hidden(r) {
			return '?' // of the same width: carets follow
		}
		return r
	}, string(text[from:to]))
	num := fmt.Sprintf("%5d | ", line)
	fmt.Fprintf(w, "%s%s%s%s\n", num, pre, clean, post)
	fmt.Fprintf(w, "%s%s%s%s\n", "      | ", strings.Repeat(" ", len(pre)), gap.String(), p.caret(strings.Repeat("^", width)))
}

type painter bool

func (p painter) paint(code, s string) string {
	if !p || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}
func (p painter) bold(s string) string  { return p.paint("1", s) }
func (p painter) caret(s string) string { return p.paint("1;32", s) }
func (p painter) sev(s Severity, kind string) string {
	code := "1;31"
	if s >= Warning {
		code = "1;35"
	}
	return p.paint(code, kind+":")
}
