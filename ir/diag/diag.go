// Package diag has source files, spans and diagnostics: memc's messages about a program, with
// file, line, column, source line and carets.
//
// It knows nothing of the IR and imports only the standard library, so that every other package
// can report through it.
package diag

import (
	"fmt"
	"sort"
)

// A Span is a half-open range of byte offsets in a File. The zero Span means
// "no position" (a statement that a pass made).
type Span struct{ Start, End int }

// Known reports whether the span points at source text.
func (s Span) Known() bool { return s.End > s.Start }

// Or returns the first of two spans that is known.
func (s Span) Or(t Span) Span {
	if s.Known() {
		return s
	}
	return t
}

// Join returns the smallest span that covers both; an unknown span is ignored.
func (s Span) Join(t Span) Span {
	switch {
	case !s.Known():
		return t
	case !t.Known():
		return s
	}
	return Span{min(s.Start, t.Start), max(s.End, t.End)}
}

// Severity orders diagnostics by their meaning for the user.
type Severity uint8

// The three kinds of failure are kept apart: the user's, a limit that is
// known, and a bug of memc's own. Their exit codes are ExitCode's.
const (
	Error      Severity = iota // the input is wrong
	Limitation                 // memc cannot do this yet, and knows it
	Bug                        // memc broke its own invariant
	Warning                    // suspicious, not refused
	Remark                     // a rewrite or a refusal of an optimisation
)

func (s Severity) String() string {
	return [...]string{"error", "limitation", "bug", "warning", "remark"}[s]
}

// A Note is further text attached to a diagnostic, at its own place.
type Note struct {
	Span Span
	Msg  string
}

// A Diagnostic says what was found and what was expected, where, with notes
// and a hint that tells the user what to do.
type Diagnostic struct {
	Severity Severity
	Code     Code // of the rule that is broken; "" for limitations, bugs and errors of a device
	File     *File
	Span     Span
	Msg      string
	Notes    []Note
	Hint     string
	Cause    error // that the message words; nil: none
}

// kind says what a diagnostic is: "error[E101]".
func (d *Diagnostic) kind() string {
	if d.Code == "" {
		return d.Severity.String()
	}
	return d.Severity.String() + "[" + string(d.Code) + "]"
}

// Error makes a Diagnostic usable as an error: "file:line:col: error[E101]: msg".
func (d *Diagnostic) Error() string {
	return d.File.Locate(d.Span) + d.kind() + ": " + Printable(d.Msg)
}

// Unwrap returns the cause.
func (d *Diagnostic) Unwrap() error { return d.Cause }

// With adds a note and returns d.
func (d *Diagnostic) With(span Span, format string, args ...any) *Diagnostic {
	d.Notes = append(d.Notes, Note{span, fmt.Sprintf(format, args...)})
	return d
}

// Hinted sets the hint and returns d.
func (d *Diagnostic) Hinted(format string, args ...any) *Diagnostic {
	d.Hint = fmt.Sprintf(format, args...)
	return d
}

// A List collects diagnostics about one file.
type List struct {
	File *File
	All  []*Diagnostic
}

func (l *List) add(sev Severity, span Span, format string, args []any) *Diagnostic {
	d := &Diagnostic{Severity: sev, File: l.File, Span: span, Msg: fmt.Sprintf(format, args...)}
	l.All = append(l.All, d)
	return d
}

// Errorf adds an error of the input, which breaks the rule of that code.
func (l *List) Errorf(code Code, span Span, format string, args ...any) *Diagnostic {
	d := l.add(Error, span, format, args)
	d.Code = code
	return d
}

// Limitf adds a known limitation of memc.
func (l *List) Limitf(span Span, format string, args ...any) *Diagnostic {
	return l.add(Limitation, span, format, args)
}

// Bugf adds a broken invariant of memc's own.
func (l *List) Bugf(span Span, format string, args ...any) *Diagnostic {
	return l.add(Bug, span, format, args)
}

// Warnf adds a warning.
func (l *List) Warnf(span Span, format string, args ...any) *Diagnostic {
	return l.add(Warning, span, format, args)
}

// Remarkf adds a remark.
func (l *List) Remarkf(span Span, format string, args ...any) *Diagnostic {
	return l.add(Remark, span, format, args)
}

// Failed reports whether the list holds anything that stops compilation.
func (l *List) Failed() bool {
	for _, d := range l.All {
		if d.Severity <= Bug {
			return true
		}
	}
	return false
}

// Err returns the list as an error, or nil where nothing failed.
func (l *List) Err() error {
	if l == nil || !l.Failed() {
		return nil
	}
	return l
}

// Error returns the first failing diagnostic and a count of the others.
func (l *List) Error() string {
	l.Sort()
	n, first := 0, ""
	for _, d := range l.All {
		if d.Severity <= Bug {
			if n == 0 {
				first = d.Error()
			}
			n++
		}
	}
	if n > 1 {
		return fmt.Sprintf("%s (and %d more)", first, n-1)
	}
	return first
}

// Sort orders by position, then severity, then text; the order is total, so
// that output is deterministic.
func (l *List) Sort() {
	sort.SliceStable(l.All, func(i, j int) bool {
		a, b := l.All[i], l.All[j]
		switch {
		case a.Span.Start != b.Span.Start:
			return a.Span.Start < b.Span.Start
		case a.Severity != b.Severity:
			return a.Severity < b.Severity
		}
		return a.Msg < b.Msg
	})
}

// Exit codes of the command, one per kind of failure (see docs/cli.md).
const (
	ExitOK         = 0
	ExitInput      = 1
	ExitUsage      = 2
	ExitLimitation = 3
	ExitBug        = 70
)

// ExitCode returns the exit code for an error: a bug outranks an input error,
// which outranks a limitation.
func ExitCode(err error) int {
	switch e := err.(type) {
	case nil:
		return ExitOK
	case *Diagnostic:
		return e.Severity.exit()
	case *List:
		code := ExitOK
		for _, d := range e.All {
			c := d.Severity.exit()
			switch {
			case c == ExitBug, code == ExitBug:
				code = ExitBug
			case c == ExitInput, code == ExitInput:
				code = ExitInput
			default:
				code = max(code, c)
			}
		}
		return code
	}
	return ExitInput
}

func (s Severity) exit() int {
	switch s {
	case Error:
		return ExitInput
	case Limitation:
		return ExitLimitation
	case Bug:
		return ExitBug
	}
	return ExitOK
}
