package host

import (
	"errors"
	"fmt"
	"strings"

	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
)

// Kind tells what kind of error an Error is.
type Kind int

// The kinds of errors.
const (
	// Fault is an error of the program: an index out of bounds, a failing assert,
	// sizes that differ, a division by zero.
	Fault Kind = iota + 1
	// OutOfMemory tells that the device, the limit of Options, or the heap of kernels has no room.
	OutOfMemory
	// Misuse is a wrong use of the Go package: an array that was consumed or
	// freed, is nil, or lives elsewhere.
	Misuse
	// Bug is a mistake of memc's own.
	Bug
)

func (k Kind) String() string {
	switch k {
	case Fault:
		return "fault"
	case OutOfMemory:
		return "out of memory"
	case Misuse:
		return "misuse"
	}
	return "bug of memc"
}

// A Pos is a position in the text of the program that was compiled. Line is 0 if it is unknown.
// Origin is the position in another language from which the text was made, "life.fut:3:5", or "".
type Pos struct {
	Line, Col int
	Origin    string
}

// An Error is what a call of a program can fail with, drivers' errors excluded.
type Error struct {
	Kind  Kind
	Code  diag.Code // of the rule that is broken, "E801", which memc explains; "" for bugs
	File  string    // the program that was compiled
	Pos   Pos       // of what failed in it
	Msg   string    // in one line
	Notes []string  // more about it, a line each
	Cause error     // *runtime.OutOfMemory where that was it
}

// Error returns "file:line:col: message", and a line per note.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Pos.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", e.Pos.Line, e.Pos.Col)
	}
	if e.Pos.Origin != "" {
		b.WriteString(" (" + e.Pos.Origin + ")")
	}
	b.WriteString(": " + e.Msg)
	for _, n := range e.Notes {
		b.WriteString("\n\t" + n)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Is reports whether err is an Error of that kind.
func Is(err error, k Kind) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == k
}

// maxNotes bounds how many live blocks an out-of-memory error lists.
const maxNotes = 5

// MemoryNotes tells what holds the device's memory, a line each.
func MemoryNotes(oom *runtime.OutOfMemory) []string {
	var notes []string
	for i, b := range oom.Blocks {
		if i == maxNotes {
			notes = append(notes, fmt.Sprintf("and %d smaller blocks", len(oom.Blocks)-i))
			break
		}
		name, at := b.Where.Name, b.Where.Line
		if name == "" {
			name = "a temporary block"
		}
		if at != "" {
			at = " (" + at + ")"
		}
		notes = append(notes, fmt.Sprintf("%s%s holds %d bytes", name, at, b.Bytes))
	}
	if h := oom.Holes(); h != "" {
		notes = append(notes, h)
	}
	return notes
}

// bug reports a mistake of memc's own.
func (p *Program) bug(format string, args ...any) *Error {
	return p.fail(Bug, "", Pos{}, format, args...)
}

func (p *Program) fail(k Kind, code diag.Code, at Pos, format string, args ...any) *Error {
	return &Error{Kind: k, Code: code, File: p.src.File, Pos: at, Msg: fmt.Sprintf(format, args...)}
}

// memory words a failed allocation; other errors keep their own words.
func (p *Program) memory(what string, at Pos, err error) error {
	var oom *runtime.OutOfMemory
	if !errors.As(err, &oom) {
		return fmt.Errorf("%s: %s: %w", p.src.File, what, err)
	}
	e := p.fail(OutOfMemory, diag.OutOfMemory, at, "%s: %s", what, oom.Summary())
	e.Notes, e.Cause = MemoryNotes(oom), oom
	return e
}
