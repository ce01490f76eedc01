package diag

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns a text from outside (a program's message, a file's name) as it may be shown: what
// is no printable character, and might command a terminal or hide text, is written as in a Go string.
func Printable(s string) string {
	if strings.IndexFunc(s, hidden) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if hidden(r) || r == utf8.RuneError && n == 1 {
			q := strconv.QuoteToASCII(s[i : i+n])
			b.WriteString(q[1 : len(q)-1])
		} else {
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}

// hidden reports whether a character is neither printable nor white space of a text.
func hidden(r rune) bool { return !unicode.IsPrint(r) && r != '\n' && r != '\t' }

// PrintableName is Printable for a name, which has one line.
func PrintableName(s string) string { return oneLine.Replace(Printable(s)) }

var oneLine = strings.NewReplacer("\n", `\n`, "\t", `\t`)
