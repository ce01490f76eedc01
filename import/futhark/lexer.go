package futhark

import (
	"strings"
	"unicode/utf8"

	"github.com/memc-lang/memc/ir/diag"
)

// tokenKind tells apart what the grammar needs to tell apart.
type tokenKind uint8

const (
	tokEnd    tokenKind = iota
	tokWord             // a name, also 0_mem_4856, a keyword, an operator's name: also "=", "->", "*", "<equiv>"
	tokNumber           // with its suffix: 42i64, -1.5f32
	tokString           // Text is unquoted
	tokPunct            // one of ( ) { } [ ] , : ; @ # ~ ? \
)

type token struct {
	kind tokenKind
	text string
	span diag.Span
}

// lex cuts a dump into tokens. Names hold almost any character ("+_lhs_6036",
// "d<{(-) n 1}>_7949"), so a word is a run of such characters, with what stands
// in a box <{...}> taken as it is.
func lex(f *diag.File) []token {
	s := f.Text
	var toks []token
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		case strings.HasPrefix(s[i:], "--"):
			if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
				i += n
			} else {
				i = len(s)
			}
		case c == '"':
			text, n, open := lexString(s[i:])
			t := token{tokString, text, diag.Span{Start: i, End: i + n}}
			if open { // for the parser to refuse
				t = token{tokPunct, `"`, diag.Span{Start: i, End: i + 1}}
			}
			toks = append(toks, t)
			i += n
		case isDigit(c) || c == '-' && i+1 < len(s) && isDigit(s[i+1]):
			kind, n := tokNumber, lexNumber(s[i:])
			if i+n < len(s) && (s[i+n] == '_' || s[i+n] == '\'') { // a name: 0_mem_4856, of a tuple's field
				kind, n = tokWord, n+lexWord(s[i+n:])
			}
			toks = append(toks, token{kind, s[i : i+n], diag.Span{Start: i, End: i + n}})
			i += n
		case strings.IndexByte("(){}[],:;@#~?\\", c) >= 0:
			toks = append(toks, token{tokPunct, s[i : i+1], diag.Span{Start: i, End: i + 1}})
			i++
		default:
			n := lexWord(s[i:])
			toks = append(toks, token{tokWord, s[i : i+n], diag.Span{Start: i, End: i + n}})
			i += n
		}
	}
	// The end has the place of what stands last, so that a message can show it.
	end := diag.Span{Start: len(s), End: len(s)}
	if n := len(toks); n > 0 {
		last := toks[n-1].span.End
		end = diag.Span{Start: last - 1, End: last}
	}
	return append(toks, token{tokEnd, "", end})
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isNameByte(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf ||
		strings.IndexByte("_'+-=!&^.<>*|%/$", c) >= 0
}

// lexWord returns the length of the word at the start of s; a byte that belongs
// to nothing is a word of its own, for the parser to refuse.
func lexWord(s string) int {
	n := 0
	for n < len(s) {
		if strings.HasPrefix(s[n:], "<{") {
			end := strings.Index(s[n:], "}>")
			if end < 0 {
				return len(s)
			}
			n += end + 2
			continue
		}
		if !isNameByte(s[n]) {
			break
		}
		n++
	}
	return max(n, 1)
}

// lexNumber: digits, a fraction, an exponent, a suffix of letters and digits.
func lexNumber(s string) int {
	n := 1
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	if n+1 < len(s) && s[n] == '.' && isDigit(s[n+1]) {
		n++
		for n < len(s) && isDigit(s[n]) {
			n++
		}
	}
	if n+1 < len(s) && s[n] == 'e' {
		k := n + 1
		if s[k] == '-' || s[k] == '+' {
			k++
		}
		if k < len(s) && isDigit(s[k]) {
			for n = k; n < len(s) && isDigit(s[n]); {
				n++
			}
		}
	}
	for n < len(s) && (isDigit(s[n]) || s[n] >= 'a' && s[n] <= 'z') {
		n++
	}
	return n
}
