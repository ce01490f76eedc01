package futhark

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// controls names the characters below 32 as Haskell's printer of texts does:
// "\ESC", "\DC1".
var controls = strings.Fields("NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US")

// lexString reads a quoted text with Haskell's escapes, of which Futhark's printer
// makes use: "\955" is a lambda, "\&" nothing. A text that is open ends with the
// file. What is no escape stays as it is: names of files are printed raw.
func lexString(s string) (text string, n int, open bool) {
	var b strings.Builder
	for n = 1; n < len(s); {
		switch {
		case s[n] == '"':
			return b.String(), n + 1, false
		case s[n] == '\\' && n+1 < len(s):
			c, k := escape(s[n+1:])
			if k == 0 {
				b.WriteByte('\\')
			} else if c >= 0 {
				b.WriteRune(c)
			}
			n += 1 + k
		default:
			b.WriteByte(s[n])
			n++
		}
	}
	return b.String(), n, true
}

// escape reads what stands behind a backslash: the character, -1 for none, and
// its length; length 0 where it is no escape.
func escape(s string) (c rune, n int) {
	if k := strings.IndexByte("abfnrtv", s[0]); k >= 0 {
		return rune("\a\b\f\n\r\t\v"[k]), 1
	}
	switch {
	case s[0] == '"' || s[0] == '\\' || s[0] == '\'':
		return rune(s[0]), 1
	case s[0] == '&':
		return -1, 1
	case strings.HasPrefix(s, "DEL"):
		return 127, 3
	case isDigit(s[0]):
		for n < len(s) && isDigit(s[n]) {
			n++
		}
		v, err := strconv.ParseUint(s[:n], 10, 32)
		if err != nil || v > utf8.MaxRune {
			return utf8.RuneError, n
		}
		return rune(v), n
	}
	best := 0
	for k, name := range controls {
		if strings.HasPrefix(s, name) && len(name) > best {
			c, best = rune(k), len(name)
		}
	}
	return c, best
}
