package parser

import "strings"

// A comment is a "--" comment: its position, and its text without the dashes.
type comment struct {
	start, end int
	text       string
}

// scanner cuts text into tokens, one at a time, and collects the comments on the way.
type scanner struct {
	text     string
	pos      int
	comments []comment
}

// next returns the next token. After the end it always returns kEOF.
func (s *scanner) next() token {
	s.blank()
	start := s.pos
	if start >= len(s.text) {
		return token{kEOF, start, start}
	}
	k := s.token()
	return token{k, start, s.pos}
}

// blank skips white space and comments.
func (s *scanner) blank() {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			s.pos++
		case c == '-' && s.at(1) == '-':
			start := s.pos
			n := strings.IndexByte(s.text[start:], '\n')
			if n < 0 {
				n = len(s.text) - start
			}
			s.pos = start + n
			body := strings.TrimRight(s.text[start+2:s.pos], " \t\r")
			s.comments = append(s.comments, comment{start, s.pos, body})
		default:
			return
		}
	}
}

// at returns the byte n after the current one, or 0.
func (s *scanner) at(n int) byte {
	if s.pos+n < len(s.text) {
		return s.text[s.pos+n]
	}
	return 0
}

// token moves over one token and returns its kind.
func (s *scanner) token() kind {
	c := s.text[s.pos]
	switch {
	case letter(c):
		return s.word()
	case digit(c):
		s.number()
		return kNumber
	case c == '"':
		return s.str()
	}
	k, n := punctuation(c, s.at(1), s.at(2))
	s.pos += n
	if k == kBad {
		for s.pos < len(s.text) && s.text[s.pos]&0xC0 == 0x80 { // the rest of a UTF-8 sequence
			s.pos++
		}
	}
	return k
}

// punctuation returns the kind and length of the token that begins with these bytes.
func punctuation(a, b, c byte) (kind, int) {
	two := func(second byte, long, short kind) (kind, int) {
		if b == second {
			return long, 2
		}
		return short, 1
	}
	switch a {
	case '(':
		return kLParen, 1
	case ')':
		return kRParen, 1
	case '[':
		return kLBrack, 1
	case ']':
		return kRBrack, 1
	case '{':
		return kLBrace, 1
	case '}':
		return kRBrace, 1
	case ',':
		return kComma, 1
	case ':':
		return kColon, 1
	case ';':
		return kSemicolon, 1
	case '@':
		return kAt, 1
	case '?':
		return kQuery, 1
	case '=':
		return two('=', kEqual, kAssign)
	case '.':
		if b == '.' && c == '<' {
			return kUpTo, 3
		}
	case '|':
		return two('|', kOrOr, kOr)
	case '&':
		return two('&', kAndAnd, kAnd)
	case '^':
		return kXor, 1
	case '!':
		return two('=', kNotEqual, kNot)
	case '<':
		if b == '<' {
			return kShiftLeft, 2
		}
		return two('=', kLessEqual, kLess)
	case '>':
		if b == '>' {
			return kShiftRight, 2
		}
		return two('=', kGreaterEqual, kGreater)
	case '+':
		return kPlus, 1
	case '-':
		return two('>', kArrow, kMinus)
	case '*':
		return two('*', kPower, kStar)
	case '/':
		return kSlash, 1
	case '%':
		return kPercent, 1
	case '~':
		return kTilde, 1
	}
	return kBad, 1
}

func letter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }

// word moves over a name, a reserved word, or a literal like f32.nan.
func (s *scanner) word() kind {
	start := s.pos
	s.letters()
	w := s.text[start:s.pos]
	if s.at(0) == '.' && (w == "f16" || w == "f32" || w == "f64") {
		if lit := s.text[s.pos:min(s.pos+4, len(s.text))]; lit == ".nan" || lit == ".inf" {
			if c := s.at(4); !letter(c) && !digit(c) && c != '\'' {
				s.pos += 4
				return kNumber
			}
		}
	}
	if len(w) <= longestWord {
		if k, ok := reserved[w]; ok {
			return k
		}
	}
	return kName
}

func (s *scanner) letters() {
	for s.pos < len(s.text) && (letter(s.text[s.pos]) || digit(s.text[s.pos]) || s.text[s.pos] == '\'') {
		s.pos++
	}
}

// number moves over digits, a fraction, an exponent, and all letters that follow. So a wrong suffix
// is reported as one.
func (s *scanner) number() {
	if s.at(0) == '0' && s.at(1)|0x20 == 'x' {
		s.letters()
		return
	}
	s.digits()
	if s.at(0) == '.' && digit(s.at(1)) {
		s.pos++
		s.digits()
	}
	if s.at(0)|0x20 == 'e' {
		k := 1
		if s.at(k) == '+' || s.at(k) == '-' {
			k++
		}
		if digit(s.at(k)) {
			s.pos += k
			s.digits()
		}
	}
	s.letters()
}

func (s *scanner) digits() {
	for digit(s.at(0)) {
		s.pos++
	}
}

// str moves over a string, which ends on its line.
func (s *scanner) str() kind {
	for s.pos++; s.pos < len(s.text) && s.text[s.pos] != '\n'; s.pos++ {
		switch s.text[s.pos] {
		case '\\':
			if s.at(1) != '\n' {
				s.pos++
			}
		case '"':
			s.pos++
			return kString
		}
	}
	s.pos = min(s.pos, len(s.text))
	return kBad
}
