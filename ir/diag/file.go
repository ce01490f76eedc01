package diag

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"
)

// A File is a named source text with an index of its lines.
type File struct {
	Name  string
	Text  string
	lines []int // byte offset at which each line starts
	// Origins tells where parts of the text come from, where the file is itself
	// made from another, in ascending order of their starts.
	Origins []Origin
}

// An Origin is the place in another file that a part of a file was made from:
// "life.fut:3:5-12".
type Origin struct {
	Span
	Place string
}

// NewFile indexes the lines of text.
func NewFile(name, text string) *File {
	f := &File{Name: name, Text: text, lines: []int{0}}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	return f
}

// Position returns the 1-based line and column (in characters) of an offset.
func (f *File) Position(off int) (line, col int) {
	off = min(max(off, 0), len(f.Text))
	line = sort.SearchInts(f.lines, off+1)
	start := f.lines[line-1]
	return line, 1 + utf8.RuneCountInString(f.Text[start:off])
}

// Line returns the text of a 1-based line, without its line end.
func (f *File) Line(line int) string {
	if f == nil || line < 1 || line > len(f.lines) {
		return ""
	}
	end := len(f.Text)
	if line < len(f.lines) {
		end = f.lines[line] - 1
	}
	return strings.TrimSuffix(f.Text[f.lines[line-1]:end], "\r")
}

// Origin returns the place that the innermost part around an offset was made from,
// or "".
func (f *File) Origin(off int) string {
	k := sort.Search(len(f.Origins), func(i int) bool { return f.Origins[i].Start > off })
	for k--; k >= 0; k-- {
		if o := f.Origins[k]; off < o.End {
			return o.Place
		}
	}
	return ""
}

// Locate returns "file:line:col: " for a span, "file: " where it is unknown,
// and "" where there is no file. Where the file was made from another, the place
// there follows: "file:line:col (life.fut:3:5): ".
func (f *File) Locate(s Span) string {
	if f == nil {
		return ""
	}
	if !s.Known() {
		return PrintableName(f.Name) + ": "
	}
	line, col := f.Position(s.Start)
	if from := f.Origin(s.Start); from != "" {
		return fmt.Sprintf("%s:%d:%d (%s): ", PrintableName(f.Name), line, col, Printable(from))
	}
	return fmt.Sprintf("%s:%d:%d: ", PrintableName(f.Name), line, col)
}
