package filetest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// A Block is the test block of a file.
type Block struct {
	Line  int // of "-- =="
	Cases []Case
}

// A Case is one test of a block.
type Case struct {
	Line int

	// Refused: the program must be refused with a message that matches.
	Refused *regexp.Regexp

	// Structure: counts after Passes (nil: the default pipeline).
	Structure []Count
	Passes    []string
	HasPasses bool

	// Run: an entry with its input, and what it must give.
	HasInput bool
	Entry    string
	Input    string
	Output   string         // text values; "" with Auto or Fails
	Auto     bool           // value semantics is the oracle
	Fails    *regexp.Regexp // the run must fail with a message that matches
	ByMemory bool           // it fails for the places: by value it gives a result
}

// A Count is an exact number of Alloc, Copy or Kernel.
type Count struct {
	What string
	N    int
}

// A BlockError tells what is wrong with a test block.
type BlockError struct {
	Line int
	Msg  string
}

func (e *BlockError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Msg) }

// line is a comment line of a block, without its dashes.
type line struct {
	no   int
	text string
}

// Blocks finds the test blocks of a source text. dir is where "@ file" inputs
// are looked up.
func Blocks(src, dir string) ([]Block, error) {
	var blocks []Block
	lines := strings.Split(src, "\n")
	for i := 0; i < len(lines); i++ {
		if body, ok := comment(lines[i]); !ok || strings.TrimSpace(body) != "==" {
			continue
		}
		b := Block{Line: i + 1}
		var run []line
		for i++; i < len(lines); i++ {
			body, ok := comment(lines[i])
			if !ok {
				break
			}
			run = append(run, line{i + 1, body})
		}
		p := blockParser{lines: run, dir: dir, entry: "main"}
		if err := p.parse(&b); err != nil {
			return nil, err
		}
		if len(b.Cases) == 0 {
			return nil, &BlockError{b.Line, "a test block without a test"}
		}
		blocks = append(blocks, b)
	}
	return blocks, nil
}

func comment(s string) (string, bool) {
	s = strings.TrimSpace(s)
	if !strings.HasPrefix(s, "--") {
		return "", false
	}
	return s[2:], true
}

type blockParser struct {
	lines []line
	dir   string
	entry string
	i     int
}

var structureForm = regexp.MustCompile(`^structure\s*(passes\(([^)]*)\))?\s*\{([^}]*)\}$`)

func (p *blockParser) parse(b *Block) error {
	waits := -1 // the input that still waits for what it gives
	for p.i < len(p.lines) {
		l := p.lines[p.i]
		s := strings.TrimSpace(l.text)
		word := s
		if k := strings.IndexAny(s, " {:"); k >= 0 {
			word = s[:k]
		}
		fail := func(format string, args ...any) error {
			return &BlockError{l.no, fmt.Sprintf(format, args...)}
		}
		var err error
		switch word {
		case "":
			p.i++
		case "entry":
			p.entry = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(s, "entry"), ":"))
			p.i++
		case "structure":
			m := structureForm.FindStringSubmatch(s)
			if m == nil {
				return fail("malformed structure, expected: structure { Alloc 1 Copy 0 }")
			}
			c := Case{Line: l.no, HasPasses: m[1] != ""}
			c.Passes = strings.FieldsFunc(m[2], func(r rune) bool { return r == ',' || r == ' ' })
			f := strings.Fields(m[3])
			for k := 0; k < len(f); k += 2 {
				if k+1 == len(f) || f[k] != "Alloc" && f[k] != "Copy" && f[k] != "Kernel" {
					return fail("malformed structure, expected pairs of Alloc, Copy or Kernel and a number")
				}
				n, err := strconv.Atoi(f[k+1])
				if err != nil {
					return fail("%q is not a number", f[k+1])
				}
				c.Structure = append(c.Structure, Count{f[k], n})
			}
			b.Cases = append(b.Cases, c)
			p.i++
		case "input":
			c := Case{Line: l.no, HasInput: true, Entry: p.entry}
			c.Input, err = p.values("input")
			waits = len(b.Cases)
			b.Cases = append(b.Cases, c)
		case "output":
			if waits < 0 {
				return fail("output without an input")
			}
			c := &b.Cases[waits]
			if rest := strings.TrimSpace(s[len("output"):]); rest == "auto" {
				c.Auto = true
				p.i++
			} else {
				c.Output, err = p.values("output")
			}
			waits = -1
		case "error":
			rest, byMemory := strings.CutPrefix(strings.TrimSpace(s[len("error"):]), "by memory")
			re, e := regexp.Compile(strings.TrimSpace(strings.TrimPrefix(rest, ":")))
			if e != nil {
				return fail("%v", e)
			}
			if waits >= 0 {
				b.Cases[waits].Fails, b.Cases[waits].ByMemory, waits = re, byMemory, -1
			} else {
				b.Cases = append(b.Cases, Case{Line: l.no, Refused: re})
			}
			p.i++
		default:
			return fail("unknown directive %q in a test block (known: structure, entry, input, output, error)", word)
		}
		if err != nil {
			return fail("%v", err)
		}
	}
	for k := range b.Cases {
		if c := &b.Cases[k]; c.HasInput && c.Output == "" && !c.Auto && c.Fails == nil {
			return &BlockError{c.Line, "an input without an output (write: output auto, or error: regex)"}
		}
	}
	return nil
}

// values reads "{ ... }", over as many lines as it takes, or "@ file".
func (p *blockParser) values(word string) (string, error) {
	rest := strings.TrimSpace(strings.TrimSpace(p.lines[p.i].text)[len(word):])
	if rest == "" && p.i+1 < len(p.lines) {
		p.i++
		rest = strings.TrimSpace(p.lines[p.i].text)
	}
	if strings.HasPrefix(rest, "@") {
		p.i++
		data, err := os.ReadFile(filepath.Join(p.dir, strings.TrimSpace(rest[1:])))
		return string(data), err
	}
	if !strings.HasPrefix(rest, "{") {
		return "", fmt.Errorf("expected { values } or @ file after %s", word)
	}
	var out strings.Builder
	depth := 0
	for first := true; p.i < len(p.lines); first = false {
		text := p.lines[p.i].text
		if first {
			text = rest
		}
		p.i++
		for k, c := range text {
			switch c {
			case '{':
				depth++
			case '}':
				if depth--; depth == 0 {
					if tail := strings.TrimSpace(text[k+1:]); tail != "" {
						return "", fmt.Errorf("unexpected %q after }", tail)
					}
					return strings.TrimPrefix(out.String(), "{") + " ", nil
				}
			}
			out.WriteRune(c)
		}
		out.WriteByte('\n')
	}
	return "", fmt.Errorf("%s without a closing }", word)
}
