package parser

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir/diag"
)

// TestGrammar holds the grammar of docs/grammar.md against the parser: what the
// parser reads the grammar derives, each rule is of use, and what the parser
// refuses for its syntax the grammar does not derive.
func TestGrammar(t *testing.T) {
	g := readGrammar(t)
	used := map[string]bool{}
	read, refused := 0, 0
	for _, dir := range []string{"../testdata/lang", "../testdata/handwritten", "../testdata/check", "testdata"} {
		must.Do(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".ir") {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil || len(data) > 20000 {
				return err
			}
			_, list := Parse(diag.NewFile(path, string(data)))
			d := &derivation{g: g, used: used, ends: map[string]map[int][]int{}}
			s := scanner{text: string(data)}
			for tok := s.next(); tok.kind != kEOF; tok = s.next() {
				d.tokens = append(d.tokens, tok)
			}
			d.text = s.text
			derived := slices.Contains(d.rule("program", 0), len(d.tokens))
			switch {
			case !list.Failed() && !derived:
				t.Errorf("%s: the parser reads it, and the grammar stops at %q", path, d.rest())
			case !list.Failed():
				read++
			case onlySyntax(&list):
				if refused++; derived {
					t.Errorf("%s: the grammar derives it, and the parser says %v", path, list.Err())
				}
			}
			return nil
		}))
	}
	if read < 250 || refused < 3 {
		t.Errorf("only %d programs read, %d refused", read, refused)
	}
	for name := range g {
		if !used[name] {
			t.Errorf("no program uses the rule %s", name)
		}
	}
}

// TestGrammarWords demands that the grammar names all reserved words and
// operators, and no others.
func TestGrammarWords(t *testing.T) {
	contextual := []string{"Direct", "LMAD", "Permute", "Reshape", "Slice", "any", "contract", "into", "over", "size", "threads"}
	known := append([]string{}, contextual...)
	for k := kLParen; k < kinds; k++ {
		if spellings[k] != "" {
			known = append(known, spellings[k])
		}
	}
	found := map[string]bool{}
	for _, tok := range grammarTokens(t) {
		if w, ok := strings.CutPrefix(tok, `"`); ok {
			w = strings.TrimSuffix(w, `"`)
			if found[w] = true; !slices.Contains(known, w) {
				t.Errorf("the grammar has %q, which the parser does not know", w)
			}
		}
	}
	for _, w := range known {
		if !found[w] {
			t.Errorf("the grammar lacks %q", w)
		}
	}
}

// onlySyntax reports whether all that is wrong is an unexpected token.
func onlySyntax(l *diag.List) bool {
	for _, d := range l.All {
		if !strings.HasPrefix(d.Msg, "unexpected ") {
			return false
		}
	}
	return true
}

// A production is an alternative of sequences, a repetition of one, a terminal
// or the name of a rule.
type production struct {
	alternatives [][]production
	optional     bool // [ ]
	repeated     bool // { }
	word         string
}

func grammarTokens(t *testing.T) []string {
	t.Helper()
	data := must.Read(t, "../docs/grammar.md")
	var out []string
	for _, block := range regexp.MustCompile("(?s)```ebnf\n(.*?)```").FindAllStringSubmatch(data, -1) {
		out = append(out, regexp.MustCompile(`"[^"]+"|[a-z]+|[][(){}|=.]`).FindAllString(block[1], -1)...)
	}
	return out
}

func readGrammar(t *testing.T) map[string]production {
	tokens := grammarTokens(t)
	g := map[string]production{}
	var alternatives func() [][]production
	alternatives = func() [][]production {
		all := [][]production{{}}
		for {
			tok := tokens[0]
			if strings.Contains(")]}.", tok) {
				return all
			}
			tokens = tokens[1:]
			p := production{word: tok}
			switch tok {
			case "|":
				all = append(all, nil)
				continue
			case "(", "[", "{":
				p = production{alternatives: alternatives(), optional: tok == "[", repeated: tok == "{"}
				tokens = tokens[1:]
			}
			all[len(all)-1] = append(all[len(all)-1], p)
		}
	}
	for len(tokens) > 0 {
		name := tokens[0]
		tokens = tokens[2:] // and "="
		g[name] = production{alternatives: alternatives()}
		tokens = tokens[1:]
	}
	return g
}

// A derivation finds where each rule may end when it begins at a token.
type derivation struct {
	g      map[string]production
	text   string
	tokens []token
	used   map[string]bool
	ends   map[string]map[int][]int
	far    int
}

func (d *derivation) rest() string {
	if d.far >= len(d.tokens) {
		return ""
	}
	at := d.tokens[d.far].start
	return d.text[at:min(at+40, len(d.text))]
}

func (d *derivation) rule(name string, at int) []int {
	if d.ends[name] == nil {
		d.ends[name] = map[int][]int{}
	}
	if ends, ok := d.ends[name][at]; ok {
		return ends
	}
	ends := d.any(d.g[name].alternatives, at)
	if len(ends) > 0 {
		d.used[name] = true
	}
	d.ends[name][at] = ends
	return ends
}

func (d *derivation) any(alternatives [][]production, at int) []int {
	var ends []int
	for _, sequence := range alternatives {
		here := []int{at}
		for _, p := range sequence {
			var next []int
			for _, from := range here {
				next = append(next, d.one(p, from)...)
			}
			here = unique(next)
		}
		ends = append(ends, here...)
	}
	return unique(ends)
}

func (d *derivation) one(p production, at int) []int {
	switch {
	case p.repeated:
		ends := []int{at}
		for i := 0; i < len(ends); i++ {
			for _, e := range d.any(p.alternatives, ends[i]) {
				if !slices.Contains(ends, e) {
					ends = append(ends, e)
				}
			}
		}
		return ends
	case p.optional:
		return unique(append(d.any(p.alternatives, at), at))
	case p.alternatives != nil:
		return d.any(p.alternatives, at)
	}
	if _, ok := d.g[p.word]; ok {
		return d.rule(p.word, at)
	}
	if at < len(d.tokens) && d.terminal(p.word, d.tokens[at]) {
		d.far = max(d.far, at+1)
		return []int{at + 1}
	}
	return nil
}

func (d *derivation) terminal(word string, tok token) bool {
	text := d.text[tok.start:tok.end]
	switch word {
	case "name":
		return tok.kind == kName
	case "number":
		return tok.kind == kNumber
	case "integer":
		return tok.kind == kNumber && strings.Trim(text, "0123456789") == ""
	case "string":
		return tok.kind == kString
	case "prim":
		return tok.kind == kPrim
	}
	return `"`+text+`"` == word
}

func unique(xs []int) []int {
	slices.Sort(xs)
	return slices.Compact(xs)
}
