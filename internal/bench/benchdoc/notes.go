package benchdoc

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Notes are explanations written by hand: by program and kind of case.
type Notes map[Key]string

// A Key names a program and a kind of case.
type Key struct{ Program, Kind string }

// Kinds of cases, and how a note is headed.
const (
	Less    = "less"    // saves less than the thesis
	Slower  = "slower"  // slower with merging than without
	Above   = "above"   // peak above Futhark's
	Bound   = "bound"   // peak above the plan bound
	Behind  = "behind"  // slower than Futhark
	general = "general" // a remark without a case
)

var kinds = []string{Less, Slower, Above, Bound, Behind, general}

// ReadNotes reads notes: "## program" begins a program's, and a paragraph that
// begins with "kind:" is the note on that kind of case. What stands above the
// first program is for the reader of the file.
func ReadNotes(r io.Reader) (Notes, error) {
	notes := Notes{}
	var program, kind string
	in := bufio.NewScanner(r)
	for n := 1; in.Scan(); n++ {
		line := strings.TrimSpace(in.Text())
		name, heading := strings.CutPrefix(line, "## ")
		switch {
		case heading:
			program, kind = name, ""
		case line == "" || program == "":
			kind = ""
		case kind == "":
			k, rest, ok := strings.Cut(line, ":")
			if !ok || !slices.Contains(kinds, k) {
				return nil, fmt.Errorf("line %d: expected one of %s, and a colon", n, strings.Join(kinds, ", "))
			}
			kind = k
			if _, twice := notes[Key{program, kind}]; twice {
				return nil, fmt.Errorf("line %d: %s has two notes on %q", n, program, kind)
			}
			notes[Key{program, kind}] = strings.TrimSpace(rest)
		default:
			notes[Key{program, kind}] += " " + line
		}
	}
	return notes, in.Err()
}
