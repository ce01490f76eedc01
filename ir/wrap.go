package ir

import (
	"bytes"
	"io"
	"strings"
)

// Note [Long lines]
//
// Line ends mean nothing in the text, so a long line may be broken between any two tokens. It is
// broken where the fewest brackets are open: after a comma, or before an operator or a word that
// joins parts. The rest of the line is indented by four and broken again. A line's text alone
// decides where it is broken, so formatting twice changes nothing.

// Format writes a program as Print does, with lines of at most width columns if possible.
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

// breakAt returns the position at which to break a line. Among the positions within the width, but
// not in its first third, it takes those with the fewest brackets around, and of these the last. If
// there is none, it takes the first position beyond. It returns -1 if there is no position at all.
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
			case i-start < (width-start)/3: // the line would be too short
			case best < 0 || depth <= least:
				best, least = i, depth
			}
		}
	}
	return max(best, late)
}

// breakable reports whether a line may be broken at the space at i.
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
