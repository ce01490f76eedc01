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
	if !strings.HasPrefix(code, "--") {
		more := min(indent, width/2) + 4
		for indent+len(code) > width {
			at := breakAt(code, width-indent)
			if at < 0 {
				break
			}
			writeLine(out, indent, strings.TrimRight(code[:at], " "))
			indent, code = more, strings.TrimLeft(code[at:], " ")
		}
	}
	writeLine(out, indent, code)
}

func writeLine(out *bytes.Buffer, indent int, code string) {
	for range indent {
		out.WriteByte(' ')
	}
	out.WriteString(code + "\n")
}

// joins are the words before which a line may be broken.
var joins = []string{
	"op (", "commutative op", "neutral (", "over (", "for ", "while ", "then ", "else ", "-> ", "@ ",
	"|| ", "&& ", "| ", "^ ", "& ", "== ", "!= ", "< ", "<= ", "> ", ">= ", "<< ", ">> ", "+ ", "- ", "* ", "/ ", "% ", "** ",
}

// breakAt returns the position at which to break a line without its indentation. Among the positions
// within the width, but not in its first third, it takes those with the fewest brackets around, and of
// these the last. If there is none, it takes the first position beyond. It returns -1 if there is no
// position at all. It looks no farther than it must: a line of n columns is broken n/width times.
func breakAt(code string, width int) int {
	best, least, depth := -1, 0, 0
	for i := 0; i < len(code) && (i <= width || best < 0); i++ {
		switch code[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '"':
			for i++; i < len(code) && code[i] != '"'; i++ {
				if code[i] == '\\' {
					i++
				}
			}
		case '-':
			if strings.HasPrefix(code[i:], "--") { // the comment at the end
				return best
			}
		case ' ':
			switch {
			case !breakable(code, i):
			case i > width:
				return i
			case i < width/3: // the line would be too short
			case best < 0 || depth <= least:
				best, least = i, depth
			}
		}
	}
	return best
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
