package compiler

import (
	"errors"
	"fmt"
	"strings"

	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/host"
)

// A Kind tells what kind of error an Error is.
type Kind string

// The kinds of errors.
const (
	Input       Kind = "input"         // the program is wrong
	Limitation  Kind = "limitation"    // memc cannot compile the program, and knows it
	Fault       Kind = "fault"         // an error of the run: an index out of bounds, a failing assert, sizes that differ
	OutOfMemory Kind = "out-of-memory" // the device, or the heap of kernels, has no room
	Misuse      Kind = "misuse"        // of the API: a wrong argument or option; what was freed, consumed or closed
	DeviceLost  Kind = "device-lost"   // the device is gone: close the context, and open another
	Failure     Kind = "failure"       // another error of the device, its driver or its compiler
	Bug         Kind = "bug"           // a mistake of memc's own
)

// A Message is one message, as `memc check --messages=json` writes it.
type Message struct {
	File     string `json:"file,omitempty"`
	Severity string `json:"severity"`       // error, limitation, bug, warning
	Code     string `json:"code,omitempty"` // of the rule that is broken: "E101", which `memc explain` explains
	Message  string `json:"message"`
	Span     *Span  `json:"span,omitempty"`
	Notes    []Note `json:"notes,omitempty"`
	Hint     string `json:"hint,omitempty"`
}

// A Span is a part of a file; its end is exclusive.
type Span struct {
	Start Place `json:"start"`
	End   Place `json:"end"`
	// Origin is the place in another language that the text was made from: "life.fut:3:5".
	Origin string `json:"origin,omitempty"`
}

// A Place is a place in a file: lines and columns count from 1, columns in characters, offsets in
// bytes from 0.
type Place struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	Offset int `json:"offset"`
}

// A Note is further text of a message.
type Note struct {
	Message string `json:"message"`
	Span    *Span  `json:"span,omitempty"`
}

// An Error is what every function of the package fails with. errors.As finds its cause, such as
// *runtime.OutOfMemory or *runtime.DeviceLost.
type Error struct {
	Kind     Kind      `json:"kind"`
	Messages []Message `json:"messages"` // at least one
	cause    error
}

// Error returns the messages, one a line: "file:line:col: error: message".
func (e *Error) Error() string {
	lines := make([]string, len(e.Messages))
	for i, m := range e.Messages {
		lines[i] = m.String()
	}
	return strings.Join(lines, "\n")
}

// String returns "file:line:col: error[E101]: message", with the place in another language if there is one.
func (m Message) String() string {
	at := ""
	if m.File != "" {
		at = m.File + ": "
		if m.Span != nil {
			at = fmt.Sprintf("%s:%d:%d: ", m.File, m.Span.Start.Line, m.Span.Start.Column)
			if m.Span.Origin != "" {
				at = strings.TrimSuffix(at, ": ") + " (" + m.Span.Origin + "): "
			}
		}
	}
	if m.Code != "" {
		return at + m.Severity + "[" + m.Code + "]: " + m.Message
	}
	return at + m.Severity + ": " + m.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.cause }

// Is reports whether err is an Error of that kind.
func Is(err error, k Kind) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == k
}

// wrap makes an Error of an error of the compiler or the runtime, and nil of nil. An error of a
// program that is compiled is Input, and one of a run a Fault.
func wrap(err error) error { return wrapAs(Fault, err) }

func wrapAs(program Kind, err error) error {
	var d *diag.Diagnostic
	var list *diag.List
	var e *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e):
		return e
	case errors.As(err, &list):
		return &Error{listKind(program, list), messages(list), err}
	case errors.As(err, &d):
		return &Error{kindOfCause(severityKind(program, d.Severity), err), []Message{message(d)}, err}
	}
	return &Error{kindOfCause(Failure, err), []Message{{Severity: "error", Code: string(driver.CodeOf(err)), Message: err.Error()}}, err}
}

// listKind is the kind of the worst message of a list.
func listKind(program Kind, list *diag.List) Kind {
	switch diag.ExitCode(list) {
	case diag.ExitBug:
		return Bug
	case diag.ExitLimitation:
		return Limitation
	}
	return program
}

func severityKind(program Kind, s diag.Severity) Kind {
	return listKind(program, &diag.List{All: []*diag.Diagnostic{{Severity: s}}})
}

// kindOfCause is the kind that the cause of an error tells, or else k.
func kindOfCause(k Kind, err error) Kind {
	var oom *runtime.OutOfMemory
	var lost *runtime.DeviceLost
	switch {
	case errors.As(err, &lost):
		return DeviceLost
	case errors.As(err, &oom), host.Is(err, host.OutOfMemory):
		return OutOfMemory
	case host.Is(err, host.Misuse):
		return Misuse
	}
	return k
}

// messages returns those that are no remarks, in the order of their places.
func messages(list *diag.List) (out []Message) {
	list.Sort()
	for _, d := range list.All {
		if d.Severity != diag.Remark {
			out = append(out, message(d))
		}
	}
	return out
}

func message(d *diag.Diagnostic) Message {
	j := d.JSON()
	m := Message{File: j.File, Severity: j.Severity, Code: string(j.Code), Message: j.Message, Span: span(j.Span), Hint: j.Hint}
	for _, n := range j.Notes {
		m.Notes = append(m.Notes, Note{n.Message, span(n.Span)})
	}
	return m
}

func span(s *diag.MessageSpan) *Span {
	if s == nil {
		return nil
	}
	return &Span{Place(s.Start), Place(s.End), s.Origin}
}

func misuse(code diag.Code, format string, args ...any) error {
	return &Error{Misuse, []Message{{Severity: "error", Code: string(code), Message: fmt.Sprintf(format, args...)}}, nil}
}

// guard turns a panic into an error: a bug of memc's must not end the caller's process.
func guard(err *error) {
	if x := recover(); x != nil {
		*err = &Error{Bug, []Message{{Severity: "bug", Message: fmt.Sprintf("memc broke down: %v", x)}}, nil}
	}
}
