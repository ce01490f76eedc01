package parser

import (
	"io"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// tokFunction is the one kind of token that participle sees: a function, from
// its first word to the next function.
const tokFunction lexer.TokenType = 1

// maxFuncs bounds the number of functions of a file. It is far more than any program has, and small
// enough to refuse garbage early.
const maxFuncs = 100000

// outline is memc's lexer for participle: it cuts a program into functions. "fun" and "entry" are
// reserved words, so this needs no grammar, and an error within one function does not affect the
// next.
type outline struct{}

// Symbols implements lexer.Definition.
func (outline) Symbols() map[string]lexer.TokenType {
	return map[string]lexer.TokenType{"EOF": lexer.EOF, "Function": tokFunction}
}

// Lex implements lexer.Definition.
func (o outline) Lex(name string, r io.Reader) (lexer.Lexer, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return o.LexString(name, string(text))
}

// LexString implements lexer.StringDefinition.
func (outline) LexString(_ string, text string) (lexer.Lexer, error) {
	c := &cutter{scanner: scanner{text: text}}
	if strings.HasPrefix(text, byteOrderMark) {
		c.start, c.pos = len(byteOrderMark), len(byteOrderMark)
	}
	return c, nil
}

const byteOrderMark = "\ufeff"

// cutter gives the functions of a text one by one.
type cutter struct {
	scanner
	start int // of the next function
	count int
}

// Next implements lexer.Lexer. The value of a token is all text from its start
// on, so that the reader of a function also sees the word that ends it.
func (c *cutter) Next() (lexer.Token, error) {
	start, at := c.start, lexer.Position{Offset: c.start}
	if start >= len(c.text) {
		return lexer.EOFToken(at), nil
	}
	if c.count++; c.count > maxFuncs {
		return lexer.EOFToken(at), participle.Errorf(at, "more than %d functions in one file", maxFuncs)
	}
	if c.count == 1 {
		c.next() // later functions begin behind their first word
	}
	t := c.next()
	for t.kind != kEOF && t.kind != kFun && t.kind != kEntry {
		t = c.next()
		c.comments = c.comments[:0] // they are the readers' to keep
	}
	c.start = t.start
	return lexer.Token{Type: tokFunction, Value: c.text[start:], Pos: at}, nil
}
