package model

import (
	"slices"
	"strconv"
	"strings"
)

// A token is a word, a number or a sign; line is that in the preprocessed text.
type token struct {
	text string
	line int
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// signs of more than one character, longest first.
var signs = []string{"<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="}

// split cuts one line into tokens.
func split(s string, line int) []token {
	var out []token
	for i := 0; i < len(s); {
		c := s[i]
		n := 1
		switch {
		case c == ' ' || c == '\t' || c == '\r':
			i++
			continue
		case isWord(c):
			for i+n < len(s) && isWord(s[i+n]) {
				n++
			}
		default:
			for _, sign := range signs {
				if strings.HasPrefix(s[i:], sign) {
					n = len(sign)
					break
				}
			}
		}
		out = append(out, token{s[i : i+n], line})
		i += n
	}
	return out
}

// dropComments blanks comments out, and keeps the lines.
func dropComments(s string) string {
	var b strings.Builder
	for {
		i := strings.Index(s, "/*")
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		j := strings.Index(s[i:], "*/")
		if j < 0 {
			return b.String()
		}
		b.WriteString(strings.Repeat("\n", strings.Count(s[i:i+j], "\n")))
		s = s[i+j+2:]
	}
}

// A preprocessor knows object-like macros and conditions.
type preprocessor struct {
	macros map[string][]token
	out    []token
}

// preprocess returns the tokens that remain of a source without includes.
func preprocess(src string) []token {
	p := &preprocessor{macros: map[string][]token{}}
	var taken []bool // for each open #if: is this branch the one
	var done []bool  // was any branch of it
	on := func() bool {
		for _, t := range taken {
			if !t {
				return false
			}
		}
		return true
	}
	for n, line := range strings.Split(dropComments(src), "\n") {
		t := strings.TrimSpace(line)
		if !strings.HasPrefix(t, "#") {
			if on() {
				for _, k := range split(line, n+1) {
					p.expand(k, &p.out, nil)
				}
			}
			continue
		}
		words := split(t[1:], n+1)
		rest := words[1:]
		switch words[0].text {
		case "if", "ifdef", "ifndef":
			yes := on() && p.condition(words[0].text, rest)
			taken, done = append(taken, yes), append(done, yes)
		case "elif", "else":
			last := len(taken) - 1
			yes := !done[last] && (words[0].text == "else" || p.condition("if", rest))
			taken[last], done[last] = yes, done[last] || yes
		case "endif":
			taken, done = taken[:len(taken)-1], done[:len(done)-1]
		case "define":
			if on() {
				p.macros[rest[0].text] = rest[1:]
			}
		default:
			refuse(n+1, "#%s is not of the model's language", words[0].text)
		}
	}
	return p.out
}

// expand appends a token with macros in it replaced.
func (p *preprocessor) expand(t token, out *[]token, within []string) {
	body, ok := p.macros[t.text]
	if !ok || slices.Contains(within, t.text) {
		*out = append(*out, t)
		return
	}
	for _, k := range body {
		p.expand(token{k.text, t.line}, out, append(within, t.text))
	}
}

func (p *preprocessor) condition(kind string, words []token) bool {
	if kind != "if" {
		_, defined := p.macros[words[0].text]
		return defined == (kind == "ifdef")
	}
	var out []token
	for _, w := range words {
		p.expand(w, &out, nil)
	}
	for i := range out {
		if c := out[i].text[0]; isWord(c) && (c < '0' || c > '9') {
			out[i].text = "0" // a name that is not a macro counts as 0
		}
	}
	x := (&compiler{}).expr((&parser{toks: out}).expression())
	return x.eval(&frame{}) != 0
}

// number reads a literal; wide tells that it is a ulong.
func number(s string) (v uint64, wide bool, err error) {
	t := strings.TrimRight(strings.ToLower(s), "ul")
	wide = strings.Contains(strings.ToLower(s[len(t):]), "l")
	v, err = strconv.ParseUint(t, 0, 64)
	return v, wide, err
}
