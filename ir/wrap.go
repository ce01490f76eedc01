package ir

import (
	"bytes"
	"io"
	"strings"
)

// Note [Long lines]
//
// Line ends mean nothing in the text, so a long line may be broken between any
// two tokens. It is broken where the fewest brackets are open: behind a comma, or
// before an operator or a word that joins parts. What is broken off is indented by
// four and broken again. Where the line ends depends on its text alone, so
// formatting what was formatted changes nothing.

// Format writes a program as Print does, with lines of at most width columns
// where that can be.
func Format(w io.Writer, p *Program, width int) error {
	var b bytes.Buffer
	if err := Print(&b, p); err != nil {
		return err
	}
	var out bytes.Buffer
	for line := range strings.Lines(b.String()) {
		wrap(&out, strings.TrimSuffix(line, "\n"), width)
	}
	_, err := w.Write(out.Bytes())
	return err
}

func wrap(out *bytes.Buffer, line string, width int) {
	code := strings.TrimLeft(line, " ")
	indent := len(line) - len(code)
	if len(line) > width && !strings.HasPrefix(code, "--") {
		more := min(indent, width/2) + 4
		for len(line) > width {
			at := breakAt(line, width)
			if at < 0 {
				break
			}
			out.WriteString(strings.TrimRight(line[:at], " ") + "\n")
			line = strings.Repeat(" ", more) + strings.TrimLeft(line[at:], " ")
		}
	}
	out.WriteString(line + "\n")
}

// joins are the words before which a line may be broken.
var joins = []string{
	"op (", "commutative op", "neutral (", "over (", "for ", "while ", "then ", "else ", "-> ", "@ ",
	"|| ", "&& ", "| ", "^ ", "& ", "== ", "!= ", "< ", "<= ", "> ", ">= ", "<< ", ">> ", "+ ", "- ", "* ", "/ ", "% ", "** ",
}

// breakAt gives where to break a line: within the width the last of the places
// that have the fewest brackets around them, but not in its first third; else the
// first place behind. It gives -1 where there is none.
func breakAt(line string, width int) int {
	start := len(line) - len(strings.TrimLeft(line, " "))
	best, least, late := -1, 0, -1
	depth := 0
	for i := start; i < len(line); i++ {
		switch line[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '"':
			for i++; i < len(line) && line[i] != '"'; i++ {
				if line[i] == '\\' {
					i++
				}
			}
		case '-':
			if strings.HasPrefix(line[i:], "--") { // the comment at the end
				return max(best, late)
			}
		case ' ':
			if i == start || !breakable(line, i) {
				continue
			}
			switch {
			case i > width:
				if best < 0 && late < 0 {
					late = i
				}
			case i-start < (width-start)/3: // too little would stand on the line
			case best < 0 || depth <= least:
				best, least = i, depth
			}
		}
	}
	return max(best, late)
}

// breakable tells whether a line may be broken at the space at i.
func breakable(line string, i int) bool {
	rest := line[i+1:]
	if line[i-1] == ',' || strings.HasSuffix(line[:i], " =") {
		return true
	}
	for _, j := range joins {
		if strings.HasPrefix(rest, j) {
			return true
		}
	}
	return false
}
