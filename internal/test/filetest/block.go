package filetest

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/memc-lang/memc/internal/base/hostmem"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
)

// A Block is the test block of a file.
type Block struct {
	Line  int // of "-- =="
	Cases []Case

	// Passes is the pipeline of the file's tests, where they do not name their own.
	Passes string
}

// Passes returns the pipeline of a file with these blocks: the one that a block asks for, or the
// default one.
func Passes(blocks []Block) string {
	for _, b := range blocks {
		if b.Passes != "" {
			return b.Passes
		}
	}
	return pipeline.Default()
}

// A Case is one test of a block.
type Case struct {
	Line int

	// Refused: the program must be refused with a message that matches.
	Refused *regexp.Regexp

	// Structure: counts after Passes (nil: the file's pipeline).
	Structure []Count
	Passes    []string
	HasPasses bool

	// Run: an entry with its input, and what it must give.
	HasInput bool
	Entry    string
	Input    string
	Output   string // text values; "" with Auto or Fails
	Auto     bool   // value semantics is the oracle
	Within   value.Tolerance
	Fails    *regexp.Regexp // the run must fail with a message that matches
	ByMemory bool           // it fails for the places: by value it gives a result
}

// A Count is an exact number of Alloc, Copy, Kernel or Thread: allocs by threads, which Alloc counts, too.
type Count struct {
	What string
	N    int
}

// A BlockError is an error in a test block.
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
		p := blockParser{lines: run, dir: dir, entries: []string{"main"}, within: value.DefaultTolerance}
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
	if !strings.HasPrefix(s, "--") || strings.HasPrefix(s, "--@") { // which belongs to the next construct
		return "", false
	}
	return s[2:], true
}

type blockParser struct {
	lines []line
	dir   string
	i     int
	// For the inputs that follow.
	entries []string
	within  value.Tolerance
}

var structureForm = regexp.MustCompile(`^structure\s*(passes\(([^)]*)\))?\s*\{([^}]*)\}$`)

func (p *blockParser) parse(b *Block) error {
	// The input that still waits for what it gives: one case per entry, from..to-1.
	from, to := 0, 0
	input := func(line int, text string) {
		from = len(b.Cases)
		for _, e := range p.entries {
			b.Cases = append(b.Cases, Case{Line: line, HasInput: true, Entry: e, Input: text, Within: p.within})
		}
		to = len(b.Cases)
	}
	gives := func(set func(c *Case)) {
		for k := from; k < to; k++ {
			set(&b.Cases[k])
		}
	}
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
			p.entries = strings.FieldsFunc(strings.TrimPrefix(s[len("entry"):], ":"), func(r rune) bool { return r == ' ' || r == ',' })
			if len(p.entries) == 0 {
				return fail("entry without a name")
			}
			p.i++
		case "tolerance":
			if p.within, err = tolerance(strings.Fields(strings.TrimPrefix(s[len("tolerance"):], ":"))); err == nil {
				p.i++
			}
		case "passes":
			b.Passes = strings.TrimSpace(strings.TrimPrefix(s[len("passes"):], ":"))
			if passes, e := pipeline.Parse(b.Passes); e != nil || len(passes) == 0 {
				return fail("expected the names of passes, as in passes: memory")
			}
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
				if k+1 == len(f) || f[k] != "Alloc" && f[k] != "Copy" && f[k] != "Kernel" && f[k] != "Thread" {
					return fail("malformed structure, expected pairs of Alloc, Copy, Kernel or Thread and a number")
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
			var text string
			text, err = p.values("input")
			input(l.no, text)
		case "random":
			var text string
			text, err = p.random(s)
			input(l.no, text)
			gives(func(c *Case) { c.Auto = true }) // unless something else follows
		case "output":
			if from == to {
				return fail("output without an input")
			}
			auto := strings.TrimSpace(s[len("output"):]) == "auto"
			var text string
			if auto {
				p.i++
			} else {
				text, err = p.values("output")
			}
			gives(func(c *Case) { c.Auto, c.Output = auto, text })
			from = to
		case "error":
			rest, byMemory := strings.CutPrefix(strings.TrimSpace(s[len("error"):]), "by memory")
			re, e := regexp.Compile(strings.TrimSpace(strings.TrimPrefix(rest, ":")))
			if e != nil {
				return fail("%v", e)
			}
			if from < to {
				gives(func(c *Case) { c.Auto, c.Fails, c.ByMemory = false, re, byMemory })
				from = to
			} else {
				b.Cases = append(b.Cases, Case{Line: l.no, Refused: re})
			}
			p.i++
		default:
			return fail("unknown directive %q in a test block (known: structure, passes, entry, input, random input, output, error, tolerance)", word)
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

// tolerance reads how far floats may lie apart: relative, and near zero absolute.
func tolerance(words []string) (t value.Tolerance, err error) {
	if len(words) == 1 {
		words = append(words, words[0])
	}
	if len(words) == 2 {
		t.Rel, err = strconv.ParseFloat(words[0], 64)
		if err == nil {
			t.Abs, err = strconv.ParseFloat(words[1], 64)
		}
	}
	if len(words) != 2 || err != nil || !(t.Rel >= 0 && t.Abs >= 0) {
		err = fmt.Errorf("malformed tolerance, expected: tolerance 1e-4, or relative and absolute: tolerance 1e-4 1e-6")
	}
	return t, err
}

// random reads "random input (n = 10) { items }" and makes the values.
func (p *blockParser) random(s string) (string, error) {
	m := randomForm.FindStringSubmatch(s)
	if m == nil {
		return "", fmt.Errorf("malformed random input, expected: random input (n = 1000) { [n]f32 in 0 ..< 1, n }")
	}
	g, err := randomSizes(m[1])
	if err != nil {
		return "", err
	}
	items, err := p.values(s[:len(s)-len(m[2])])
	if err != nil {
		return "", err
	}
	return g.values(items)
}

// maxFile bounds the file of an input.
const maxFile = 1 << 30

// file reads the values of a file. An array of NumPy's or a picture is a value,
// any other file holds values in text or binary.
func (p *blockParser) file(name string) (string, error) {
	root, err := os.OpenRoot(p.dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	in, err := root.Open(name)
	if err != nil {
		return "", fmt.Errorf("%w (a test reads files of its program's folder)", err)
	}
	defer in.Close()
	data, err := hostmem.ReadText(name, in, maxFile)
	if err != nil {
		return "", err
	}
	v, ok, err := value.DecodeFile(data)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	if !ok {
		return string(data), nil
	}
	var out strings.Builder
	err = value.WriteBinary(&out, v)
	return out.String(), err
}

// values reads "{ ... }", over as many lines as it takes, or "@ file ...".
func (p *blockParser) values(word string) (string, error) {
	rest := strings.TrimSpace(strings.TrimSpace(p.lines[p.i].text)[len(word):])
	if rest == "" && p.i+1 < len(p.lines) {
		p.i++
		rest = strings.TrimSpace(p.lines[p.i].text)
	}
	if strings.HasPrefix(rest, "@") {
		p.i++
		var out strings.Builder
		for _, name := range strings.Fields(rest[1:]) {
			text, err := p.file(name)
			if err != nil {
				return "", err
			}
			out.WriteString(text + "\n")
		}
		return out.String(), nil
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
						return "", fmt.Errorf("unexpected %q after }: what follows wants a line of its own", tail)
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
